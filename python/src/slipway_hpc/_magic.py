"""The magic ``%%slipway`` of notebooks, which runs a cell as a job."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from ._durations import read_runtime
from ._files import add_file
from ._job_failed import JobFailed
from ._old_names import OLD_NAMES, warn_of_old
from ._sync.client import Slipway

_CELL = "slipway-cell.py"
OLD_OPTIONS = {
    "--" + old.replace("_", "-"): "--" + name.strip("_") for old, name in OLD_NAMES.items()
}


def load_ipython_extension(shell: Any) -> None:
    """Adds ``%%slipway`` to a notebook. IPython calls this for ``%load_ext slipway_hpc``."""
    shell.register_magic_function(make_magic(shell), "cell", "slipway")


def make_magic(shell: Any) -> Callable[[str, str], None]:
    """Makes the function that runs a cell. It signs in once."""
    clients: list[Slipway] = []

    def find_client(name: str | None) -> Slipway:
        if name is not None:
            found = shell.user_ns.get(name)
            if not isinstance(found, Slipway):
                raise ValueError(f"'{name}' is not a Slipway. Make one: {name} = Slipway()")
            return found
        if not clients:
            clients.append(Slipway())
        return clients[0]

    def run_cell(line: str, cell: str) -> None:
        wanted = _parse(line)
        if wanted is None:
            return
        input, name = add_file(wanted.input, _CELL, cell.encode())
        job = find_client(wanted.client).submit(
            input,
            wanted.hpc,
            command=f"{wanted.python} {name}",
            runtime=wanted.runtime,
            nodes=wanted.nodes,
            cores=wanted.cores,
            tasks=wanted.tasks,
            memory=wanted.memory,
            gpus=wanted.gpus,
            gpu_kind=wanted.gpu_kind,
            class_=wanted.class_,
            image=wanted.image,
            title=wanted.title,
            project=wanted.project,
        )
        shell.user_ns[wanted.name] = job
        if wanted.no_wait:
            print(f"Submitted. {wanted.name}.wait() waits, {wanted.name}.logs() is the output.")
            return
        job.wait()
        _print_output(job.logs)
        if job.failed:
            _print_output(lambda: job.logs(stream="stderr"), sys.stderr)
            raise JobFailed(job, job.timeline().reason or "It failed.")

    run_cell.__doc__ = f"Runs the cell as a job.\n\n{_parser.format_help()}"
    return run_cell


def _print_output(read: Callable[[], str], out: Any = None) -> None:
    try:
        text = read()
    except FileNotFoundError:
        return
    if text:
        print(text, end="" if text.endswith("\n") else "\n", file=out)


class _Parser(argparse.ArgumentParser):
    """Raises mistakes, instead of ending the notebook."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message}\n{self.format_usage()}".strip())


def _read_runtime(text: str) -> float:
    try:
        return read_runtime(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _make_parser() -> _Parser:
    parser = _Parser(prog="%%slipway", add_help=False)
    parser.add_argument("hpc", help="the system, which must take a command and have Python")
    parser.add_argument(
        "--runtime", type=_read_runtime, required=True, help="the time: 0.5, 30m or 1:30:00"
    )
    parser.add_argument("--nodes", type=int, default=1, help="nodes (default: 1)")
    parser.add_argument("--cores", type=int, default=1, help="cores on each node (default: 1)")
    parser.add_argument("--tasks", type=int, help="tasks on each node, which divide its cores")
    parser.add_argument("--memory", help="memory on each node, such as '16 GB'")
    parser.add_argument("--gpus", type=int, help="GPUs on each node")
    parser.add_argument("--gpu-kind", help="the kind of GPU")
    parser.add_argument("--class", dest="class_", help="the class of the job")
    parser.add_argument("--image", help="the image to run in, with its registry")
    parser.add_argument("--title", help="a title for people")
    parser.add_argument("--project", help="the project")
    parser.add_argument("--input", metavar="FOLDER", help="a folder that is sent along")
    parser.add_argument("--python", default="python3", help="the command of Python there")
    parser.add_argument("--client", metavar="NAME", help="a variable with a Slipway")
    parser.add_argument("--as", dest="name", default="job", help="the variable for the job")
    parser.add_argument("--no-wait", action="store_true", help="only submit")
    parser.add_argument("--help", action="store_true", help="show this text")
    return parser


_parser = _make_parser()


def _parse(line: str) -> argparse.Namespace | None:
    """Reads the line of the magic. Returns None after ``--help``."""
    words = shlex.split(line)
    if "--help" in words:
        print(_parser.format_help())
        return None
    return _parser.parse_args(_rename_old(words))


def _rename_old(words: list[str]) -> list[str]:
    """Gives options with old names their present ones, and warns of them."""
    present = list(words)
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        name = OLD_OPTIONS.get(option)
        if name is None:
            continue
        if any(each.partition("=")[0] == name for each in words):
            raise ValueError(f"Give {name} alone. {option} is its old name.")
        warn_of_old(option, name, stacklevel=5)
        present[at] = f"{name}{equals}{value}"
    return present
