PY := .venv/bin/python

.PHONY: run test setup setup-dev lint

run: setup          ## everything needed, then the app in the browser
	$(PY) -m streamlit run app.py

test: setup-dev     ## everything needed, then every test
	$(PY) -m pytest

setup:
	@scripts/system_packages.sh run
	@scripts/setup.sh

setup-dev:
	@scripts/system_packages.sh dev
	@scripts/setup.sh dev

lint: setup-dev
	$(PY) -m ruff check . && $(PY) -m ruff format --check .
