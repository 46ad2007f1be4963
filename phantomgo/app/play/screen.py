"""The board on a terminal, redrawn in place, and a prompt with completion and history.

Lines go to `commands.run` and pictures come from page.py; this module has only keys, colours and
waiting. Lines typed while a bot thinks are queued.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from phantomgo.app.play import commands
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import Look, Picture, text
from phantomgo.app.play.page import page, prompt, status
from phantomgo.app.table.viewer import Phase
from phantomgo.game.points import Colour

WOOD: Final = "#d7af5f"
"""The background of the board, with good contrast to black and white stones on any terminal."""
HEAT: Final = "d7af5f ffd787 ffd75f ffaf5f ff875f ff5f00 d70000 af0000 870000"
"""From unlikely to certain; all colours are of the 256 that most terminals have."""

STYLE: Final = Style.from_dict(
    {
        "grid": f"bg:{WOOD} #875f00",
        "black": f"bg:{WOOD} #000000",
        "white": f"bg:{WOOD} #ffffff",
        "area-black": f"bg:{WOOD} #000000 bold",
        "area-white": f"bg:{WOOD} #ffffff bold",
        "last": f"bg:{WOOD} #000000 bold",
        "refused": f"bg:{WOOD} #af0000 bold",
        "gone": f"bg:{WOOD} #af0000 bold",
        "hint": f"bg:{WOOD} #005f00 bold",
        "mark": f"bg:{WOOD} #0000af bold",
        "title": "bold",
        "news": "bold",
        "prompt": "bold",
    }
    | {
        f"heat{level}": f"bg:#{colour} {'#000000' if level < 7 else '#ffffff'}"
        for level, colour in enumerate(HEAT.split(), 1)
    }
)

REFRESH: Final = 0.25
"""Seconds between two looks at the clock."""
SPINNER: Final = "|/-\\"
"""The signs that take turns while something is awaited."""


class Screen:
    """One run of the terminal application."""

    def __init__(
        self,
        console: Console,
        look: Look,
        *,
        colours: bool = True,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._console, self._look = console, look
        self._typed: deque[str] = deque()
        self._histories = {colour: InMemoryHistory() for colour in (None, *Colour)}
        self._facing = console.facing
        self._wake = asyncio.Event()
        self._buffer = Buffer(
            name="prompt",
            completer=_Names(console),
            history=self._histories[self._facing],
            multiline=False,
            accept_handler=self._accept,
        )
        self._app: Application[None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=STYLE,
            full_screen=True,
            color_depth=None if colours else ColorDepth.DEPTH_1_BIT,
            input=source,
            output=output,
        )

    def run(self) -> None:
        """Play until the person leaves."""
        handler = _Notes(self._console)
        logging.getLogger().addHandler(handler)
        try:
            self._app.run(pre_run=self._begin)
        finally:
            logging.getLogger().removeHandler(handler)

    # What is seen

    def _layout(self) -> Layout:
        body = HSplit(
            [
                Window(FormattedTextControl(self._page)),
                Window(FormattedTextControl(self._status), height=self._status_height),
                Window(
                    BufferControl(self._buffer, input_processors=[BeforeInput(self._prompt)]),
                    height=1,
                ),
            ]
        )
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        return Layout(FloatContainer(body, [menu]))

    def _page(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        rows = max(size.rows - 1 - self._status_height(), 1)
        return _fragments(page(self._console, self._look, size.columns, rows))

    def _status_lines(self) -> Picture:
        turns = int(self._console.table.now() / REFRESH)
        mark = "" if self._console.work is None else SPINNER[turns % len(SPINNER)]
        columns = self._app.output.get_size().columns
        return text(status(self._console, mark), columns, "class:status")[:3]

    def _status(self) -> StyleAndTextTuples:
        return _fragments(self._status_lines())

    def _status_height(self) -> int:
        return len(self._status_lines())

    def _prompt(self) -> StyleAndTextTuples:
        return [("class:prompt", prompt(self._console))]

    # What is typed

    def _accept(self, buffer: Buffer) -> bool:
        self._typed.append(buffer.text)
        self._wake.set()
        return False

    def _keys(self) -> KeyBindings:
        keys, console = KeyBindings(), self._console
        empty = Condition(lambda: not self._buffer.text)
        stepping = empty & Condition(lambda: console.phase is Phase.OVER and not console.leaving)

        @keys.add("c-c")
        @keys.add("<sigint>")
        def _interrupt(_event: KeyPressEvent) -> None:
            self._typed.clear()
            if self._buffer.text:
                self._buffer.reset()
            else:
                console.interrupt()
            self._wake.set()

        @keys.add("c-d", filter=empty)
        def _leave(_event: KeyPressEvent) -> None:
            console.ask_to_leave()
            self._wake.set()

        @keys.add("left", filter=stepping)
        @keys.add("right", filter=stepping)
        def _step(event: KeyPressEvent) -> None:
            console.show(console.at + (1 if event.key_sequence[0].key == "right" else -1))

        @keys.add("pageup")
        @keys.add("pagedown")
        def _leaf(event: KeyPressEvent) -> None:
            down = event.key_sequence[0].key == "pagedown"
            console.scroll += console.leaf if down else -console.leaf

        return keys

    # Waiting

    def _begin(self) -> None:
        self._app.create_background_task(self._attend_or_end())

    async def _attend_or_end(self) -> None:
        """Attend, and close the screen whatever goes wrong."""
        try:
            await self._attend()
        except Exception as error:
            self._app.exit(exception=error)

    async def _attend(self) -> None:
        """Run typed lines and take results, until the person has left."""
        console, awaited, news = self._console, None, True
        console.begin()
        while not console.closed and console.table.players.failure is None:
            console.table.tick()
            work = console.work
            if work is not None and work.future.done():
                console.finish()
                news = True
            elif work is None and self._typed:
                commands.run(console, self._typed.popleft())
                news = True
            else:
                if work is not None and work is not awaited:
                    awaited = work
                    work.future.add_done_callback(self._wake_from_thread())
                self._change_history()
                if news or work is not None or console.game.start.time is not None:
                    self._app.invalidate()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), REFRESH)
                news = self._wake.is_set()
                self._wake.clear()
        if console.table.players.failure is not None:
            self._app.exit(exception=console.table.players.failure)
        else:
            self._app.exit()

    def _wake_from_thread(self) -> Callable[[object], None]:
        loop = asyncio.get_running_loop()

        def wake(_future: object) -> None:
            with contextlib.suppress(RuntimeError):  # the screen is gone
                loop.call_soon_threadsafe(self._wake.set)

        return wake

    def _change_history(self) -> None:
        """Hide what one person typed from the other, who could recall or paste it."""
        if self._facing is not self._console.facing:
            self._facing = self._console.facing
            self._buffer.history = self._histories[self._facing]
            self._buffer.reset()
            self._app.clipboard = InMemoryClipboard()


class _Notes(logging.Handler):
    """Shows log messages while work is awaited: printed, they would spoil the screen."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        self._console.note = record.getMessage()


class _Names(Completer):
    """The commands that can be given now."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Completion]:
        words = document.text_before_cursor.lower().split(" ")
        if len(words) > 1 and words[:-1] != ["help"]:
            return
        given = commands.available(self._console)
        names = {command.name: command.meaning for command in given}
        if self._console.phase is not Phase.OVER:
            names |= {"pass": "make no move", "resign": "give the game up"}
        for name, meaning in names.items():
            if name.startswith(words[-1]):
                yield Completion(name, -len(words[-1]), display_meta=meaning)


def _fragments(picture: Picture) -> StyleAndTextTuples:
    """A picture as prompt_toolkit's formatted text."""
    parts: StyleAndTextTuples = []
    for line in picture:
        parts += [*line, ("", "\n")]
    return parts[:-1]
