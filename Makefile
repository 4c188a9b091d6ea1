# Everything works from a fresh clone: the virtual environment makes itself.
PYTHON ?= python3
BIN := .venv/bin
PYTEST_ARGS ?= -n 2
PLACES ?= both

.PHONY: help demo test integrity chaos e2e check format lint imports types bench requirements clean

help: ## Show this
	@grep -hE '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

demo: $(BIN)/loopwright ## See the main job: a scripted apprentice does a handful of tasks
	$(BIN)/loopwright demo

test: $(BIN)/.dev ## Run the tests
	$(BIN)/python -m pytest $(PYTEST_ARGS)

integrity: $(BIN)/.dev ## Run every cheat and every honest case with namespaces and without
	WANTED_PLACES=$(PLACES) $(BIN)/python -m pytest $(PYTEST_ARGS) tests/integrity

chaos: $(BIN)/.dev ## Let everything go wrong that can: kills, full disks, lost databases, floods (CHAOS_SEED=N replays)
	CHAOS=1 $(BIN)/python -m pytest -n 4 tests/chaos --ignore tests/chaos/test_floods.py  # they wait more than they work
	CHAOS=1 $(BIN)/python -m pytest tests/chaos/test_floods.py tests/run/test_agent_run.py

e2e: $(BIN)/.dev ## Let the real CLIs work, with scripted models; those that can't be installed are named (E2E_SANDBOX=required|auto|off)
	E2E=1 $(BIN)/python -m pytest $(PYTEST_ARGS) -rs tests/e2e

check: lint imports types ## Format, lint, import contracts, strict types

lint: $(BIN)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

imports: $(BIN)/.dev
	$(BIN)/lint-imports

types: $(BIN)/.dev
	$(BIN)/mypy

format: $(BIN)/.dev ## Put the code into shape
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

bench: $(BIN)/.dev ## Print the benchmarks, as ratios from one run (RECORD=1: also those with 10 million events, 4 GB of disk)
	$(BIN)/python bench/run.py
	$(if $(RECORD),$(BIN)/python bench/run.py record)

requirements: $(BIN)/.dev ## Compile requirements/dev.txt from dev.in, with hashes and without an index
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --no-emit-index-url --no-emit-trusted-host \
		--no-emit-find-links --no-header --output-file requirements/dev.txt requirements/dev.in pyproject.toml

clean: ## Remove what was made
	rm -rf .venv dist build .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(BIN)/python:
	$(PYTHON) -m venv .venv

$(BIN)/loopwright: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(BIN)/.dev: requirements/dev.txt $(BIN)/loopwright
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@
