#!/usr/bin/env python3
"""Finds what the C tests need, and installs what is absent where it may: as root, through apt-get."""

import functools
import os
import shutil
import subprocess
import sys

# What is looked for, and the Debian package that brings it.
PACKAGES = {
    "gcc": "gcc",
    "g++": "g++",
    "clang": "clang",
    "clang++": "clang",
    "clang's sanitizers": "libclang-rt-dev",
    "valgrind": "valgrind",
    "pkg-config": "pkg-config",
    "cmake": "cmake",
}
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@functools.cache
def has(tool):
    """Says whether a tool is here; clang's sanitizers are, if a program links with them."""
    if tool != "clang's sanitizers":
        return shutil.which(tool) is not None
    link = ["clang", *SANITIZE, "-x", "c", "-", "-o", os.devnull]
    program = b"int main(void) { return 0; }"
    return has("clang") and subprocess.run(link, input=program, capture_output=True).returncode == 0


def absent():
    return [tool for tool in PACKAGES if not has(tool)]


def main():
    missing = absent()
    if not missing:
        return
    names = ", ".join(missing)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"not here, so what needs it will not run: {names}", file=sys.stderr)
        return
    print(f"installing: {names}")
    packages = sorted({PACKAGES[tool] for tool in missing})
    install = ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", *packages]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "--quiet", "--quiet"], check=True)
    subprocess.run(install, check=True, env=environment, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
