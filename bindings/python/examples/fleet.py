"""One machine of a polite crawler of several, which come and go: `pip install polite-robots httpx`.

    python fleet.py /mnt/crawl

The engine that carries the URLs (Kafka, URLFrontier, StormCrawler) knows the owner of each partition of the hosts. Here it speaks by
the lines of standard input, and hears those of standard output:

| line | meaning |
|---|---|
| `own 7` | partition 7 is this machine's |
| `give 7` | another machine gets it; the answer is `gave 7` |
| `get URL` | a page of this machine's hosts; the answer is `done URL END`, or `keep URL TIME` for a site that is closed until then |
| `elsewhere URL` | a redirect led there, maybe to a host of another machine |

The paces and the robots.txt of a partition's hosts are a file in the folder, which all machines see; for a database there are
`session.save()` and `session.load()`. A machine that dies answers nothing. The engine waits for a while, as the last second before
the end may be lost, and says `own` to another one, which reads the file.
"""

import argparse
import asyncio
import json
import pathlib
import sys

import httpx

from polite_robots.aio import Busy, Closed, Disallowed, Permit, PoliteSession
from polite_robots.policy import Origin, Profile

PARTITIONS = 64  # Many more than there are machines, so that each can have its share.
CONTACT = ("https://example.com/bot", "bot@example.com")
HEADERS = {"User-Agent": f"ExampleBot (+{CONTACT[0]}; {CONTACT[1]})", "From": CONTACT[1]}


def partition(url: str) -> int:
    return Origin.of(url).partition_key() % PARTITIONS


class Machine:
    def __init__(self, client: httpx.AsyncClient, folder: pathlib.Path, profile: Profile) -> None:
        self.client, self.folder, self.profile = client, folder, profile
        self.partitions: dict[int, asyncio.Queue[str | None]] = {}

    async def obey(self, lines: asyncio.StreamReader) -> None:
        """Does as the engine says, until it says no more."""
        async with asyncio.TaskGroup() as crawls:
            async for line in lines:
                match line.decode().split():
                    case ["own", number]:
                        urls = self.partitions[int(number)] = asyncio.Queue()
                        crawls.create_task(self.crawl(int(number), urls))
                    case ["give", number]:
                        self.partitions.pop(int(number)).put_nowait(None)
                    case ["get", url] if partition(url) in self.partitions:
                        self.partitions[partition(url)].put_nowait(url)
            while self.partitions:
                self.partitions.popitem()[1].put_nowait(None)

    async def crawl(self, number: int, urls: asyncio.Queue[str | None]) -> None:
        """Crawls the hosts of a partition until it is given away. The next owner gets the pages that are left from the engine."""
        state, waiting = self.folder / f"{number}.state", set[asyncio.Task]()
        session = PoliteSession("ExampleBot", contact=CONTACT, client=self.client, profile=self.profile, state=state)
        async with session, asyncio.TaskGroup() as pages:
            while url := await urls.get():
                pages.create_task(self.fetch(session, url, waiting))
            for page in waiting:
                page.cancel()
        print("gave", number)

    async def fetch(self, session: PoliteSession, url: str, waiting: set[asyncio.Task]) -> None:
        """Fetches a page at the time that suits its host. It may be broken off while it waits; a request ends first."""
        await session.check(url)
        task = asyncio.current_task()
        try:
            while partition(url) in self.partitions:
                waiting.add(task)
                async with session.permit(url) as permit:
                    waiting.discard(task)
                    end = await self.send(permit)
                if end is not None:
                    print("done", url, end)
                    break
        except (Busy, Closed) as error:
            print("keep", url, error.retry_at)
        except Disallowed:
            print("done", url, "disallowed")
        finally:
            waiting.discard(task)

    async def send(self, permit: Permit) -> str | None:
        """Sends the request of a page. Returns its end, but for one that the site wants later."""
        try:
            async with asyncio.timeout(60):
                response = await self.client.get(permit.url, headers=HEADERS)
        except Exception as error:
            permit.fail(error)
            return "failed"
        permit.finish(response.status_code, response.headers)
        if response.has_redirect_location:
            print("elsewhere", response.url.join(response.headers["Location"]))
            return "redirected"
        # Here a crawler keeps the page.
        return None if response.status_code in (429, 503) else "fetched" if response.is_success else "failed"


async def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=pathlib.Path, help="the memory of the crawl, which all machines see")
    arguments.add_argument("--settings", type=json.loads, default={}, help='of the profile, such as \'{"min_delay": 5}\'')
    sys.stdout.reconfigure(line_buffering=True)
    options, lines = arguments.parse_args(), asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    profile = Profile.rfc9309().replace(**options.settings)
    async with httpx.AsyncClient(timeout=30, limits=httpx.Limits(max_connections=None)) as client:
        await Machine(client, options.folder, profile).obey(lines)


if __name__ == "__main__":
    asyncio.run(main())
