"""The pages of a player lead to no address of another seat, and those of clients to no player's."""

import pytest

from tests.support.leaks import others
from tests.support.web_tools import Site, Socket, addresses


async def crawl_seats(**fields):
    """Lay a table, play at it, and see where its players' pages lead, before and after its end."""
    site = Site()
    host = await site.lay(size="4", **fields)
    role = host.split("/")[3]

    def shown(seat):
        """The spectators' link, on the page of the player whose view they see."""
        alike = role != "referee" and seat.split("/")[3] == fields["watching"]
        return ["watch"] if alike else []

    seats = [host] if role != "referee" else []
    if role != "both" and fields["opponent"] in ("person", "referee"):
        waiting = await site.crawl(host)
        invited = [path for path in waiting if "/invite-" in path and not path.startswith("/qr")]
        assert len(invited) == (2 if role == "referee" else 1)
        if seats:
            assert not others(waiting, host, "invite-white", "invite-black", *shown(host))
        seats += [await site.invited(host) for _ in range(len(invited))]
    session, sockets = site.session(host), [Socket(site, seat) for seat in seats]

    async def look():
        await site.settle()
        for seat, socket in zip(seats, sockets, strict=True):
            frames = addresses("".join(socket.frames))
            assert others(await site.crawl(seat, *frames), seat, *shown(seat)) == []

    await look()
    for point in ("B2", "B2", "C3", "D1", "A4", "C2"):
        for seat in seats:
            await site.attempt(seat, point)
        await look()
    for what in ("adjourn", "resume", "takeback", "yes", "pass", "no"):
        for seat in seats:  # where both ask for the same, they agree
            await site.press(seat, what)
            await look()
    if role == "referee":
        await site.do(host, "free-white")
        await site.settle()  # the other player's pages lead nowhere meanwhile
        assert others(await site.crawl(seats[0]), seats[0]) == []
        seats[1] = await site.invited(host)
        sockets[1] = Socket(site, seats[1])
        await look()
    while session.game.outcome is None:
        for seat in seats:
            await site.do(seat, "seats")
            await site.do(seat, "resign")
        await site.settle()
    # Now all may be seen; the rematch has seats that are somebody else's again.
    await site.do(seats[0], "rematch")
    await site.settle()
    for seat in seats:
        found = await site.crawl(seat)
        again = [path for path in others(found, seat, "watch") if not path.startswith("/qr")]
        numbers = {path.split("/")[2] for path in again}
        assert numbers == {str(session.rematch)}, again
        roles = {path.split("/")[3] for path in again if "/invite-" not in path} - {"watch"}
        assert len(roles) == 1, again


WATCHED = ("nothing", "black", "white", "all")


@pytest.mark.parametrize(
    ("opponent", "watching"),
    [(kind, watching) for kind in ("person", "referee") for watching in WATCHED]
    + [(kind, watching) for kind in ("here", "easy") for watching in WATCHED[::3]],
)
async def test_a_seat_leads_to_no_address_of_another_role(opponent, watching, monkeypatch):
    # A bot that passes after the pass of its opponent would end the game too early.
    monkeypatch.setattr("phantomgo.rng.secrets.randbelow", lambda _: 1)
    colour = "white" if watching == "white" else "black"
    fields = {"watching": watching, "minutes": "10" if watching == "all" else "0"}
    await crawl_seats(opponent=opponent, colour=colour, **fields)
