# make plan     set everything up and plan the Slim Fly of reports/slimfly-200
# make compare  set everything up and compare eight networks of 5,000 endpoints; QUICK=--quick takes less effort
# make test     set everything up and run the tests
# make nightly  tests of large plans and long runs that have a smaller sibling in make test
# make quick    the tests that take below a minute together
# make coverage  the tests of make quick, with the share of the code that they run and its floor
# make bench    speed against baselines, compared with the last committed table
# make tables   all tables of speed and quality, which take hours
# make lint     style of Python, and of scripts, styles and templates of the web pages
# make types    type checker
# make pictures pictures of README and docs, by headless Chromium; runs two studies of the gallery first
# make docs     documentation site in site/; open site/index.html
# make wheel    package built with compiled kernels, installed elsewhere without the right to write, and tried

# Tests start many processes: bytecode is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
BIN := .venv/bin
# A variable, since a comma would end the argument of a call.
ALL := .[test,lint,docs]
STUDY ?= reports/slimfly-200
CORES ?= $(shell nproc 2>/dev/null || echo 2)
# Two more than there are cores: tests wait for browsers and processes of theirs, or for another worker to compile a kernel.
WORKERS ?= $(shell expr $(CORES) + 2)

plan: .venv/installed
	$(BIN)/python -m planner.kernels
	$(BIN)/planner run $(STUDY)

compare: .venv/installed
	$(BIN)/planner compare reports/compare-5000 $(QUICK)

test: .venv/installed-test
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Each worker collects all tests by itself: no more than there are cores.
quick: .venv/installed-test
	$(BIN)/python -m pytest -n $(CORES) --dist worksteal -m "not slow and not nightly"

coverage: .venv/installed-test
	$(BIN)/python -m pytest -n $(CORES) --dist worksteal -m "not slow and not nightly" --cov --cov-report term:skip-covered

nightly: .venv/installed-test
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m nightly

# Plain twins of the tests are among the baselines.
bench: .venv/installed-test
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks ratios

tables: .venv/installed-test
	$(BIN)/python -m benchmarks

lint: .venv/installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/scripts.py

types: .venv/installed-lint
	$(BIN)/mypy

docs: .venv/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

pictures: .venv/installed-test
	$(BIN)/planner run reports/polarstar-1064 --quiet
	$(BIN)/planner run reports/dragonfly-two-halls --quiet
	$(BIN)/python tools/pictures.py

wheel: .venv/installed
	rm -rf dist .venv/wheel .venv/tried .venv/shipped .venv/cache
	$(BIN)/python -m planner.kernels --archive .venv >.venv/archive
	PLANNER_ARCHIVE=$$(cat .venv/archive) $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target .venv/wheel dist/*.whl
	cd .venv && chmod -R a-w wheel && export PYTHONPATH=$$PWD/wheel PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$$PWD/cache \
	  && bin/python -m planner new tried && bin/python -m planner run tried --quiet \
	  && test -s tried/tried.pdf && test -z "$$(find wheel -newer tried/study.toml)"
	# Nothing was compiled in addition to what was shipped.
	cd .venv && bin/python -m zipfile -e wheel/planner/kernels/*.zip shipped && cmp shipped/fast.jsonl cache/planner/*/fast.jsonl
	chmod -R u+w .venv/wheel

release: wheel
	$(BIN)/uv build --quiet --sdist --out-dir dist
	rm -rf .venv/release
	$(BIN)/uv venv --quiet .venv/release
	$(BIN)/uv pip install --quiet --python .venv/release/bin/python dist/*.whl
	$(BIN)/uv tool run --quiet --from cyclonedx-bom cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	  --output-file dist/planner.cdx.json .venv/release/bin/python

# uv installs in a third of the time that pip takes. Without it, or where it fails, pip installs, which also knows the mirrors and
# certificates of its own settings. Files are copied: the cache of uv may be on another disk.
install = UV_LINK_MODE=copy $(BIN)/uv pip install --quiet --python $(BIN)/python --editable "$(1)" \
  || $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable "$(1)"

.venv/bin/uv:
	$(PYTHON) -m venv .venv
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile uv

# Where the environment forbids bytecode, an installation in place would never get it.
compile = $(BIN)/python -m compileall -q planner

.venv/installed: pyproject.toml | .venv/bin/uv
	$(call install,.)
	$(compile)
	touch $@

.venv/installed-test: .venv/installed
	$(call install,.[test])
	touch $@

.venv/installed-lint: .venv/installed tools/eslint/package.json
	$(call install,.[lint])
	$(BIN)/python tools/scripts.py --install
	touch $@

.venv/installed-docs: .venv/installed
	$(call install,.[docs])
	touch $@

# What all targets need, in one installation; targets may then run at the same time.
.venv/installed-all: pyproject.toml tools/eslint/package.json | .venv/bin/uv
	$(call install,$(ALL))
	$(compile)
	$(BIN)/python tools/scripts.py --install
	touch .venv/installed
	touch .venv/installed-test .venv/installed-lint .venv/installed-docs $@

clean:
	rm -rf .venv

.PHONY: plan compare test quick coverage nightly bench tables lint types docs pictures wheel release clean
