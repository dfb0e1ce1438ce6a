"""Runs the console blocks of every page and compares what they print with what the page says.

A line that begins with `$ ` is a command for bash in the root of the project, the lines below it are what it prints;
`...` stands for any text. A command that fails, fails the test, whatever it prints.
"""

import doctest
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# What runs these tests cannot be run by them.
NOT_RUN = {"make test": "runs this very test", "make check": "the other half of the gate"}

FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sessions(page):
    """Splits the console blocks of a page into pairs of a command and what it should print."""
    for block in FENCE.findall(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def difference(command, expected):
    """Runs a command; gives None where it prints what is expected, else what is wrong."""
    done = subprocess.run(
        ["bash", "-euc", command],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return f"$ {command}\nends with status {done.returncode}:\n{done.stdout}{done.stderr}"
    checker, example = doctest.OutputChecker(), doctest.Example(command, expected)
    if checker.check_output(expected, done.stdout, doctest.ELLIPSIS):
        return None
    return f"$ {command}\n" + checker.output_difference(example, done.stdout, doctest.ELLIPSIS)


def environment():
    """Puts the `ratelimit` command that `make demo` builds on the path, and hides that a make is running already."""
    built = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release"
    outer = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return {**outer, "PATH": f"{built}:{os.environ['PATH']}", "NO_COLOR": "1"}


def pages():
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [name for name in sorted(set(names)) if (ROOT / name).exists()]


def setUpModule():
    build = ["cargo", "build", "--quiet", "--locked", "--release", "--package", "ratelimit-cli"]
    subprocess.run(build, cwd=ROOT, check=True)
    # Pages write what they make to target, which is not there if Cargo was told to build elsewhere.
    (ROOT / "target").mkdir(exist_ok=True)


class Pages(unittest.TestCase):
    def test_every_console_block_prints_what_its_page_says(self):
        run = 0
        for name in pages():
            for command, expected in sessions((ROOT / name).read_text(encoding="utf-8")):
                if command in NOT_RUN:
                    continue
                run += 1
                with self.subTest(page=name, command=command):
                    self.assertIsNone(difference(command, expected))
        print(f"ran {run} commands of the pages")
        self.assertGreater(run, 0)


class Itself(unittest.TestCase):
    def test_blocks_are_split_into_commands_and_what_they_print(self):
        page = "```console\n$ one\n$ two a\nx\ny\n```\ntext\n```sh\n$ three\n```\n"
        self.assertEqual(list(sessions(page)), [("one", ""), ("two a", "x\ny\n")])

    def test_output_that_differs_is_a_difference(self):
        self.assertIsNone(difference("echo a; echo b", "a\n...\n"))
        self.assertIn("Expected", difference("echo a; echo b", "a\nc\n"))

    def test_a_command_that_fails_is_a_difference_even_if_it_prints_what_is_expected(self):
        self.assertIn("status 3", difference("echo a; exit 3", "a\n"))


if __name__ == "__main__":
    unittest.main()
