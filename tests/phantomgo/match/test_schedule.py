"""The numbers of games: stable, whoever joins."""

from hypothesis import given
from hypothesis import strategies as st

from phantomgo.match.attendance import classify
from phantomgo.match.result import MatchGame
from phantomgo.match.schedule import Fixtures, Schedule, gauntlet, round_robin
from tests.support.results import result


@given(st.integers(2, 9), st.integers(1, 6), st.integers(0, 99), st.booleans())
def test_every_game_has_a_number_of_its_own(players, pairs, seed, fixed):
    meetings = (round_robin(players),) * fixed
    schedule = (Fixtures if fixed else Schedule)(players, 2 * pairs, seed, *meetings)
    numbers = list(schedule.numbers())
    assert len({*numbers}) == len(numbers) == schedule.total
    wanted = [schedule.game(number) for number in numbers]
    for black, white in ((a, b) for a in range(players) for b in range(players) if a != b):
        assert sum((game.black, game.white) == (black, white) for game in wanted) == pairs
    for first, second in zip(wanted[::2], wanted[1::2], strict=True):
        assert first.black_seed == second.white_seed, "a player has one seed in a pair"
        assert second.number == first.number + 1
    assert len({game.black_seed for game in wanted}) == len(wanted), "and one in each"


def test_a_game_stays_the_same_when_players_and_rounds_are_added():
    few = Fixtures(3, 4, 7, round_robin(3))
    many = Fixtures(6, 10, 7, round_robin(6))
    assert {*few.numbers()} < {*many.numbers()}
    assert [few.game(n) for n in few.numbers()] == [many.game(n) for n in few.numbers()]


def test_a_gauntlet():
    assert gauntlet(4, 1) == ((0, 1), (0, 2), (0, 3))
    assert gauntlet(4, 2) == ((0, 2), (0, 3), (1, 2), (1, 3))


def play(schedule: Schedule, failing) -> dict[int, MatchGame]:
    """A game each: Black wins unless a player fails; `failing` says who does."""
    games = {}
    for number in schedule.numbers():
        scheduled = schedule.game(number)
        loser = failing(scheduled)
        game = result(schedule, number, "w" if loser == scheduled.black else "b")
        games[number] = game._replace(ending="score" if loser is None else "crash")
    return games


def test_a_player_who_fails_three_times_in_a_row_is_set_aside():
    schedule = Fixtures(4, 6, 0, round_robin(4))
    games = play(schedule, lambda game: 2 if 2 in (game.black, game.white) else None)
    classified = classify(schedule, games, 3)
    assert classified.aside == {2}
    assert sum(2 in (game.black, game.white) for game in classified.counted) == 3
    assert classified.forfeits == {2: 15}
    others = [game for game in games.values() if 2 not in (game.black, game.white)]
    assert [game for game in classified.counted if 2 not in (game.black, game.white)] == others
    assert classify(schedule, games, None).counted == list(games.values())


def test_an_absent_opponent_does_not_end_a_row_of_failures():
    schedule = Fixtures(3, 4, 0, round_robin(3))
    games = play(
        schedule, lambda scheduled: max(scheduled.black, scheduled.white)
    )  # 2 fails, and so does 1
    for number, game in games.items():
        if game.loser == 2:
            games[number] = game._replace(ending="void")
    classified = classify(schedule, games, 4)
    assert classified.aside == {1, 2}


def test_games_that_are_no_longer_asked_for_count_in_a_tournament():
    many, few = Fixtures(3, 8, 0, round_robin(3)), Fixtures(3, 2, 0, gauntlet(3, 1))
    games = play(many, lambda _: None)
    assert {*classify(few, games, 3).counted} == {*games.values()}
    shorter = Schedule(3, 2, 0)
    games = play(Schedule(3, 8, 0), lambda _: None)
    assert len(classify(shorter, games, None).counted) == 6, "but not in a match"


def test_a_player_who_fails_now_and_then_stays():
    schedule = Fixtures(3, 20, 0, round_robin(3))
    turns = iter(range(1000))

    def failing(scheduled):
        return 0 if 0 in (scheduled.black, scheduled.white) and next(turns) % 3 else None

    classified = classify(schedule, play(schedule, failing), 3)
    assert not classified.aside
    assert not classified.forfeits
    assert len(classified.counted) == 60


def test_games_that_a_player_could_not_begin_are_forfeited_and_not_counted():
    schedule = Fixtures(2, 4, 0, round_robin(2))
    games = play(schedule, lambda game: 1 if game.number == 0 else None)
    games[0] = games[0]._replace(ending="void")
    classified = classify(schedule, games, 3)
    assert (classified.forfeits, len(classified.counted)) == ({1: 1}, 3)
