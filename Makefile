# Options: SETTINGS=greenhouse|smoke|open|paper, PROFILE=default|slurm, PYTHON=/path/to/python
WILL_DO = import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3; do \
  $$name -c '$(WILL_DO)' 2>/dev/null && echo $$name && break; done)
SETTINGS ?= $(or $(VLMBIAS_SETTINGS),greenhouse)
PROFILE ?= default
RUN := .venv/bin/python -m vlmbias
# each test goes to the next free process, those that take long first, those of the site to one process
PYTEST := .venv/bin/python -m pytest -n 2 --dist loadgroup
.PHONY: book pdf test test-all test-quick lint bench pair lab serve sources clean help
.DEFAULT_GOAL := book

help:  ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p; s/^# Options/\nOptions/p' Makefile | expand -t 14

book: .venv/installed  ## execute what changed and build the book
	@$(RUN) book --settings $(SETTINGS) --profile $(PROFILE)
	@echo "Open _build/site/_build/html/index.html, or: make serve"

pdf: .venv/installed  ## print the built book into one PDF beside its pages (needs Chromium)
	@$(RUN) pdf

test: .venv/installed  ## the tests, apart from those that take long
	$(PYTEST) -m "not long"

test-all: .venv/installed  ## every test: retraining, full size and the rehearsal, too; run every night
	$(PYTEST)

test-quick: .venv/installed  ## the tests that run no notebook and build no page
	$(PYTEST) -m "not slow and not long"

lint: .venv/installed  ## ruff, pyright, the notebooks' pairs
	.venv/bin/python -m ruff check src tests notebooks book benchmarks data tools
	.venv/bin/python -m ruff format --check src tests book benchmarks data tools
	.venv/bin/python -m pyright src
	$(RUN) pair --check

bench: .venv/installed  ## the benchmarks, each compared with its peers; a missed goal is a failure
	@status=0; for script in benchmarks/[a-z]*.py; do \
	  echo "$$script"; OMP_NUM_THREADS=1 .venv/bin/python $$script || status=1; done; exit $$status

pair: .venv/installed  ## write the .ipynb of every notebook
	$(RUN) pair

lab: .venv/lab  ## JupyterLab, in which the notebooks run cell by cell; installs it the first time
	JUPYTER_PREFER_ENV_PATH=1 .venv/bin/jupyter lab --LabApp.default_url=/lab/tree/notebooks

serve: .venv/installed  ## show the built book at localhost:8000
	.venv/bin/python -m http.server --bind localhost --directory _build/site/_build/html 8000

sources: .venv/installed  ## try again to download the small open sources
	$(RUN) sources --fetch

clean:  ## remove everything generated, the environment apart
	rm -rf _build .snakemake

# An environment needs Python 3.11 or later: the first of python3.11 to python3.14 and python3 that runs, or PYTHON.
.venv/installed: requirements.lock pyproject.toml
	@"$(PYTHON)" -c '' 2>/dev/null || { echo 'No python3.11 to python3.14 here, and no python3 that is as new. Install one, or' \
	  'say where it is: make book PYTHON=/path/to/python'; exit 1; }
	@"$(PYTHON)" src/runner/environment.py

# JupyterLab beside what the book needs, whose versions stay those of the lock.
.venv/lab: .venv/installed
	.venv/bin/python -m pip install --no-compile -c requirements.lock -e '.[lab]'
	@touch $@
