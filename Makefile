# Two commands do everything on a fresh machine: `make demo` and `make test`. `make test-slow` is the rest of the tests.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
BIN := .venv/bin
SEED ?= 20261121
SIZE ?= default
# Tests start hundreds of processes. Where this stands, each of them compiles every module that it imports anew.
export PYTHONDONTWRITEBYTECODE :=

# What tests need of Debian beside Python.
FAST_PROGRAMS := chromium curl openssl update-ca-certificates:ca-certificates
SLOW_PROGRAMS := $(FAST_PROGRAMS) java:openjdk-17-jre-headless hledger ledger

.PHONY: setup demo test test-slow extras verdicts check docs openapi client pictures fuzz story simulate draws tamper bench attack nation fiboa burden size clean

setup: .venv/ready

.venv/ready: pyproject.toml uv.lock tools/setup
	tools/setup
	touch $@

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Without --quiet, which would drop the warnings before --strict counts them.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The description of the API, kept in docs/reference/openapi.json so that changes show.
openapi: setup
	$(BIN)/python tools/openapi.py

# A Python package with a function for each call, generated from the description: for a release, not kept.
client: setup
	$(BIN)/python tools/client.py dist/client

pictures: setup
	tools/programs chromium
	$(BIN)/python docs/pictures.py

# The marker `slow` decides what waits for `make test-slow`. Three workers share two cores, as one waits for its browser:
# threads of the libraries under them would only stand in each other's way. Types, style and pages are checked beside
# them, in what they leave.
# Random tests begin at SEED, so that the same commit gives the same answer; `make test SEED=$$RANDOM` looks elsewhere.
PYTEST := POLARS_MAX_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadgroup --hypothesis-seed $(SEED)

test: setup
	tools/programs $(FAST_PROGRAMS)
	nice -n 10 $(MAKE) --no-print-directory --output-sync=target check docs & checks=$$!; failed=0; \
	$(PYTEST) -m "not slow" || failed=1; \
	wait $$checks || failed=1; exit $$failed

test-slow: extras
	$(PYTEST) -m slow

# Both engines of subpart F on so many random and damaged seasons, with every kind of difference and an example of it.
COUNT ?= 10000
verdicts: setup
	$(BIN)/python -m tests.standards.side_by_side $(SEED) $(COUNT)

# Spark, Java and other programs for accounting are large downloads that only slow tests need; without them those tests
# fail, they are not skipped.
extras: setup
	tools/programs $(SLOW_PROGRAMS)
	tools/proxies
	UV_PYTHON_DOWNLOADS=never $$(command -v uv || echo .tools/bin/uv) sync --frozen --inexact --extra spark --group bench --quiet

demo: setup
	$(BIN)/provender demo farm

story: setup
	tools/programs chromium
	PROVENDER_STORY=both $(BIN)/python -m pytest -m browser tests/web

simulate: setup
	$(BIN)/python -m tests.simulation --seed $(SEED) --size $(SIZE)

draws: setup
	SEEDS=10000 $(BIN)/python -m pytest -q -n 3 -m slow tests/audit/sampling/test_steering.py

tamper: setup
	SEED=$(SEED) $(BIN)/python -m pytest -q tests/audit/recompute -k tampering
	$(BIN)/python -m tests.audit.mutation --seed $(SEED)

# A synthetic nation with planted faults: SIZE=county|small|state; nation stands on paper.
nation: setup
	$(BIN)/python -m bench.nation --seed $(SEED) --size $(if $(filter default,$(SIZE)),small,$(SIZE))

# The validator of fiboa holds pyarrow at another version than Spark, and brings pandas: it lives by itself.
fiboa: setup
	uv=$$(command -v uv || echo .tools/bin/uv); UV_PYTHON_DOWNLOADS=never $$uv venv --quiet --allow-existing .tools/fiboa; \
	$$uv pip install --quiet --python .tools/fiboa/bin/python fiboa-cli==0.21.0
	PROVENDER_FIBOA=.tools/fiboa/bin/python $(BIN)/python -m pytest -q -n0 tests/portfolio/against_fiboa.py

# Every budget of speed is a multiple of work timed right before and after: exit status 3 where that changed by more than
# a fifth. Beancount comes from its wheel; hledger and ledger are measured where they are installed.
bench: setup
	tools/setup --group bench
	$(BIN)/python -m bench --size $(SIZE)

# What slow strangers and slow files do to a server, on SQLite and then on PostgreSQL: some twenty minutes, on the loopback.
attack: setup
	$(BIN)/python -m bench.attack
	$(BIN)/python -m bench.attack --postgres

# What a season of 40 fields, and one as a consultant keeps it (PROVENDER_SAMPLES), cost a person: counted by playing them.
burden: setup
	$(BIN)/python -m bench.burden
	-$(BIN)/python -m bench.consultant
	$(BIN)/python -m pytest -q -s -n 0 -k "machine_files or story" tests/web/farm/test_in_a_browser.py tests/web/test_story_in_a_browser.py

fuzz: setup
	$(BIN)/python -m fuzz --count $(or $(N),10000) --seed $(SEED)
	PROVENDER_API=whole $(BIN)/python -m pytest -q tests/web/api/test_against_its_description.py

# How large the code is, beside what it may be. The suite holds it to tools/size.toml: LOWER=1 writes lower numbers to
# it, WRITE=1 any (after a merge, or in a commit that says why something rose). REV=... prints another revision.
size: setup
	$(BIN)/python tools/size.py $(if $(LOWER),--lower) $(if $(WRITE),--write) $(if $(REV),--rev $(REV))

clean:
	rm -rf .venv .tools dist out site
