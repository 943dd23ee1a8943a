"""The stubs say what `help` says, and the package is what the README says it is."""

import ast
import importlib
import inspect
import pathlib

import pytest

import polite_robots

PACKAGE = pathlib.Path(polite_robots.__file__).parent


def documented(module):
    tree = ast.parse((PACKAGE / f"{module}.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name, node
            for inner in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("__"):
                    yield f"{node.name}.{inner.name}", inner


@pytest.mark.parametrize("module", ["__init__", "policy"])
def test_docstrings_are_those_of_the_extension(module):
    names = 0
    for name, node in documented(module):
        value = importlib.import_module("polite_robots.policy" if module == "policy" else "polite_robots")
        for part in name.split("."):
            value = getattr(value, part)
        assert ast.get_docstring(node) == inspect.getdoc(value) and inspect.getdoc(value), name
        names += 1
    assert names > 40
