"""Runs the suites of other libraries on our drop-ins: their tests pass, but for the deviations that are listed beside this
file, and each of these deviates.

    python bindings/peers/python.py [SUITE…]

`public` is the number of tests of names that are public; `[[private]]`, `[[skip]]` and `[[deviation]]` name single tests.

The suites come from the source packages in `bindings/target/peers`, where `bindings/run python` puts them, and from the
interpreter's own package `test`. Nothing of them is in this repository.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "target" / "peers"


def outcomes_of(suite: str, about: dict) -> dict[str, str]:
    source = SOURCES / about["source"] if "source" in about else SOURCES
    if "copied" in about:
        # Beside the tests that it shares settings with, outside of this repository's files.
        (source / about["copied"]).write_text((HERE / f"python_{suite}.py").read_text())
    with tempfile.TemporaryDirectory() as folder:
        outcomes = pathlib.Path(folder) / "outcomes.json"
        environment = {
            **os.environ,
            "PEERS_SUITE": suite,
            "PEERS_OUTCOMES": str(outcomes),
            # The source of Scrapy has a package `tests` with what its tests share.
            "PYTHONPATH": os.pathsep.join([str(HERE), *([str(source)] if about.get("importable") else [])]),
        }
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "python_plugin"]
        command += about.get("arguments", []) + about["tests"]
        run = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)
        if not outcomes.exists():
            raise SystemExit(f"{suite} did not run:\n{run.stdout}{run.stderr}")
        return json.loads(outcomes.read_text())


def faults_of(suite: str) -> tuple[str, list[str]]:
    about = tomllib.loads((HERE / f"{suite}.toml").read_text())
    outcomes = outcomes_of(suite, about["suite"])
    private = about.get("private", [])
    unused = [one["test"] for one in private if not any(one["test"] in name for name in outcomes)]
    public = {name: outcome for name, outcome in outcomes.items() if not any(one["test"] in name for one in private)}
    expected = {one["test"]: one for one in about.get("deviation", [])}
    skipped = {one["test"] for one in about.get("skip", [])}
    passed = [name for name, outcome in public.items() if outcome == "passed"]
    faults = [f"{name} is listed as private and is not there" for name in unused]
    for name, outcome in public.items():
        if outcome == "failed" and name not in expected:
            faults.append(f"{name} fails and is not listed")
        elif outcome == "skipped" and name not in skipped:
            faults.append(f"{name} is skipped and is not listed")
    for name, one in expected.items():
        if public.get(name) != "failed":
            faults.append(f"{name} is listed as a deviation and is {public.get(name, 'not there')}")
        if not one.get("reason") or not one.get("section"):
            faults.append(f"{name} is listed without a reason or a section")
    faults += [f"{name} is listed as skipped and is {public.get(name, 'not there')}" for name in skipped
               if public.get(name) != "skipped"]
    if len(public) != about["suite"]["public"]:
        faults.append(f"there are {len(public)} public tests, and not {about['suite']['public']}")
    return f"{suite}: {len(passed)} of {len(public)} pass, {len(expected)} deviate as listed", faults


def why_cpython_is_skipped() -> str | None:
    about = tomllib.loads((HERE / "cpython.toml").read_text())["suite"]
    if not sys.version.startswith(about["python"]):
        return f"the list is about Python {about['python']}"
    try:
        found = importlib.util.find_spec("test.test_robotparser")
    except ImportError:
        found = None
    if found is None:
        return "this interpreter has no tests; Debian has them in libpython3-testsuite"
    return None


def main() -> None:
    suites = sys.argv[1:] or ["protego", "cpython", "scrapy"]
    failed = False
    for suite in suites:
        if suite == "cpython" and (missing := why_cpython_is_skipped()):
            print(f"cpython: SKIPPED: {missing}")
            continue
        summary, faults = faults_of(suite)
        print(summary)
        for fault in faults:
            print(f"  {fault}")
        failed = failed or bool(faults)
    sys.exit(failed)


if __name__ == "__main__":
    main()
