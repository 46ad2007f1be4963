"""Points, SOS and SODOS by hand, as the table states them."""

from phantomgo.match.standings import Played, Standing, standings


def test_ties_are_broken_by_opponents():
    played = [
        Played(0, 1, 1, 0),
        Played(2, 3, 1, 0),
        Played(0, 2, 0.5, 0.5),
        Played(1, 3, 1, 0),
    ]
    assert standings(range(4), played) == [
        Standing(1, 0, 1.5, 2.5, 1.75),  # beat 1, who has a point
        Standing(2, 2, 1.5, 1.5, 0.75),
        Standing(3, 1, 1, 1.5, 0),
        Standing(4, 3, 0, 2.5, 0),
    ]


def test_equal_players_share_a_rank_and_a_rest_is_a_point():
    table = standings([5, 6, 7], [Played(5, 6, 0.5, 0.5)], rested=[7])
    assert [(row.rank, row.player, row.points) for row in table] == [
        (1, 7, 1),
        (2, 5, 0.5),
        (2, 6, 0.5),
    ]
