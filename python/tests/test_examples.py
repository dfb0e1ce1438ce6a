"""The examples in the documentation are true, and the stub says what the module says."""

import ast
import doctest
import inspect
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from interpreter import said

import ratelimit
from ratelimit import _ratelimit

SOURCES = Path(__file__).parents[1] / "ratelimit"
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def documented(path: Path) -> dict[str, str]:
    """Gives each piece of documentation in a file, by the name of what it documents."""
    found: dict[str, str] = {}

    def visit(node: ast.AST, name: str) -> None:
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            found.setdefault(name, text)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, DOCUMENTED):
                visit(child, f"{name}.{child.name}".lstrip("."))

    visit(ast.parse(path.read_text(encoding="utf-8")), "")
    return found


PIECES = {
    f"{path.name}:{name}": text
    for path in sorted([*SOURCES.rglob("*.py"), *SOURCES.rglob("*.pyi")])
    for name, text in documented(path).items()
    if ">>>" in text
}


@pytest.mark.parametrize("name", PIECES)
def test_an_example_in_the_documentation_is_true(name: str) -> None:
    names = {public: getattr(ratelimit, public) for public in ratelimit.__all__}
    test = doctest.DocTestParser().get_doctest(PIECES[name], names, name, None, None)
    report: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=report.append)
    assert outcome.attempted > 0
    assert outcome.failed == 0, "".join(report)


def test_there_are_examples() -> None:
    assert len(PIECES) >= 10


FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LISTED = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
ROOT = SOURCES.parents[1]
PAGES = {
    page: program
    for page in subprocess.run(LISTED, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    if (ROOT / page).exists() and (program := "\n".join(FENCE.findall((ROOT / page).read_text(encoding="utf-8"))))
}


@pytest.mark.parametrize("page", PAGES)
def test_the_python_blocks_of_a_page_are_one_program_that_runs(page: str) -> None:
    exec(compile(PAGES[page], page, "exec"), {"__name__": "page"})


def test_the_example_program_does_what_it_says() -> None:
    assert said((ROOT / "examples/python-login/login.py").read_text(encoding="utf-8")).splitlines() == [
        "200, hello",
        "401, 2 tries left",
        "401, 1 tries left",
        "401, 0 tries left",
        "429, ada is locked for another 3600 s",
    ]


def test_there_are_pages_with_python() -> None:
    assert set(PAGES) >= {"README.md", "docs/python.md", "python/README.md", "python/ratelimit/usage-rules.md"}


def test_the_stub_documents_what_the_module_documents_in_the_same_words() -> None:
    stub = documented(SOURCES / "_ratelimit.pyi")
    said: dict[str, str] = {}

    def listen(thing: Any, name: str) -> None:
        text = inspect.getdoc(getattr(thing, "__func__", thing))
        if text and not name.rpartition(".")[2].startswith("__"):
            said[name] = text

    for name in _ratelimit.__all__:
        thing = getattr(_ratelimit, name)
        if callable(thing):
            listen(thing, name)
        if isinstance(thing, type):
            for member in vars(thing):
                listen(inspect.getattr_static(thing, member), f"{name}.{member}")
    assert len(said) > 40
    assert {name: text for name, text in stub.items() if name} == said


def test_every_public_name_is_documented() -> None:
    things = [getattr(ratelimit, name) for name in ratelimit.__all__]
    for thing in filter(callable, things):
        if not hasattr(thing, "__args__"):
            assert inspect.getdoc(thing), thing
