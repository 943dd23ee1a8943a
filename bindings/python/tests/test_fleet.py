"""The example `fleet`: four machines, one more that joins, and one that is killed, before the judge of the zoo.

The test is in the place of the engine that carries the URLs, and knows the owners of all hosts.
"""

import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import time

import pytest
import zoo

from polite_robots.aio import PoliteSession
from polite_robots.policy import Origin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has every address of 127/8 at hand")

FLEET = pathlib.Path(__file__).parents[1] / "examples" / "fleet.py"
PARTITIONS = 64
# The hosts of a dead machine are left alone for longer than any of them asks for: what its last second brought is over then.
LEASE = 3.0
# Far above what a busy machine takes.
PATIENCE = 300.0


def partition(url):
    return Origin.of(url).partition_key() % PARTITIONS


class Engine:
    """`owners` are the machines by partition, which may be dead or giving it away; `urls` those of a partition that are not done,
    `seen` all of them, `ends` the last words about each.
    """

    def __init__(self, folder, machines, hosts):
        self.command = [sys.executable, FLEET, folder, "--settings", json.dumps(hosts["settings"])]
        self.lines, self.machines = queue.Queue(), []
        self.owners, self.urls = {}, {number: set() for number in range(PARTITIONS)}
        self.seen, self.ends, self.given, self.dead = set(), {}, 0, []
        for _ in range(machines):
            self.start_machine()
        for number in self.urls:
            self.give_out(number, number % machines)
        for url in hosts["urls"]:
            self.add(url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for machine in self.alive():
            self.kill(machine)

    def start_machine(self):
        # Loopback is not behind a proxy.
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
        machine = subprocess.Popen(self.command, **pipes)
        machine.reader = threading.Thread(target=lambda: [self.lines.put(line.split()) for line in machine.stdout])
        machine.reader.start()
        self.machines.append(machine)

    def say(self, machine, *words):
        # One that is dead does not hear it, and others get its hosts soon.
        if machine not in self.dead:
            print(*words, file=self.machines[machine].stdin, flush=True)

    def alive(self):
        return [machine for machine in range(len(self.machines)) if machine not in self.dead]

    def join(self):
        self.start_machine()
        for number in range(0, PARTITIONS, len(self.alive())):
            self.say(self.owners[number], "give", number)

    def kill(self, machine):
        self.dead.append(machine)
        self.machines[machine].kill()
        self.end(machine)

    def end(self, machine):
        process = self.machines[machine]
        process.wait()
        process.reader.join()
        process.stdin.close()
        process.stdout.close()
        return process.returncode

    def owned(self, machine):
        return [number for number, owner in self.owners.items() if owner == machine]

    def give_out(self, number, machine=None):
        """Gives a partition to a machine, or to that with the fewest."""
        if machine is None:
            machine = min(self.alive(), key=lambda machine: len(self.owned(machine)))
        self.owners[number] = machine
        self.say(machine, "own", number)
        for url in self.urls[number]:
            self.say(machine, "get", url)

    def add(self, url):
        if url not in self.seen:
            self.seen.add(url)
            self.urls[partition(url)].add(url)
            self.say(self.owners[partition(url)], "get", url)

    def run_until(self, holds):
        over = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < over, self.ends
            try:
                match self.lines.get(timeout=0.02):
                    case ["gave", number]:
                        self.given += 1
                        self.give_out(int(number))
                    case ["elsewhere", url]:
                        self.add(url)
                    case [("done" | "keep") as word, url, end]:
                        self.urls[partition(url)].discard(url)
                        self.ends[url] = end if word == "done" else word
            except queue.Empty:
                assert all(self.machines[machine].poll() is None for machine in self.alive()), "a machine ended by itself"


def hosts_of(folder, numbers, urls):
    """The hosts of partitions whose robots.txt was saved, and those that are lost with their machine."""
    saved, lost = set(), set()
    for number in numbers:
        session, state = PoliteSession("ExampleBot"), folder / f"{number}.state"
        if state.exists():
            session.load(state.read_bytes())
        for origin in {Origin.of(url) for url in urls if partition(url) == number}:
            entry = session.robots.cache.entry(origin)
            # A state that is saved while a robots.txt is under way has the host without an answer.
            is_saved = entry is not None and (entry.robots_date() is not None or entry.failures() > 0)
            (saved if is_saved else lost).add(origin.host())
    return saved, lost


def test_four_machines_are_one_polite_crawler(tmp_path):
    with zoo.Zoo(20, 1_000, "machines") as hosts, Engine(tmp_path, 4, hosts.map) as engine:
        urls = hosts.map["urls"]
        engine.run_until(lambda: len(engine.ends) > len(urls) / 10)
        engine.join()
        engine.run_until(lambda: len(engine.ends) > len(urls) / 3 and hosts_of(tmp_path, engine.owned(0), engine.seen)[0])
        engine.kill(0)
        died = hosts.ask("cut")
        orphans = engine.owned(0)
        assert any(engine.urls[number] for number in orphans)
        saved, lost = hosts_of(tmp_path, orphans, engine.seen)
        assert saved
        over = time.monotonic() + LEASE
        engine.run_until(lambda: time.monotonic() > over)
        for number in engine.owned(0):
            engine.give_out(number)
        engine.run_until(lambda: not any(engine.urls.values()))
        assert engine.given
        for machine in engine.alive():
            engine.machines[machine].stdin.close()
            assert engine.end(machine) == 0
        verdict = hosts.ask("verdict")
    # A robots.txt that was lost with its machine is asked for once more.
    again = [found for found in verdict["violations"] if found["law"] == "Lifetime" and found["second"] > died]
    again = [found for found in again if any(f" {host}/robots.txt " in found["text"] for host in lost)]
    rude = [found for found in verdict["violations"] if found not in again]
    assert not rude and not verdict["unfetched"] and verdict["requests"] > 60, verdict
    assert {"fetched", "disallowed", "redirected"} <= set(engine.ends.values()), engine.ends
