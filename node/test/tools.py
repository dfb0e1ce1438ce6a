#!/usr/bin/env python3
"""Finds what the tests of the npm package need, and installs what is absent where it may: as root, through apt-get."""

import os
import re
import shutil
import subprocess
import sys

# What is looked for, and the Debian package that brings it.
PACKAGES = {"node": "nodejs", "npm": "npm", "chromium": "chromium", "wasm-opt": "binaryen"}
# What the tests of browsers and the size of the wasm module can do without; they say so.
OPTIONAL = {"chromium", "wasm-opt"}
LEAST_NODE = (20, 19)


def absent():
    return [tool for tool in PACKAGES if not shutil.which(tool)]


def node_version():
    said = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def install(tools):
    print(f"installing: {', '.join(tools)}")
    packages = sorted(PACKAGES[tool] for tool in tools)
    command = ["apt-get", "install", "--quiet", "--yes", "--no-install-recommends", *packages]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "--quiet", "--quiet"], check=True)
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def main():
    if absent() and os.geteuid() == 0 and shutil.which("apt-get"):
        install(absent())
    missing = absent()
    if OPTIONAL & set(missing):
        names = ", ".join(sorted(OPTIONAL & set(missing)))
        print(f"not here, so what needs it will not run: {names}", file=sys.stderr)
    needed = [tool for tool in missing if tool not in OPTIONAL]
    if needed:
        sys.exit(f"needs {' and '.join(needed)}: see https://nodejs.org")
    if node_version() < LEAST_NODE:
        sys.exit(f"needs Node.js {'.'.join(map(str, LEAST_NODE))} or later: see https://nodejs.org")


if __name__ == "__main__":
    main()
