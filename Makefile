# make book · test · bench · pair · serve · sources · clean
# Options: SETTINGS=greenhouse|smoke|open|paper, PROFILE=default|slurm, PYTHON=python3.11
PYTHON ?= python3.11
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

# The stamp goes first and comes back last: an environment whose first installation was cut short is made anew.
.venv/installed: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(if $(wildcard .venv/installed),,--clear) .venv && rm -f $@
	.venv/bin/python -m pip install --no-compile -c requirements.lock -e '.[book,test]' && touch $@
