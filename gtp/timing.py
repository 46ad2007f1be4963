"""Commands that tell the time. What is made of it is in gtp/clock.py."""

from dataclasses import replace

from gtp import clock, syntax
from gtp.clock import Clock
from gtp.role import Theme
from gtp.table import command


class Timing(Theme):
    """Time settings and time left."""

    @command("time_settings")
    def time_settings(self, main: str, byo_yomi: str, stones: str) -> None:
        self._set(clock.gtp_clock((main, byo_yomi, stones)))

    @command("kgs-time_settings")
    def kgs_time_settings(self, kind: str, *times: str) -> None:
        self._set(clock.named_clock((kind, *times), extended=False))

    @command("kata-time_settings")
    def kata_time_settings(self, kind: str, *times: str) -> None:
        self._set(clock.named_clock((kind, *times), extended=True))

    @command("kata-list_time_settings")
    def kata_list_time_settings(self) -> str:
        return " ".join(clock.KINDS)

    @command("time_left")
    def time_left(self, colour: str, seconds: str, stones: str) -> None:
        side, left = syntax.colour(colour), syntax.decimal(seconds)
        self._set(self.role.settings.clock.told(side, left, syntax.whole(stones)))

    def _set(self, value: Clock) -> None:
        self.role.settings = replace(self.role.settings, clock=value)
