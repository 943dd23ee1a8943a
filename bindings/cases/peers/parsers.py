"""The parsers of robots.txt that are compared with ours, as their users call them.

`PARSERS` has a function for each, which returns its version and a function that takes the reading, `rfc9309` or `google`, and
returns the parser: a function of the bytes of a file, an agent and a URL. It answers True or False, or refuses by None or an
exception. A parser that is not on this machine raises `MISSING`.
"""

import base64
import functools
import importlib.metadata
import json
import pathlib
import platform
import re
import struct
import subprocess
from urllib.robotparser import RobotFileParser

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILT = ROOT / "bindings/target/cases"
MISSING = (ImportError, OSError)


def ours():
    from polite_robots import Robot

    def make(reading):
        return lambda robots_txt, agent, url: Robot(agent, robots_txt, dialect=reading).allowed(url)

    return importlib.metadata.version("polite-robots"), make


def protego():
    from protego import Protego

    # As Scrapy decodes it.
    @functools.lru_cache(1)
    def parsed(robots_txt):
        return Protego.parse(robots_txt.decode("utf-8-sig", "ignore"))

    return importlib.metadata.version("protego"), lambda _: lambda robots_txt, agent, url: parsed(robots_txt).can_fetch(url, agent)


def robotparser():
    # It decodes what it fetches, so it fetches here too.
    @functools.lru_cache(1)
    def parsed(robots_txt):
        parser = RobotFileParser(f"data:text/plain;base64,{base64.b64encode(robots_txt).decode()}")
        parser.read()
        return parser

    return f"Python {platform.python_version()}", lambda _: lambda robots_txt, agent, url: parsed(robots_txt).can_fetch(agent, url)


def by_program(*command):
    """Asks a program that reads a file, an agent and a URL, each as a length of four bytes, the least
    first, and its bytes. It answers 1, 0, or `?` where the parser refuses, and ends with its input."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def allowed(*question):
        for text in question:
            text = text if isinstance(text, bytes) else text.encode()
            process.stdin.write(struct.pack("<I", len(text)) + text)
        process.stdin.flush()
        answer = process.stdout.read(1)
        if answer not in (b"1", b"0", b"?"):
            raise SystemExit(f"{command[0]} ended: {question[1:]}")
        return {b"1": True, b"0": False}.get(answer)

    return allowed


def of_javascript(name, folder):
    version = json.loads((ROOT / "bindings/wasm" / folder / "package.json").read_text())["version"]
    return version, lambda reading: by_program("node", HERE / "answers.mjs", name, reading)


def of_rust(name):
    lock = (ROOT / "benches/Cargo.lock").read_text()
    version = re.search(f'^name = "{name}"\nversion = "(.*)"', lock, re.MULTILINE)[1]
    allowed = by_program(ROOT / "benches/target/release/examples/answers", name)
    return version, lambda _: allowed


def google():
    from polite_robots_cases import cases

    allowed = by_program(BUILT / "google")
    return cases()[0]["authority"]["google"].split(" ")[1], lambda _: allowed


def crawler_commons():
    version = re.search("<version>(.*?)</version>", (BUILT / "crawler-commons/pom.xml").read_text())[1]
    libraries = "/usr/share/java/slf4j-api.jar:/usr/share/java/commons-io.jar"
    allowed = by_program("java", "-cp", f"{BUILT}/crawler-commons:{libraries}", "CrawlerCommons")
    return version, lambda _: allowed


def temoto():
    version = re.search(r"temoto/robotstxt v(\S+)", (BUILT / "temoto/go.mod").read_text())[1]
    allowed = by_program(BUILT / "temoto/temoto")

    # It takes a path, which keeps an empty query.
    def of_path(robots_txt, agent, url):
        return allowed(robots_txt, agent, re.sub("^https?://[^/?#]*|#.*", "", url, flags=re.DOTALL))

    return version, lambda _: of_path


PARSERS = {
    "polite-robots, in Python": ours,
    "polite-robots, in JavaScript": lambda: of_javascript("polite-robots", "js"),
    "Google's matcher": google,
    "Protego": protego,
    "urllib.robotparser": robotparser,
    "robots-parser": lambda: of_javascript("robots-parser", "js/node_modules/robots-parser"),
    "robotxt": lambda: of_rust("robotxt"),
    "texting_robots": lambda: of_rust("texting_robots"),
    "crawler-commons": crawler_commons,
    "temoto/robotstxt": temoto,
}
