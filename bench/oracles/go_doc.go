// Command go_doc prints what go/doc, the library behind `go doc -all`, says of a module's packages.
//
//	go run go_doc.go FOLDER IMPORTPATH
//
// One JSON object a line: symbol, kind, the comment's text as go/ast has it, and as `go doc` prints it.
// Files are those of the build for linux on amd64 with cgo. Fields and interface methods are read out of the type
// declarations that go/doc leaves, since they are no entries of their own there.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

type row struct {
	Symbol string `json:"symbol"`
	Kind   string `json:"kind"`
	Raw    string `json:"raw"`
	Text   string `json:"text"`
}

var out = json.NewEncoder(os.Stdout)

func main() {
	root, path := os.Args[1], os.Args[2]
	context := build.Default
	context.GOOS, context.GOARCH, context.CgoEnabled = "linux", "amd64", true
	filepath.Walk(root, func(folder string, info os.FileInfo, err error) error {
		if err != nil || !info.IsDir() {
			return nil
		}
		name := info.Name()
		if folder != root {
			if name == "testdata" || name == "vendor" || name == "internal" || name[0] == '.' || name[0] == '_' {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		found, err := context.ImportDir(folder, build.ImportComment)
		if found == nil || found.Name == "" || found.Name == "main" {
			return nil
		}
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range append(append([]string{}, found.GoFiles...), found.CgoFiles...) {
			file, err := parser.ParseFile(fset, filepath.Join(folder, name), nil, parser.ParseComments)
			if err == nil {
				files = append(files, file)
			}
		}
		inside, _ := filepath.Rel(root, folder)
		importPath := path
		if inside != "." {
			importPath = path + "/" + filepath.ToSlash(inside)
		}
		pkg, err := doc.NewFromFiles(fset, files, importPath)
		if err == nil {
			show(pkg, importPath)
		}
		return nil
	})
}

func show(pkg *doc.Package, path string) {
	put := func(kind, name, text string) {
		symbol := path
		if name != "" {
			symbol += "." + name
		}
		out.Encode(row{symbol, kind, text, string(pkg.Text(text))})
	}
	values := func(kind string, found []*doc.Value) {
		for _, value := range found {
			for _, spec := range value.Decl.Specs {
				spec, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				text := first(spec.Doc.Text(), spec.Comment.Text(), value.Doc)
				if !value.Decl.Lparen.IsValid() {
					text = first(value.Doc, spec.Comment.Text())
				}
				for _, name := range spec.Names {
					if name.IsExported() {
						put(kind, name.Name, text)
					}
				}
			}
		}
	}
	functions := func(owner string, found []*doc.Func) {
		for _, each := range found {
			if owner == "" || each.Recv == "" {
				put("func", each.Name, each.Doc)
			} else {
				put("method", owner+"."+each.Name, each.Doc)
			}
		}
	}
	put("package", "", pkg.Doc)
	values("const", pkg.Consts)
	values("var", pkg.Vars)
	functions("", pkg.Funcs)
	for _, each := range pkg.Types {
		put("type", each.Name, each.Doc)
		values("const", each.Consts)
		values("var", each.Vars)
		functions("", each.Funcs)
		functions(each.Name, each.Methods)
		for _, spec := range each.Decl.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.Name == each.Name {
				members(put, each.Name, spec.Type)
			}
		}
	}
}

func members(put func(kind, name, text string), owner string, written ast.Expr) {
	var fields *ast.FieldList
	kind := "field"
	switch written := written.(type) {
	case *ast.StructType:
		fields = written.Fields
	case *ast.InterfaceType:
		fields, kind = written.Methods, "interface method"
	default:
		return
	}
	for _, field := range fields.List {
		text := first(field.Doc.Text(), field.Comment.Text())
		for _, name := range field.Names {
			if name.IsExported() {
				put(kind, owner+"."+name.Name, text)
				if kind == "field" {
					members(put, owner+"."+name.Name, field.Type)
				}
			}
		}
	}
}

func first(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}
