"""What is released is installed into empty environments and used there.

The wheel by every CPython that is found, the sdist by the one that runs the tests.
"""

import functools
import glob
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
[WHEEL] = (TARGET / "python/wheel").glob("*.whl")
ASKS = """
import sys, sysconfig
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
print(sys.implementation.name, f"{sys.version_info[0]}.{sys.version_info[1]}{free}")
"""


@functools.cache
def interpreters() -> dict[str, str]:
    """Finds each CPython from 3.10 on, by its version; those that are free-threaded have a wheel of their own."""
    found: dict[str, str] = {}
    managed = os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")
    for minor in range(10, 20):
        name = f"python3.{minor}"
        for place in [*glob.glob(f"{managed}/versions/*/bin/{name}"), shutil.which(name), sys.executable]:
            asked = place and subprocess.run([place, "-c", ASKS], capture_output=True, text=True)
            if asked and asked.returncode == 0 and asked.stdout == f"cpython 3.{minor}\n":
                found.setdefault(name, str(place))
    return found


def install(python: str, folder: Path, *what: str) -> Path:
    """Makes an environment and installs into it; gives its interpreter."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    inside = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", inside, "install", "--no-cache-dir"]
    subprocess.run([*pip, *what], check=True, env={**os.environ, "CARGO_TARGET_DIR": str(TARGET)})
    return inside


def smoke(python: Path, folder: Path) -> str:
    done = subprocess.run([python, HERE / "smoke.py", folder], capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_for_every_cpython_and_any_linux_from_2014_on() -> None:
    assert "-cp310-abi3-manylinux2014_x86_64." in WHEEL.name or "-cp310-abi3-manylinux2014_aarch64." in WHEEL.name
    names = zipfile.ZipFile(WHEEL).namelist()
    for name in ("__init__.py", "_ratelimit.pyi", "py.typed", "usage-rules.md", "testing/plugin.py"):
        assert f"ratelimit/{name}" in names
    assert [name for name in names if "/tests/" in name or name.endswith("Cargo.lock")] == []


@pytest.mark.parametrize("name", interpreters())
def test_the_wheel_runs_where_nothing_else_is_installed(name: str, tmp_path: Path) -> None:
    python = install(interpreters()[name], tmp_path / "venv", "--no-index", str(WHEEL))
    print(smoke(python, tmp_path))


def test_the_sdist_builds_and_runs(tmp_path: Path) -> None:
    maturin = [Path(sys.executable).parent / "maturin", "sdist", "--out", tmp_path]
    subprocess.run(maturin, cwd=ROOT / "python", check=True, capture_output=True)
    [sdist] = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"Cargo.lock", "LICENSE-MIT", "README.md", "ratelimit/py.typed", "ratelimit/usage-rules.md"} <= names
    print(smoke(install(sys.executable, tmp_path / "venv", str(sdist)), tmp_path))
