# The front door. `make` says what each target does, in the words after its ##.
SHELL := /bin/bash
.DEFAULT_GOAL := help

CARGO ?= cargo
PYTHON ?= python3
TARGET := $(or $(CARGO_TARGET_DIR),target)
PREFIX ?= /usr/local
CORE := --package ratelimit-core
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
MUTANTS := 27.1.0
BREAK = $(CARGO) mutants $(CORE) --jobs 2
FUZZ := 0.13.2
SECONDS_EACH ?= 60
# The tools of the Python package, and the package as it is installed.
VENV := $(abspath $(TARGET))/python/venv
OLDER := $(abspath $(TARGET))/python/older
RUFF := $(VENV)/bin/ruff --quiet --config pyproject.toml
PYTHONS := . ../examples/python-login
# What a caller names is handed to the shell as it is, to be expanded by nobody.
override LOG := $(value LOG)
export LOG

##@ Start here

help: ## Say what each target does
	@awk 'BEGIN { FS = ":[^#]*## " } /^##@/ { print "\n" substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

demo: tools ## Show what three limits would have done to a log: a made-up one, or LOG=FILE
	$(CARGO) build --locked --release --package ratelimit-cli
	@mkdir -p $(TARGET)/demo
	@test -n "$$LOG" || $(PYTHON) tests/data/generate_log.py --output $(TARGET)/demo/access.log
	$(TARGET)/release/ratelimit replay --plot $(TARGET)/demo/plot.svg --limit 100/minute --limit "sliding 30/10s" \
		--limit "bucket 20 + 1/s; 2000/hour" -- "$${LOG:-$(TARGET)/demo/access.log}"
	@echo; echo "The plot is $(TARGET)/demo/plot.svg."

test: test-rust test-no-std loom test-python test-c test-ffi test-module test-node package ## Run every test

# Without the form for Rust: beside it the linker may not look into other crates, and a check takes a tenth longer.
install: tools ## Install the C library and its header to PREFIX (/usr/local), within DESTDIR if that is set
	$(CARGO) rustc --locked --release --package ratelimit-c --lib --crate-type cdylib,staticlib
	DESTDIR="$(DESTDIR)" bindings/c/install/install.sh "$(TARGET)/release" "$(VERSION)" "$(PREFIX)"

##@ The gate

check: tools check-format check-lints check-docs check-vectors check-house check-module ## Read the source and judge it; change nothing

fix: tools ## Rewrite what a program can mend: formatting, the vectors from the model, the C headers
	$(CARGO) fmt --all
	$(PYTHON) tests/reference/generate.py
	$(CARGO) xtask header
	$(MAKE) $(VENV)/ready
	cd python && $(RUFF) check --fix $(PYTHONS) && $(RUFF) format $(PYTHONS)

##@ Longer looks

bench: tools ## Measure against others; one line `ratio NAME VALUE BOUND ok|short` for each promise
	@mkdir -p $(TARGET)
	set -o pipefail; $(CARGO) bench --locked --workspace --bench '*' | tee $(TARGET)/bench.log
	@echo; grep '^ratio ' $(TARGET)/bench.log || { echo "no bench printed a ratio" >&2; exit 1; }

bench-c: tools ## Measure only a check from C against one from Rust
	$(CARGO) bench --locked --package ratelimit-c --bench '*'

bench-http: tools ## Measure only what a limit costs an axum server, beside none and tower_governor's
	$(CARGO) bench --locked --package ratelimit-tower --bench '*'

bench-node: build-node ## Measure only the npm package against its peers
	node node/test/bench.mjs

