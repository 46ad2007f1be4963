"""Draw where a bot believes enemy stones to be. Needs matplotlib."""

import matplotlib.pyplot as plt

import phantomgo as pg

rules = pg.Rules(size=7)
referee = pg.Referee(rules)
players = {
    pg.BLACK: pg.make_bot("flatmc:playouts=50", rules),
    pg.WHITE: pg.make_bot("phantom:playouts=50", rules),
}
while len(referee.log) < 16:
    side = referee.to_move
    referee.attempt(side, players[side].decide(referee.view(side)).move)

view = referee.view(pg.BLACK)  # Black knows their own stones, and White's only by what happened
plt.imshow(pg.belief_map(view), origin="lower", cmap="Reds", vmin=0, vmax=1)
for point in pg.members(view.own):
    row, column = divmod(point, view.rules.size)
    plt.plot(column, row, "ko", markersize=16)
plt.colorbar(label="how likely White stands there")
plt.savefig("belief.png")

decision = pg.decide(view, "phantom:playouts=200")
print("best:", *(pg.vertex(candidate.point, 7) for candidate in decision.candidates[:3]))
