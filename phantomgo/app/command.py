"""Subcommands made from functions: parameters become options, and the docstring the help.

A parameter has the same form in every command. The function checks its values, so the command line
refuses what the library refuses, in the same words.
"""

import argparse
import ast
import contextlib
import inspect
import json
import logging
import re
import sys
import textwrap
import types
import typing
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from phantomgo.app.progress import TerminalProgress
from phantomgo.errors import Interrupted
from phantomgo.interrupts import INTERRUPTED
from phantomgo.lab.admission import Named
from phantomgo.lab.run.workers import Run
from phantomgo.terminal import say
from phantomgo.values import typed_number

R = TypeVar("R")

METAVARS: Final[Mapping[str, Any]] = {
    "after": ("RECORD", "MOVES"),
    "handicap": "VERTEX",
    "movers": "SPEC",
    "sprt": ("ELO0", "ELO1"),
    "time": "SECONDS",
    "milliseconds": "MS",
    "patience": "SECONDS",
    "workers": "N|ADDRESS",
    "rules": "PROFILE",
    "sgf": "FOLDER",
    "colour": "COLOUR",
    "names": "HOST",
    "address": "URL",
    "proxy": "ADDRESS",
    "lay": "KEY=VALUE,...",
    "opponents": "NAME=SPEC",
}
SPECS: Final = (
    "SPEC is a bot, for example flatmc:playouts=1000, hard or default; a book's bot, book:NAME or"
    " book:FILE.json (with ,code=on if it names a class of yours); or your own class, MODULE:CLASS."
)
"""The end of the help of commands that play (docs/players.md)."""
_FILE: Final = str | Path
_INTEGER: Final = re.compile(r"-?[0-9]{1,4000}")  # what `int` reads


Configure: TypeAlias = Callable[[argparse.ArgumentParser], None]
"""Gives a subcommand's parser its options, and the function to run."""
Action: TypeAlias = tuple[Configure, str]
"""A part of a subcommand, and its line of help."""


