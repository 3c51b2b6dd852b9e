# The commands of the README. `make setup` needs python3 >= 3.11 with venv; nothing here needs root or a server.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO_HOME ?= $(CURDIR)/.depcodex-demo
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.PHONY: setup demo test lint check ui bench lock clean

setup: $(STAMP)

# The requirements file is the whole resolution, so nothing is left to resolve (older pips trip over extras with hashes).
# One stamp: a second `make test` installs nothing until a requirement or the project's own metadata changes.
$(STAMP): requirements/dev.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "setup: $(PYTHON) is missing; install Python 3.11 to 3.14" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' || { echo "setup: Python 3.11 to 3.14 is needed; name one with PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "setup: this Python has no venv; on Debian install python3-venv" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check
	@touch $(STAMP)

demo: $(STAMP)
	@DEPCODEX_HOME=$(DEMO_HOME) $(BIN)/python examples/demo.py

test: $(STAMP)
	$(BIN)/python -m pytest -q --numprocesses 2 --dist loadfile

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

check: lint test

ui: $(STAMP)
	@sh deploy/ui.sh $(BIN)

bench: $(STAMP)
	$(BIN)/python bench/stages.py
	$(BIN)/python bench/record.py

# Pins with hashes and without addresses, for every Python we support.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--group dev --extra assets --extra pipelines pyproject.toml --output-file requirements/dev.txt

clean:
	rm -rf $(VENV) $(DEMO_HOME) .mypy_cache .ruff_cache .pytest_cache .hypothesis
