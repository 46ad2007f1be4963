"""The state of a table: its terms, and everything that has happened there since.

A change is an `Event`, a JSON object that the journal stores:

    {"attempt": "D4", "seconds": 1.5}
    {"end": {"winner": "b", "ending": "time", "sentence": "..."}}
    {"undo": 1}                     a referee takes the last attempt back
    {"takeback": "black"}           a player's last move is taken back, and all that followed
    {"sits": "white", "name": ""}   somebody takes this seat; null: they had it from the beginning
    {"link": "white"}               a new link for this role; older ones are void
    {"asks": "white"}               to adjourn or, if adjourned, to resume; null: no longer
    {"adjourned": true}
    {"guesses": "white", "points": ["D4"]}      a player's marks, all of them
    {"review": {"chances": {"truth": [0.5, ...], ...}, ...}}    the result of review.py
    {"rematch": 123}                the number of the next game's table
"""

import base64
import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import HUMAN
from phantomgo.app.table.review import Review
from phantomgo.app.web.journal import Event, Journal
from phantomgo.app.web.terms import RULES, SWAPPED, TableTerms, shown_name
from phantomgo.game.outcome import Ending, Outcome
from phantomgo.game.points import (
    BLACK,
    WHITE,
    Colour,
    PointSet,
    parse_attempt,
    parse_colour,
    parse_points,
)
from phantomgo.game.record import Record
from phantomgo.phrase import Phrase, enumerated

UNNAMED: Final = {BLACK: Phrase("Black"), WHITE: Phrase("White")}
"""Names shown for players who gave none."""
LARGEST: Final = 1 << 62
"""Greater than the number of any table."""
TOKEN: Final = 22
"""Characters of a token: 132 bits."""


def token(key: bytes, number: int, role: str, generation: int) -> str:
    """The secret part of a link: an HMAC of the table, the role and how many links came before."""
    digest = hmac.new(key, f"{number}/{role}/{generation}".encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest)[:TOKEN].decode()


def path(key: bytes, number: int, role: str, generation: int) -> str:
    """The path of a role at a table."""
    return f"/table/{number}/{role}/{token(key, number, role, generation)}"


def ended(outcome: Outcome) -> Event:
    """The event of an end that does not follow from the attempts."""
    winner = None if outcome.winner is None else outcome.winner.letter
    ending = {"winner": winner, "ending": outcome.ending.value, "sentence": outcome.sentence}
    return {"end": ending}


