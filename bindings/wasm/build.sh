#!/usr/bin/env bash
# Builds the wasm module and, for the command line, the command; writes ratelimit.wasm and command.wasm to FOLDER. Of the
# ways to a compiler for wasm the first that works:
#   1. rustup's target, if it is there, or can be fetched          (WASM_TOOLCHAIN=rustup takes only this)
#   2. Debian's rustc-web, which is installed if this is root      (WASM_TOOLCHAIN=debian takes only this)
set -euo pipefail
[ $# = 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
folder=$(realpath --canonicalize-missing "$1")
cd "$(dirname "$0")/../.."
triple=wasm32-unknown-unknown
command_triple=wasm32-wasip1
target=${CARGO_TARGET_DIR:-target}
wanted=${WASM_TOOLCHAIN:-any}
build=(build --locked --quiet --profile wasm)
module=(--target "$triple" --package ratelimit-wasm)
command=(--target "$command_triple" --package ratelimit-cli --bin ratelimit)

by_rustup() {
  command -v rustup >/dev/null || return 1
  local have
  have=$(rustup target list --installed)
  for each in "$triple" "$command_triple"; do
    grep --quiet --line-regexp "$each" <<<"$have" \
      || timeout "${RUSTUP_SECONDS:-120}" rustup target add "$each" >/dev/null 2>&1 || return 1
  done
  built=$target/wasm-rustup
  cargo "${build[@]}" "${module[@]}" --target-dir "$built"
  cargo "${build[@]}" "${command[@]}" --target-dir "$built"
}

debian_has() {
  [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] && compgen -G "/usr/bin/wasm-ld-*" >/dev/null \
    && [ -e /usr/lib/rustlib/src/rust/library/Cargo.toml ] && [ -e /usr/lib/wasm32-wasi/libc.a ]
}

# The library of the language is built from its source; a compiler has a target folder of its own.
by_debian() {
  if ! debian_has; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update --quiet --quiet
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
      rustc-web cargo-web rust-web-src lld-19 wasi-libc >/dev/null
  fi
  built=$target/wasm-debian
  debian_cargo -Z build-std=core,alloc "${module[@]}"
  debian_cargo -Z build-std=std,panic_abort "${command[@]}"
}

debian_cargo() {
  local linker
  linker=$(compgen -G "/usr/bin/wasm-ld-*" | sort --version-sort | tail -1)
  env --unset=RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS= \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker" CARGO_TARGET_WASM32_WASIP1_LINKER="$linker" \
    CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Lnative=/usr/lib/wasm32-wasi" \
    /usr/bin/cargo "${build[@]}" "$@" --target-dir "$built"
}

case $wanted in
  rustup) by_rustup ;;
  debian) by_debian ;;
  any) by_rustup || by_debian ;;
  *) echo "WASM_TOOLCHAIN is $wanted, must be rustup or debian" >&2; exit 2 ;;
esac || { echo "needs a compiler for wasm: rustup target add $triple $command_triple, or Debian's rustc-web" >&2; exit 1; }

mkdir --parents "$folder"
# What little wasm-opt gains is gained where it is there.
shrink() {
  if command -v wasm-opt >/dev/null; then
    wasm-opt -O2 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
      --enable-reference-types --enable-multivalue --strip-debug --strip-producers "$1" --output "$2"
  else
    cp "$1" "$2"
  fi
}
shrink "$built/$triple/wasm/ratelimit_wasm.wasm" "$folder/ratelimit.wasm"
shrink "$built/$command_triple/wasm/ratelimit.wasm" "$folder/command.wasm"
