"""Engines that misbehave: `bad.py KIND`. Each plays well-formed GTP but for the one thing it is.

Those with a `phantom` before the KIND list the phantom commands. Only the standard library, and no
imports of ours: an engine is somebody else's program.
"""

import os
import signal
import subprocess
import sys
import time

PHANTOM = ["phantom-seat", "phantom-accept", "phantom-illegal", "phantom-opponent"]
PLAIN = ["name", "list_commands", "boardsize", "clear_board", "komi", "play", "genmove", "quit"]
LETTERS = "ABCDEFGHJ"


def respond(number, text="", mark="="):
    sys.stdout.write(f"{mark}{number} {text}\n\n")
    sys.stdout.flush()


class Engine:
    """Plays the points in order from A1 on, then passes."""

    def __init__(self, kind, phantom):
        self.kind, self.phantom = kind, phantom
        self.size, self.next, self.asked, self.seed = 9, 0, 0, 0

    def run(self):
        while line := sys.stdin.readline():
            number, name, *arguments = line.split()
            if self.misbehave(number, name):
                continue
            if name == "set_random_seed":
                self.seed, self.next = int(arguments[0]), 0
            if name == "boardsize":
                self.size = int(arguments[0])
            if name == "clear_board":
                self.next = 0 if self.phantom else self.next
            text = ""
            if name == "list_commands":
                seeded = ["set_random_seed"] if self.kind == "dies by seed" else []
                text = "\n".join(PLAIN + seeded + (PHANTOM if self.phantom else []))
            elif name == "genmove":
                text = self.move()
            respond(number, text)
            if name == "quit":
                return

    def move(self):
        at, self.next = self.next, self.next + 1
        if at >= self.size * self.size:
            return "pass"
        return f"{LETTERS[at % self.size]}{at // self.size + 1}"

    def misbehave(self, number, name):
        """Do what this kind does; True if that was all there is to the command."""
        self.asked += name == "genmove"
        now = name == "genmove" and self.asked == 3
        act = ACTS.get(self.kind)
        return act(self, number, name, now) if act else False


def only_at_move(act):
    def acting(engine, number, name, now):
        if now:
            act(engine, number)
        return now

    return acting


def sleep_for_ever():
    while True:
        time.sleep(100)


def babble(engine, number, name, now):
    if now:
        sys.stdout.write("thinking about it\n")
        sys.stdout.flush()
    return False


def huge(engine, number):
    try:
        sys.stdout.write(f"={number} ")
        while True:
            sys.stdout.write("x" * 65536)
    except BrokenPipeError:
        os._exit(0)


def flood(engine, number):
    """Endless stderr, no answer."""
    while True:
        os.write(2, b"noise " * 10000)


def complain(engine, number):
    """Two lines on stderr, then the end."""
    os.write(2, b"out of memory\ngiving up\n")
    os._exit(3)


def close_stdin(engine, number, name, now):
    if name == "genmove" and engine.asked == 2:
        respond(number, engine.move())
        os.close(0)
        sleep_for_ever()
    return False


def close_stdout(engine, number):
    os.close(1)
    sleep_for_ever()


def ignore_quit(engine, number, name, now):
    if name == "quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep_for_ever()
    return False


def with_child(engine, number, name, now):
    """Starts a process of its own and leaves it to live on."""
    if name == "genmove" and engine.asked == 1:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", "left-behind"])
    return False


def with_runaway(engine, number, name, now):
    """Starts a process that leaves the group, and whose parent is gone, as servers do."""
    if name == "genmove" and engine.asked == 1:
        sleeper = "import time; time.sleep(1000)"
        daemon = f"import os; os.setsid(); os.fork() and os._exit(0); {sleeper}"
        subprocess.run([sys.executable, "-S", "-c", daemon], check=True)
    return False


def newlines(engine, number):
    """Endless empty lines, no answer."""
    while True:
        os.write(1, b"\n" * 1000)


def newlines_at_quit(engine, number, name, now):
    if name == "quit":
        newlines(engine, number)
    return False


def dies_by_seed(engine, number, name, now):
    """Every tenth seed ends it at its first move."""
    if name == "genmove" and engine.seed % 10 == 0:
        os._exit(3)
    return False


def no_vertex(engine, number, name, now):
    """The right points with a word too much, then pass."""
    if name == "genmove":
        where = engine.move()
        respond(number, where if where == "pass" else f"{where} and a comment")
    return name == "genmove"


def off_board(engine, number, name, now):
    if name == "genmove":
        respond(number, "Z99")
    return name == "genmove"


def repeat(engine, number, name, now):
    if name == "genmove":
        respond(number, "A1")
    return name == "genmove"


def refuse_size(engine, number, name, now):
    if name == "boardsize":
        respond(number, "unacceptable size", "?")
    return name == "boardsize"


def refuse_message(engine, number, name, now):
    if name == "phantom-opponent":
        respond(number, "what?", "?")
    return name == "phantom-opponent"


def slow(engine, number, name, now):
    if name == "genmove":
        time.sleep(0.45)
    return False


ACTS = {
    "silent": lambda engine, number, name, now: True,
    "silent at move": only_at_move(lambda engine, number: None),
    "hangs": only_at_move(lambda engine, number: sleep_for_ever()),
    "slow": slow,
    "dies": only_at_move(lambda engine, number: os._exit(3)),
    "dies by seed": dies_by_seed,
    "complains": only_at_move(complain),
    "killed": only_at_move(lambda engine, number: os.kill(os.getpid(), signal.SIGKILL)),
    "babbles": babble,
    "huge": only_at_move(huge),
    "floods stderr": only_at_move(flood),
    "other id": only_at_move(lambda engine, number: respond(77, engine.move())),
    "twice": only_at_move(lambda engine, number: (respond(number, "A9"), respond(number, "B9"))),
    "refuses move": only_at_move(lambda engine, number: respond(number, "no idea", "?")),
    "refuses message": refuse_message,
    "refuses size": refuse_size,
    "newlines": only_at_move(newlines),
    "newlines at quit": newlines_at_quit,
    "runs away": with_runaway,
    "no vertex": no_vertex,
    "off board": off_board,
    "repeats": repeat,
    "closes stdin": close_stdin,
    "closes stdout": only_at_move(close_stdout),
    "ignores quit": ignore_quit,
    "leaves a child": with_child,
    "dies at start": lambda engine, number, name, now: os._exit(1),
    "resigns": only_at_move(lambda engine, number: respond(number, "resign")),
    "good": None,
}

if __name__ == "__main__":
    words = sys.argv[1:]
    phantom = words[0] == "phantom"
    Engine(" ".join(words[phantom:]), phantom).run()
