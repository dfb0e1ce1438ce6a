"""Compiles and runs the C blocks of the pages.

The blocks of a page are one program: what they include and what they define as `static` comes first, all else is the
body of `main`, in order.
"""

import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")

FENCE = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def program(page):
    """Makes a program of the C blocks of a page; none, if it has no such blocks."""
    before, body = [], []
    for block in FENCE.findall(page):
        lines = block.splitlines()
        included = [line for line in lines if line.startswith("#include")]
        before += included
        (before if block.startswith("static ") else body).extend(line for line in lines if line not in included)
    return "\n".join([*before, "int main(void) {", *body, "return 0;", "}", ""]) if body else None


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [page for page in listed.stdout.splitlines() if (ROOT / page).exists()]


def run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command} ends with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class PagesOfC(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run(os.environ.get("CARGO", "cargo"), "build", "--quiet", "--locked", "--package", "ratelimit-c")
        cls.folder = TARGET / "docs-c"
        cls.folder.mkdir(parents=True, exist_ok=True)

    def build(self, name, text):
        source, built = self.folder / f"{name}.c", self.folder / name
        source.write_text(text)
        library = [f"{TARGET}/debug/libratelimit.a", "-lpthread", "-ldl", "-lm"]
        run("cc", *FLAGS, f"-I{ROOT}/include", str(source), *library, "-o", str(built))
        return str(built)

    def test_the_c_of_every_page_compiles_and_runs_to_its_end(self):
        tried = []
        for page in pages():
            text = program((ROOT / page).read_text())
            if text is not None:
                with self.subTest(page=page):
                    run(self.build(page.replace("/", "-").removesuffix(".md"), text))
                tried.append(page)
        self.assertIn("README.md", tried)
        self.assertIn("docs/c.md", tried)
        print(f"C of {len(tried)} pages was run")

    def test_an_assertion_that_does_not_hold_fails(self):
        text = program("```c\n#include <assert.h>\nassert(1 == 2);\n```\n")
        built = self.build("wrong", text)
        with self.assertRaisesRegex(AssertionError, "1 == 2"):
            run(built)

    def test_blocks_of_a_page_are_one_program(self):
        page = "```c\n#include <x.h>\nint a;\n```\n\n```c\nstatic int f(void);\n```\n\n```c\na = f();\n```\n"
        expected = "#include <x.h>\nstatic int f(void);\nint main(void) {\nint a;\na = f();\nreturn 0;\n}\n"
        self.assertEqual(program(page), expected)
        self.assertIsNone(program("```console\n$ ls\n```\n"))


if __name__ == "__main__":
    unittest.main()
