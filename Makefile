# make plan     set everything up and plan the Slim Fly of reports/slimfly-200
# make compare  set everything up and compare eight networks of 5,000 endpoints; QUICK=--quick takes less effort
# make test     set everything up and run all tests
# make quick    the tests that take below a minute together
# make bench    tables of speed and quality

PYTHON ?= python3
BIN := .venv/bin
STUDY ?= reports/slimfly-200

plan: .venv/installed
	$(BIN)/planner run $(STUDY)

compare: .venv/installed
	$(BIN)/planner compare reports/compare-5000 $(QUICK)

test: .venv/installed-test
	$(BIN)/python -m pytest -n auto --dist worksteal

quick: .venv/installed-test
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

bench: .venv/installed
	$(BIN)/python -m benchmarks

lint: .venv/installed-test
	$(BIN)/ruff check .

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-test: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	touch $@

clean:
	rm -rf .venv

.PHONY: plan compare test quick bench lint clean
