"""Commands that set a game up: board, komi, rules, handicap, time."""

import json
from dataclasses import replace
from typing import Final

from bots.book import check_size
from gtp import clock, syntax
from gtp.clock import Clock
from gtp.handicap import most, star_points
from gtp.role import GameRole
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import BadRules, BadText
from phantomgo.fields import Kind, parse_json
from phantomgo.points import BLACK, MAX_SIZE, MIN_SIZE, PointSet, parse_points, point_set, vertex
from phantomgo.rules import CHOICES, Rules

KATAGO: Final = {
    "ko": "SIMPLE",
    "scoring": "AREA",
    "tax": "NONE",
    "suicide": False,
    "hasButton": False,
    "whiteHandicapBonus": "0",
    "friendlyPassOk": False,
}
"""Our rules in KataGo's terms, except for the ko."""
KATAGO_NAMES: Final = {
    "tromp-taylor": {"ko": "POSITIONAL", "suicide": True},
    "chinese": {"whiteHandicapBonus": "N", "friendlyPassOk": True},
    "chinese-ogs": {"ko": "POSITIONAL", "whiteHandicapBonus": "N", "friendlyPassOk": True},
    "chinese-kgs": {"ko": "POSITIONAL", "whiteHandicapBonus": "N", "friendlyPassOk": True},
    "aga": {"ko": "SITUATIONAL", "whiteHandicapBonus": "N-1", "friendlyPassOk": True},
    "bga": {"ko": "SITUATIONAL", "whiteHandicapBonus": "N-1", "friendlyPassOk": True},
    "new-zealand": {"ko": "SITUATIONAL", "suicide": True},
    "japanese": {"scoring": "TERRITORY"},
    "korean": {"scoring": "TERRITORY"},
    "stone-scoring": {"tax": "ALL", "whiteHandicapBonus": "N", "friendlyPassOk": True},
}
"""KataGo's names of rules, and what differs from ours; no name matches all of ours."""
KIND: Final = Kind("set of rules", BadText)


class Setup(GameRole):
    """Board, komi, rules, handicap and time settings."""

    @command("boardsize")
    def boardsize(self, size: str) -> None:
        if not size.removeprefix("-").isdecimal() or not size.isascii():
            raise Failure("syntax error")
        if len(size) > 4 or not MIN_SIZE <= int(size) <= MAX_SIZE:
            raise Failure("unacceptable size")
        try:
            check_size(self.settings.bot, int(size))
        except BadText as error:
            raise Failure(f"unacceptable size: {error}") from None
        if int(size) == self.size:
            self.clear()
            return
        self.settings = replace(self.settings, rules=replace(self.settings.rules, size=int(size)))
        self.new_game()

    @command("clear_board")
    def clear_board(self) -> None:
        self.clear()

    @command("komi")
    def komi(self, komi: str) -> None:
        try:
            rules = replace(self.settings.rules, komi=syntax.decimal(komi))
        except BadRules:
            raise Failure("unacceptable komi") from None
        self.settings = replace(self.settings, rules=rules, komi_given=True)
        if self.result is None:
            self.komi_changed()

    @command("get_komi")
    def get_komi(self) -> str:
        return f"{self.settings.rules.komi:g}"

    @command("phantom-rules")
    def phantom_rules(self, profile: str) -> None:
        old = self.settings.rules
        komi = old.komi if self.settings.komi_given else None
        try:
            self._change(Rules.profile(profile, size=old.size, komi=komi))
        except BadRules:
            raise Failure("unsupported rules") from None

    @command("phantom-rule")
    def phantom_rule(self, key: str, value: str) -> None:
        try:
            self._change(self.settings.rules.with_text(key, value))
        except BadRules:
            raise Failure("unsupported rule") from None

    @command("phantom-get_rules")
    def phantom_get_rules(self) -> str:
        return json.dumps(self.settings.rules.as_dict())

    @command("kata-get-rules")
    def kata_get_rules(self) -> str:
        return json.dumps({**KATAGO, "ko": self.settings.rules.ko.upper()})

    @command("kata-set-rules")
    def kata_set_rules(self, *words: str) -> None:
        text = " ".join(words)
        try:
            wanted = KATAGO_NAMES[text] if text in KATAGO_NAMES else parse_json(text, KIND)
        except BadText:
            raise Failure("syntax error") from None
        if not isinstance(wanted, dict):
            raise Failure("syntax error")
        for key, value in wanted.items():
            self.kata_set_rule(str(key), value if isinstance(value, str) else json.dumps(value))

    @command("kata-set-rule")
    def kata_set_rule(self, key: str, value: str) -> None:
        """Only the ko can be changed; any other value has to be the one in force."""
        ours = KATAGO.get(key)
        if key == "ko" and value.lower() in CHOICES["ko"]:
            self._change(self.settings.rules.with_text("ko", value.lower()))
        elif ours is None or json.dumps(ours).strip('"').lower() != value.lower():
            raise Failure(f"unsupported rules: {key[:40]} {value[:40]}")

    def _change(self, rules: Rules) -> None:
        self.services.limits.check_rules(rules)
        self.forbid_in_game()
        self.settings = replace(self.settings, rules=rules)
        if not self.begun:
            self.new_game()

    # Handicap

    @command("fixed_handicap")
    def fixed_handicap(self, stones: str) -> str:
        size, count = self.size, syntax.whole(stones)
        if size < 7 or not 2 <= count <= most(size):
            raise Failure("invalid number of stones")
        return self._place_stars(count)

    @command("place_free_handicap")
    def place_free_handicap(self, stones: str) -> str:
        """Place at most as many stones as `fixed_handicap` has places for."""
        size, count = self.size, syntax.whole(stones)
        if not 2 <= count < size * size:
            raise Failure("invalid number of stones")
        return self._place_stars(min(count, most(size)))

    @command("set_free_handicap")
    def set_free_handicap(self, *stones: str) -> None:
        size = self.size
        try:
            points = parse_points(stones, size)
        except BadText:
            raise Failure("bad vertex list") from None
        if not 2 <= len(stones) < size * size:
            raise Failure("bad vertex list")
        self._place_black(points)

    def _place_stars(self, count: int) -> str:
        size = self.size
        points = star_points(size, count)
        self._place_black(point_set(points))
        return " ".join(vertex(point, size) for point in points)

    def _place_black(self, points: PointSet) -> None:
        if self.begun:
            raise Failure("board not empty")
        self.place(BLACK, points)

    # Time

    @command("time_settings")
    def time_settings(self, main: str, byo_yomi: str, stones: str) -> None:
        self._set_clock(clock.gtp_clock((main, byo_yomi, stones)))

    @command("kgs-time_settings")
    def kgs_time_settings(self, kind: str, *times: str) -> None:
        self._set_clock(clock.named_clock((kind, *times), extended=False))

    @command("kata-time_settings")
    def kata_time_settings(self, kind: str, *times: str) -> None:
        self._set_clock(clock.named_clock((kind, *times), extended=True))

    @command("kata-list_time_settings")
    def kata_list_time_settings(self) -> str:
        return " ".join(clock.KINDS)

    @command("time_left")
    def time_left(self, colour: str, seconds: str, stones: str) -> None:
        side, left = syntax.colour(colour), syntax.decimal(seconds)
        self._set_clock(self.settings.clock.corrected(side, left, syntax.whole(stones)))

    def _set_clock(self, value: Clock) -> None:
        self.settings = replace(self.settings, clock=value)
