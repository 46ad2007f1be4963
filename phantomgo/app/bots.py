"""`phantomgo bots`: the bots, their parameters and defaults."""

import argparse
import json
import sys

from bots import BOTS, parameters


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    table = {
        kind: {f.name: {"default": f.default, **f.metadata} for f in parameters(bot)}
        for kind, bot in sorted(BOTS.items())
    }
    if arguments.json:
        sys.stdout.write(json.dumps(table, indent=2) + "\n")
        return 0
    for kind, options in table.items():
        print(kind)
        for name, option in options.items():
            if "options" in option:
                allowed = " or ".join(option["options"])
            else:
                allowed = f"{option['low']} to {option['high']}"
            print(f"  {name}={option['default']}  {allowed}: {option['meaning']}")
    return 0
