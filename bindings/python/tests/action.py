"""The steps of action.yml, as GitHub would run them, with the command of the wheel."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
LOOK = "Look for mistakes and compare answers"


def run_action(folder, **given):
    """Returns the name of the step that failed, or `None`, and what all of them printed."""
    inputs = {name: described["default"] for name, described in ACTION["inputs"].items()} | given

    def filled(text):
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], text)

    # The room of the command in `.ci/rooms` has the real one.
    pipx = folder / "bin/pipx"
    pipx.parent.mkdir(exist_ok=True)
    pipx.write_text('#!/bin/sh\necho "pipx $*"\n')
    pipx.chmod(0o755)
    path = os.pathsep.join([str(pipx.parent), str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    printed = ""
    for step in ACTION["runs"]["steps"]:
        environment = {name: filled(value) for name, value in step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder, env={**os.environ, "PATH": path, **environment}, capture_output=True, text=True,
        )
        printed += done.stdout
        if done.returncode:
            return step["name"], printed
    return None, printed


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "robots.txt").write_text("User-agent: *\nDisallow: /search\n")
        (folder / "expected.txt").write_text("GPTBot /search disallow\n")
        failed, printed = run_action(folder, expectations="expected.txt")
        assert failed is None and "pipx install --quiet polite-robots-cli\n" in printed, printed

        (folder / "expected.txt").write_text("GPTBot /search allow\n")
        failed, printed = run_action(folder, expectations="expected.txt")
        assert failed == LOOK and "expected.txt:1: not allowed: GPTBot /search" in printed, printed

        (folder / "bad.txt").write_text("User-agent: ExampleBot, OtherBot\nDisallow: /search\n")
        failed, printed = run_action(folder, files="robots.txt bad.txt", expectations="expected.txt")
        assert failed == LOOK and "::error file=bad.txt,line=1" in printed, printed
        # A finding does not end the step before the answers are compared.
        assert "expected.txt:1: not allowed" in printed, printed
        (folder / "closed.txt").write_text("User-agent: *\nDisallow: /\nAllow: /robots.txt\n")
        failed, printed = run_action(folder, files="closed.txt")
        assert failed == LOOK and "::warning file=closed.txt,line=2" in printed, printed
        failed, printed = run_action(folder, files="bad.txt", deny="comma-separated-agents")
        assert failed == LOOK, printed
    print("the steps of the action pass a good file, and fail a bad one and a wrong answer")


if __name__ == "__main__":
    main()