class Option(typing.NamedTuple):
    """A parameter as an option.

    Attributes:
        name: the parameter's name.
        kinds: the types of its words; one type if there may be any number.
        many: the number of words, in argparse's notation; None for one.
        default: its value if it is not given.
        star: whether it takes all positional arguments of the function.
        help: its line in the docstring.
    """

    name: str
    kinds: tuple[Any, ...]
    many: str | int | None
    default: Any
    star: bool
    help: str

    @property
    def needed(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def metavar(self) -> Any:
        """The name of its words in the help; None for the name of the parameter."""
        if self.name in METAVARS:
            return METAVARS[self.name]
        kind, *others = self.kinds
        return None if others else {Named: "SPEC", _FILE: "FILE", int: "N", float: "X"}.get(kind)

    def read(self, given: Any) -> Any:
        """The parameter's value for these words of the command line."""
        if not isinstance(self.many, int):
            return given
        return tuple(_read(kind, word) for kind, word in zip(self.kinds, given, strict=True))


def of_actions(actions: Mapping[str, Action]) -> Configure:
    """A subcommand made of actions, by name, each with a parser of its own."""

    def configure(parser: argparse.ArgumentParser) -> None:
        parsers = parser.add_subparsers(dest="action", metavar="ACTION")
        for name, (each, summary) in actions.items():
            each(action := parsers.add_parser(name, help=summary, description=summary))
            action.set_defaults(parser=action)
        listed = "\n".join(f"  {name:10}{summary}" for name, (_, summary) in actions.items())
        parser.set_defaults(run=lambda _: parser.error(f"which of these?\n{listed}"))

    return configure


def of_command(function: Callable[..., int | None]) -> Configure:
    """A subcommand made of a function that prints its results and returns an exit code, None for 0.

    Parameters before the `*` of its signature become positional arguments, the others options.
    """

    def configure(parser: argparse.ArgumentParser) -> None:
        parameters = inspect.signature(function).parameters.values()
        words = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
        add_options(parser, function, positional=words)
        parser.set_defaults(run=lambda arguments: call(function, arguments) or 0)

    return configure


def of_verb(
    verb: Callable[..., R],
    text: Callable[[R], str],
    as_json: Callable[[R], object] | None = None,
    **chosen: Collection[str],
) -> Configure:
    """A subcommand that calls a verb and prints the result.

    Args:
        verb: a function that `add_options` takes.
        text: formats the result, or a partial one after Ctrl-C; nothing is printed if it returns
            "".
        as_json: makes the result for `--json`; None if there is no such option.
        chosen: further arguments of `add_options`.
    """

    def configure(parser: argparse.ArgumentParser) -> None:
        add_options(parser, verb, **chosen)
        if as_json is not None:
            parser.add_argument("--json", action="store_true", help="print JSON")
        parser.set_defaults(run=run)

    def run(arguments: argparse.Namespace) -> int:
        ended = perform(verb, arguments)
        if ended.result is None:
            return ended.code
        result: R = ended.result
        if as_json is not None and arguments.json:
            print_json(as_json(result))
        elif shown := text(result):
            say(shown)
        return ended.code

    return configure


def print_json(value: object, indent: int | None = 2) -> None:
    """Print a result as JSON."""
    print(json.dumps(value, indent=indent))


def add_options(
    parser: argparse.ArgumentParser,
    function: Callable[..., object],
    required: Collection[str] = (),
    positional: Collection[str] = (),
) -> None:
    """Give a parser an option for each parameter of a function.

    Args:
        parser: the subcommand's parser.
        function: a typed function with a line for each parameter under `Args:`.
        required: parameters with a default that the command line requires nevertheless.
        positional: parameters that become positional arguments, in their order.
    """
    for option in options(function):
        flag = "--" + option.name.replace("_", "-")
        (kind, *others) = option.kinds
        if kind is bool:
            parser.add_argument(flag, action="store_true", help=option.help)
        elif option.name in positional:
            needed = option.needed or option.star
            parser.add_argument(
                option.name,
                nargs=option.many if needed else "*" if option.many else "?",
                default=None if needed else option.default,
                metavar=option.metavar or option.name.upper(),
                help=option.help,
            )
        else:
            parser.add_argument(
                flag,
                dest=option.name,
                type=str if others else partial(_read, kind),
                nargs=option.many,
                action="extend" if option.many == "+" else "store",
                default=None if option.many == "+" else option.default,
                required=option.name in required or option.needed,
                metavar=option.metavar,
                help=option.help,
            )


def call(function: Callable[..., R], arguments: argparse.Namespace, **more: object) -> R:
    """Call a function, whose options the parser has, with the arguments of the command line."""
    star: Sequence[Any] = ()
    given = dict(more)
    for name, hint in typing.get_type_hints(function).items():
        if hint is Run and name != "return":
            given[name] = call(hint, arguments, progress=given.pop("progress"))
    known = inspect.signature(function).parameters
    for option in options(function):
        if option.name not in known or option.name in given or not hasattr(arguments, option.name):
            continue
        value = getattr(arguments, option.name)
        if option.star:
            star = value or ()
        elif value is not None:
            given[option.name] = value if value is option.default else option.read(value)
    return function(*star, **given)


class Performed(typing.NamedTuple):
    """The outcome of a command; after Ctrl-C a partial result, or None."""

    result: Any
    code: int


def perform(
    verb: Callable[..., object], arguments: argparse.Namespace, **more: object
) -> Performed:
    """Call a verb with the arguments of the command line, and show its progress.

    Ctrl-C ends it with exit code 130, after games in progress have been saved. What somebody's own
    bot prints in it goes to stderr.
    """
    logging.basicConfig(stream=sys.stderr, format="phantomgo: %(message)s")
    logging.getLogger("bots").setLevel(logging.INFO)  # says when kernels are compiled
    shown = TerminalProgress()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return Performed(call(verb, arguments, progress=shown, **more), 0)
    except Interrupted as error:
        shown.note("interrupted" + ("; run the same command to resume" if error.saved else ""))
        return Performed(error.partial, INTERRUPTED)


def options(function: Callable[..., object]) -> Iterator[Option]:
    """The parameters of a function that become options, in order.

    The fields of a `Run` (workers, progress and store) become an option each.
    """
    hints, says = typing.get_type_hints(function), _said(function)
    for name, parameter in inspect.signature(function).parameters.items():
        if hints[name] is Run:
            yield from options(hints[name])
        if name == "progress" or hints[name] is Run:
            continue
        star = parameter.kind is parameter.VAR_POSITIONAL
        kinds, many = _words(hints[name])
        default = parameter.default
        text = says[name].rstrip(".").replace("%", "%%")
        if isinstance(default, str | int | float) and not isinstance(default, bool):
            text += f" (default {default})"
        elif isinstance(default, tuple) and default and "(default" not in text:
            text += f" (default {' '.join(map(str, default))})"
        yield Option(name, kinds, "+" if star else many, () if star else default, star, text)


def docstring(thing: Any) -> str:
    """Return the docstring of a module, class or function; also where `python -OO` drops it."""
    if sys.flags.optimize < 2:
        return inspect.getdoc(thing) or ""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    return ast.get_docstring(tree if inspect.ismodule(thing) else tree.body[0]) or ""


def _said(function: Callable[..., object]) -> dict[str, str]:
    """The docstring's line for each parameter."""
    text = docstring(function)
    block = re.search(r"^(?:Args|Attributes):\n((?:    .*\n?)*)", text, re.MULTILINE)
    meanings: dict[str, str] = {}
    for entry in re.split(r"\n(?=    \w)", block[1].rstrip() if block else ""):
        name, _, says = entry.strip().partition(": ")
        meanings[name] = " ".join(says.split())
    return meanings


def _words(kind: Any) -> tuple[tuple[Any, ...], str | int | None]:
    """The types of an option's words, and their number."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if args == (int, str):  # a number, or another word
        return (kind,), None
    if origin in (typing.Union, types.UnionType) and types.NoneType in args:
        rest = tuple(arg for arg in args if arg is not types.NoneType)
        return _words(typing.Union[rest])  # noqa: UP007  (made of a tuple)
    if origin is tuple:
        return args, len(args)
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return (args[0],), "+"
    return (kind,), None


def _read(kind: Any, text: str) -> Any:
    """Convert a word to its type, where it can be; else the function refuses it."""
    if kind in (int, int | str) and _INTEGER.fullmatch(text):
        return int(text)
    if kind is float:
        with contextlib.suppress(ValueError):
            return typed_number(text)
    return text
