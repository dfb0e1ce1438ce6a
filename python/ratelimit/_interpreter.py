"""Refuses an interpreter within another, before the module in Rust is loaded; from 3.12 on CPython does it itself."""

import importlib
import sys


def is_main() -> bool:
    """Says whether this is the process's main interpreter."""
    try:
        interpreters = importlib.import_module("_xxsubinterpreters")
    except ImportError:  # A build without them has but one.
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


if sys.version_info < (3, 12) and not is_main():
    raise ImportError("module ratelimit does not support loading in subinterpreters")
