"""The file by its schema, and both runners with parsers whose mistakes are known."""

import json
import pathlib
import subprocess
import sys

import jsonschema

HERE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))

from polite_robots_cases import cases, wrong  # noqa: E402


def test_each_line_is_valid_and_each_name_is_unique():
    package = HERE / "polite_robots_cases"
    validator = jsonschema.Draft202012Validator(json.loads((package / "schema.json").read_text("utf-8")))
    lines = (package / "cases.jsonl").read_text("utf-8").split("\n")[:-1]
    for line in lines:
        validator.validate(json.loads(line))
    assert len(lines) == len(cases()) + 1 == len({case["name"] for case in cases()}) + 1 > 600


def allowed(robots_txt, agent, url):
    return True


def test_a_wrong_answer_is_found():
    for reading in ("rfc9309", "google"):
        closed = [case["name"] for case in cases() if not all(check[reading] for check in case["checks"])]
        assert [name for name, _, _ in wrong(allowed, reading)] == closed
    by_section = wrong(allowed, "rfc9309", "RFC 9309 §2.2.3")
    assert 0 < len(by_section) < len(closed)


def test_an_exception_and_another_value_are_wrong():
    def refuse(robots_txt, agent, url):
        raise ValueError(url)

    assert len(wrong(refuse)) == len(wrong(lambda *_: 1)) == len(cases())
    assert isinstance(wrong(refuse)[0][2], ValueError)


def test_the_command_prints_them():
    command = [sys.executable, "-m", "polite_robots_cases", "tests.test_cases:allowed", "google"]
    printed = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    found = wrong(allowed, "google")
    assert printed.returncode == 1
    assert printed.stdout.splitlines()[-1] == f"{len(found)} cases are wrong"
    assert printed.stdout.startswith(f"{found[0][0]}: True for {found[0][1]}\n")


def test_both_runners_find_the_same():
    asked = "[wrong(() => true), wrong((file) => file.length)]"
    script = f"import {{ wrong }} from 'polite-robots-cases'; console.log(JSON.stringify({asked}))"
    command = ["node", "--input-type=module", "--eval", script]
    found = json.loads(subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True).stdout)
    expected = [wrong(allowed), wrong(lambda robots_txt, agent, url: len(robots_txt))]
    assert [[tuple(one.values()) for one in each] for each in found] == expected
