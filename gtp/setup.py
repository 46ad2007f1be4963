"""Commands that set a game up: board, komi, rules, handicap, time."""

import json
import re
from dataclasses import replace
from typing import Final

from bots.book_checks import check_size
from gtp import clock, syntax
from gtp.handicap import most, star_points
from gtp.handlers import table
from gtp.role import GameRole
from gtp.syntax import Failure
from phantomgo.errors import BadRules, BadText
from phantomgo.game.points import MAX_SIZE, MIN_SIZE, PointSet, parse_points, point_set, vertex
from phantomgo.game.rules import Rules
from phantomgo.values import read_whole


def boardsize(role: GameRole, size: str) -> None:
    points = read_whole(size, MIN_SIZE, MAX_SIZE)
    if points is None:
        raise Failure("unacceptable size" if re.fullmatch("-?[0-9]+", size) else "syntax error")
    try:
        check_size(role.thinker.settings.bot, points)
    except BadText as error:
        raise Failure(f"unacceptable size: {error}") from None
    if points == role.size:
        role.clear()
        return
    role.thinker.change(rules=replace(role.thinker.settings.rules, size=points))
    role.new_game()


def komi(role: GameRole, komi: str) -> None:
    try:
        rules = replace(role.thinker.settings.rules, komi=syntax.decimal(komi))
    except BadRules:
        raise Failure("unacceptable komi") from None
    role.thinker.change(rules=rules, komi_given=True, komi_before=None)
    if role.result is None:
        role.komi_changed()


def phantom_rules(role: GameRole, profile: str) -> None:
    settings = role.thinker.settings
    before = settings.komi_before
    try:
        rules = Rules.profile(profile, size=role.size)
        if before is not None and not settings.komi_given:
            before = rules.komi
        if before is not None or settings.komi_given:
            rules = replace(rules, komi=settings.rules.komi)
        _change(role, rules)
    except BadRules:
        raise Failure("unsupported rules") from None
    role.thinker.change(komi_before=before)


def phantom_rule(role: GameRole, key: str, value: str) -> None:
    try:
        _change(role, role.thinker.settings.rules.with_text(key, value))
    except BadRules:
        raise Failure("unsupported rule") from None


def _change(role: GameRole, rules: Rules) -> None:
    role.thinker.services.limits.check_rules(rules)
    role.forbid_in_game()
    role.thinker.change(rules=rules)
    if not role.begun:
        role.new_game()


# Handicap


def fixed_handicap(role: GameRole, stones: str) -> str:
    size, count = role.size, syntax.whole(stones)
    if size < 7 or not 2 <= count <= most(size):
        raise Failure("invalid number of stones")
    return _place_stars(role, count)


def place_free_handicap(role: GameRole, stones: str) -> str:
    """Place at most as many stones as `fixed_handicap` has places for."""
    size, count = role.size, syntax.whole(stones)
    if not 2 <= count < size * size:
        raise Failure("invalid number of stones")
    return _place_stars(role, min(count, most(size)))


def set_free_handicap(role: GameRole, *stones: str) -> None:
    size = role.size
    try:
        points = parse_points(stones, size)
    except BadText:
        raise Failure("bad vertex list") from None
    if not 2 <= len(stones) < size * size:
        raise Failure("bad vertex list")
    _place_black(role, points)


def _place_stars(role: GameRole, count: int) -> str:
    size = role.size
    points = star_points(size, count)
    _place_black(role, point_set(points))
    return " ".join(vertex(point, size) for point in points)


def _place_black(role: GameRole, points: PointSet) -> None:
    if role.begun:
        raise Failure("board not empty")
    role.place_handicap(points)


# Time


def time_settings(role: GameRole, main: str, byo_yomi: str, stones: str) -> None:
    role.thinker.change(clock=clock.gtp_clock((main, byo_yomi, stones)))


def kata_time_settings(role: GameRole, kind: str, *times: str) -> None:
    role.thinker.change(clock=clock.named_clock((kind, *times)))


def time_left(role: GameRole, colour: str, seconds: str, stones: str) -> None:
    side, left = syntax.colour(colour), syntax.decimal(seconds)
    value = role.thinker.settings.clock.corrected(side, left, syntax.whole(stones))
    role.thinker.change(clock=value)


COMMANDS: Final = table(
    {
        "boardsize": boardsize,
        "clear_board": lambda role: role.clear(),
        "komi": komi,
        "get_komi": lambda role: f"{role.thinker.settings.rules.komi:g}",
        "phantom-rules": phantom_rules,
        "phantom-rule": phantom_rule,
        "phantom-get_rules": lambda role: json.dumps(role.thinker.settings.rules.as_dict()),
        "fixed_handicap": fixed_handicap,
        "place_free_handicap": place_free_handicap,
        "set_free_handicap": set_free_handicap,
        "time_settings": time_settings,
        "kata-time_settings": kata_time_settings,
        "kata-list_time_settings": lambda _role: " ".join(clock.KINDS),
        "time_left": time_left,
    }
)
