"""Each client asks for all URLs in its own way, and says which request target it knows of before it asks.

A client is a function of pairs of a number and a URL. It sends the number as `X-Number`, and gives the target that its adapter
asks robots.txt about for each number: `None` where the client refuses the URL.
"""

import asyncio
import ctypes
import json
import pathlib
import subprocess
import urllib.request

import aiohttp
import httpx
import requests
import yarl

ROOT = pathlib.Path(__file__).parents[2]
TIMEOUT = 5


def known(target, numbered):
    """The targets of a client that knows them before it asks."""
    targets = {}
    for number, url in numbered:
        try:
            found = target(url)
            targets[number] = found if isinstance(found, bytes) else found.encode("utf-8", "surrogateescape")
        except Exception:
            targets[number] = None
    return targets


def one_by_one(get, numbered):
    for number, url in numbered:
        try:
            get(url, {"X-Number": str(number)})
        except Exception:
            pass


def of_requests(numbered):
    with requests.Session() as session:
        session.trust_env = False
        one_by_one(lambda url, fields: session.get(url, headers=fields, timeout=TIMEOUT, allow_redirects=False), numbered)
    return known(lambda url: requests.Request("GET", url).prepare().path_url, numbered)


def of_httpx(numbered):
    with httpx.Client(timeout=TIMEOUT, trust_env=False) as client:
        one_by_one(lambda url, fields: client.get(url, headers=fields), numbered)
    return known(lambda url: httpx.URL(url).raw_path, numbered)


def of_urllib(numbered):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(url, fields):
        with opener.open(urllib.request.Request(url, headers=fields), timeout=TIMEOUT) as response:
            response.read()

    one_by_one(get, numbered)
    return known(lambda url: urllib.request.Request(url).selector, numbered)


def of_aiohttp(numbered):
    async def get_all():
        left = iter(numbered)
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(TIMEOUT)) as session:

            async def get_some():
                for number, url in left:
                    try:
                        async with session.get(url, headers={"X-Number": str(number)}, allow_redirects=False) as response:
                            await response.read()
                    except Exception:
                        pass

            await asyncio.gather(*(get_some() for _ in range(8)))

    asyncio.run(get_all())
    return known(lambda url: yarl.URL(url).raw_path_qs, numbered)


class Curl:
    """libcurl by its C functions; the numbers are those of its headers."""

    URL, HTTPHEADER, TIMEOUT, WRITEFUNCTION, PROXY = 10002, 10023, 13, 20011, 10004
    PART_URL, PART_PATH, PART_QUERY = 0, 7, 8

    def __init__(self):
        self.curl = ctypes.CDLL("libcurl.so.4")
        for name in ["curl_easy_init", "curl_slist_append", "curl_url"]:
            getattr(self.curl, name).restype = ctypes.c_void_p
        self.handle = ctypes.c_void_p(self.curl.curl_easy_init())
        self.write = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)(lambda _data, size, count, _: size * count)
        self.set(self.WRITEFUNCTION, self.write)
        self.set(self.PROXY, ctypes.c_char_p(b""))
        self.set(self.TIMEOUT, ctypes.c_long(TIMEOUT))

    def set(self, option, value):
        self.curl.curl_easy_setopt(self.handle, ctypes.c_int(option), value)

    def get(self, url, fields):
        (field,) = fields.items()
        listed = ctypes.c_void_p(self.curl.curl_slist_append(None, ": ".join(field).encode()))
        self.set(self.HTTPHEADER, listed)
        self.set(self.URL, ctypes.c_char_p(url.encode()))
        self.curl.curl_easy_perform(self.handle)
        self.set(self.HTTPHEADER, ctypes.c_void_p(None))
        self.curl.curl_slist_free_all(listed)

    def path_and_query(self, url):
        parts, part = ctypes.c_void_p(self.curl.curl_url()), ctypes.c_char_p()
        try:
            if self.curl.curl_url_set(parts, self.PART_URL, ctypes.c_char_p(url.encode()), 0) != 0:
                raise ValueError("curl refuses the URL")
            self.curl.curl_url_get(parts, self.PART_PATH, ctypes.byref(part), 0)
            path = part.value
            has_query = self.curl.curl_url_get(parts, self.PART_QUERY, ctypes.byref(part), 0) == 0
            return path + b"?" + part.value if has_query else path
        finally:
            self.curl.curl_url_cleanup(parts)


def of_curl(numbered):
    curl = Curl()
    one_by_one(curl.get, numbered)
    return known(curl.path_and_query, numbered)


def of_process(*command):
    """A client in a program of its own, which reads lines of JSON and writes one for each."""

    def ask(numbered):
        lines = "".join(json.dumps(pair) + "\n" for pair in numbered)
        run = subprocess.run(command, input=lines, capture_output=True, check=True, encoding="utf-8", cwd=ROOT)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        return {number: target and target.encode() for number, target in answers}

    return ask


NODE = ["node", "bindings/wasm/js/test/sent_many.mjs"]
RUST = ["cargo", "run", "--quiet", "--release", "--locked", "--package=polite-robots-zoo", "--features=tests", "--bin=sent", "--"]

CLIENTS = {
    "reqwest": of_process(*RUST, "reqwest"),
    "ureq": of_process(*RUST, "ureq"),
    "httpx": of_httpx,
    "requests": of_requests,
    "aiohttp": of_aiohttp,
    "urllib": of_urllib,
    "libcurl": of_curl,
    "Node's fetch": of_process(*NODE, "fetch"),
    "got": of_process(*NODE, "got"),
}
