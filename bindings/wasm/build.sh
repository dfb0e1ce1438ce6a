#!/usr/bin/env bash
# Builds the wasm module and, for the command line, the command; writes ratelimit.wasm and command.wasm to FOLDER. Of the
# ways to a compiler for the module the first that works:
#   1. rustup's target, if it is there, or can be fetched          (WASM_TOOLCHAIN=rustup takes only this)
#   2. Debian's rustc-web, which is installed if this is root      (WASM_TOOLCHAIN=debian takes only this)
# The command needs rustup's target for WASI, and is left out where that cannot be had.
set -euo pipefail
[ $# = 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
folder=$(realpath --canonicalize-missing "$1")
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
# SHA-256, which only long keys need, as a loop: three kilobytes less to send. And less is inlined than the compiler would
# where it builds for speed: another kilobyte. What has to be quick asks for it. Pointers that run along loops beside what
# counts them are not worth their code here.
flags='--cfg sha2_backend_soft="compact" -C llvm-args=-inline-threshold=20 -C llvm-args=-disable-lsr'
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags

# by_rustup TRIPLE ARGUMENT...
by_rustup() {
  local triple=$1
  command -v rustup >/dev/null || return 1
  grep --quiet --line-regexp "$triple" <<<"$(rustup target list --installed)" \
    || timeout "${RUSTUP_SECONDS:-120}" rustup target add "$triple" >/dev/null 2>&1 || return 1
  built=$target/wasm-rustup
  cargo build --locked --quiet --profile wasm --target "$triple" "${@:2}" --target-dir "$built"
}

# The library of the language is built from its source, and so with panics that are traps where they arise: half a
# kilobyte less; a compiler has a target folder of its own.
by_debian() {
  local linker
  if ! debian_has; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    apt-get update --quiet --quiet
    DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
      rustc-web cargo-web rust-web-src lld-19 >/dev/null
  fi
  linker=$(compgen -G "/usr/bin/wasm-ld-*" | sort --version-sort | tail -1)
  built=$target/wasm-debian
  env --unset=RUSTUP_TOOLCHAIN --unset=RUSTFLAGS PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER="$linker" \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$flags -Z unstable-options -C panic=immediate-abort" \
    /usr/bin/cargo build --locked --quiet --profile wasm -Z build-std=core,alloc --target "$1" "${@:2}" \
    --target-dir "$built"
}

debian_has() {
  [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] && compgen -G "/usr/bin/wasm-ld-*" >/dev/null \
    && [ -e /usr/lib/rustlib/src/rust/library/Cargo.toml ]
}

# What wasm-opt gains, two kilobytes, is gained where it is there: from code without nesting it finds shorter ways through
# it, and code packs better where no access says how it is aligned, which is a hint. The stack grows down to the memory's
# begin, so that what lies below 1024 is not in use.
shrink() {
  if command -v wasm-opt >/dev/null; then
    wasm-opt --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
      --enable-reference-types --enable-multivalue --low-memory-unused \
      --flatten --rereloop -Oz -Oz --dealign --reorder-functions \
      --strip-debug --strip-producers --strip-target-features "$1" --output "$2"
  else
    cp "$1" "$2"
  fi
}

mkdir --parents "$folder"
module=(wasm32-unknown-unknown --package ratelimit-wasm)
command=(wasm32-wasip1 --package ratelimit-cli --bin ratelimit)

case ${WASM_TOOLCHAIN:-any} in
  rustup) by_rustup "${module[@]}" ;;
  debian) by_debian "${module[@]}" ;;
  any) by_rustup "${module[@]}" || by_debian "${module[@]}" ;;
  *) echo "WASM_TOOLCHAIN is $WASM_TOOLCHAIN, must be rustup or debian" >&2; exit 2 ;;
esac || { echo "needs a compiler for wasm: rustup target add ${module[0]}, or Debian's rustc-web" >&2; exit 1; }
shrink "$built/${module[0]}/wasm/ratelimit_wasm.wasm" "$folder/ratelimit.wasm"

if by_rustup "${command[@]}"; then
  shrink "$built/${command[0]}/wasm/ratelimit.wasm" "$folder/command.wasm"
else
  echo "left out: command.wasm, for which rustup cannot get ${command[0]} here" >&2
fi
