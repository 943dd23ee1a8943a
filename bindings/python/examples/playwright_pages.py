"""Pages by a browser, each document in a turn of its host: `pip install polite-robots httpx playwright`.

    python playwright_pages.py https://example.com/

robots.txt and the pace are asked about the document and each of its redirects, which the browser must not follow by itself. What a
page loads besides, such as its images and scripts, goes on without turns.
"""

import asyncio
import sys
import urllib.parse
from typing import Any

from polite_robots.aio import PoliteSession


async def goto(session: PoliteSession, page: Any, url: str) -> int:
    """`page.goto` of a `playwright.async_api.Page`. Returns the status; raises what `session.permit` and `page.goto` raise."""
    for _ in range(6):
        # The wait for the turn is over before the browser's time limit begins.
        async with session.permit(url) as permit:
            target, status = None, 0

            async def send(route: Any) -> None:
                nonlocal target, status
                response = await route.fetch(max_redirects=0)
                status = response.status
                permit.finish(status, response.headers)
                location = response.headers.get("location")
                if location and status in (301, 302, 303, 307, 308):
                    target = urllib.parse.urljoin(url, location)
                    await route.abort()
                else:
                    await route.fulfill(response=response)

            await page.route(url, send)
            try:
                await page.goto(url)
                return status
            except Exception as error:
                if target is None:
                    permit.fail(error)
                    raise
            finally:
                await page.unroute(url, send)
        url = target
    raise RuntimeError(f"too many redirects, the last to {url}")


async def main(*urls: str) -> None:
    from playwright.async_api import async_playwright

    async with (
        PoliteSession("ExampleBot", contact=("https://example.com/bot", "bot@example.com")) as session,
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch()
        page = await browser.new_page(user_agent="ExampleBot/1.0 (+https://example.com/bot)")
        for url in urls:
            print(await goto(session, page, url), page.url, await page.title())
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
