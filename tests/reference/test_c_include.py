"""Compiles vectors.inc as C and, where a compiler is there, as C++, and counts what a runner would see."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
COMPILERS = (("cc", "-std=c11", "count.c"), ("c++", "-std=c++17", "count.cpp"))
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")

COUNT = """
#include "vectors.h"
#include "vectors.inc"
#include <stdio.h>
#include <string.h>

int main(void) {
  size_t steps = 0, failing = 0, key_bytes = 0, text_bytes = 0, refused = 0;
  for (size_t i = 0; i < VECTOR_WORLD_COUNT; i++) {
    steps += vector_worlds[i].step_count;
    for (size_t j = 0; j < vector_worlds[i].step_count; j++) failing += vector_worlds[i].steps[j].error.code != 0;
    for (size_t j = 0; j < vector_worlds[i].key_count; j++) key_bytes += vector_worlds[i].keys[j].bytes.length;
  }
  for (size_t i = 0; i < VECTOR_CONFIG_COUNT; i++) refused += vector_configs[i].error.code != 0;
  for (size_t i = 0; i < VECTOR_TEXT_COUNT; i++) text_bytes += vector_texts[i].text.length;
  printf("%d %d %d %d ", VECTOR_WORLD_COUNT, VECTOR_CONFIG_COUNT, VECTOR_TEXT_COUNT, VECTOR_LEFT_OUT_COUNT);
  printf("%zu %zu %zu %zu %zu\\n", steps, failing, key_bytes, refused, text_bytes);
  return strcmp(vector_worlds[0].name, "counts-to-the-limit") != 0;
}
"""


def key_bytes(key):
    if "parts" in key:
        return sum(len(str(len(part) // 2)) + 1 + len(part) // 2 for part in key["parts"])
    return len(key["hex"]) // 2 if "hex" in key else len(key["text"].encode())


def counts_of_the_json():
    """Counts the same from the JSON files, without the code that wrote the include."""
    cases = []
    for path in sorted((TESTS / "vectors").glob("[0-9]*.json")):
        cases += json.loads(path.read_text(encoding="utf-8"))["cases"]
    held = [case for case in cases if "beyond_u64" not in case]
    worlds = [case for case in held if case["type"] == "world"]
    configs = [case for case in held if case["type"] == "config"]
    texts = [case for case in held if case["type"] == "text"]
    steps = [step for world in worlds for step in world["steps"]]
    keys = [{json.dumps(step["key"]): step["key"] for step in world["steps"] if "key" in step} for world in worlds]
    return [
        len(worlds),
        len(configs),
        len(texts),
        len(cases) - len(held),
        len(steps),
        sum("error" in step["expect"] for step in steps),
        sum(key_bytes(key) for world in keys for key in world.values()),
        sum("error" in config["expect"] for config in configs),
        sum(len(text["text"].encode()) for text in texts),
    ]


class Include(unittest.TestCase):
    def test_it_compiles_without_a_warning_and_holds_what_the_json_holds(self):
        compiled = 0
        for compiler, standard, source in COMPILERS:
            if shutil.which(compiler) is None:
                continue
            with self.subTest(compiler=compiler), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, source)
                path.write_text(COUNT)
                program = str(pathlib.Path(folder, "count"))
                command = [compiler, standard, *WARNINGS, "-I", str(TESTS), str(path), "-o", program]
                subprocess.run(command, check=True)
                counted = subprocess.run([program], check=True, capture_output=True, text=True).stdout
                self.assertEqual([int(number) for number in counted.split()], counts_of_the_json())
            compiled += 1
        self.assertGreater(compiled, 0, "there is no C compiler, which Rust needs too")


if __name__ == "__main__":
    unittest.main()
