"""
Writes docs/python-reference.md from the docstrings of the Python package.

``npm run python:reference`` calls this. It reads the sources only, so any Python 3.10 will do.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "python/src/slipway_hpc"
PAGE = ROOT / "docs/python-reference.md"

#: The modules and their public classes and functions, in the order of the page.
CHAPTERS = [
    ("Client", "_sync/client.py", ["Slipway"]),
    ("Jobs", "_sync/jobs.py", ["Job"]),
    ("Files", "_sync/files.py", ["Files"]),
    ("Folders of projects", "_sync/folders.py", ["ProjectFolder"]),
    ("Batches", "_sync/batches.py", ["Batch", "Counts"]),
    ("Lists", "_sync/paged.py", ["Paged"]),
    ("Lists in memory", "_rows.py", ["Rows"]),
    ("Functions as jobs", "futures.py", ["Executor", "JobFuture", "RemoteError"]),
    ("Exceptions", "_errors.py", ["SlipwayError"]),
    ("Exceptions", "_problem.py", ["SlipwayProblem"]),
    ("Exceptions", "_errors.py", ["ServiceUnreachable", "NotSignedIn", "WaitTimeout"]),
    ("Exceptions", "_job_failed.py", ["JobFailed"]),
    ("Exceptions", "_errors.py", ["FolderNotPackable", "FileTooLarge", "FilesSkipped"]),
    ("Functions", "_files.py", ["pack_folder"]),
    ("Webhooks", "_webhooks.py", ["verify_webhook"]),
]

HEAD = """# Python reference

Every public class of the package `slipway-hpc`, from its docstrings. See [the guide](python.md).

`AsyncSlipway`, `AsyncJob`, `AsyncProjectFolder`, `AsyncBatch` and `AsyncPaged` have the same names,
to be awaited.
`Slipway.api` has a method for each operation of [the interface](interface.md), and
`slipway_hpc.problems` a class for each [type of problem](problems.md).
"""


def write_reference() -> str:
    parts = [HEAD]
    for title, file, names in CHAPTERS:
        module = SOURCE / file
        known = {
            each.name: each
            for each in ast.parse(module.read_text("utf-8")).body
            if hasattr(each, "name")
        }
        heading = f"## {title}\n"
        if heading not in parts:
            parts.append(heading)
        for name in names:
            node = known[name]
            parts += (
                _write_class(node) if isinstance(node, ast.ClassDef) else _write_function(node, "")
            )
    return "\n".join(parts)


def _write_class(node: ast.ClassDef) -> list[str]:
    functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    made = next((each for each in functions if each.name == "__init__"), None)
    has_docs = ast.get_docstring(node) or ""
    signature = _write_signature(made, node.name) if made and "Args:" in has_docs else node.name
    parts = [f"### {node.name}\n"]
    if signature != node.name:
        parts.append(f"```python\n{signature}\n```\n")
    parts.append(_write_docs(has_docs))
    attributes = [
        (each.name, ast.get_docstring(each) or "")
        for each in functions
        if _is_property(each) and _is_public(each)
    ] + _list_fields(node)
    if attributes:
        rows = "".join(f"| `{name}` | {_to_line(text)} |\n" for name, text in attributes)
        parts.append(f"| attribute | |\n|---|---|\n{rows}")
    seen = set()
    for each in functions:
        if (
            _is_public(each)
            and not _is_property(each)
            and each.name not in seen
            and not _is_overload(each)
        ):
            seen.add(each.name)
            parts += _write_function(each, f"{node.name}.")
    return parts


def _write_function(node: ast.FunctionDef, owner: str) -> list[str]:
    signature = _write_signature(node, node.name)
    return [
        f"#### {owner}{node.name}\n",
        f"```python\n{signature}\n```\n",
        _write_docs(ast.get_docstring(node) or ""),
    ]


def _write_signature(node: ast.FunctionDef, name: str) -> str:
    """Writes the names and defaults. A long signature has a line for each argument."""
    arguments = node.args
    ordered = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(ordered) - len(arguments.defaults)) + list(arguments.defaults)
    words = [_write_argument(one, default) for one, default in zip(ordered, defaults, strict=True)]
    words = [word for word in words if word.split(":")[0] not in ("self", "cls")]
    if arguments.vararg:
        words.append(f"*{_write_argument(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        words.append("*")
    words += [
        _write_argument(one, default)
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if one.arg != "transport"
    ]
    if arguments.kwarg:
        words.append(f"**{_write_argument(arguments.kwarg, None)}")
    result = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    line = f"{name}({', '.join(words)}){result}"
    if len(line) <= 90:
        return line
    lines = "".join(f"    {word},\n" for word in words)
    return f"{name}(\n{lines}){result}"


def _write_argument(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {ast.unparse(argument.annotation)}" if argument.annotation else ""
    if default is None:
        return f"{argument.arg}{kind}"
    return f"{argument.arg}{kind}{' = ' if kind else '='}{ast.unparse(default)}"


def _write_docs(text: str) -> str:
    """Turns a docstring into Markdown: paragraphs, indented code, and a list of arguments."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip()):
        if block.startswith("Args:"):
            found = re.findall(r"^    (\w+): (.*(?:\n        .*)*)", block, re.MULTILINE)
            blocks.append("\n".join(f"- `{name}`: {_to_line(words)}" for name, words in found))
        elif block.startswith("    "):
            blocks.append(f"```python\n{re.sub('^    ', '', block, flags=re.MULTILINE)}\n```")
        else:
            blocks.append(_to_line(block))
    return "\n\n".join(blocks) + "\n"


def _to_line(text: str) -> str:
    line = re.sub(r"\s+", " ", text).strip().replace("``", "`")
    return line.replace("|", "\\|")


def _list_fields(node: ast.ClassDef) -> list[tuple[str, str]]:
    """Lists attributes with a comment before them (``#:``), and the fields of a dataclass."""
    source = (SOURCE / _file_of(node.name)).read_text("utf-8").splitlines()
    found = []
    for each in ast.walk(node):
        if isinstance(each, (ast.Assign, ast.AnnAssign)):
            target = each.targets[0] if isinstance(each, ast.Assign) else each.target
            name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "_")
            comment = source[each.lineno - 2].strip()
            if comment.startswith("#:") and not name.startswith("_"):
                found.append((name, comment[2:]))
            elif each in node.body and any(
                "dataclass" in ast.unparse(d) for d in node.decorator_list
            ):
                found.append((name, ""))
    return found


def _file_of(name: str) -> str:
    return next(file for _, file, names in CHAPTERS if name in names)


def _is_public(node: ast.FunctionDef) -> bool:
    return not node.name.startswith("_")


def _is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(each) == "property" for each in node.decorator_list)


def _is_overload(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(each) == "overload" for each in node.decorator_list)


if __name__ == "__main__":
    PAGE.write_text(write_reference(), "utf-8")
    sys.stdout.write(f"Wrote {PAGE.relative_to(ROOT)}\n")
