"""A host on loopback that keeps the bytes of each request target, and a judge that reads no URL."""

import re
import socket
import threading
import urllib.parse


class Server:
    """A host with a robots.txt. `targets` has what was asked for but that, and `/hop` redirects to the URL after it."""

    def __init__(self, rules):
        self.rules, self.targets = rules, []
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.host = "127.0.0.1:%d" % self._socket.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            connection, _ = self._socket.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection:
            connection.settimeout(10)
            head = b""
            while b"\r\n\r\n" not in head:
                if not (chunk := connection.recv(65536)):
                    return
                head += chunk
            target = head.split(b"\r\n", 1)[0].split(b" ", 1)[1].rsplit(b" HTTP/", 1)[0]
            status, location = b"200 OK", b""
            if target.startswith(b"/hop?"):
                status, location = b"302 Found", b"Location: " + urllib.parse.unquote_to_bytes(target[5:]) + b"\r\n"
            elif not target.startswith((b"/robots.txt", b"/favicon.ico")):
                self.targets.append(target)
            body = self.rules if target.startswith(b"/robots.txt") else b"ok"
            fields = b"Connection: close\r\nContent-Type: text/plain\r\n" + location
            connection.sendall(b"HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n%s" % (status, fields, len(body), body))


def decoded(target):
    """A target whose escapes of letters and digits are decoded, as rules are compared (RFC 9309 §2.2.2)."""
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: byte if (byte := bytes([int(found[1], 16)])).isalnum() else found[0], target)
