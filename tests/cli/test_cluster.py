"""The same tasks on a real Dask scheduler with two worker processes, one killed in the middle."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest

from advisor.court.race import known as race_tables
from advisor.court.rules.options import RULEBOOK
from advisor.storage import tables
from tests.cli.test_precompute import HANDS, TABLES

RACE_HAND = ("farmer", "guard", "bishop")
RACE = ["precompute", "--goal", "turns", "--cards", ",".join(RACE_HAND), "--width", "0.002"]

pytestmark = pytest.mark.skipif(not find_spec("distributed"), reason="needs dask.distributed")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler and its three workers: two tests, each of which ends one."""
    address = f"tcp://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
             "cwd": tmp_path_factory.mktemp("cluster")}  # fmt: skip
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    processes = [subprocess.Popen(
        [*dask, "--host", "127.0.0.1", "--port", port, "--no-dashboard"], **quiet)]  # fmt: skip
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1",
              "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]  # fmt: skip
    processes += [subprocess.Popen(worker, **quiet) for _ in range(3)]
    try:
        wait_for_workers(address, 3)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_for_workers(address, number):
    from distributed import Client

    with Client(address, timeout="30s", set_as_default=False) as client:
        client.wait_for_workers(number, timeout="30s")


def test_a_lost_worker_costs_nothing(cluster, tmp_path):
    address, workers = cluster
    folder = tmp_path / "tables"
    command = [sys.executable, "-m", "advisor", "precompute", *HANDS, "--tables", str(folder),
               "--scheduler", address, "--json"]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=os.environ | {"ADVISOR_CACHE": str(tmp_path)})  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tables.all_tables(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    workers.pop().send_signal(signal.SIGKILL)
    output, errors = running.communicate(timeout=90)
    assert running.returncode == 0, errors
    assert json.loads(output)["made"]["made"] == TABLES
    for path in tables.all_tables(folder):
        tables.read_header(path).check()


def test_the_race_goes_on_when_a_worker_is_lost(cluster, tmp_path):
    address, workers = cluster
    folder = tmp_path / "tables"
    command = [sys.executable, "-m", "advisor", *RACE, "--tables", str(folder),
               "--scheduler", address, "--json"]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    workers.pop().send_signal(signal.SIGKILL)
    output, errors = running.communicate(timeout=90)
    assert running.returncode == 0, errors
    assert json.loads(output)["made"]["open"] == 0
    assert race_tables.probe(folder, RULEBOOK)(RACE_HAND).turns.width <= 0.002


def test_no_scheduler_is_a_clear_error(tmp_path):
    command = [sys.executable, "-m", "advisor", "precompute", "--cards", "hunter", "--goal", "king",
               "--tables", str(tmp_path), "--scheduler", "nowhere"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "'nowhere'" in done.stderr
    assert "Traceback" not in done.stderr
