PYTHON ?= python3
BIN = .venv/bin
SOURCES = $(shell find src -name '*.py' -o -name '*.pxd') setup.py pyproject.toml
COMPILED = build/compiled
OLDEST = build/hypothesis-oldest

.PHONY: demo test check docs bench-bst bench-containers bench-cost bench-coverage bench-deep bench-hypothesis \
	bench-portfolio bench-rng bench-runs bench-strict bench-subjects clean

demo: .venv/installed
	$(BIN)/rlcheck demo

test: check $(COMPILED)/stamp $(OLDEST)/stamp
	$(BIN)/pytest -n auto
	PYTHONPATH=$(COMPILED) $(BIN)/pytest -n auto --quiet tests/unit tests/conformance
	PYTHONPATH=$(OLDEST) $(BIN)/pytest -n auto --quiet tests/frontends/test_hypothesis_backend.py

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/mkdocs build --strict --quiet --site-dir build/site

docs: .venv/dev
	$(BIN)/mkdocs serve

# Benchmarks measure what users install: the compiled hot path.
bench-bst: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.bst.run
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.bst.analyse

bench-containers: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.containers.run
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.containers.analyse

bench-strict: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.strict.run
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.strict.run --seconds 3 --seeds 5
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.strict.run --seconds 60 --seeds 1 --learner diverse \
		--subject bst avl sorted-list lambda --name strict-60s
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.strict.analyse
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.readme

bench-coverage: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.coverage.run

bench-deep: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.deep.run
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.deep.memory
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.deep.analyse

bench-portfolio: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.portfolio.run

# Options of the run go in ARGUMENTS: make bench-subjects ARGUMENTS="--minutes 5 --subjects ant maven"
bench-subjects: $(COMPILED)/stamp
	$(BIN)/pip install --quiet -r benchmarks/subjects/requirements.txt
	$(BIN)/python -m benchmarks.subjects.install
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.subjects.run $(ARGUMENTS)
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.subjects.analyse

bench-rng: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.rng.run
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.rng.analyse

bench-cost: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.cost.run

bench-runs: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.runs.run

bench-hypothesis: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.hypothesis.run
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.hypothesis.analyse

$(COMPILED)/stamp: .venv/dev $(SOURCES)
	rm -rf $(COMPILED) build/lib* build/bdist* build/temp*  # setuptools would pack what an earlier build left
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --target $(COMPILED) .
	touch $@

# The oldest version of Hypothesis that the backend supports; constraints.txt has the newest.
$(OLDEST)/stamp: .venv/dev
	$(BIN)/pip install --quiet --target $(OLDEST) $(shell sed -n 's/^hypothesis = \["\(hypothesis\)>=\(.*\)"\]/\1==\2.0/p' pyproject.toml)
	touch $@

.venv/python:
	$(PYTHON) -m venv .venv
	touch $@

# The demo takes whatever is installed; `make test` replaces it by an editable install.
.venv/installed: | .venv/python
	@echo "Installing rlcheck and compiling its hot path: about a minute without a word."
	test -e .venv/dev || $(BIN)/pip install --quiet -c constraints.txt '.[cli]'
	touch $@

.venv/dev: pyproject.toml constraints.txt | .venv/python
	@echo "Installing what the tests need, about 2 GB: some minutes without a word."
	$(BIN)/pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@ .venv/installed

clean:
	rm -rf .venv build dist .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
