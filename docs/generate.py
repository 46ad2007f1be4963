"""Reference pages that are generated from the code: commands, Python names, GTP, file formats.

`pages()` returns them as Markdown by their names; `docs/conf.py` writes them to
`docs/reference/generated/` before Sphinx reads the sources. The page of commands is committed, so
that it can be read without the site: `python -m docs.generate` writes it.
"""

import argparse
import inspect
import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import phantomgo
from gtp import session
from phantomgo.app.cli import GROUPS, parser_of

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "reference" / "generated"
COMMANDS_PAGE: Final = ROOT / "docs" / "reference" / "commands.md"

MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "The game": (
        "phantomgo.game.points",
        "phantomgo.game.rules",
        "phantomgo.game.referee",
        "phantomgo.game.recording",
        "phantomgo.game.view",
        "phantomgo.game.player",
        "phantomgo.game.messages",
        "phantomgo.game.record",
        "phantomgo.errors",
    ),
    "Players": ("bots", "bots.spec", "bots.belief", "bots.nets"),
    "The laboratory": (
        "phantomgo.lab.api.games",
        "phantomgo.lab.api.exploiting",
        "phantomgo.lab.api.learning",
        "phantomgo.lab.api.measuring",
        "phantomgo.lab.api.tournaments",
        "phantomgo.lab.vector",
    ),
    "Portfolios and reports": (
        "phantomgo.portfolio.matrix",
        "phantomgo.portfolio.nash",
        "phantomgo.portfolio.methods",
        "phantomgo.portfolio.cross_validation",
        "phantomgo.portfolio.line",
        "phantomgo.portfolio.book",
        "phantomgo.portfolio.packed",
        "phantomgo.match.scores",
        "phantomgo.match.report",
        "phantomgo.match.stats",
    ),
}
"""Modules whose public names users need, by page."""
SCHEMAS: Final = {
    "book": "books/schema.json",
    "book-of-moves": "books/moves/schema.json",
    "matrix": "books/matrices/schema.json",
}


def pages() -> dict[str, str]:
    """The text of each generated page, by its name without `.md`."""
    made = {"names": names_page()}
    made |= {f"api-{_slug(title)}": module_page(title) for title in MODULES}
    made["gtp-commands"] = gtp_page()
    made |= {f"format-{name}": schema_page(path) for name, path in SCHEMAS.items()}
    return made


def write(folder: Path = FOLDER) -> None:
    """Write the pages, leaving those that have not changed, and remove the ones that are gone."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {folder / f"{name}.md": text for name, text in pages().items()}
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
    for path in set(folder.glob("*.md")) - set(made):
        path.unlink()


def commands_page() -> str:
    """Every command with its actions and their options, in the groups of `phantomgo --help`."""
    lines = ["# Commands", "", "`python -m docs.generate` made this page from the parsers.", ""]
    for group, commands in GROUPS.items():
        lines += [f"## {group.capitalize()}", ""]
        for name in commands:
            parser = next(p for n, p in _children(parser_of({name})) if n == name)
            lines += _parser_lines(f"phantomgo {name}", parser, 3)
    return "\n".join(lines).rstrip() + "\n"


def _parser_lines(title: str, parser: argparse.ArgumentParser, depth: int) -> Iterator[str]:
    yield f"{'#' * depth} `{title}`"
    yield ""
    if parser.description:
        sentence = _text(" ".join(parser.description.split()))
        yield sentence[:1].upper() + sentence[1:].rstrip(".") + "."
        yield ""
    parser.prog = title
    rows = [_row(action, parser) for action in parser._actions if _shown(action)]
    if rows:
        yield from ("| option | meaning |", "|---|---|", *rows, "")
    if parser.epilog:
        yield from (_text(parser.epilog), "")
    for name, child in _children(parser):
        yield from _parser_lines(f"{title} {name}", child, depth + 1)


def _children(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _shown(action: argparse.Action) -> bool:
    subparsers = isinstance(action, argparse._SubParsersAction)
    return not subparsers and action.help is not argparse.SUPPRESS and action.dest != "help"


def _row(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    """A row of the table of options: how it is written, and its help."""
    formatter = parser._get_formatter()
    if action.option_strings:
        default = formatter._get_default_metavar_for_optional(action)
        words = "" if action.nargs == 0 else formatter._format_args(action, default)
        written = ", ".join(f"{flag} {words}".rstrip() for flag in action.option_strings)
    else:
        default = formatter._get_default_metavar_for_positional(action)
        written = formatter._format_args(action, default)
    meaning = formatter._expand_help(action) if action.help else ""
    if action.choices is not None and action.metavar is not None:
        meaning += f" ({', '.join(map(str, action.choices))})"
    if action.option_strings and action.required:
        meaning += " (required)"
    return f"| `{written.replace('|', chr(92) + '|')}` | {_text(meaning)} |"


def names_page() -> str:
    """Every name that `import phantomgo` offers, in full."""
    lines = ["# Python: `import phantomgo`", ""]
    lines += [
        "Everything on this page can be used as `pg.NAME` after `import phantomgo as pg`.",
        "",
    ]
    return "\n".join(lines) + "".join(_directive("phantomgo", name) for name in phantomgo.__all__)


def module_page(title: str) -> str:
    """The public names of the modules of one page, with their docstrings."""
    lines = [f"# {title}", ""]
    for module in MODULES[title]:
        lines += [f"## `{module}`", ""]
        lines += ["```{eval-rst}", f".. automodule:: {module}", "   :no-members:", "```", ""]
        lines += [_directive(module, name) for name in public(module)]
    return "\n".join(lines)


def public(module: str) -> list[str]:
    """The names that a module defines for others and that have a docstring, in its order."""
    found = import_module(module)
    return [
        name
        for name, value in vars(found).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module
        and value.__doc__
    ]


def _directive(module: str, name: str) -> str:
    """The directive of Sphinx that documents a name."""
    value = getattr(import_module(module), name)
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
        return f"```{{eval-rst}}\n.. {kind}:: {module}.{name}\n   :members:\n```\n\n"
    kind = "autofunction" if inspect.isfunction(value) else "autodata"
    return f"```{{eval-rst}}\n.. {kind}:: {module}.{name}\n```\n\n"


def gtp_page() -> str:
    """Every GTP command with its arguments and the roles that answer it, from gtp's tables."""
    lines = ["# GTP commands", ""]
    lines += [
        "Generated from the tables by which the server finds a command. The"
        " [GTP reference](../../../gtp/README.md) describes replies and failures."
        " A *host* plays both colours or a game against a bot, a *seat* is one player, and a"
        " *ruler* shows a game that another session plays.",
        "",
        "| command | roles |",
        "|---|---|",
    ]
    tables = {"any": session.COMMANDS}
    tables |= {role.__name__.lower(): handlers for role, handlers in session.ROLES.items()}
    for name in session.Session.commands():
        roles = [role for role, handlers in tables.items() if name in handlers]
        words = " ".join([name, *_arguments(tables[roles[0]][name].run)])
        lines.append(f"| `{words}` | {', '.join(roles)} |")
    return "\n".join(lines) + "\n"


