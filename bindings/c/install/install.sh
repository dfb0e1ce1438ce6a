#!/bin/sh
# Installs the C library: headers, libraries, and what pkg-config and CMake read.
#
#     DESTDIR=... install.sh BUILT VERSION PREFIX
#
# BUILT is the folder in which cargo left the libraries. Everything goes to DESTDIR PREFIX, and speaks of PREFIX only.
set -eu
built=$1 version=$2 prefix=$3
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../../include
abi=$(sed -n 's/^#define RATELIMIT_ABI_VERSION //p' "$include/ratelimit.h")

case $prefix in
/*) ;;
*) echo "PREFIX is \"$prefix\", must be an absolute path" >&2 && exit 2 ;;
esac
if [ ! -e "$built/libratelimit.so" ]; then
  echo "$built has no libratelimit.so: only systems with ELF libraries are known here" >&2
  exit 1
fi
root=${DESTDIR:-}$prefix

fill() {
  sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@ABI@|$abi|" "$here/$1.in" >"$2/$1"
  chmod 644 "$2/$1"
}

install -d "$root/include" "$root/lib/pkgconfig" "$root/lib/cmake/ratelimit"
install -m 644 "$include/ratelimit.h" "$include/ratelimit.ffi.h" "$root/include"
install -m 755 "$built/libratelimit.so" "$root/lib/libratelimit.so.$version"
ln -sf "libratelimit.so.$version" "$root/lib/libratelimit.so.$abi"
ln -sf "libratelimit.so.$abi" "$root/lib/libratelimit.so"
install -m 644 "$built/libratelimit.a" "$root/lib"
fill ratelimit.pc "$root/lib/pkgconfig"
fill ratelimit-config.cmake "$root/lib/cmake/ratelimit"
fill ratelimit-config-version.cmake "$root/lib/cmake/ratelimit"
