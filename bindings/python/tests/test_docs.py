"""The examples in docstrings and in the README run."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path
from types import ModuleType

import bulat
import pytest
from bulat import _bulat, container, pkcs


@pytest.mark.parametrize("module", [bulat, container, pkcs, _bulat], ids=lambda module: module.__name__)
def test_docstrings(module: ModuleType) -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    names = {module.__name__: module} | {n: getattr(module, n) for n in dir(module) if not n.startswith("_")}
    ran = 0
    for name, thing in names.items():
        docs = inspect.getdoc(thing)
        if docs and ">>>" in docs and getattr(thing, "__module__", "bulat") != "io":
            ran += runner.run(parser.get_doctest(docs, dict(vars(bulat)), name, None, 0)).attempted
    assert ran > 3 and runner.summarize().failed == 0


def test_readme() -> None:
    readme = Path(__file__).parents[1] / "README.md"
    failed, ran = doctest.testfile(str(readme), module_relative=False)
    assert failed == 0 and ran > 10


@pytest.mark.parametrize("module", ["bulat", "bulat.gpu"])
def test_everything_has_words(module: str) -> None:
    package = pytest.importorskip(module, exc_type=ImportError)
    for name in package.__all__:
        thing = getattr(package, name)
        if inspect.isclass(thing) or callable(thing):
            assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for member in vars(thing):
                if not member.startswith("_"):
                    assert inspect.getdoc(getattr(thing, member)), f"{name}.{member}"
