// Command gin-tool serves a list of orders over HTTP.
package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"go.uber.org/zap"
)

func main() {
	log := zap.Must(zap.NewProduction())
	root := &cobra.Command{
		Use: "gin-tool",
		RunE: func(command *cobra.Command, _ []string) error {
			router := gin.Default()
			router.POST("/orders", func(context *gin.Context) {
				context.JSON(http.StatusCreated, gin.H{"id": uuid.New()})
			})
			return router.Run("127.0.0.1:8080")
		},
	}
	if err := root.Execute(); err != nil {
		log.Fatal("stopped", zap.Error(err))
	}
}