bench-python: tools $(VENV)/ready ## Measure only the Python package against its peers
	$(PYTHON) -m venv $(TARGET)/python/bench
	$(TARGET)/python/bench/bin/pip install --quiet --requirement python/benches/requirements.txt
	rm -rf $(TARGET)/python/bench-wheel
	cd python && PATH=$(VENV)/bin:$$PATH maturin build --quiet --locked --release --features abi3,bench \
		--target-dir $(abspath $(TARGET)) --out $(abspath $(TARGET))/python/bench-wheel
	$(TARGET)/python/bench/bin/pip install --quiet --force-reinstall --no-deps $(TARGET)/python/bench-wheel/*.whl
	$(TARGET)/python/bench/bin/python python/benches/check.py

mutants: tools ## Break core in many small ways, and list those that no test notices (an hour; ARGS='--shard 1/8' for a part)
	@$(CARGO) mutants --version 2>/dev/null | grep -q ' $(MUTANTS)$$' || $(CARGO) install --locked cargo-mutants@$(MUTANTS)
	@mkdir -p $(TARGET)
	@# The quickest tests find most, and the others see what those let through. Status 3: some mutants never end.
	$(BREAK) --config tests/mutants_no_std.toml --no-default-features --output $(TARGET)/no-std --timeout 60 \
		$(addprefix --cargo-arg=--test=,vectors facts properties allocation) $(ARGS) || [ $$? = 3 ]
	$(BREAK) --config tests/mutants.toml --output $(TARGET) --timeout 20 \
		$(addprefix --cargo-arg=--test=,vectors facts) $(ARGS) || true
	$(BREAK) --config tests/mutants.toml --output $(TARGET) --iterate --timeout 60 --cargo-arg=--lib \
		$(addprefix --cargo-arg=--test=,vectors facts contract properties allocation serde faults) $(ARGS) \
		|| [ $$? = 3 ]

fuzz: tools ## Throw anything at core and the C functions, SECONDS_EACH seconds a target
	rustup toolchain install nightly --profile minimal --no-self-update
	@$(CARGO) fuzz --version 2>/dev/null | grep -q ' $(FUZZ)$$' || $(CARGO) install --locked cargo-fuzz@$(FUZZ)
	for crate in core bindings/c; do \
		(cd $$crate && for target in $$($(CARGO) fuzz list); do \
			$(CARGO) +nightly fuzz run $$target -- -max_total_time=$(SECONDS_EACH) || exit 1; \
		done) || exit 1; \
	done

miri: tools ## Run the tests of sharing, keys and the C border in an interpreter that sees undefined behaviour
	rustup toolchain install nightly --profile minimal --component miri,rust-src --no-self-update
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +nightly miri test --locked --target-dir $(TARGET)/miri $(CORE) --test contract
	MIRIFLAGS=-Zmiri-disable-isolation $(CARGO) +nightly miri test --locked --target-dir $(TARGET)/miri \
		--package ratelimit-c --test border

loom: tools ## Try every order in which two threads can meet in the table
	RUSTFLAGS="--cfg loom" $(CARGO) test --locked --release --package ratelimit-loom --lib --target-dir $(TARGET)/loom

tsan: tools ## Run the tests of threads under ThreadSanitizer, the standard library built for it too
	rustup toolchain install nightly --profile minimal --component rust-src --no-self-update
	RUSTFLAGS=-Zsanitizer=thread $(CARGO) +nightly test --locked -Zbuild-std --target $(HOST) --target-dir $(TARGET)/tsan \
		$(CORE) --test threads

msrv: tools ## Build with the oldest Rust that is promised
	@if rustup toolchain install $(MSRV) --profile minimal --no-self-update; then \
		set -x; \
		$(CARGO) +$(MSRV) check --locked --target-dir $(TARGET)/msrv $(CORE) --package ratelimit-cli --package ratelimit-c \
			--package ratelimit-node --package ratelimit-tower && \
		$(CARGO) +$(MSRV) check --locked --target-dir $(TARGET)/msrv $(CORE) --no-default-features --features serde; \
	else echo "msrv: NOT CHECKED, rustup could not get Rust $(MSRV) here" >&2; exit 1; fi

package: tools ## Pack the crate as a registry would get it, and build it from that archive
	$(CARGO) fetch --locked --quiet --target $(HOST)
	$(CARGO) package --locked --offline --allow-dirty $(CORE)

# The parts of the targets above.

tools:
	@command -v $(CARGO) >/dev/null || { echo "needs Rust: see https://rustup.rs" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "needs Python 3.10 or later" >&2; exit 1; }
	@$(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@$(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy

# Compilers and valgrind for the C tests: installed if this is root on Debian, else named and done without.
tools-c: tools
	@$(PYTHON) tests/c/tools.py

check-format:
	$(CARGO) fmt --all --check

check-lints:
	$(CARGO) clippy --locked --workspace --all-targets --all-features -- --deny warnings
	$(CARGO) clippy --locked $(CORE) --all-targets -- --deny warnings
	$(CARGO) clippy --locked $(CORE) --no-default-features -- --deny warnings
	$(CARGO) clippy --locked $(CORE) --no-default-features --features serde -- --deny warnings
	$(CARGO) clippy --locked --package ratelimit-tower --no-default-features -- --deny warnings

check-docs:
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --locked --workspace --no-deps --all-features

check-vectors:
	$(PYTHON) tests/reference/generate.py --check

check-house:
	$(CARGO) xtask tidy
	$(CARGO) xtask surface
	$(CARGO) xtask header --check

test-rust: tools
	$(CARGO) test --locked --workspace --all-features -- --show-output

# The examples in the documentation are written for std, so they are not run here.
test-no-std: tools
	$(CARGO) test --locked $(CORE) --no-default-features --tests -- --show-output
	$(CARGO) test --locked $(CORE) --no-default-features --features serde --test serde
	$(CARGO) build --locked $(CORE) --lib --no-default-features --features serde --target-dir $(TARGET)/no-std
	rustc --edition 2024 --crate-type lib --emit metadata --out-dir $(TARGET)/no-std \
		-L dependency=$(TARGET)/no-std/debug/deps --extern ratelimit_core=$(TARGET)/no-std/debug/libratelimit_core.rlib \
		core/tests/no_std/witness.rs

test-python: tools
	$(PYTHON) -m unittest discover --start-directory tests/reference
	$(PYTHON) -m unittest discover --start-directory tests/docs

test-c: tools-c
	$(CARGO) build --locked --release --package ratelimit-cli
	$(PYTHON) tests/c/run.py
	$(PYTHON) -m unittest discover --start-directory tests/c

test-ffi: tools $(TARGET)/ffi/ready
	$(TARGET)/ffi/bin/python -m unittest discover --start-directory tests/ffi

$(TARGET)/ffi/ready: tests/ffi/requirements.txt
	$(PYTHON) -m venv $(TARGET)/ffi
	$(TARGET)/ffi/bin/pip install --quiet --requirement $<
	touch $@

# The package's types and style; needs no build of it.
check-module: tools $(VENV)/ready
	cd python && $(RUFF) check $(PYTHONS) && $(RUFF) format --check $(PYTHONS) && $(VENV)/bin/mypy

$(VENV)/ready: python/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement $<
	touch $@

$(OLDER)/ready: python/tests/older/requirements.txt
	$(PYTHON) -m venv $(OLDER)
	$(OLDER)/bin/pip install --quiet --requirement $<
	touch $@

# The package as it is released: one wheel for every CPython, of a build that any Linux from 2014 on can load.
wheel: tools $(VENV)/ready
	rm -rf $(TARGET)/python/wheel
	cd python && PATH=$(VENV)/bin:$$PATH maturin build --quiet --locked --release --zig --compatibility manylinux2014 \
		--target-dir $(abspath $(TARGET)) --out $(abspath $(TARGET))/python/wheel
	$(VENV)/bin/pip install --quiet --force-reinstall --no-deps $(TARGET)/python/wheel/*.whl

# Never from the folder of the sources' own `ratelimit`, which would be imported in place of the installed one.
test-module: wheel $(OLDER)/ready
	cd python && $(VENV)/bin/pytest -p no:cacheprovider --quiet
	cd python/tests && $(VENV)/bin/stubtest --concise --allowlist stubtest.txt --mypy-config-file ../pyproject.toml ratelimit
	cd python && $(VENV)/bin/pyright --pythonpath $(VENV)/bin/python

# Node.js, npm and a browser: installed if this is root on Debian, else named.
tools-node: tools
	@$(PYTHON) node/test/tools.py

node/test/node_modules/.package-lock.json: node/test/package-lock.json
	cd node/test && npm ci --no-audit --no-fund --loglevel=error
	touch $@

build-node: tools-node
	$(MAKE) node/test/node_modules/.package-lock.json
	node node/test/build.mjs

test-node: build-node
	cd node/test && node --test --test-concurrency=1 --test-reporter=spec *.test.mjs

.PHONY: bench-node build-node tools-node test-node
.PHONY: help demo test install check fix bench bench-c bench-http bench-python mutants fuzz miri loom tsan msrv package tools tools-c
.PHONY: check-format check-lints check-docs check-vectors check-house check-module
.PHONY: test-rust test-no-std test-python test-c test-ffi test-module wheel
