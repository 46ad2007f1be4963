"""Compiling kernels: in the background, never a stale one, wherever the package lies."""

import ast
import logging
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.compiler import Compiler

from bots.kernels import jit
from bots.kernels.best import best_candidate
from bots.kernels.board import last_liberty
from bots.kernels.compiler import RoomyCompiler
from tests.support.commands import started
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

ANNOUNCED = b"compiling phantom for 9x9, the first time on this machine\n"


def start(code: str, where: Path, **environment: str) -> subprocess.Popen:
    found = os.environ | {"PYTHONPATH": str(where)} | environment
    return started("-c", code, cwd=where, env=found, stderr=subprocess.PIPE, text=False)


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
import phantomgo.lab.matches.match, bots.phantom, bots.flatmc, bots.imperfect, gtp.host
import phantomgo.lab.learning.learn, phantomgo.lab.lockstep.batch, phantomgo.lab.run.cluster
print(settings() == before)
"""
    assert end(start(code, ROOT)) == "True\n"


def test_kernels_leave_scipy_linalg_to_functions_that_call_it():
    code = """
import sys
import numba, numpy
from bots.kernels.best import best_candidate
from numba.np import arraymath, linalg

best_candidate(numpy.ones((3, 1), numpy.int64), 0)
print("scipy.linalg" in sys.modules, arraymath._HAVE_BLAS, linalg.ensure_blas.__module__)
dot = numba.njit(lambda a, b: numpy.dot(a, b))
print(dot(numpy.arange(3.0), numpy.arange(3.0)), "scipy.linalg" in sys.modules)
"""
    assert end(start(code, ROOT)) == "False True numba.np.linalg\n5.0 True\n"


def test_another_source_another_cache_folder(tmp_path, monkeypatch):
    here, packages = jit.kernel_digest(), [tmp_path / package.name for package in jit._PACKAGES]
    for package, copy in zip(jit._PACKAGES, packages, strict=True):
        shutil.copytree(package, copy)
    monkeypatch.setattr(jit, "_PACKAGES", packages)
    assert jit.kernel_digest() == here
    edit(tmp_path / "bots/kernels/vectors.py", "zeros come in at the top", "zeros come in on top")
    assert jit.kernel_digest() != here


def test_an_unwritable_home_uses_a_temporary_cache(tmp_path):
    """It is gone at the end, so every start compiles, and says so."""
    code = """
import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
from bots.kernels.jit import announce, code_folder
print(code_folder())
announce("a bot")
"""
    environment = {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "NUMBA_CACHE_DIR": ""}
    folder, told = end(start(code, ROOT, TMPDIR=str(tmp_path), **environment)).splitlines()
    assert Path(folder).parent == tmp_path
    assert not Path(folder).exists()
    assert told == (
        "compiling a bot, at every start, as /proc/phantomgo cannot be"
        " written (NUMBA_CACHE_DIR names another)"
    )


def test_quit_while_compiling(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = started("-m", "phantomgo", "gtp", text=False, env=environment, **pipes)
    process.stdin.write(b"name\nboardsize 9\nplay b C3\n")
    process.stdin.flush()
    assert ANNOUNCED in process.stderr.readline()
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

    def best():
        return int(jit.entry(best_candidate.py_func)(np.array([[2, 2], [0, 1], [0, 0]]), 1))

    assert best() == 1
    for suffix in ("nbi", "nbc"):
        (file,) = tmp_path.rglob(f"best.best_candidate*.{suffix}")
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
        assert best() == 1
        assert "a file of compiled kernels is damaged" in caplog.text
        caplog.clear()
        assert (best(), caplog.text, file.stat().st_size > len(whole) // 2) == (1, "", True)


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


def test_a_kernel_is_compiled_if_it_is_loaded_or_cached(tmp_path):
    used, again, nowhere, damaged = (jit.entry(best_candidate.py_func) for _ in range(4))
    assert used(np.ones((3, 1), np.int64), 0) == 0
    assert jit.is_compiled(used)
    assert (again.signatures, jit.is_compiled(again)) == ([], True)
    for kernel, name in ((nowhere, "none"), (damaged, "damaged")):
        kernel._cache._cache_file._index_path = str(tmp_path / name)
    (tmp_path / "damaged").write_bytes(b"no index")
    assert not jit.is_compiled(nowhere)
    assert not jit.is_compiled(damaged)


def test_kernels_that_may_not_be_compiled_are_one_sentence():
    words = [sys.executable, "-m", "phantomgo", "warm", "flatmc"]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "NUMBA_DISABLE_JIT is set" in done.stderr
