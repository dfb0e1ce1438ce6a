#!/usr/bin/env bash
# Builds the wasm module and writes it to FILE. Of the ways to a compiler for wasm the first that works:
#   1. rustup's target, if it is there, or can be fetched          (WASM_TOOLCHAIN=rustup takes only this)
#   2. Debian's rustc-web, which is installed if this is root      (WASM_TOOLCHAIN=debian takes only this)
# wasm-opt makes it a little smaller, where it is there.
set -euo pipefail
[ $# = 1 ] || { echo "usage: build.sh FILE" >&2; exit 2; }
file=$(realpath --canonicalize-missing "$1")
cd "$(dirname "$0")/../.."
triple=wasm32-unknown-unknown
target=${CARGO_TARGET_DIR:-target}
wanted=${WASM_TOOLCHAIN:-any}
build=(build --locked --quiet --target "$triple" --profile wasm --package ratelimit-wasm)

by_rustup() {
  command -v rustup >/dev/null || return 1
  rustup target list --installed | grep --quiet --line-regexp "$triple" \
    || timeout "${RUSTUP_SECONDS:-120}" rustup target add "$triple" >/dev/null 2>&1 || return 1
  cargo "${build[@]}" --target-dir "$target/wasm-rustup"
  built=$target/wasm-rustup
}

debian_has() {
  [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] && compgen -G "/usr/bin/wasm-ld-*" >/dev/null \
    && [ -e /usr/lib/rustlib/src/rust/library/Cargo.toml ]
}

# The library of the language is built from its source; a compiler has a target folder of its own.
by_debian() {
  if ! debian_has; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update --quiet --quiet
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
      rustc-web cargo-web rust-web-src lld-19 >/dev/null
  fi
  env --unset=RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS= \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$(compgen -G "/usr/bin/wasm-ld-*" | sort --version-sort | tail -1)" \
    /usr/bin/cargo "${build[@]}" -Z build-std=core,alloc --target-dir "$target/wasm-debian"
  built=$target/wasm-debian
}

case $wanted in
  rustup) by_rustup ;;
  debian) by_debian ;;
  any) by_rustup || by_debian ;;
  *) echo "WASM_TOOLCHAIN is $wanted, must be rustup or debian" >&2; exit 2 ;;
esac || { echo "needs a compiler for wasm: rustup target add $triple, or Debian's rustc-web" >&2; exit 1; }

module=$built/$triple/wasm/ratelimit_wasm.wasm
mkdir --parents "$(dirname "$file")"
if command -v wasm-opt >/dev/null; then
  wasm-opt -O2 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
    --enable-reference-types --enable-multivalue "$module" --output "$file"
else
  cp "$module" "$file"
fi
