"""The steps of a scenario of `testdata/policy` that are about the pace: one host with a `Pacer`, and the hosts of a `Scheduler`."""

import email.utils
import math
import pickle
import re

from polite_robots import Robot
from polite_robots.policy import Origin, Pacer, Reply, Scheduler

START = 1_767_225_600.0
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def seconds(text):
    """`1h 30m` as a number of seconds."""
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)", text)
    assert parts and "".join(f"{n}{u}" for n, u in parts) == text.replace(" ", ""), text
    return sum(float(number) * UNITS[unit] for number, unit in parts)


def moment(text):
    """A time after the start of the scenario, or before it with a `-`."""
    return START - seconds(text[1:]) if text.startswith("-") else START + seconds(text)


def millis(time):
    """A time after the start, to compare it."""
    return time if isinstance(time, str) or math.isinf(time) else round((time - START) * 1000)


def turn(text):
    return text if text in ("ready", "busy", "skip") else round(seconds(text) * 1000)


def crawl_delay(value):
    """Through the parser, as a crawler gets it."""
    return Robot("ExampleBot", f"User-agent: *\nCrawl-delay: {value}\nDisallow: /x\n").crawl_delay


def reply(answer, started):
    result = answer["status"] if "status" in answer else answer["error"].replace(" ", "_")
    if "started" in answer:
        started = moment(answer["started"])
    asked = answer.get("retry_after")
    if asked is not None and asked.startswith("date "):
        asked = email.utils.formatdate(moment(asked.removeprefix("date ")), usegmt=True)
    signal = answer.get("signal")
    return Reply(result, started, retry_after=asked, signal=signal and signal.replace(" ", "_"))


class Paces:
    def __init__(self, scenario):
        self.scenario, self.profile = scenario, scenario.profile
        self.pacer, self.scheduler = Pacer(), Scheduler(scenario.profile)
        self.started, self.hosts, self.host_started, self.group_starts = START, {}, {}, []

    def expected(self, step, key):
        value = step[key]
        return value[self.scenario.name] if isinstance(value, dict) and self.scenario.name in value else value

    def run(self, step):
        if step.get("reload"):
            self.pacer = pickle.loads(pickle.dumps(self.pacer))
            self.scheduler = Scheduler.load(self.scheduler.save())
        if step.get("lost"):
            self.pacer = Pacer.after_gap(self.scenario.now)
        self.requests(step)
        self.events(step)
        self.check(step)

    def requests(self, step):
        scenario, pacer, profile = self.scenario, self.pacer, self.profile
        if "crawl_delay" in step:
            pacer.set_crawl_delay(crawl_delay(step["crawl_delay"]))
        for _ in range(step.get("start", 0)):
            self.start()
        for _ in range(max(step.get("replies", 0), 1) if "reply" in step else 0):
            pacer.handle_reply(reply(step["reply"], self.started), profile, scenario.now)
        if run := step.get("run"):
            for _ in range(run["count"]):
                self.wait()
                self.start()
                scenario.now += seconds(run["takes"])
                pacer.handle_reply(reply(run["reply"], self.started), profile, scenario.now)
        for key, lasts in ("hour_of_starts", 3600.0), ("day_of_starts", 86_400.0):
            if key in step:
                assert self.starts_within(lasts) == self.expected(step, key)

    def start(self):
        self.started = self.scenario.now
        self.pacer.handle_start(self.started)

    def wait(self):
        turn = self.pacer.poll(self.profile, self.scenario.now)
        if turn != "ready":
            assert turn > self.scenario.now
            self.scenario.now = turn

    def starts_within(self, lasts):
        end, starts = self.scenario.now + lasts, 0
        while True:
            self.wait()
            # The clock of the machines has milliseconds.
            if self.scenario.now >= end - 0.0005:
                return starts
            assert starts < lasts, "the pace has no gap"
            starts += 1
            self.start()
            self.pacer.handle_reply(Reply(200, self.started), self.profile, self.scenario.now)

    def events(self, step):
        scheduler, now = self.scheduler, self.scenario.now
        if new := step.get("hosts"):
            for _ in range(new["count"]):
                name = f"h{len(self.hosts)}"
                self.hosts[name] = scheduler.insert(name, new.get("group"))
        for name, delay in step.get("host_crawl_delay", {}).items():
            scheduler.set_crawl_delay(self.hosts[name], Origin.of(f"https://{name}"), crawl_delay(delay))
        if "start_ready" in step:
            ready = 0
            while (host := scheduler.next_ready(now)) is not None:
                ready += 1
                scheduler.handle_start(host, now)
                self.host_started[host] = now
            assert ready == step["start_ready"]
        for name, answer in step.get("host_replies", {}).items():
            host = self.hosts[name]
            scheduler.handle_reply(host, reply(answer, self.host_started.get(host, now)), now)
        if "drive" in step:
            self.drive(step["drive"])

    def drive(self, drive):
        """All hosts, each as soon as it may start. Ten starts at most fall into any minute, and no call is for nothing."""
        end, starts, calls = self.scenario.now + seconds(drive["lasts"]), 0, 0
        while (now := self.scenario.now) < end - 0.0005:
            calls += 1
            host = self.scheduler.next_ready(now)
            if host is not None:
                starts += 1
                self.scheduler.handle_start(host, now)
                self.group_starts.append(now)
                if len(self.group_starts) > 10:
                    assert now - self.group_starts[-11] >= 59.9995
                self.scheduler.handle_reply(host, Reply(200, now), now)
            elif (wakeup := self.scheduler.next_wakeup()) is None:
                break
            else:
                assert wakeup > now, "the scheduler spins"
                self.scenario.now = wakeup
        assert starts == drive["starts"] and calls <= 3 * (starts + 10)

    def check(self, step):
        now = self.scenario.now
        if "turn" in step:
            assert millis(self.pacer.poll(self.profile, now)) == turn(self.expected(step, "turn"))
        if "level" in step:
            assert self.pacer.level(self.profile) == self.expected(step, "level")
        if "long_crawl_delay" in step:
            expected = step["long_crawl_delay"]
            assert self.pacer.long_crawl_delay(self.profile) == (None if expected == "none" else seconds(expected))
        for name, expected in step.get("host_turns", {}).items():
            assert millis(self.scheduler.turn(self.hosts[name], now)) == turn(expected)
        if "wakeup" in step:
            assert millis(self.scheduler.next_wakeup()) == turn(step["wakeup"])
