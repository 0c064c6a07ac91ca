# `make demo` and `make test` set everything up by themselves; `make` alone lists what there is.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WORKERS ?= 2

# Plots are written to files, on machines without a screen too.
export MPLBACKEND := Agg

.DEFAULT_GOAL := help
.PHONY: help setup demo test check format bench bench-compare golden docs clean

help:  ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "make %-13s %s\n", $$1, $$2 }'

setup: $(READY)  ## make .venv with everything a developer needs

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make setup PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt setuptools
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e '.[dev]'
	@touch $@

demo: setup  ## measure the speed, then train for two minutes and evaluate
	$(BIN)/python -m benchmarks.throughput mustang --quick
	$(BIN)/python -m agents.train mustang --demo --out runs/demo

test: setup check  ## check, then run all tests
	$(BIN)/python -m pytest -n $(WORKERS)

check: setup  ## lint, formatting, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup  ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup  ## the whole table of decisions per second, with a plot
	$(BIN)/python -m benchmarks.throughput mustang

bench-compare:  ## measure the working tree against another revision: make bench-compare BASE=HEAD~1
	@test -n "$(BASE)" || { echo "BASE is missing, the revision to compare with: make bench-compare BASE=HEAD~1"; exit 2; }
	@$(MAKE) --no-print-directory setup
	$(BIN)/python -m benchmarks.compare --base '$(BASE)'

golden: setup  ## play the golden games again; review the change like code
	$(BIN)/python -m tests.mustang.test_golden --write
	$(BIN)/python -m tests.stabletimes.test_golden --write
	$(BIN)/python -m tests.fable.test_golden --write

docs: setup  ## write the generated tables and the tests of each rule into the docs
	$(BIN)/python -m docs.generate

clean:  ## remove what was built and cached; .venv and runs stay
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	find . -path ./$(VENV) -prune -o -type d -name __pycache__ -exec rm -rf {} +
