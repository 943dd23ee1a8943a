#!/usr/bin/env python3
"""The bounds of the command for any file of 500 KiB: 256 MB and 10 seconds of the processor.

python3 cli/tests/hostile.py ROBOTS [NAME…]

Runs the commands over hostile files, and `diff` over each pair of them or of those named. Prints the
dearest run of each command, and exits with 1 if one exceeds the bounds.
"""

import itertools
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
from itertools import chain, count, cycle, repeat

SIZE = 500 << 10
MOST_SECONDS = 10
MOST_MEGABYTES = 256

ANY = "user-agent:*"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def name(number):
    """A short name for a number."""
    number, last = divmod(number, 26)
    return (name(number - 1) if number else "") + LETTERS[last]


def lines(*parts):
    """As many lines of each part as fit in its share of the bytes."""
    text = []
    for part in parts:
        left = SIZE // len(parts)
        for line in part:
            left -= len(line) + 1
            if left < 0:
                break
            text.append(line)
    return ("\n".join(text) + "\n").encode("latin-1")


def each(pattern, *more):
    """The pattern for each number: `{n}` is the number, `{a}` a name, `{x}` one of the two accesses."""
    for number in count():
        values = {"n": number, "a": name(number), "b": name(number * 7), "x": ("allow", "disallow")[number % 2]}
        for line in (pattern, *more):
            yield line.format(**values)


def stars(number):
    """A pattern of `*a` and `*b`, by the bits of the number."""
    return "".join("*" + "ab"[number >> bit & 1] for bit in range(14))


AGENTS = list(itertools.islice(each("user-agent:{a}"), 5000))
OWN = list(chain.from_iterable(zip(AGENTS, each("{x}:/{n}"))))

FILES = {
    "agents": lambda: lines(each("user-agent:{a}")),
    "agents-and-rules": lambda: lines(each("user-agent:{a}"), each("{x}:/{a}")),
    "agents-and-signals": lambda: lines(each("user-agent:{a}"), each("content-signal:/{a} ai-train=no")),
    "agents-and-uses": lambda: lines(each("user-agent:{a}"), each("content-signal:use=r{n}")),
    "agents-of-their-own": lambda: lines(each("user-agent:{a}", "allow:/{a}")),
    "agents-and-sitemaps": lambda: lines(each("user-agent:{a}", "allow:/{a}"), each("sitemap:/{n}")),
    "agents-below-signals": lambda: lines(each("content-signal:use=r{n}"), each("user-agent:{a}", "allow:/{a}")),
    "agents-below-licenses": lambda: lines(each("license:/{a}"), each("user-agent:{a}", "disallow:/{a}")),
    "agents-with-delays": lambda: lines(each("user-agent:{a}", "crawl-delay:{n}", "disallow:/{n}")),
    "agents-twice": lambda: lines(chain(AGENTS, each("allow:/{a}")), OWN),
    "agents-twice-wild": lambda: lines(chain(AGENTS, each("disallow:/*{a}*{b}")), OWN),
    "rules": lambda: lines(chain([ANY], each("disallow:/{a}"))),
    "rules-alike": lambda: lines(chain([ANY], repeat("disallow:/a"))),
    "rules-nested": lambda: lines(chain([ANY], (f"disallow:/{'a/' * 800}{n}" for n in count()))),
    "rules-long": lambda: lines(chain([ANY], (f"disallow:/{name(n) * 8000}" for n in count()))),
    "wild": lambda: lines(chain([ANY], each("{x}:/*{a}*{b}"))),
    "wild-pieces": lambda: lines(chain([ANY], (f"{'dis' * (n % 2)}allow:/{stars(n)}*c" for n in count()))),
    "wild-long": lambda: lines(chain([ANY], (f"{'dis' * (n % 2)}allow:/{'*ab' * 5000}{n}" for n in count()))),
    "wild-one": lambda: lines([ANY, "disallow:/" + "*a" * 250_000]),
    "stars": lambda: lines([ANY, "disallow:/" + "*" * 500_000]),
    "groups": lambda: lines(chain.from_iterable([f"user-agent:{name(n)}", *(f"{'dis' * (m % 3)}allow:/*{name(n)}*{name(m)}*" for m in range(21))] for n in count())),
    "groups-alike": lambda: lines(cycle(["user-agent:a", "disallow:/x", "allow:/y"])),
    "groups-closed": lambda: lines(cycle(["user-agent:GPTBot", "disallow:/"]), chain([ANY], each("allow:/{a}"))),
    "sitemaps": lambda: lines(each("sitemap:/{a}")),
    "licenses": lambda: lines(chain([ANY], each("license:{a}"))),
    "fields": lambda: lines(each("{a}x:/a")),
    "misspelt": lambda: lines(cycle(["Dissallow: /x", "User agnet: a", "Sitemp: /x", "Disalow /x"])),
    "index": lambda: lines(chain([ANY], each("{x}:/{a}/index.htm"))),
    "escapes": lambda: lines(chain([ANY], each("{x}:/*%2F{a}*%3F{b}"))),
    "bytes": lambda: bytes(range(256)) * (SIZE // 256),
    "returns": lambda: lines(chain([ANY], each("disallow:/{a}"))).replace(b"\n", b"\r"),
    "ends": lambda: b"\n" * SIZE,
    "nuls": lambda: b"\0" * SIZE,
    "line": lambda: b"a" * SIZE,
    "html": lambda: lines(repeat("<meta name=robots content=noindex,noindx>")),
    "html-agents": lambda: lines(each("<meta name=GPTBot{n} content={a}>")),
    "html-open": lambda: b"<" * SIZE,
}

COMMANDS = [
    *(["lint", "--format", form] for form in ("human", "json", "sarif", "gitlab")),
    ["lint", "--all"],
    ["lint", "--fix"],
    ["fmt"],
    ["fmt", "--check"],
    *(["agents", *options] for options in ([], ["--known"], ["--known", "--json"])),
    *(["edit", *options] for options in (["--close=training"], ["--close=*"], ["--open=training"], ["--signal=ai-train=no"])),
    ["page"],
    ["page", "--json"],
]


def measured(arguments):
    """The seconds of the processor, the megabytes and the exit code of a run; it ends at three times the bound."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (3 * MOST_SECONDS, 3 * MOST_SECONDS))

    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
    _, status, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, status


def main():
    robots, *names = sys.argv[1:]
    exceeding = 0
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for file, content in FILES.items():
            if not names or file in names:
                paths.append(pathlib.Path(folder, file))
                paths[-1].write_bytes(content())
        runs = {tuple(command): [[*command, path] for path in paths] for command in COMMANDS}
        for option in (), ("--json",):
            runs["diff", *option] = [["diff", *option, *pair] for pair in itertools.permutations(paths, 2)]
        for command, all_arguments in runs.items():
            dearest = {}
            for arguments in all_arguments:
                seconds, megabytes, status = measured([robots, *arguments])
                files = " ".join(path.name for path in arguments if isinstance(path, pathlib.Path))
                if seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES or os.WIFSIGNALED(status):
                    exceeding += 1
                    print(f"exceeds: {' '.join(command)} {files}: {seconds:.1f} s, {megabytes:.0f} MB, status {status}")
                for unit, figure in (("s", seconds), ("MB", megabytes)):
                    dearest[unit] = max(dearest.get(unit, (0, "")), (figure, files))
            most = "; ".join(f"{figure:.1f} {unit} ({files})" for unit, (figure, files) in dearest.items())
            print(f"{' '.join(command)}: {most}", flush=True)
    sys.exit(1 if exceeding else 0)


main()
