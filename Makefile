# Two commands: `make run` and `make test`. Both set up by themselves what they need.

DUMP ?= sample/dump.json.gz
PAGES ?= sample/answers.warc.gz
PORT ?=
PYTEST_ARGS ?=

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PY := .venv/bin/python
# Nothing is fetched from a model hub. One thread a process, because tests run on every core already.
TEST_ENV := HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false

.PHONY: help run test lint setup translations sample clean
.DEFAULT_GOAL := help

help:
	@echo "make run     walk the sample and serve the dashboard (PORT=… chooses the port)"
	@echo "make test    lint, check types and layers, and run all tests (PYTEST_ARGS=… goes to pytest)"
	@echo "make lint    lint, types and layers only"
	@echo "make setup   only make the virtual environment"
	@echo "make translations  gather the pages' words for the translators"
	@echo "make sample  build the sample's dump and pages again"
	@echo "make clean   remove the virtual environment and caches; var/ with its database stays"

# A file in .venv remembers what was installed last: pip runs again only when the requirements have changed.
.venv/.installed: requirements.txt bin/setup
	@bin/setup requirements.txt
	@touch $@

# requirements-dev.txt holds all of requirements.txt, so installing it serves both.
.venv/.installed-dev: requirements-dev.txt requirements.txt bin/setup
	@bin/setup requirements-dev.txt
	@touch $@ .venv/.installed

setup: .venv/.installed
	@echo "Citewell is set up in .venv."

# `exec` puts the server in the shell's place, where make's own signals reach it.
run: .venv/.installed
	@bin/looks
	@exec $(PY) -m bin.serve --dump $(DUMP) --pages $(PAGES) $(if $(PORT),--port $(PORT))

lint: .venv/.installed-dev
	@echo "Lint, types, layers."
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy --no-error-summary
	@said=$$(.venv/bin/lint-imports --no-cache --no-logo) || { echo "$$said"; exit 1; }

test: lint
	@bin/browser
	@bin/looks
	@echo "Tests."
	@$(TEST_ENV) $(PY) -m pytest $(PYTEST_ARGS)

# After words of the pages have changed: what is new in them waits in web/translations/*/ to be translated.
translations: .venv/.installed-dev
	@$(PY) -m web.translations

sample: .venv/.installed
	@$(PY) -m sample.build

clean:
	@rm -rf .venv node_modules web/static/vendor .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
	@echo "Removed .venv and caches. var/ is kept: it holds your database and the pages that were read."
