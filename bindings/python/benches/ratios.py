"""How many times faster than Protego, in one process, on real files; and the memory of parsed files.

    python benches/ratios.py [ARCHIVE]      # a .tar.xz of robots.txt files; the one beside the checkout by default
    ENFORCE=1 python benches/ratios.py      # misses of a figure are errors

Verdicts are compared first. Each file is timed in turn by all of them, and its fastest round counts, so that other work on
the machine slows down all alike.
"""

import gc
import os
import pathlib
import subprocess
import sys
import tarfile
import time

import protego

from polite_robots import Robot, RobotsTxt
from polite_robots.compat.protego import Protego as DropIn

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHARED = pathlib.Path(os.environ.get("POLITE_ROBOTS_SHARED", ROOT.parent / "shared"))
AGENT = "ExampleBot"
ROUNDS = 5
GENERAL = ["/", "/index.html", "/search?q=robots", "/a/b/c/d.html?page=2&sort=asc", "/images/logo.png", "/user/42/edit"]

# The least times faster, and for memory the most of Protego's part.
FIGURES = {
    "Robot": 60,
    "RobotsTxt": 40,
    "allowed": 15,
    "allowed_many": 30,
    "drop-in, parse": 10,
    "drop-in, can_fetch": 10,
    "docs.oracle.com, check": 500,
}


def corpus(archive):
    """The files that Protego can read: text in UTF-8, and no page."""
    files = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            if not member.isfile():
                continue
            body = tar.extractfile(member).read()
            try:
                text = body.decode("utf-8-sig")
            except UnicodeDecodeError:
                continue
            if not text.lstrip().startswith("<"):
                files[member.name.rpartition("/")[2]] = (body, text)
    return files


def best(function, rounds=ROUNDS):
    least = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        least = min(least, time.perf_counter() - begin)
    return least


def urls_of(body):
    rules = [rule.pattern for group in RobotsTxt(body).groups for rule in group.rules if rule.pattern.startswith("/")]
    paths = GENERAL + [rule.replace("*", "x").rstrip("$") + tail for rule in rules[:20] for tail in ("", "more")]
    return [f"https://example.com{path}" for path in paths]


def measure(files):
    spent = dict.fromkeys(FIGURES, 0.0)
    theirs = dict.fromkeys(FIGURES, 0.0)
    asked = differ = 0
    gc.disable()
    for name, (body, text) in files.items():
        parsed, robot, drop_in = protego.Protego.parse(text), Robot(AGENT, body), DropIn.parse(text)
        urls = urls_of(body)
        answers = [parsed.can_fetch(url, AGENT) for url in urls]
        ours = [robot.allowed(url) for url in urls]
        assert ours == robot.allowed_many(urls) == [drop_in.can_fetch(url, AGENT) for url in urls], name
        differ += sum(one != other for one, other in zip(answers, ours, strict=True))
        asked += len(urls)

        parse = best(lambda text=text: protego.Protego.parse(text), 2)
        for figure, function in (
            ("Robot", lambda body=body: Robot(AGENT, body)),
            ("RobotsTxt", lambda body=body: RobotsTxt(body)),
            ("drop-in, parse", lambda text=text: DropIn.parse(text)),
        ):
            spent[figure] += best(function)
            theirs[figure] += parse

        def each(ask, *more, urls=urls):
            for url in urls:
                ask(url, *more)

        check = best(lambda: each(parsed.can_fetch, AGENT), 2)
        for figure, function in (
            ("allowed", lambda: each(robot.allowed)),
            ("allowed_many", lambda: robot.allowed_many(urls)),
            ("drop-in, can_fetch", lambda: each(drop_in.can_fetch, AGENT)),
        ):
            spent[figure] += best(function)
            theirs[figure] += check
        if name == "docs.oracle.com":
            theirs["docs.oracle.com, check"] = check
            spent["docs.oracle.com, check"] = best(lambda: each(robot.allowed), 50)
    print(f"{len(files)} files, {asked} questions, {differ} answers differ ({differ / asked:.2%})")
    missed = []
    for figure, least in FIGURES.items():
        if not spent[figure]:
            print(f"{figure}: not in the archive")
            continue
        ratio = theirs[figure] / spent[figure]
        count = asked if figure in ("allowed", "allowed_many", "drop-in, can_fetch") else len(files)
        print(f"{figure}: {ratio:.1f} times faster, {spent[figure] / count * 1e6:.3f} us each (at least {least})")
        if ratio < least:
            missed.append(figure)
    if differ / asked > 0.02:
        missed.append("verdicts")
    return missed


def resident():
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def asked(parsed):
    parsed.can_fetch("/", AGENT)
    return parsed


def memory_of(kind, archive):
    """The memory that the parsed files take beside their texts."""
    files = corpus(archive)
    parse = {
        "protego": lambda body, text: asked(protego.Protego.parse(text)),
        "RobotsTxt": lambda body, text: RobotsTxt(body),
        "Robot": lambda body, text: Robot(AGENT, body),
        "drop-in": lambda body, text: asked(DropIn.parse(text)),
    }[kind]
    before = resident()
    kept = [parse(body, text) for body, text in files.values()]
    print(resident() - before, len(kept))


def main():
    archive = sys.argv[1] if len(sys.argv) > 1 else str(SHARED / "corpus" / "top-sites-robots.tar.xz")
    if len(sys.argv) > 2:
        return memory_of(sys.argv[2], archive)
    if not pathlib.Path(archive).exists():
        print("SKIPPED: no archive of robots.txt files is beside the checkout")
        return None
    missed = measure(corpus(archive))
    sizes = {}
    for kind in ("protego", "RobotsTxt", "Robot", "drop-in"):
        command = [sys.executable, __file__, archive, kind]
        size, count = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        sizes[kind] = int(size)
        print(f"memory of {count} files, {kind}: {int(size) / 2**20:.1f} MiB, {int(size) / sizes['protego']:.3f} of Protego's")
    if max(sizes["RobotsTxt"], sizes["Robot"]) > sizes["protego"] / 5 or sizes["drop-in"] > sizes["protego"] / 2:
        missed.append("memory")
    if missed:
        print(f"missed: {', '.join(missed)}")
    return bool(missed) and "ENFORCE" in os.environ


if __name__ == "__main__":
    sys.exit(main())
