# The front door. `make` says what each target does, in the words after its ##.
SHELL := /bin/sh
.DEFAULT_GOAL := help

CARGO ?= cargo
PYTHON ?= python3
CORE := --package ratelimit-core
MSRV := $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

##@ Start here

help: ## Say what each target does
	@awk 'BEGIN { FS = ":[^#]*## " } /^##@/ { print "\n" substr($$0, 5) } \
		/^[a-z][a-z-]*:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

test: test-rust test-no-std package ## Run every test

##@ The gate

check: tools format-check lint doc tidy ## Read the source and judge it; change nothing

fix: tools ## Rewrite what a program can mend: formatting
	$(CARGO) fmt --all

##@ Longer looks

msrv: tools ## Check that the oldest Rust we promise builds it
	@if rustup toolchain install $(MSRV) --profile minimal --no-self-update; then \
		$(CARGO) +$(MSRV) check --locked --target-dir target/msrv $(CORE) --package ratelimit-cli && \
		$(CARGO) +$(MSRV) check --locked --target-dir target/msrv $(CORE) --no-default-features; \
	else echo "msrv: NOT CHECKED, rustup could not get Rust $(MSRV) here" >&2; exit 1; fi

package: tools ## Pack the crate as its registry would get it, and build it from the archive
	$(CARGO) fetch --locked
	$(CARGO) package --locked --offline --allow-dirty $(CORE)

# The parts of the targets above.
tools:
	@command -v $(CARGO) >/dev/null || { echo "needs Rust: see https://rustup.rs" >&2; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "needs Python 3" >&2; exit 1; }
	@$(CARGO) fmt --version >/dev/null 2>&1 || rustup component add rustfmt
	@$(CARGO) clippy --version >/dev/null 2>&1 || rustup component add clippy

format-check:
	$(CARGO) fmt --all --check

lint:
	$(CARGO) clippy --locked --workspace --all-targets --all-features -- --deny warnings
	$(CARGO) clippy --locked $(CORE) --all-targets -- --deny warnings
	$(CARGO) clippy --locked $(CORE) --no-default-features -- --deny warnings
	$(CARGO) clippy --locked $(CORE) --no-default-features --features serde -- --deny warnings

doc:
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --locked --workspace --no-deps --all-features

tidy:
	$(CARGO) xtask tidy
	$(CARGO) xtask surface

test-rust: tools
	$(CARGO) test --locked --workspace --all-features

test-no-std: tools
	$(CARGO) test --locked $(CORE) --no-default-features

.PHONY: help test check fix msrv package tools format-check lint doc tidy test-rust test-no-std
