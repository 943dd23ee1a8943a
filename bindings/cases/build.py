"""Makes `cases.jsonl` out of `testdata/`, whose README has the form that people write.

    python bindings/cases/build.py

The first line says what the file is, and each other line is one case, by `schema.json`.
"""

import base64
import json
import pathlib
import re
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TESTDATA = HERE.parents[1] / "testdata"
FOLDERS = ("rfc9309", "google", "issues", "hostile")
# The commit by which every verdict of the reading `google` was checked.
MATCHER = "google/robotstxt 22b355f"
SITE = "https://example.com"


def authority_of(why):
    """Finds where the verdict by the RFC comes from: a section, an issue, or a decision of ours."""
    if why.startswith("semantics: "):
        return f"polite-robots: {re.split('[.:,]', why.removeprefix('semantics: '))[0]}"
    section = re.search(r"RFC 9309 (§[\d.]*\d|erratum \d+)", why)
    issue = re.search(r"[\w.-]+/[\w.-]+#\d+", why)
    return next((found[0] for found in (section, issue) if found), "polite-robots")


def line_of(case):
    repeated = case.get("repeat", {"text": "", "times": 0})

    def filled(text):
        return text.replace("{@}", repeated["text"] * repeated["times"])

    robots = filled(case["robots"]).encode("latin-1" if case.get("encoding") == "latin1" else "utf-8")
    try:
        file = {"robots": robots.decode("utf-8")}
    except UnicodeDecodeError:
        file = {"robots_base64": base64.b64encode(robots).decode()}
    checks = []
    for check in case["checks"]:
        url = filled(check["url"])
        # Many parsers take whole URLs only. At the end of one a blank would be no part of it.
        line = {"url": SITE + url if re.fullmatch(r"(/(?!/)(.*\S)?)?", url, re.DOTALL) else url}
        for reading in ("rfc9309", "google"):
            access, number = check.get("both", check.get(reading)).split(" ")
            line |= {reading: access == "allow", f"{reading}_line": int(number)}
        checks.append(line)
    return {
        "name": case["name"],
        "why": case["why"],
        "authority": {"rfc9309": authority_of(case["why"]), "google": MATCHER},
        "agent": case.get("agent", "ExampleBot"),
        **file,
        "checks": checks,
    }


def main():
    package = json.loads((HERE / "package.json").read_text())
    lines = [{key: package[key] for key in ("name", "version", "license")}]
    for folder in FOLDERS:
        for path in sorted((TESTDATA / folder).glob("*.toml")):
            cases = tomllib.loads(path.read_text("utf-8"))["case"]
            lines += [line_of(case) for case in cases if "checks" in case]
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    (HERE / "polite_robots_cases" / "cases.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