class TableState:
    """A table as its events have left it.

    Attributes:
        number: the table's number.
        game: the current game.
        people: the colours that persons play.
        generations: how many new links each role has had.
        sitting: the seats that persons have taken.
        came: those among them that were free before.
        names: of the players.
        adjourned: the game is adjourned, or the referee has stopped the clocks.
        started: the clocks were started by hand.
        asks: the player who offers to adjourn or, if adjourned, to resume.
        marks: the players' guesses of enemy stones.
        review: of the finished game, once it has been worked out.
        rematch: the number of the next game's table.
        trouble: what has failed, if anything; the clocks are stopped then.
    """

    def __init__(self, number: int, terms: TableTerms, journal: Journal) -> None:
        self.number, self.terms, self.journal = number, terms, journal
        self.game = TableGame(terms.record, terms.limit)
        self.people = frozenset(c for c in Colour if terms.spec(c) == HUMAN)
        self.generations: dict[str, int] = {}
        self.sitting: set[Colour] = set()
        self.came: set[Colour] = set()
        named = {BLACK: terms.black_name, WHITE: terms.white_name}
        self.names = {colour: shown_name(name) or UNNAMED[colour] for colour, name in named.items()}
        self.adjourned = self.started = False
        self.asks: Colour | None = None
        self.marks: dict[Colour, PointSet] = dict.fromkeys(Colour, 0)
        self.review = Review()
        self.rematch: int | None = None
        self.trouble = ""
        events = journal.events(number)
        self._events = len(events)
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Change the state by an event."""
        size = self.terms.size
        match event:
            case {"attempt": where, "seconds": seconds}:
                self.game.attempt(parse_attempt(where, size), seconds)
            case {"end": end}:
                winner = None if end["winner"] is None else parse_colour(end["winner"])
                self.game.end(Outcome(winner, None, Ending(end["ending"]), end["sentence"]))
            case {"undo": _}:
                self.game = self.game.before_last()
            case {"takeback": colour}:
                self.game = self.game.taken_back(parse_colour(colour))
            case {"sits": seat, "name": name}:
                colour = parse_colour(seat)
                self.sitting.add(colour)
                self.came |= set() if name is None else {colour}
                self.names[colour] = name or self.names[colour]
            case {"link": role}:
                self.generations[role] = self.generations.get(role, 0) + 1
                if role in SWAPPED:
                    self.sitting.discard(parse_colour(role))
                    self.came.discard(parse_colour(role))
            case {"adjourned": adjourned}:
                self.adjourned, self.started, self.asks = adjourned, not adjourned, None
            case {"asks": asks}:
                self.asks = None if asks is None else parse_colour(asks)
            case {"guesses": colour, "points": points}:
                self.marks[parse_colour(colour)] = parse_points(points, size)
            case {"review": review}:
                self.review = Review.read(review)
            case {"rematch": number}:
                self.rematch = number

    # Seats and links

    @property
    def free_seats(self) -> list[Colour]:
        """Seats that wait for a person with an invitation."""
        terms = self.terms
        return [] if terms.here or terms.refereed else sorted(self.people - self.sitting)

    def inviter(self, colour: Colour) -> str:
        """The name of who has sat down opposite this seat; empty if they gave none."""
        name = self.names[colour.other]
        named = colour.other in self.sitting and name is not UNNAMED[colour.other]
        return name if named else ""

    def link(self, role: str) -> str:
        """The path of a role, by its latest link."""
        return path(self.journal.key, self.number, role, self.generations.get(role, 0))

    def rematch_link(self, role: str) -> str:
        """The path of this client at the next game; empty if there is none."""
        if self.rematch is None:
            return ""
        number, role = self.rematch, SWAPPED.get(role, role)
        return path(self.journal.key, number, role, self.journal.links(number, role))

    def invitations(self) -> Iterator[tuple[str, str]]:
        """Yield what each link to a free seat is for, and its path."""
        for colour in sorted(self.people - self.sitting) if not self.terms.here else ():
            invitation = Phrase("Invitation to play {player}", player=colour)
            yield invitation, self.link(f"invite-{colour.word}")

    def spectators(self) -> Iterator[tuple[str, str]]:
        """Yield the link for spectators, where they see anything.

        It is for the referee, the operator of the server, and the player whose seat it shows: the
        page of another seat may not lead there.
        """
        if self.terms.watching != "nothing" or self.terms.refereed:
            yield Phrase("For spectators"), self.link("watch")

    # The game

    @property
    def rules(self) -> str:
        """The board, the rules and the terms in words."""
        terms = self.terms
        board = Phrase("{size}x{size}, komi {komi}", size=terms.size, komi=f"{terms.komi:g}")
        profile = str(self.game.rules.profile_name)
        words = [board, RULES.get(profile, profile)]
        if terms.handicap:
            words.append(Phrase("{count} handicap stones", count=terms.handicap))
        words.append(terms.clock)
        if self.game.start.takebacks:
            words.append(Phrase("played with a takeback"))
        return enumerated(words)

    @property
    def stopped(self) -> bool:
        """Return whether the clocks are stopped until somebody starts them.

        A referee's clocks are stopped until both seats are taken: no player can know of a start.
        """
        timed = self.terms.refereed and self.terms.limit is not None
        return self.adjourned or (timed and not self.started and not self.people <= self.sitting)

    @property
    def in_progress(self) -> bool:
        """Return whether the game has begun and is not over."""
        return bool(self.game.steps) and self.game.outcome is None

    def may_take_back(self, colour: Colour) -> bool:
        """Return whether a player may take their last move back: against a bot, once per game."""
        alone = self.people == {colour} and not self.terms.refereed
        first = not self.game.start.takebacks and self.game.last_turn(colour) is not None
        return alone and first and self.game.to_move is colour and not self.adjourned

    def record(self) -> Record:
        """The game, with the names of persons instead of `human`."""
        record = self.game.record()
        black, white = (
            side._replace(name=self.names[colour]) if side.name == HUMAN else side
            for colour, side in ((BLACK, record.black), (WHITE, record.white))
        )
        return replace(record, black=black, white=white)
