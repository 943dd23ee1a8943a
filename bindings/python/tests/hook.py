"""The hooks of this repository, run by pre-commit with the command of the wheel."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def main():
    scripts = pathlib.Path(sys.executable).parent
    environment = {**os.environ, "PATH": os.pathsep.join([str(scripts), os.environ["PATH"]])}

    def run(*command):
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)

    with tempfile.TemporaryDirectory() as folder:
        environment["PRE_COMMIT_HOME"] = f"{folder}/home"
        run("git", "init", "--quiet")
        pathlib.Path(folder, "robots.txt").write_text("User-agent: *\nDisallow: /search\n")
        run("git", "add", "robots.txt")
        for hook in ("robots-lint", "robots-fmt"):
            good = run("pre-commit", "try-repo", str(ROOT), hook, "--files", "robots.txt")
            assert good.returncode == 0 and "Passed" in good.stdout, good.stdout + good.stderr
        pathlib.Path(folder, "robots.txt").write_text("User-agent: *\nDisallow: /\nAllow: /robots.txt\n")
        bad = run("pre-commit", "try-repo", str(ROOT), "robots-lint", "--files", "robots.txt")
        assert bad.returncode == 1 and "site-closed" in bad.stdout, bad.stdout + bad.stderr
        pathlib.Path(folder, "robots.txt").write_text("user-agent: *\nDisalow: /search\n")
        bad = run("pre-commit", "try-repo", str(ROOT), "robots-fmt", "--files", "robots.txt")
        assert bad.returncode == 1 and "Failed" in bad.stdout, bad.stdout + bad.stderr
    print("the hooks of pre-commit pass a good file and fail a bad one")


if __name__ == "__main__":
    main()
