"""Compiling kernels: in the background, never a stale one, wherever the package lies."""

import ast
import logging
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from numba.core.compiler import Compiler

from bots.kernels import jit
from bots.kernels.board import last_liberty
from bots.kernels.compiler import RoomyCompiler
from bots.kernels.lists import members_of
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

ANNOUNCED = b"compiling bots.kernels.playouts.play_out, once; about 3 s"

MOVE = """
from bots import make
from bots.kernels import lanes
from phantomgo.points import BLACK
from phantomgo.rules import Rules
from phantomgo.view import View
view = View(Rules(size=9), BLACK)
print([make("flatmc:playouts=300", seed).decide(view).move for seed in range(30)], lanes.__file__)
"""


def start(code: str, where: Path, **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=where,
        env=os.environ | {"PYTHONPATH": str(where)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def end(process: subprocess.Popen) -> str:
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    return out.decode()


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_kernels_import_only_what_the_digest_covers():
    """But for what this test lets pass: where machine code is kept is not in it."""
    ours, told = ("bots", "phantomgo"), ("bots.kernels", "phantomgo.lab.lockstep.kernels")
    elsewhere = set()
    for source in (file for root in jit._PACKAGES for file in root.rglob("kernels/*.py")):
        for node in ast.walk(ast.parse(source.read_text())):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            elsewhere |= {
                (source.name, name)
                for name in names
                if name.startswith(ours) and not name.startswith(told)
            }
    assert elsewhere == {
        ("jit.py", f"phantomgo.{name}") for name in ("errors", "files", "interrupts")
    }


def test_importing_everything_changes_nothing_of_the_users_libraries():
    code = """
import logging, sys, warnings
import numba, numpy
from numba.core import caching

def settings():
    numba_config = {n: v for n, v in vars(numba.config).items() if n.isupper()}
    logs = logging.getLogger()
    return (numba_config, dict(vars(caching.IndexDataCacheFile)), numpy.geterr(),
            list(warnings.filters), logs.level, list(logs.handlers), logging.root.manager.disable)

before = settings()
import phantomgo.lab.match, bots.phantom, bots.flatmc, bots.kernels.uct, gtp.host
import phantomgo.lab.learn, phantomgo.lab.lockstep.batch, phantomgo.lab.run.cluster
print(settings() == before)
"""
    assert end(start(code, ROOT)) == "True\n"


def test_another_source_another_cache_folder(tmp_path, monkeypatch):
    here, packages = jit.kernel_digest(), [tmp_path / package.name for package in jit._PACKAGES]
    for package, copy in zip(jit._PACKAGES, packages, strict=True):
        shutil.copytree(package, copy)
    monkeypatch.setattr(jit, "_PACKAGES", packages)
    assert jit.kernel_digest() == here
    edit(tmp_path / "bots/kernels/vectors.py", "zeros come in at the top", "zeros come in on top")
    assert jit.kernel_digest() != here


def test_an_unwritable_home_uses_a_temporary_cache(tmp_path):
    """It is gone at the end, so every start compiles, and says so; here as if it had begun."""
    code = """
import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
from bots.kernels.jit import code_folder
from bots.kernels.playouts import play_out
from numba.core import event
print(code_folder())
event.start_event("numba:compile", {"dispatcher": play_out})
"""
    environment = {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "NUMBA_CACHE_DIR": ""}
    folder, told = end(start(code, ROOT, TMPDIR=str(tmp_path), **environment)).splitlines()
    assert Path(folder).parent == tmp_path
    assert not Path(folder).exists()
    assert told == (
        "compiling bots.kernels.playouts.play_out, at every start, as /proc/phantomgo cannot be"
        " written (NUMBA_CACHE_DIR names another); about 3 s"
    )


def test_quit_while_compiling(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "phantomgo", "gtp"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert ANNOUNCED in process.stderr.readline()
    process.stdin.write(b"name\nboardsize 5\nplay b C3\n")
    process.stdin.flush()
    assert [process.stdout.readline() for _ in range(6)][::2] == [
        b"= phantomgo\n",
        b"= \n",
        b"= \n",
    ]
    out, err = process.communicate(b"quit\n", timeout=PATIENCE)
    assert (process.returncode, out, err) == (0, b"= \n\n", b"")
    assert list(tmp_path.rglob("playouts.play_out*.nbc")) == [], "it has not waited for the end"


def test_a_truncated_file_of_machine_code_is_made_again(tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.INFO, "bots.kernels.jit")
    monkeypatch.setattr(jit, "code_folder", lambda: tmp_path)

    def members():
        return jit.entry(members_of.py_func)(b"\5", 8).tolist()

    assert members() == [0, 2]
    for suffix in ("nbi", "nbc"):
        (file,) = tmp_path.rglob(f"lists.members_of*.{suffix}")
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        assert members() == [0, 2]
        assert "a file of compiled kernels is damaged" in caplog.text
        caplog.clear()
        assert file.stat().st_size == len(whole)
    assert (members(), caplog.text) == ([0, 2], "")


def test_compilation_is_announced_with_an_estimate_for_this_machine(caplog):
    caplog.set_level(logging.INFO, "bots.kernels.jit")
    announcer, clock = jit._Announcer(), iter([0.0, 1.0, 2.0, 30.0, 40.0, 50.0, 60.0])

    def heard(module, name):
        kernel = SimpleNamespace(__module__=f"bots.kernels.{module}", __name__=name)
        return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=kernel)})

    outer, inner = heard("playouts", "play_out"), heard("imagined", "play_to_end")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "process_time", lambda: next(clock))
        announcer.on_start(outer)
        announcer.on_start(inner)
        announcer.on_end(inner)
        announcer.on_end(outer)
        announcer.on_start(heard("uct", "search"))
    assert [record.message for record in caplog.records] == [
        "compiling bots.kernels.playouts.play_out, once; about 3 s",
        "compiling bots.kernels.uct.search, once; about 30 s",
    ]


