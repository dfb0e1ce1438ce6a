"""Installs the library into empty folders, and builds the C lines of the README against it as a user would."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import tools

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
EMPTY = TARGET / "c" / "install"
PREFIX = "/opt/ratelimit"
VERSION = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
ABI = re.search(r"^#define RATELIMIT_ABI_VERSION (.*)$", (ROOT / "include/ratelimit.h").read_text(), re.MULTILINE)[1]

FILES = f"""
include/ratelimit.ffi.h
include/ratelimit.h
lib/cmake/ratelimit/ratelimit-config-version.cmake
lib/cmake/ratelimit/ratelimit-config.cmake
lib/libratelimit.a
lib/libratelimit.so
lib/libratelimit.so.{ABI}
lib/libratelimit.so.{VERSION}
lib/pkgconfig/ratelimit.pc
""".split()

CMAKE = """
cmake_minimum_required(VERSION 3.13)
project(empty LANGUAGES C)
find_package(ratelimit {version} REQUIRED)
add_executable(program program.c)
target_link_libraries(program PRIVATE {library})
"""


def run(*command, **environment):
    """Runs a command and gives its output; one that fails fails the test with what it said."""
    # A make within a make would wait for the jobs of the outer one.
    outer = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    command = [str(part) for part in command]
    done = subprocess.run(command, env={**outer, **environment}, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{command} ends with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def install(**variables):
    return run("make", "--no-print-directory", "-C", ROOT, "install", *(f"{k}={v}" for k, v in variables.items()))


def program_of_the_readme():
    """Makes a program of the C lines of the README: what is included goes before main, the rest into it."""
    lines = re.search(r"^```c\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)[1].splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    body = [f"  {line}" for line in lines if line not in includes]
    return "\n".join([*includes, "int main(void) {", *body, "  return 0;", "}", ""])


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(EMPTY, ignore_errors=True)
        # One as a packager makes it, and one in its place.
        cls.staged = EMPTY / "staged"
        install(DESTDIR=cls.staged, PREFIX=PREFIX)
        cls.prefix = EMPTY / "prefix"
        install(DESTDIR="", PREFIX=cls.prefix)

    def project(self, name):
        folder = EMPTY / name
        folder.mkdir()
        (folder / "program.c").write_text(program_of_the_readme())
        return folder

    def pkg_config(self, *arguments):
        root = self.staged / PREFIX.lstrip("/")
        said = run(
            "pkg-config",
            *arguments,
            "ratelimit",
            PKG_CONFIG_LIBDIR=str(root / "lib/pkgconfig"),
            PKG_CONFIG_SYSROOT_DIR=str(self.staged),
        )
        return said.split()

    def test_both_trees_hold_these_files_and_no_others(self):
        for root in (self.staged / PREFIX.lstrip("/"), self.prefix):
            found = [path for path in root.rglob("*") if not path.is_dir()]
            self.assertEqual(sorted(str(path.relative_to(root)) for path in found), FILES)
        beside = [path for path in self.staged.rglob("*") if PREFIX not in f"/{path.relative_to(self.staged)}"]
        self.assertEqual([path.name for path in beside], ["opt"])

    def test_the_shared_library_is_called_by_its_abi_version(self):
        lib = self.prefix / "lib"
        self.assertIn(f"Library soname: [libratelimit.so.{ABI}]", run("readelf", "--dynamic", lib / "libratelimit.so"))
        self.assertEqual(os.readlink(lib / "libratelimit.so"), f"libratelimit.so.{ABI}")
        self.assertEqual(os.readlink(lib / f"libratelimit.so.{ABI}"), f"libratelimit.so.{VERSION}")

    def test_no_installed_text_names_the_stage(self):
        for path in (self.staged / PREFIX.lstrip("/")).rglob("*"):
            if path.suffix in (".pc", ".cmake", ".h"):
                self.assertNotIn(str(EMPTY), path.read_text())

    def is_here(self, tool):
        """Says whether a tool is here; where it is not, in words, that what needs it was not tried. CI has them all."""
        if not tools.has(tool):
            self.assertFalse(bool(os.environ.get("CI")), f"{tool} is not here")
            print(f"NOT RUN: {self.id()} needs {tool}, which is not here")
        return tools.has(tool)

    def test_pkg_config_knows_the_version(self):
        if not self.is_here("pkg-config"):
            return
        self.assertEqual(self.pkg_config("--modversion"), [VERSION])

    def test_an_empty_project_finds_the_shared_library_by_pkg_config(self):
        if not self.is_here("pkg-config"):
            return
        folder = self.project("pkg-config-shared")
        flags = self.pkg_config("--cflags", "--libs")
        run("cc", folder / "program.c", *flags, "-o", folder / "program")
        lib = self.staged / PREFIX.lstrip("/") / "lib"
        said = run(folder / "program", LD_LIBRARY_PATH=str(lib))
        self.assertIn(f"libratelimit.so.{ABI}", run("readelf", "--dynamic", folder / "program"))
        self.assertEqual(said, "go on\n")

    def test_an_empty_project_finds_the_static_library_by_pkg_config(self):
        if not self.is_here("pkg-config"):
            return
        folder = self.project("pkg-config-static")
        flags = self.pkg_config("--static", "--cflags", "--libs")
        run("cc", "-static", folder / "program.c", *flags, "-o", folder / "program")
        self.assertNotIn("NEEDED", run("readelf", "--dynamic", folder / "program"))
        self.assertEqual(run(folder / "program"), "go on\n")

    def cmake(self, name, library, version=VERSION):
        folder = self.project(name)
        (folder / "CMakeLists.txt").write_text(CMAKE.format(library=library, version=version))
        build = folder / "build"
        run("cmake", "-S", folder, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        needed = run("readelf", "--dynamic", build / "program")
        return needed, run(build / "program")

    def test_an_empty_project_finds_the_shared_library_by_find_package(self):
        if not self.is_here("cmake"):
            return
        needed, said = self.cmake("cmake-shared", "ratelimit::ratelimit")
        self.assertIn(f"libratelimit.so.{ABI}", needed)
        self.assertEqual(said, "go on\n")

    def test_an_empty_project_finds_the_static_library_by_find_package(self):
        if not self.is_here("cmake"):
            return
        needed, said = self.cmake("cmake-static", "ratelimit::ratelimit_static")
        self.assertNotIn("libratelimit", needed)
        self.assertEqual(said, "go on\n")

    def test_find_package_refuses_a_version_that_promises_something_else(self):
        if not self.is_here("cmake"):
            return
        for number, version in enumerate(("0.0.1", "0.99", "99.0")):
            with self.subTest(version=version), self.assertRaisesRegex(AssertionError, "version"):
                self.cmake(f"cmake-version-{number}", "ratelimit::ratelimit", version)

    def test_a_prefix_that_is_not_absolute_is_refused(self):
        with self.assertRaisesRegex(AssertionError, 'PREFIX is "here", must be an absolute path'):
            install(PREFIX="here", DESTDIR=EMPTY / "refused")
        self.assertFalse((EMPTY / "refused").exists())


if __name__ == "__main__":
    unittest.main()
