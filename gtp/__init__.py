"""The wire: the Go Text Protocol and its phantom commands. The reference is gtp/README.md.

The engine side does no input or output of its own. `session` finds a command and runs it on a copy
of a role: `host` (with a referee), `seat` (a player) or the ruler of `gogui` (a display). `role`
has their base classes, `common` the commands that host and seat share, with those of `setup`,
`params` and `analysis`. `syntax` reads lines and `table` finds their handlers; `story` stores the
lines of a game, `clock` divides time, `display` writes views, `limits` bounds what a controller may
ask for. `sharing` connects GoGui's program and ruler.

The controller side runs engines: `channel` is a pipe to one, `drivers` the dialogue with it,
`player` makes it a player, `reaper` leaves no process behind. `adapter` puts an engine behind the
host, `sau` puts a player on another platform.

Games between players, and anything that prints or reads options, belong elsewhere.
"""