def test_inner_kernels_refuse_calls_from_python():
    assert last_liberty.py_func(1 << 60) == 0
    with pytest.raises(TypeError, match="bad argument"):
        last_liberty(1 << 60)


def nested(depth):
    """So many frames one within another."""
    return nested(depth - 1) if depth else 0


def test_the_compiler_reuses_memory_for_its_frames(monkeypatch):
    """Wherever the border of two pieces of frames would lie: at some depth every call met it."""

    def faults(_compiler, most):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for depth in range(most):
            for _ in range(20):
                nested(depth)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    monkeypatch.setattr(Compiler, "compile_extra", faults)
    compiler = object.__new__(RoomyCompiler)
    compiler.compile_extra(400)
    assert compiler.compile_extra(400) < 400


@pytest.mark.slow
def test_two_processes_compile_into_one_cache(tmp_path):
    both = [start(MOVE, ROOT, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    first, second = map(end, both)
    assert first == second
    assert first == end(start(MOVE, ROOT, NUMBA_CACHE_DIR=str(tmp_path)))


def test_a_kernel_is_compiled_if_it_is_loaded_or_cached(tmp_path):
    used, again, nowhere, damaged = (jit.entry(members_of.py_func) for _ in range(4))
    assert used(b"\5", 8).tolist() == [0, 2]
    assert jit.is_compiled(used)
    assert (again.signatures, jit.is_compiled(again)) == ([], True)
    for kernel, name in ((nowhere, "none"), (damaged, "damaged")):
        kernel._cache._cache_file._index_path = str(tmp_path / name)
    (tmp_path / "damaged").write_bytes(b"no index")
    assert not jit.is_compiled(nowhere)
    assert not jit.is_compiled(damaged)


def test_kernels_that_may_not_be_compiled_are_one_sentence():
    words = [sys.executable, "-m", "phantomgo", "warm", "mcts"]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "NUMBA_DISABLE_JIT is set" in done.stderr
