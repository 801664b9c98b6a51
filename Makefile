# Everything runs in virtual environments inside this folder. GNU Make 3.81 (macOS) is enough.
#
#   make PYTHON=/path/to/python3.12 test     use another Python
#   make tests PYTEST="-k sqlite"            hand options to pytest
#   make bench BENCH="--help"                hand options to the benchmarks

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-all lab lessons bench bench-khive bench-kits bench-postgres evidence lock clean mutants \
	environment lint types oldest tests site notebooks nightly

export PYTHON
MAKEFLAGS += --no-print-directory
# Else each process would compile whatever it imports.
unexport PYTHONDONTWRITEBYTECODE
PYTEST ?=
BENCH ?=
KITS ?=
python := .venv/bin/python
# Each process of pytest that loads the plugin for notebooks starts two seconds later.
pytest_alone := PYTEST_ADDOPTS="$$PYTEST_ADDOPTS -p no:nbval"

# These run the whole suite some thousand times over; what else they would cover, others do.
untraced := tests/testing/test_shapes.py tests/testing/test_cheats.py \
	tests/testing/faults/test_kills_on_engines.py tests/public_faults

# Where the version of lionagi can make a difference.
oldest_tests := $(wildcard tests/adapter tests/fake tests/lionagi tests/test_*.py)

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | expand -t 16

demo: environment ## Judge the fake and a real SQLite file; write the HTML report
	@mkdir -p build
	@$(python) -m memory_fidelity check fake --html build/fake.html
	@$(python) -m memory_fidelity check sqlite --html build/sqlite.html
	@$(python) -m memory_fidelity check sqlite-deferred --html build/sqlite-deferred.html
	@$(python) -m memory_fidelity table fake sqlite sqlite-deferred

test: lint ## Check everything
	@# Each of these two keeps one processor busy.
	@$(MAKE) types & types=$$!; $(MAKE) oldest; oldest=$$?; wait $$types && exit $$oldest
	@$(MAKE) tests notebooks site
	@echo "All checks passed."

environment:
	@sh tools/environment.sh .venv requirements/dev.txt

lint: environment
	$(python) -m ruff check
	$(python) -m ruff format --check

types: environment
	$(python) -m mypy

oldest:
	@sh tools/environment.sh .venv-oldest requirements/oldest.txt
	.venv-oldest/bin/python -m pytest -q $(oldest_tests)

tests: environment
	@$(python) -m coverage erase
	$(pytest_alone) $(python) -m coverage run -m pytest -q -n auto --dist loadscope \
		--ignore tests/notebooks --ignore tests/site $(addprefix --ignore=,$(untraced)) $(PYTEST)
	@$(python) -m coverage combine --quiet
	@$(python) -m coverage report
	@$(python) -m coverage json --quiet -o - | $(python) tools/coverage_floor.py
	$(pytest_alone) $(python) -m pytest -q -n auto --dist worksteal $(untraced)

nightly: environment ## Run 10,000 examples per embedded adapter
	HYPOTHESIS_PROFILE=nightly $(pytest_alone) $(python) -m pytest -q -n auto --dist worksteal \
		--durations=0 tests/properties $(PYTEST)

# In another time zone, locale, home and order of hashes than that in which the lessons were saved:
# nothing that would be saved may differ from what is committed.
notebooks: environment ## Run every lesson, and compare what it shows
	@mkdir -p build/home
	TZ=Asia/Kathmandu LC_ALL=C PYTHONHASHSEED=7 COLUMNS=200 HOME="$(CURDIR)/build/home" \
		$(python) -m pytest -q -n auto --dist loadfile -p tools.exact_lessons \
		--nbval --nbval-current-env --nbval-cell-timeout=60 notebooks tests/notebooks

site: environment ## Build the site into site/, and look at it in a browser
	NO_MKDOCS_2_WARNING=1 $(python) -m mkdocs build --strict --quiet
	BUILT_SITE=site $(pytest_alone) $(python) -m pytest -q -n auto --dist worksteal tests/site

lab: environment ## Open the lessons in JupyterLab
	$(python) -m jupyter lab notebooks

lessons: environment ## Execute all lessons anew and save what they show
	$(python) tools/notebooks.py

test-all: test ## Check everything, then run the tests on every Python from 3.11 that is found
	@sh tools/every_python.sh

bench: ## Measure the SQLite store against its peers
	@sh tools/environment.sh .venv-bench requirements/bench.txt
	.venv-bench/bin/python -m benchmarks $(BENCH)

bench-kits: environment ## Put faults before other conformance kits, and see what they find
	@sh benchmarks/kits/environments.sh
	$(python) -m benchmarks.kits $(KITS)

bench-postgres: ## Measure the PostgreSQL store against its peers
	@sh tools/environment.sh .venv-bench requirements/bench.txt
	.venv-bench/bin/python -m benchmarks.postgres $(BENCH)

bench-khive: environment ## Measure the khive store against bare calls of khive
	$(python) -m benchmarks.khive $(BENCH)

mutants: environment ## Change the product's own source, and see whether its tests notice
	@sh tools/environment.sh .venv-mutants requirements/mutants.txt
	.venv-mutants/bin/python -m benchmarks.mutants

evidence: environment ## Judge the shipped adapters again, and write the evidence of the site
	$(python) -m tools.website.evidence
	$(python) -m tools.website.kills

lock: ## Resolve the locked versions anew (network)
	@sh tools/lock.sh

clean: ## Remove everything that was made, the environments too
	rm -rf .venv .venv-* build dist site .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache
