"""Reads include/ratelimit.ffi.h as languages without a C compiler do, and calls the shared library by it."""

import os
import re
import subprocess
import unittest
from pathlib import Path

import cffi

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
DECLARATIONS = (ROOT / "include/ratelimit.ffi.h").read_text()
NOW = NEVER = 2**64 - 1


def listed():
    """Reads bindings/c/abi.txt: its symbols, and its structs and enums with their sizes and lines."""
    parts = (ROOT / "bindings/c/abi.txt").read_text().split("\n\n")
    symbols = parts[1].split()[1:]
    types = {}
    for part in parts[2:]:
        name, size, lines = re.match(r"\w+ (\w+): (\d+) bytes.*\n((?:.*\n?)*)", part).groups()
        types[name] = int(size), {word: int(number) for number, word in map(str.split, lines.splitlines())}
    return symbols, types


class Declarations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        build = [os.environ.get("CARGO", "cargo"), "build", "--quiet", "--locked", "--package", "ratelimit-c"]
        subprocess.run(build, cwd=ROOT, check=True)
        cls.ffi = cffi.FFI()
        cls.ffi.cdef(DECLARATIONS)
        cls.c = cls.ffi.dlopen(str(TARGET / "debug/libratelimit.so"))

    def limiter(self, text):
        made = self.ffi.new("ratelimit_limiter **")
        self.assertEqual(self.c.ratelimit_new_from_text(text, len(text), made), self.c.RATELIMIT_OK)
        return self.ffi.gc(made[0], self.c.ratelimit_free)

    def check(self, limiter, key, cost=1, now_ms=NOW):
        decision = self.ffi.new("ratelimit_decision *")
        status = self.c.ratelimit_check(limiter, key, cost, now_ms, decision)
        return status, decision

    def key(self, data):
        key = self.ffi.new("ratelimit_key *", {"bytes": self.ffi.from_buffer(data), "length": len(data)})
        # The key only points at its bytes.
        self.addCleanup(lambda kept: None, data)
        return key

    def test_no_line_is_a_directive(self):
        self.assertEqual([line for line in DECLARATIONS.splitlines() if line.lstrip().startswith("#")], [])

    def test_every_symbol_of_the_library_is_declared_and_found(self):
        symbols, _ = listed()
        for symbol in symbols:
            self.assertEqual(self.ffi.typeof(getattr(self.c, symbol)).kind, "function", symbol)

    def test_layouts_and_numbers_are_those_that_are_listed(self):
        _, types = listed()
        for name, (size, members) in types.items():
            self.assertEqual(self.ffi.sizeof(name), size, name)
            kind = self.ffi.typeof(name)
            if kind.kind == "enum":
                self.assertEqual(kind.relements, members)
            else:
                self.assertEqual({field: part.offset for field, part in kind.fields}, members)
        self.assertEqual(len(types), 15)

    def test_decisions_are_made_and_written(self):
        limiter = self.limiter(b"2/minute")
        ada = self.key(b"ada")
        found = [self.check(limiter, ada, now_ms=59_000)[1] for _ in range(3)]
        kinds = [decision.kind for decision in found]
        self.assertEqual(kinds, [self.c.RATELIMIT_ALLOWED, self.c.RATELIMIT_ALLOWED, self.c.RATELIMIT_DENIED])
        self.assertEqual([decision.remaining for decision in found], [1, 0, 0])
        self.assertEqual(found[2].retry_after_ms, 1_000)
        self.assertEqual(self.check(limiter, ada, cost=3)[1].retry_after_ms, NEVER)

    def test_an_error_is_a_status_with_a_message(self):
        status, _ = self.check(self.limiter(b"2/minute"), self.key(b"ada"), cost=0)
        self.assertEqual(status, self.c.RATELIMIT_OUT_OF_RANGE)
        message = self.ffi.string(self.c.ratelimit_last_error_message())
        self.assertEqual(message, b"cost is 0, must be from 1 to 4294967295")

    def test_a_clock_can_be_a_function_of_the_language(self):
        clock = self.ffi.callback("uint64_t(void *)", lambda _: 61_500)
        policy = self.ffi.new("ratelimit_policy *", (self.c.RATELIMIT_FIXED_WINDOW, 1, 1_000, 0))
        config = self.ffi.new("ratelimit_config *")
        config.size = self.ffi.sizeof("ratelimit_config")
        config.policies, config.policy_count, config.max_identities = policy, 1, 10
        config.clock = clock
        made = self.ffi.new("ratelimit_limiter **")
        self.assertEqual(self.c.ratelimit_new(config, made), self.c.RATELIMIT_OK)
        status, decision = self.check(made[0], self.key(b"ada"))
        self.assertEqual((status, decision.at_ms, decision.reset_after_ms), (self.c.RATELIMIT_OK, 61_500, 500))
        self.assertEqual(self.c.ratelimit_free(made[0]), self.c.RATELIMIT_OK)
        self.assertEqual(self.c.ratelimit_free(made[0]), self.c.RATELIMIT_FREED)


if __name__ == "__main__":
    unittest.main()
