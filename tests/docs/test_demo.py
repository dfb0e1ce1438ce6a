"""Runs `make demo` on logs whose names mean something to make or to a shell."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from test_console import ROOT, environment

NAMES = ["a log", "$HOME", "a$b", "$$x", "$(error expanded)", "`exit 3`", "it's", '"; exit 3; "', "\\", "#x"]


def demo(*arguments, **variables):
    return subprocess.run(
        ["make", "demo", *arguments],
        cwd=ROOT,
        env={**environment(), **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )


class Demo(unittest.TestCase):
    def test_a_log_of_any_name_is_replayed(self):
        lines = (ROOT / "tests/data/sample.log").read_text(encoding="utf-8").splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as folder:
            for name in NAMES:
                log = Path(folder) / name
                log.write_text("".join(lines[:3]), encoding="utf-8")
                for done in (demo(f"LOG={log}"), demo(LOG=str(log))):
                    with self.subTest(name=name, arguments=done.args):
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertIn(f"{log}: combined log, 3 lines", done.stdout)

    def test_a_name_that_begins_as_an_option_does_is_a_name(self):
        self.assertIn("-x: No such file", demo("LOG=-x").stderr)


if __name__ == "__main__":
    unittest.main()
