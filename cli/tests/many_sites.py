#!/usr/bin/env python3
"""Time and memory of `robots fetch --urls`: 200 sites on loopback, ten of which never answer.

    cli/tests/many_sites.py target/release/robots [OPTION...]

Each site has an address of its own, which Linux alone permits, so each is a host. The time-out is 10 s. Fails above 40 s or
100 MB, and where the lines are not those of the list.
"""

import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

SITES = 200
DEAD_EACH = 20
BODY = b"User-agent: *\nDisallow: /private/\n"
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(BODY), BODY)


def main():
    kept = []
    sites = [start(number, kept) for number in range(SITES)]
    with tempfile.TemporaryDirectory() as folder:
        sites_file = pathlib.Path(folder) / "sites.txt"
        sites_file.write_text("# sites\n\n" + "\n".join(sites) + "\n")
        command, *options = sys.argv[1:]
        command = [command, "fetch", "--urls", sites_file, "--timeout", "10", "--format", "csv", *options]
        began = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - began
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    rows = [line.split(",") for line in run.stdout.splitlines()[1:]]
    answers = [row[1] for row in rows]
    yes, none = answers.count("yes"), answers.count("none")
    print(f"{seconds:.1f} s, {megabytes:.0f} MB, {yes} yes, {none} none, exit code {run.returncode}")
    is_whole = [row[0] for row in rows] == [f"{site}/robots.txt" for site in sites]
    dead = SITES // DEAD_EACH
    is_right = is_whole and (yes, none, run.returncode) == (SITES - dead, dead, 2)
    sys.exit(not (is_right and seconds < 40 and megabytes <= 100))


def start(number, kept):
    """Starts a site, and returns its URL."""
    listener = socket.create_server((f"127.0.4.{number + 1}", 0))
    is_dead = number % DEAD_EACH == DEAD_EACH // 2
    threading.Thread(target=serve, args=(listener, is_dead, kept), daemon=True).start()
    host, port = listener.getsockname()
    return f"http://{host}:{port}"


def serve(listener, is_dead, kept):
    while True:
        stream, _ = listener.accept()
        if is_dead:
            kept.append(stream)
            continue
        stream.recv(4096)
        stream.sendall(ANSWER)
        stream.close()


main()
