"""Writes the stubs from the running module: names and parameters of the table of algorithms, docstrings.

python bindings/python/stubs.py             # writes lib/bulat/__init__.pyi, and the docstrings of lib/bulat/_bulat.pyi
python bindings/python/stubs.py --check     # fails if it would change them
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import bulat
from bulat import _bulat

LIB = Path(__file__).parent / "lib" / "bulat"
HEAD = """\
# Made by bindings/python/stubs.py.

from collections.abc import Mapping

from . import container, pkcs
from ._bulat import (
{compiled}
)
from ._errors import {errors}
from ._types import Buffer as _Buffer
from ._types import Masks as _Masks
from ._types import Sboxes as _Sboxes

__all__ = [
{all}
]

algorithms: Mapping[str, Algorithm]
algorithms_available: set[str]

"""
#: The types of parameters.
TYPES = {
    **dict.fromkeys(("data", "key", "iv", "salt", "label", "seed"), "_Buffer"),
    **dict.fromkeys(("string", "msg"), "_Buffer | None"),
    **dict.fromkeys(("tag_size", "section", "period", "length", "counter", "record"), "int | None"),
    **dict.fromkeys(("sboxes",), "_Sboxes | None"),
    **dict.fromkeys(("meshing",), "bool | None"),
    "iterations": "int",
    "masks": "_Masks",
    "name": "str",
    "usedforsecurity": "object",
}


def quoted(thing: Any, indent: str) -> str:
    """Returns the docstring, if any."""
    lines = (inspect.getdoc(thing) or "").replace("\\", "\\\\").replace('"""', r"\"\"\"").split("\n")
    if lines == [""]:
        return ""
    last = [lines[0] + '"""'] if len(lines) == 1 else [*lines, '"""']
    return "".join(f"{indent}{line}".rstrip() + "\n" for line in ['"""' + last[0], *last[1:]])


def function(name: str, made: Any, result: str, indent: str = "") -> str:
    """Returns the stub of a function."""
    parts, star = [], False
    for p in inspect.signature(made).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        kind = "" if p.name == "cls" else f": {TYPES[p.name]}"
        parts.append(p.name + kind + ("" if p.default is p.empty else f" = {p.default!r}"))
    return f"{indent}def {name}({', '.join(parts)}) -> {result}:\n{quoted(made, indent + '    ')}{indent}    ...\n"


def package() -> str:
    """Returns the stub of the package."""
    names = sorted(bulat.__all__)
    compiled = [n for n in names if getattr(_bulat, n, None) is getattr(bulat, n) and n != "algorithms"]
    errors = [n for n in names if inspect.isclass(getattr(bulat, n)) and issubclass(getattr(bulat, n), Exception)]
    text = HEAD.format(
        compiled="\n".join(f"    {n}," for n in compiled),
        errors=", ".join(errors),
        all="\n".join(f'    "{n}",' for n in names),
    )
    text += function("new", bulat.new, "Hash")
    results = {"hash": "Hash", "mac": "Mac", "kdf": "bytes"}
    for name, algorithm in bulat.algorithms.items():
        if algorithm.kind in results:
            python = name.replace("-", "_")
            text += function(python, getattr(bulat, python), results[algorithm.kind])
    for thing in vars(bulat).values():
        if inspect.isclass(thing) and issubclass(thing, bulat.Aead) and thing is not bulat.Aead:
            text += f"\nclass {thing.__name__}(Aead):\n{quoted(thing, '    ')}"
            text += function("__new__", thing.__new__, thing.__name__, "    ")
            for method in ("generate_key", "generate_nonce"):
                text += "    @staticmethod\n" + function(method, getattr(thing, method), "bytes", "    ")
    return text


def documented(text: str) -> str:
    """Returns the stub of the compiled part with its docstrings at run time."""
    lines = text.splitlines(keepends=True)
    places: list[tuple[int, int, str]] = []

    def put(node: Any, thing: Any, indent: str) -> None:
        body = node.body
        old = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        if isinstance(node, ast.ClassDef):
            decorators = getattr(body[0], "decorator_list", None) or body
            first = decorators[0].lineno
            last = body[0].end_lineno if old and body[0].value.value is not ... else first - 1
            places.append((first, last, quoted(thing, indent)))
        elif words := quoted(thing, indent):
            line, at = body[0].lineno, body[0].col_offset
            head = lines[line - 1][:at].rstrip()
            places.append((line, body[-1].end_lineno, (f"{head}\n" if head else "") + words + f"{indent}...\n"))

    for node in ast.parse(text).body:
        thing = getattr(_bulat, getattr(node, "name", ""), None)
        if isinstance(node, ast.FunctionDef) and thing is not None:
            put(node, thing, "    ")
        elif isinstance(node, ast.ClassDef) and thing is not None:
            put(node, thing, "    ")
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    put(inner, getattr(thing, inner.name), "        ")
    for first, last, new in sorted(places, reverse=True):
        lines[first - 1 : last] = [new]
    return "".join(lines)


def formatted(text: str) -> str:
    call = [sys.executable, "-m", "ruff", "format", "--quiet", "--stdin-filename", str(LIB / "x.pyi"), "-"]
    return subprocess.run(call, input=text, capture_output=True, text=True, check=True, cwd=LIB).stdout


def main() -> int:
    made = {LIB / "__init__.pyi": package(), LIB / "_bulat.pyi": documented((LIB / "_bulat.pyi").read_text())}
    wrong = []
    for path, text in made.items():
        if formatted(text) != path.read_text():
            wrong.append(path.name)
            if "--check" not in sys.argv[1:]:
                path.write_text(formatted(text))
    if wrong and "--check" in sys.argv[1:]:
        print(f"python bindings/python/stubs.py makes other stubs: {', '.join(wrong)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
