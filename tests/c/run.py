#!/usr/bin/env python3
"""Builds the C and C++ programs of this folder against an installed library, and runs them in every way there is.

Each program prints `NAME: N passed, N failed`. It is built by each compiler, linked to the shared and to the static
library, and run as it is; then under valgrind, and once more with the sanitizers for addresses and undefined behaviour.
What is not here (see tools.py) does not run and is named; in CI that is a failure.

    run.py [PROGRAM...]    such as vectors.c; all of them without a name
"""

import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import calls
import tools

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
OUT = TARGET / "c"
PREFIX = OUT / "prefix"

WARNINGS = "-Wall -Wextra -Werror -pedantic -Wconversion -Wshadow"
FLAGS = {
    ".c": ["-std=c11", *WARNINGS.split(), "-Wstrict-prototypes", "-Wmissing-prototypes"],
    ".cpp": ["-std=c++17", *WARNINGS.split(), "-Wold-style-cast", "-Wnon-virtual-dtor"],
}
# What the header may be compiled as, on its own.
STANDARDS = {".c": ["c99", "c11", "c17", "c2x"], ".cpp": ["c++11", "c++14", "c++17", "c++20"]}
COMPILERS = {".c": ["gcc", "clang"], ".cpp": ["g++", "clang++"]}
LIBRARY = {
    "shared": [f"-L{PREFIX}/lib", "-lratelimit", f"-Wl,-rpath,{PREFIX}/lib"],
    "static": [f"{PREFIX}/lib/libratelimit.a"],
}
SYSTEM = ["-lpthread", "-ldl", "-lm"]
# What is still reachable at the end is no leak: freed limiters are kept, so that they can be told.
LEAKS = "definite,indirect,possible"
VALGRIND = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"]
VALGRIND += [f"--show-leak-kinds={LEAKS}", f"--errors-for-leak-kinds={LEAKS}"]
COUNT = re.compile(r"^(\w+): (\d+) passed, (\d+) failed$", re.MULTILINE)


@dataclass(frozen=True)
class Build:
    """A program as one compiler makes it."""

    source: str
    compiler: str
    sanitized: bool = False

    @property
    def libraries(self):
        # A sanitizer sees the whole program where the library is part of it.
        return ["static"] if self.sanitized else list(LIBRARY)

    def path(self, ending):
        kind = "-sanitized" if self.sanitized else ""
        return OUT / f"{self.source.replace('.', '-')}-{self.compiler}{kind}{ending}"

    def make(self):
        """Compiles the program, and links it to each form of the library."""
        sanitize = tools.SANITIZE if self.sanitized else []
        flags = [*FLAGS[pathlib.Path(self.source).suffix], "-O1", "-g", "-pthread", *sanitize]
        include = [f"-I{PREFIX}/include", f"-I{HERE.parent}"]
        ask([self.compiler, *flags, *include, "-c", HERE / self.source, "-o", self.path(".o")])
        for library in self.libraries:
            linked = [*LIBRARY[library], *SYSTEM, "-o", self.path(f"-{library}")]
            ask([self.compiler, "-pthread", *sanitize, self.path(".o"), *linked])


@dataclass(frozen=True)
class Run:
    """A build, linked to one form of the library and run in one way."""

    build: Build
    library: str
    under_valgrind: bool = False

    def __str__(self):
        way = "valgrind" if self.under_valgrind else "sanitizers" if self.build.sanitized else "plain"
        return f"{self.build.source:12} {self.build.compiler:8} {self.library:7} {way:10}"

    def tries(self):
        """Lists how the program is called, and the digest of what it prints if that is to be judged."""
        if self.build.source == "digest.c":
            return calls.of_the_sample_log(TARGET)
        return [calls.Try(["few"] if self.under_valgrind else [])]

    def go(self):
        """Runs the program; gives how much passed."""
        program = self.build.path(f"-{self.library}")
        passed = 0
        for attempt in self.tries():
            command = [*(VALGRIND if self.under_valgrind else []), program, *attempt.arguments]
            done = subprocess.run(command, input=attempt.input, capture_output=True)
            said = (done.stderr + done.stdout[-1000:]).decode(errors="replace")
            counts = COUNT.search(said)
            if done.returncode != 0 or counts is None or int(counts[3]) != 0 or int(counts[2]) == 0:
                raise Broken(f"{shlex.join(map(str, command))}: status {done.returncode}\n{said}")
            if attempt.digest and hashlib.sha256(done.stdout).hexdigest() != attempt.digest:
                raise Broken(f"{shlex.join(map(str, command))}: its lines are not those of the command")
            passed += int(counts[2])
        return passed


class Broken(Exception):
    """A program that does not compile, or does not do what it should."""


def ask(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise Broken(f"{shlex.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")


def compile_header():
    """Compiles a program that only includes the header, by each standard."""
    for suffix, language in ((".c", "c"), (".cpp", "c++")):
        for compiler in filter(tools.has, COMPILERS[suffix]):
            for standard in STANDARDS[suffix]:
                flags = [*FLAGS[suffix], f"-std={standard}", f"-I{PREFIX}/include", "-fsyntax-only", "-x", language]
                ask([compiler, *flags, "-include", "ratelimit.h", os.devnull])
            print(f"ratelimit.h  {compiler:8} {' '.join(STANDARDS[suffix])}", flush=True)


def plan(sources):
    """Lists what is run of each source."""
    for source in sources:
        for compiler in filter(tools.has, COMPILERS[pathlib.Path(source).suffix]):
            gnu = compiler in ("gcc", "g++")
            builds = [Build(source, compiler)]
            if gnu or tools.has("clang's sanitizers"):
                builds.append(Build(source, compiler, sanitized=True))
            yield from (Run(build, library) for build in builds for library in build.libraries)
            if gnu and tools.has("valgrind"):
                yield from (Run(builds[0], library, under_valgrind=True) for library in LIBRARY)


def finish(job, name):
    """Waits for a job and says how it went; gives whether it went well."""
    try:
        passed = job.result()
    except Broken as broken:
        print(f"{name} FAILED\n{broken}", flush=True)
        return False
    if passed is not None:
        print(f"{name} {passed} passed", flush=True)
    return True


def main():
    sources = sys.argv[1:] or sorted(path.name for path in HERE.glob("*.c*"))
    OUT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["make", "--no-print-directory", "-C", ROOT, "install", f"PREFIX={PREFIX}", "DESTDIR="], check=True)
    compile_header()
    runs = list(plan(sources))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        builds = {build: pool.submit(build.make) for build in dict.fromkeys(run.build for run in runs)}
        broken = {build for build, job in builds.items() if not finish(job, f"{build.source:12} {build.compiler:8}")}
        jobs = [(pool.submit(run.go), str(run)) for run in runs if run.build not in broken]
        failed = len(broken) + sum(not finish(job, name) for job, name in jobs)
    absent = tools.absent()
    print("".join(f"NOT RUN: what needs {tool}, which is not here\n" for tool in absent), end="")
    print(f"C: {len(jobs)} runs, {failed} failed")
    sys.exit(failed != 0 or not jobs or bool(absent and os.environ.get("CI")))


if __name__ == "__main__":
    main()
