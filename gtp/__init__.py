"""The Go Text Protocol (GTP) and its phantom commands. The reference is gtp/README.md.

The engine side does no input or output of its own. `session` finds the handler of a command in
tables (`handlers`) and runs it on a copy of a role: `host` (with a referee), `seat` (a player) or
`ruler` (GoGui's display). A role (`role`) has a `thinker`, which is the bot with its settings and
clock, and a game. The commands that host and seat share are in `setup`, `params`, `analysis` and
`looking`. `syntax` reads lines, and `messages` those of a referee; `story` stores the lines of a
game, `clock` divides time, `handicap` has the places of stones, `display` writes views, `limits`
bounds what a controller may ask for. `sharing` connects GoGui's program and ruler.

The controller side runs engines: `channel` is a pipe to one, `drivers` the dialogue with it,
`engine` makes it a player, `reaper` ends all of its processes. `adapter` lets an engine play as the
host's bot, `sau` connects a player to another platform.
"""
