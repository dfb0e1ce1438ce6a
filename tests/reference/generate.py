#!/usr/bin/env python3
"""Writes the vectors: tests/vectors/*.json, their index and schemas, and tests/vectors*.inc.

    generate.py                      write them
    generate.py --check              compare them with what is there, and name the first stale file
    generate.py --worlds SEED COUNT  stream random worlds as JSON lines, with their counts as the last line

Needs Python 3.10 or newer and nothing else.
"""

import json
import pathlib
import sys

import c_http
import c_include
import coverage
import http_schema
import schema
import world_stream
from case import Disagreement
from cases import THEMES
from over_http.cases import THEMES as HTTP_THEMES
from vector_file import VectorFile

TESTS = pathlib.Path(__file__).resolve().parent.parent
VECTORS = TESTS / "vectors"
COMMAND = "python3 tests/reference/generate.py"


def outputs():
    """Maps each file to its text, after holding everything to the schema and to what must be covered."""
    files = [VectorFile(number, theme) for number, theme in enumerate(THEMES, 1)]
    over_http = [VectorFile(number, theme, "http-") for number, theme in enumerate(HTTP_THEMES, 1)]
    short = coverage.shortfalls(files + over_http)
    form, http_form = schema.schema(), http_schema.http_schema()
    for file, its in [*((file, form) for file in files), *((file, http_form) for file in over_http)]:
        if not schema.fits(file.as_data(), its, its):
            short.append(f"{file.file} does not follow the schema")
    if short:
        sys.exit("the vectors fall short:\n  " + "\n  ".join(short))
    texts = {VECTORS / file.file: file.text() for file in files + over_http}
    texts[VECTORS / "index.json"] = json.dumps(coverage.index(files, over_http), indent=1) + "\n"
    texts[VECTORS / "schema.json"] = json.dumps(form, indent=1) + "\n"
    texts[VECTORS / "http-schema.json"] = json.dumps(http_form, indent=1) + "\n"
    texts[TESTS / "vectors.inc"] = c_include.include(files)
    texts[TESTS / "vectors_http.inc"] = c_http.include(over_http)
    return texts


def write(texts):
    VECTORS.mkdir(exist_ok=True)
    for path in VECTORS.glob("*.json"):
        if path not in texts:
            path.unlink()
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{len(texts)} files written")


def check(texts):
    """Exits with the names of the files that are not what this program writes."""
    stale = [path for path, text in texts.items() if not path.exists() or path.read_bytes() != text.encode("utf-8")]
    stale += [path for path in VECTORS.glob("*.json") if path not in texts]
    if stale:
        names = "\n  ".join(str(path.relative_to(TESTS.parent)) for path in stale)
        sys.exit(f"stale, run `{COMMAND}`:\n  {names}")
    print(f"{len(texts)} files are as the model says")


def main(arguments):
    if arguments[:1] == ["--worlds"] and len(arguments) == 3 and all(number.isdigit() for number in arguments[1:]):
        seed, count = map(int, arguments[1:])
        return world_stream.stream(seed, max(1, count))
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__.strip())
    try:
        texts = outputs()
    except Disagreement as disagreement:
        sys.exit(f"a case and the model disagree: {disagreement}")
    check(texts) if arguments else write(texts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
