"""Games stepped at once beside the referee, attempt by attempt, over profiles, sizes and komi."""

import numpy as np
import pytest

from bots.belief import candidates, presume_refused
from bots.policy import sight
from phantomgo.game.planes import reward
from phantomgo.game.points import BLACK, PASS, WHITE, members
from phantomgo.game.referee import Referee
from phantomgo.game.rules import PROFILES, Rules
from phantomgo.lab.vector import Games


@pytest.mark.parametrize("size", [2, 3, 5, 9])
@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_games_are_the_referees(profile, size):
    random = np.random.default_rng(size)
    komi = float(random.integers(-4, 9)) / 2
    rules = Rules.profile(profile, size=size, komi=komi)
    games, referees = Games(rules, 4), [Referee(rules) for _ in range(4)]
    for _ in range(120):
        seen, masks = games.observe()
        actions = np.empty(4, np.int64)
        for g, referee in enumerate(referees):
            over = referee.outcome is not None
            assert games.over[g] == over
            assert games.rewards[g] == (reward(referee.outcome, BLACK) if over else 0)
            mover = (BLACK, WHITE)[games.to_move[g]]
            assert mover is referee.to_move
            view = referee.view(mover)
            belief = presume_refused(view)
            assert (seen[g] == sight(view, belief)).all()
            worth = [] if over else [*members(candidates(view, belief)), size**2]
            assert np.flatnonzero(masks[g]).tolist() == worth
            choices = worth if worth and random.random() < 0.8 else [0, size**2 - 1]
            actions[g] = random.choice(choices)
        games.step(actions)
        for g, referee in enumerate(referees):
            if referee.outcome is None:
                colour, point = referee.to_move, int(actions[g])
                referee.attempt(colour, PASS if point == size**2 else point)
        for g in np.flatnonzero(games.over).tolist():
            if random.random() < 0.3:
                games.begin(np.arange(4) == g)
                referees[g] = Referee(rules)
