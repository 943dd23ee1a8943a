"""An MCP server for agents that read the web: each page is fetched only if robots.txt allows it, and when its host has a turn.

    pip install polite-robots httpx 'mcp>=2'
    python mcp_server.py

It looks at no addresses: run it where an agent may reach whatever this machine reaches.
"""

import contextlib
import datetime
from collections.abc import AsyncIterator

from mcp.server.mcpserver import Context, MCPServer

from polite_robots.aio import PoliteError, PoliteSession

# The product token, for which sites write rules, and where they find out who you are.
AGENT = "ExampleBot"
CONTACT = ("https://example.com/bot", "bot@example.com")


@contextlib.asynccontextmanager
async def crawler(_: MCPServer) -> AsyncIterator[PoliteSession]:
    async with PoliteSession(AGENT, contact=CONTACT, max_wait=60, page_limit=1 << 20) as session:
        yield session


server = MCPServer("polite-robots", lifespan=crawler)


@server.tool()
async def fetch_politely(url: str, context: Context[PoliteSession]) -> str:
    """The page at a URL as text, with its status. Says why, or when to ask again, if it may not be fetched now."""
    session = context.request_context.lifespan_context
    try:
        page = await session.get(url)
    except PoliteError as error:
        return f"Not fetched: {error}{again(error.retry_at)}"
    return f"{page.status} {page.url}\n\n{page.text()}"


@server.tool()
async def may_fetch(url: str, context: Context[PoliteSession]) -> str:
    """Whether robots.txt allows this crawler to fetch a URL, and which line says so."""
    check = await context.request_context.lifespan_context.check(url)
    return f"{check}{again(check.retry_at)}"


def again(time: float | None) -> str:
    return "" if time is None else f" (again at {datetime.datetime.fromtimestamp(time, datetime.UTC):%Y-%m-%dT%H:%M:%SZ})"


if __name__ == "__main__":
    server.run()
