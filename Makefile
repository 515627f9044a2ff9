PYTHON ?= python3
BIN = .venv/bin
SOURCES = $(shell find src -name '*.py' -o -name '*.pxd') setup.py pyproject.toml
COMPILED = build/compiled
OLDEST = build/hypothesis-oldest
PACKAGE = build/package
PLAIN = build/plain
TESTED = build/tested
# Tests of an installed package, and not of the sources beside them.
INSTALLED = -n 2 -q -m "not heavy" --import-mode importlib -p no:cacheprovider $(CURDIR)/tests/unit $(CURDIR)/tests/conformance

.PHONY: demo test test-all test-package check docs site chaos dist wheels clean

demo: .venv/installed
	$(BIN)/rlcheck demo

# Check style, types, layers and docs; run every test that does not need PyTorch, Ray, a browser, Go or Java.
# The unit tests take every branch of the package root and of the tabular learners.
test: check
	$(BIN)/pytest -n auto -m "not heavy" tests/unit tests/conformance --cov
	$(BIN)/pytest -n auto -m "not heavy" --ignore tests/unit --ignore tests/conformance --ignore tests/repo/test_compiled.py
	touch $(TESTED)

# `make test` passed, and no file has changed since.
$(TESTED): $(wildcard $(shell git ls-files --cached --others --exclude-standard 2> /dev/null))
	$(MAKE) test

# Also run the heavy tests, the compiled package, and the oldest Hypothesis that the backend supports.
test-all: .venv/all $(TESTED) $(COMPILED)/stamp $(OLDEST)/stamp
	$(BIN)/python -m benchmarks.subjects.install
	if command -v mvn javac > /dev/null; then $(BIN)/python -m benchmarks.jqf.install; fi
	$(BIN)/pytest -n auto -m heavy
	$(BIN)/pytest -n auto tests/repo/test_compiled.py
	PYTHONPATH=$(COMPILED) $(BIN)/pytest -n auto --quiet -m "not heavy" tests/unit tests/conformance
	PYTHONPATH=$(OLDEST) $(BIN)/pytest -n auto --quiet tests/frontends/test_hypothesis_backend.py

check: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

docs: .venv/test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

site: .venv/test
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site

# Build the sdist and a wheel, and test the wheel in an empty environment. The wheel is built from the sdist.
# Without a compiler the sdist installs as plain Python, and `rlcheck doctor` says so.
dist: .venv/dist
	rm -rf dist $(PACKAGE) $(PLAIN)
	$(BIN)/python -m build --outdir dist
	$(BIN)/twine check --strict dist/*
	$(PYTHON) -m venv $(PACKAGE)
	$(PACKAGE)/bin/pip install --quiet -c constraints.txt "$$(ls $(CURDIR)/dist/*.whl)[cli,hypothesis]" pytest pytest-xdist
	$(PACKAGE)/bin/rlcheck doctor
	cd $(PACKAGE) && bin/pytest $(INSTALLED)
	$(PYTHON) -m venv $(PLAIN)
	CC=false $(PLAIN)/bin/pip install --quiet dist/*.tar.gz
	$(PLAIN)/bin/rlcheck doctor | grep "compiled: no"
	cd $(PLAIN) && bin/rlcheck run $(CURDIR)/examples/trees.py::tree --valid is_bst --episodes 1000 --no-save

# The same tests on whatever Python is active, where there is no make test: Windows, macOS.
test-package:
	$(PYTHON) -m pip install --quiet -c constraints.txt ".[cli,hypothesis]" pytest pytest-xdist
	cd $(CURDIR)/.. && $(PYTHON) -m pytest $(INSTALLED)

# Wheels for this system and every supported Python; pyproject.toml says which.
wheels: .venv/dist
	$(BIN)/cibuildwheel --output-dir dist

# Benchmarks measure the compiled hot path, which is what users install. Pass options in ARGUMENTS:
# make bench-subjects ARGUMENTS="--seconds 300 --subject ant maven"
bench-%: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks $* $(ARGUMENTS)

bench-deep: .venv/all

# Damage files, kill runs, and compare processes with the same seed.
chaos: .venv/all bench-chaos

bench-strict: $(COMPILED)/stamp
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks strict $(ARGUMENTS)
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks.readme

bench-subjects: $(COMPILED)/stamp
	$(BIN)/pip install --quiet -r benchmarks/subjects/requirements.txt
	$(BIN)/python -m benchmarks.subjects.install
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks subjects $(ARGUMENTS)

bench-projects: $(COMPILED)/stamp
	$(BIN)/python -m benchmarks.projects.install
	PYTHONPATH=$(CURDIR)/$(COMPILED) $(BIN)/python -m benchmarks projects $(ARGUMENTS)

# Without Go, this says so and measures nothing.
bench-cosmos: $(COMPILED)/stamp
	$(BIN)/python -m benchmarks.cosmos.install
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks cosmos $(ARGUMENTS)

# Without Java or Maven, this says so and measures nothing.
bench-jqf: $(COMPILED)/stamp
	$(BIN)/pip install --quiet -r benchmarks/jqf/requirements.txt
	$(BIN)/python -m benchmarks.jqf.install
	PYTHONPATH=$(COMPILED) $(BIN)/python -m benchmarks jqf $(ARGUMENTS)

$(COMPILED)/stamp: .venv/test $(SOURCES)
	rm -rf $(COMPILED) build/lib* build/bdist* build/temp*  # otherwise setuptools packs old build files
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --target $(COMPILED) .
	touch $@

# The oldest version of Hypothesis that the backend supports; constraints.txt has the newest.
$(OLDEST)/stamp: .venv/test
	$(BIN)/pip install --quiet --target $(OLDEST) $(shell sed -n 's/^hypothesis = \["\(hypothesis\)>=\(.*\)"\]/\1==\2.0/p' pyproject.toml)
	touch $@

.venv/python:
	$(PYTHON) -m venv .venv
	touch $@

# The demo uses whatever is installed. `make test` replaces it with an editable install.
.venv/installed: | .venv/python
	@echo "Installing rlcheck and compiling its hot path: this takes about two minutes and prints nothing."
	test -e .venv/test || $(BIN)/pip install --quiet -c constraints.txt '.[cli]'
	touch $@

.venv/test: pyproject.toml constraints.txt | .venv/python
	@echo "Installing what the tests need, about 150 MB: this takes a minute or two and prints nothing."
	$(BIN)/pip install --quiet -c constraints.txt -e '.[test]'
	touch $@ .venv/installed

.venv/dist: .venv/test
	$(BIN)/pip install --quiet build twine cibuildwheel
	touch $@

.venv/all: .venv/test benchmarks/subjects/requirements.txt benchmarks/jqf/requirements.txt
	@echo "Installing PyTorch, Ray and more, several GB: this takes some minutes and prints nothing."
	$(BIN)/pip install --quiet -c constraints.txt -e '.[dev]'
	$(BIN)/pip install --quiet -r benchmarks/subjects/requirements.txt -r benchmarks/jqf/requirements.txt
	touch $@

clean:
	rm -rf .venv build dist .coverage .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
