# make book · test · bench · pair · serve · sources · clean
# Options: SETTINGS=greenhouse|smoke|open|paper, PROFILE=default|slurm, PYTHON=/path/to/python3.11
IS_3_11 = import sys; sys.exit(sys.version_info[:2] != (3, 11))
PYTHON ?= $(shell for name in python3.11 python3; do $$name -c '$(IS_3_11)' 2>/dev/null && echo $$name && break; done)
SETTINGS ?= $(or $(VLMBIAS_SETTINGS),greenhouse)
PROFILE ?= default
RUN := .venv/bin/python -m vlmbias
.PHONY: book test bench pair serve sources clean
.DEFAULT_GOAL := book

book: .venv/installed
	@$(RUN) book --settings $(SETTINGS) --profile $(PROFILE)
	@echo "Open _build/site/_build/html/index.html, or: make serve"

test: .venv/installed
	.venv/bin/python -m pytest -n 2

bench: .venv/installed
	@for script in benchmarks/*.py; do OMP_NUM_THREADS=1 .venv/bin/python $$script || exit 1; done

pair: .venv/installed
	$(RUN) pair

serve: .venv/installed
	.venv/bin/python -m http.server --bind localhost --directory _build/site/_build/html 8000

sources: .venv/installed
	$(RUN) sources fetch

clean:
	rm -rf _build .snakemake

# An environment needs Python 3.11: the first of python3.11 and python3 that is one, or PYTHON.
.venv/installed: requirements.lock pyproject.toml
	@"$(PYTHON)" -c '' 2>/dev/null || { echo 'No python3.11 here, and no python3 that is 3.11. Install it, or say where it' \
	  'is: make book PYTHON=/path/to/python3.11'; exit 1; }
	@"$(PYTHON)" src/runner/environment.py
