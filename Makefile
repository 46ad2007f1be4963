# Two commands: `make run` and `make test`. Everything is installed into .venv on first use.
# `make test PYTHON=python3.13` sets up an environment of its own, and so does PINS=FILE, which pins
# what pip may install: .ci/lock.txt what we develop with, .ci/oldest.txt the oldest that we support.
PYTHON ?= python3
PINS ?=
VENV ?= .venv$(if $(filter-out python3,$(PYTHON)),-$(notdir $(PYTHON)))$(if $(PINS),-$(basename $(notdir $(PINS))))
BIN := $(VENV)/bin

# Bytecode is kept whatever the environment says: tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test test-all check docs release tables setup clean

# Running needs four packages and what those need, in $(VENV)/runs; all else needs some 80.
setup: $(VENV)/installed

# Nothing, or why this Python will not do.
UNFIT = $(shell $(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or \
	sys.stdout.write("is Python " + sys.version.split()[0])' 2>/dev/null || echo is not a Python)
# An unfinished set-up is begun again from nothing.
CLEAR = $(if $(wildcard $(VENV)/runs $(VENV)/installed),,--clear)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(PINS),--constraint $(PINS)) --editable

# The set-up speaks on stderr: the stdout of `make -s run` belongs to the protocol.
$(VENV)/runs: pyproject.toml $(PINS)
	$(if $(UNFIT),$(error phantomgo needs Python 3.11 or newer, and $(PYTHON) $(UNFIT). Name another: make PYTHON=python3.12 $(MAKECMDGOALS)))
	@echo "phantomgo: installing numpy, numba, scipy and prompt_toolkit into $(VENV), once" >&2
	@$(PYTHON) -m venv $(CLEAR) $(VENV) >&2
	@$(INSTALL) . >&2
	@touch $@

$(VENV)/installed: $(VENV)/runs
	@echo "phantomgo: installing what tests and checks need, some 80 packages, into $(VENV), once" >&2
	@$(INSTALL) '.[dev]' >&2
	@touch $@

run: $(VENV)/runs
	@exec $(BIN)/phantomgo gtp $(ARGS)

# A process more than there are cores, as some tests wait for browsers and engines; a file's tests
# stay together, as they share what takes long to set up, and run in order: by default those with few
# tests come last, and some of these take long.
test: setup
	$(BIN)/python -m pytest --numprocesses $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist loadfile --no-loadscope-reorder -rs $(ARGS)

test-all: setup
	$(BIN)/python -m pytest -m "slow or not slow" $(ARGS)

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site, as docs/_build/html/index.html. Warnings, broken links among them, are errors.
docs: setup
	@$(BIN)/python -c 'import furo, myst_parser, sphinx' 2>/dev/null || \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]' >&2
	$(BIN)/python -m sphinx -b html -c docs -W --keep-going --quiet . docs/_build/html

# The wheel of this version in dist, checked in a fresh environment, and a tag. Nothing is uploaded.
release: setup
	@$(BIN)/python -m tests.tools.release

# The tables of docs/notes that a command prints, each by the command above it.
tables: setup
	$(BIN)/python -m tests.support.tables

clean:
	rm -rf .venv .venv-* docs/_build docs/reference/generated .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
