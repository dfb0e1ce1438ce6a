"""Runs programs in interpreters of their own."""

import subprocess
import sys
import textwrap
from pathlib import Path


def run(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in an interpreter of its own."""
    command = [sys.executable, *options, "-c", textwrap.dedent(program)]
    # Elsewhere than beside the sources, which would be imported in place of what is installed.
    return subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent)


def said(program: str, *options: str) -> str:
    done = run(program, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr
