"""Commands that set a game up: board, komi, rules."""

import json
from dataclasses import replace
from typing import Final

from gtp import syntax
from gtp.role import Theme
from gtp.syntax import Failure
from gtp.table import command
from phantomgo.errors import BadRules, BadText
from phantomgo.points import MAX_SIZE, MIN_SIZE
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
"""What KataGo calls our rules, but for the ko."""
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
"""Rules by name, as far as they differ from ours; none of them are ours."""


class Setup(Theme):
    """Board, komi and rules."""

    @command("boardsize")
    def boardsize(self, size: str) -> None:
        """A new game on a board of this size."""
        role = self.role
        if not size.removeprefix("-").isdecimal() or not size.isascii():
            raise Failure("syntax error")
        if len(size) > 4 or not MIN_SIZE <= int(size) <= MAX_SIZE:
            raise Failure("unacceptable size")
        try:
            role.services.check_size(role.settings.bot, int(size))
        except BadText as error:
            raise Failure(f"unacceptable size: {error}") from None
        if int(size) == role.settings.rules.size:
            role.clear()
            return
        rules = replace(role.settings.rules, size=int(size))
        role.settings = replace(role.settings, rules=rules)
        role.new_game()

    @command("clear_board")
    def clear_board(self) -> None:
        self.role.clear()

    @command("komi")
    def komi(self, komi: str) -> None:
        role = self.role
        try:
            rules = replace(role.settings.rules, komi=syntax.decimal(komi))
        except BadRules:
            raise Failure("unacceptable komi") from None
        role.settings = replace(role.settings, rules=rules, komi_given=True)
        if role.result is None:
            role.komi_changed()

    @command("get_komi")
    def get_komi(self) -> str:
        return f"{self.role.settings.rules.komi:g}"

    @command("phantom-rules")
    def rules(self, profile: str) -> None:
        old = self.role.settings.rules
        komi = old.komi if self.role.settings.komi_given else None
        try:
            self._change(Rules.profile(profile, size=old.size, komi=komi))
        except BadRules:
            raise Failure("unsupported rules") from None

    @command("phantom-rule")
    def rule(self, key: str, value: str) -> None:
        try:
            self._change(self.role.settings.rules.with_text(key, value))
        except BadRules:
            raise Failure("unsupported rule") from None

    @command("phantom-get_rules")
    def get_rules(self) -> str:
        return json.dumps(self.role.settings.rules.as_dict())

    @command("kata-get-rules")
    def kata_get_rules(self) -> str:
        return json.dumps({**KATAGO, "ko": self.role.settings.rules.ko.upper()})

    @command("kata-set-rules")
    def kata_set_rules(self, *words: str) -> None:
        """Rules of KataGo's that a referee of ours has; the others are named."""
        text = " ".join(words)
        try:
            wanted = KATAGO_NAMES[text] if text in KATAGO_NAMES else json.loads(text)
        except ValueError:
            raise Failure("syntax error") from None
        if not isinstance(wanted, dict):
            raise Failure("syntax error")
        for key, value in wanted.items():
            self.kata_set_rule(str(key), value if isinstance(value, str) else json.dumps(value))

    @command("kata-set-rule")
    def kata_set_rule(self, key: str, value: str) -> None:
        """One of them."""
        ours = KATAGO.get(key)
        if key == "ko" and value.lower() in CHOICES["ko"]:
            self._change(self.role.settings.rules.with_text("ko", value.lower()))
        elif ours is None or json.dumps(ours).strip('"').lower() != value.lower():
            raise Failure(f"unsupported rules: {key[:40]} {value[:40]}")

    def _change(self, rules: Rules) -> None:
        role = self.role
        role.services.limits.check_rules(rules)
        role.forbid_in_game()
        role.settings = replace(role.settings, rules=rules)
        if not role.begun:
            role.new_game()
