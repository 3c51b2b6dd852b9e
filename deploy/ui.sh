#!/bin/sh
# Starts Dagster's webserver and daemon over the data home, on loopback, and stops both on Ctrl-C.
# Usage: sh deploy/ui.sh [FOLDER OF PROGRAMS] [--port PORT]
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
case "${1:-}" in
    "" | -*) bin="$root/.venv/bin" ;;
    *)
        bin=$1
        shift
        ;;
esac
if [ ! -x "$bin/python" ]; then
    echo "ui: $bin/python is missing; run: make setup" >&2
    exit 2
fi
exec "$bin/python" -m depcodex_pipelines.ui "$@"