def _arguments(handler: Any) -> Iterator[str]:
    for parameter in list(inspect.signature(handler).parameters.values())[1:]:
        word = parameter.name.strip("_").upper()
        if parameter.kind is parameter.VAR_POSITIONAL:
            yield f"[{word}...]"
        else:
            yield word if parameter.default is parameter.empty else f"[{word}]"


def schema_page(path: str) -> str:
    """The fields of a JSON format, from its schema, and the schema itself."""
    schema = json.loads((ROOT / path).read_text())
    lines = [f"# {schema['title']}", "", f"A file follows the JSON schema `{path}`.", ""]
    lines += _fields("The file", schema)
    for name, part in schema.get("$defs", {}).items():
        described = part.get("items", part)
        if "properties" in described:
            lines += _fields(f"`{name}`", described)
    lines += ["## The schema", "", "```json", (ROOT / path).read_text().strip(), "```"]
    return "\n".join(lines) + "\n"


def _fields(title: str, schema: Mapping[str, Any], above: str = "") -> list[str]:
    """A table of the fields of an object, those of objects inside it by their paths."""
    heads = ["| field | meaning | value | required |", "|---|---|---|---|"]
    lines = [] if above else [f"## {title}", "", *heads]
    for name, field in schema.get("properties", {}).items():
        if field is False:
            continue
        required = "yes" if name in schema.get("required", ()) else ""
        meaning = _text(field.get("description", ""))
        lines.append(f"| `{above}{name}` | {meaning} | {_value(field)} | {required} |")
        for part in (field, *field.get("oneOf", ()), field.get("items", {})):
            if isinstance(part, dict) and "properties" in part:
                lines += _fields(title, part, f"{above}{name}.")
    return lines if above else [*lines, ""]


def _value(field: Mapping[str, Any]) -> str:
    """A short description of a field's values."""
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if "const" in field:
        return f"always `{json.dumps(field['const'])}`"
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    if "oneOf" in field or "anyOf" in field:
        return " or ".join(_value(one) for one in field.get("oneOf") or field["anyOf"])
    kinds = field.get("type", "any")
    words = kinds if isinstance(kinds, str) else " or ".join(kinds)
    if "items" in field and isinstance(field["items"], dict):
        words += f" of {_value(field['items'])}"
    low, high = field.get("minimum"), field.get("maximum")
    if low is not None and high is not None:
        return f"{words}, {low} to {high}"
    if low is not None:
        return f"{words}, at least {low}"
    if "pattern" in field:
        return f"{words} like `{field['pattern'].replace('|', chr(92) + '|')}`"
    return words


def _text(help_text: str) -> str:
    """A sentence of a parser as Markdown: words in capitals and code stay as they are."""
    escaped = help_text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "\\<")
    return escaped.replace("*", "\\*").replace("[", "\\[").replace("_", "\\_")


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


if __name__ == "__main__":
    COMMANDS_PAGE.write_text(commands_page())
