#!/usr/bin/env bash
# Builds the wasm module and, for the command line, the command; writes ratelimit.wasm and command.wasm to FOLDER. Of the
# ways to a compiler for wasm the first that works:
#   1. rustup's target, if it is there, or can be fetched
#   2. Debian's rustc-web, which is installed if this is root
# WASM_TOOLCHAIN=rustup or debian takes only that for the module; the command is built as it can be.
set -euo pipefail
[ $# = 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
folder=$(realpath --canonicalize-missing "$1")
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
# SHA-256, which only long keys need, as a loop: three kilobytes less to send.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg sha2_backend_soft="compact"'

WASI=/usr/lib/wasm32-wasi

# by_rustup TRIPLE ARGUMENT...
by_rustup() {
  local triple=$1
  command -v rustup >/dev/null || return 1
  grep --quiet --line-regexp "$triple" <<<"$(rustup target list --installed)" \
    || timeout "${RUSTUP_SECONDS:-120}" rustup target add "$triple" >/dev/null 2>&1 || return 1
  built=$target/wasm-rustup
  cargo build --locked --quiet --profile wasm --target "$triple" "${@:2}" --target-dir "$built"
}

# The library of the language is built from its source; a compiler has a target folder of its own.
# by_debian TRIPLE ARGUMENT...
by_debian() {
  local triple=$1 linker parts=core,alloc
  if ! debian_has; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update --quiet --quiet
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
      rustc-web cargo-web rust-web-src lld-19 wasi-libc >/dev/null
  fi
  [ "$triple" = wasm32-unknown-unknown ] || parts=std,panic_abort
  local wasi="-C link-self-contained=no -C link-arg=-L$WASI -C link-arg=$WASI/crt1-command.o"
  linker=$(compgen -G "/usr/bin/wasm-ld-*" | sort --version-sort | tail -1)
  built=$target/wasm-debian
  env --unset=RUSTUP_TOOLCHAIN --unset=RUSTFLAGS PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker" CARGO_TARGET_WASM32_WASIP1_LINKER="$linker" \
    CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="$wasi" \
    /usr/bin/cargo build --locked --quiet --profile wasm -Z "build-std=$parts" --target "$triple" "${@:2}" \
    --target-dir "$built"
}

debian_has() {
  [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] && compgen -G "/usr/bin/wasm-ld-*" >/dev/null \
    && [ -e /usr/lib/rustlib/src/rust/library/Cargo.toml ] && [ -e "$WASI/libc.a" ]
}

# make TOOLCHAIN OUTPUT BUILT TRIPLE ARGUMENT...
make() {
  case $1 in
    rustup) by_rustup "${@:4}" ;;
    debian) by_debian "${@:4}" ;;
    any) by_rustup "${@:4}" || by_debian "${@:4}" ;;
    *) echo "WASM_TOOLCHAIN is $1, must be rustup or debian" >&2; return 1 ;;
  esac || { echo "needs a compiler for wasm: rustup target add $4, or Debian's rustc-web" >&2; return 1; }
  local module=$built/$4/wasm/$3
  # What little wasm-opt gains is gained where it is there.
  if command -v wasm-opt >/dev/null; then
    wasm-opt -O2 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
      --enable-reference-types --enable-multivalue --strip-debug --strip-producers "$module" --output "$folder/$2"
  else
    cp "$module" "$folder/$2"
  fi
}

mkdir --parents "$folder"
make "${WASM_TOOLCHAIN:-any}" ratelimit.wasm ratelimit_wasm.wasm wasm32-unknown-unknown --package ratelimit-wasm
make any command.wasm ratelimit.wasm wasm32-wasip1 --package ratelimit-cli --bin ratelimit
