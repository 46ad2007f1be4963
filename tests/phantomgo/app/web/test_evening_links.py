"""What each link of an evening may do, and how a lost one is replaced."""

from tests.support.evenings import begin, first_round, joined, link, press, start
from tests.support.web_tools import Site, heading


async def test_a_new_link_makes_the_old_one_void():
    site = Site()
    organiser = await begin(site)
    ann, _ = await joined(site, organiser, ["Ann", "Bob"])
    await press(site, organiser, "renew", player="0")
    assert (await site.get(ann)).status == 404
    again = link((await site.get(organiser)).text, "again-0")
    new = (await press(site, again, "again")).header("location")
    assert (await site.get(new)).status == 200
    assert (await site.get(again)).status == 404
    assert "again-0" not in (await site.get(organiser)).text


async def test_a_new_link_makes_the_seat_of_a_lost_phone_void():
    site = Site()
    organiser, players, seats = await first_round(site)
    await press(site, organiser, "renew", player="0")
    assert (await site.get(seats[players[0]])).status == 404
    assert (await site.get(seats[players[1]])).status == 200
    again = link((await site.get(organiser)).text, "again-0")
    ann = (await press(site, again, "again")).header("location")
    seat = (await press(site, ann, "sit")).header("location")
    assert seat != seats[players[0]]
    assert (await site.get(seat)).status == 200


async def test_a_link_is_for_one_role_of_one_evening():
    site = Site()
    organiser, other = await begin(site), await begin(site)
    [ann] = await joined(site, organiser, ["Ann"])
    token = organiser.rpartition("/")[2]
    for path in (
        organiser[:-1],
        organiser + "x",
        f"{other.rpartition('/')[0]}/{token}",
        organiser.replace("organiser", "projector"),
        organiser.replace("organiser", "player-0"),
        organiser.replace("organiser", "nobody"),
        ann.replace("player-0", "player-00"),
        ann.replace("player-0", "player-1"),
        ann.replace("player-0", "again-0"),
        ann.replace("/evening/", "/table/"),
        f"/evening/{2**70}/organiser/{token}",
        f"/evening/0/organiser/{token}",
        f"/evening/1/organiser/{'ä' * 22}",
    ):
        assert (await site.get(path)).status == 404, path
        assert (await press(site, path, "start", known="0")).status == 404, path


async def test_each_role_does_only_what_is_its_own():
    site = Site()
    organiser = await begin(site)
    ann, bob = await joined(site, organiser, ["Ann", "Bob"])
    page = (await site.get(organiser)).text
    for base in (ann, link(page, "join"), link(page, "projector")):
        for what in ("start", "correct", "renew", "again", "nonsense", ""):
            answer = await press(site, base, what, known="0", player="1")
            assert answer.status == 400, (base, what)
    await press(site, ann, "leave", player="1")  # it is about Ann, whatever the form says
    assert heading((await site.get(ann)).text) == "You have left"
    assert heading((await site.get(bob)).text) == "Wait for round 1"
    for player in ("7", "-1", "x", ""):
        assert (await press(site, organiser, "leave", player=player)).status == 400


async def test_a_wrong_token_opens_no_evening_and_no_table():
    site = Site()
    organiser = await begin(site)
    players = await joined(site, organiser, ["Ann", "Bob"])
    await start(site, organiser)
    site.hall.close()
    assert not site.hall.rooms
    for path in (organiser, *players):
        for answer in (await site.get(path[:-1]), await press(site, path[:-1], "sit")):
            assert answer.status == 404
    assert not site.hall.rooms
