"""Politeness for the HTTP client of an existing crawler: each request asks `RobotsCache.wait` first, and so do each hop of a
redirect and each repetition, whether the client or the caller begins them.

| module | to put in |
|---|---|
| `polite_robots.adapters.httpx` | `httpx.Client(transport=PoliteTransport(robots))`, or `AsyncClient` and `AsyncPoliteTransport` |
| `polite_robots.adapters.requests` | `session.mount("https://", PoliteAdapter(robots))` |
| `polite_robots.adapters.aiohttp` | `aiohttp.ClientSession(middlewares=[PoliteMiddleware(robots)])` |
| `polite_robots.adapters.crawlee` | `polite_crawler(HttpCrawler)(robots, …)` |

`robots` is a `polite_robots.RobotsCache` for threads, or one of `polite_robots.aio`. A request that may not be sent ends with
`Disallowed`, `Closed` or `Busy` of the module, which are errors of its client, too. The host has its next turn when the body of a
response has ended or was closed, when the request fails or is cancelled, and at the latest after `timeout` seconds.
"""
