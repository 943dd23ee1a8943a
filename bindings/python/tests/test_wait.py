"""`RobotsCache.wait`: the turns of a session, for any client, in threads and in tasks."""

import asyncio
import gc
import multiprocessing
import threading
import time

import pytest
from test_session import START, run

import polite_robots.aio
from polite_robots import InvalidUrl, RobotsCache
from polite_robots.policy import Profile

RULES = b"User-agent: *\nDisallow: /private\n"
PAGE = "https://a.example/1"


def cache(*answers, **settings):
    """A cache for tasks whose hours take no time, and the moments of its fetches."""
    answers, fetches, now = list(answers), [], asyncio.get_running_loop().time

    async def fetch(url):
        fetches.append((now() - START, url))
        answer = answers[0] if len(answers) == 1 else answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return polite_robots.aio.RobotsCache("ExampleBot", fetch, clock=now, **settings), fetches


def test_a_permit_is_the_answer_and_a_turn():
    async def main():
        robots, fetches = cache((200, {}, RULES))
        begins = []
        for end in ("finish", "fail", "cancel", "none"):
            async with await robots.wait(PAGE) as permit:
                begins.append(asyncio.get_running_loop().time() - START)
                assert permit and permit.allowed and not permit.closed and permit.line is None and permit.retry_at is None
                assert str(permit).startswith("allowed: no rule matches")
                if end == "finish":
                    permit.finish(429, {"Retry-After": "60"})
                elif end == "fail":
                    permit.fail(ConnectionResetError())
                elif end == "cancel":
                    permit.cancel()
        assert begins[:2] == [1, 61] and begins[2] >= 62 and begins[3] - begins[2] >= 1 and robots._turns._in_flight == 0
        permit = await robots.wait("https://a.example/private")
        assert not permit and permit.line == 2 and not permit.closed and "disallowed by line 2" in str(permit)
        assert asyncio.get_running_loop().time() - START == begins[-1], "it takes no turn"
        # The cache is the same one.
        assert await robots.allowed(PAGE) and len(fetches) == 1
        with pytest.raises(InvalidUrl):
            await robots.wait("mailto:a@b.example")

    run(main())


def test_a_closed_site_is_asked_again_in_time():
    async def main():
        busy = (503, {"Retry-After": "100"}, b"")
        robots, fetches = cache(busy, busy, (200, {}, RULES))
        permit = await robots.wait(PAGE)
        assert permit.allowed and [round(begin) for begin, _ in fetches] == [0, 100, 200]
        permit.finish(200)
        robots, fetches = cache((503, {"Retry-After": "1000"}, b""))
        permit = await robots.wait(PAGE)
        assert (permit.allowed, permit.closed, permit.cause, len(fetches)) == (False, True, 503, 1)
        assert permit.retry_at == pytest.approx(asyncio.get_running_loop().time() + 1000)

    run(main())


def test_a_host_without_a_turn_in_time_is_busy():
    async def main():
        robots, _ = cache((200, {}, RULES))
        held = await robots.wait(PAGE)
        second = await robots.wait(PAGE, max_wait=5)
        assert (second.allowed, second.closed, second.cause, second.check.allowed) == (False, True, "busy", True)
        assert "a.example is busy" in str(second) and second.retry_at is not None
        held.finish(503, {"Retry-After": "50"})
        third = await robots.wait(PAGE, max_wait=5)
        assert third.cause == "busy" and third.retry_at - asyncio.get_running_loop().time() == 50
        assert (await robots.wait(PAGE, max_wait=51)).allowed

    run(main())


def test_a_permit_ends_with_its_time_or_with_its_object():
    async def main():
        loop = asyncio.get_running_loop()
        robots, _ = cache((404, {}, b""))
        permit, began = await robots.wait(PAGE, timeout=20), loop.time()
        second = await robots.wait(PAGE)
        assert 20 <= loop.time() - began <= 22 and second
        permit.finish(200)
        began, second = loop.time(), None
        gc.collect()
        assert await robots.wait(PAGE) and loop.time() - began <= 2
        assert len(robots._turns._leases) <= 4

    run(main())


def test_a_caller_may_be_cancelled():
    async def main():
        robots, fetches = cache((404, {}, b""))
        calls = [asyncio.create_task(robots.wait(PAGE)) for _ in range(20)]
        for step, call in enumerate(calls[::2]):
            await asyncio.sleep(0 if step % 2 else 0.3)
            call.cancel()
        for call in calls:
            await asyncio.wait([call])
            if not call.cancelled():
                call.result().finish(200)
        assert len(fetches) == 1 and not robots._turns._lines and robots._turns._in_flight == 0 and not robots._waiting

    run(main())


def test_a_robots_txt_of_check_counts_as_a_request():
    async def main():
        robots, fetches = cache((404, {}, b""))
        (await robots.wait(PAGE)).finish(200)
        await robots.check("https://b.example/1")
        began = asyncio.get_running_loop().time()
        await robots.wait("https://b.example/1")
        assert asyncio.get_running_loop().time() - began == 1

    run(main())


QUICK = Profile.rfc9309().replace(min_delay=0.02)


class Site:
    """The requests to a host by threads: `rude` are those that began while another one was under way, or too soon after it."""

    def __init__(self):
        self.lock, self.open, self.hits, self.rude, self.ended = threading.Lock(), 0, 0, 0, 0.0

    def __enter__(self):
        with self.lock:
            self.hits += 1
            self.rude += self.open or time.time() - self.ended < 0.019
            self.open += 1

    def __exit__(self, *_):
        with self.lock:
            self.open -= 1
            self.ended = time.time()


def test_threads_take_turns():
    sites = {f"https://h{host}.example": Site() for host in range(3)}

    def fetch(url):
        with sites[url.removesuffix("/robots.txt")]:
            time.sleep(0.01)
        return 200, {}, RULES

    robots, ends = RobotsCache("ExampleBot", fetch, profile=QUICK), []

    def work(number):
        for page in range(6):
            site = f"https://h{(number + page) % 3}.example"
            # The gap counts from the moment at which the end is reported.
            with robots.wait(f"{site}/{page}") as permit:
                with sites[site]:
                    time.sleep(0.005)
                if number % 2:
                    permit.finish(200)
                ends.append(permit.allowed)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert ends == [True] * 48 and all(site.hits == 17 and not site.rude for site in sites.values()), [vars(s) for s in sites.values()]
    assert not robots._turns._lines and robots._turns._in_flight == 0 and not robots._waiting


def test_a_thread_hears_in_time():
    robots = RobotsCache("ExampleBot", lambda url: (200, {}, RULES), profile=QUICK)
    assert robots.wait("https://a.example/private").line == 2
    held, began = robots.wait(PAGE, timeout=0.5), time.monotonic()
    busy = robots.wait(PAGE, max_wait=0.1)
    assert busy.cause == "busy" and 0.09 < time.monotonic() - began < 0.4
    assert robots.wait(PAGE, max_wait=5) and 0.4 < time.monotonic() - began < 2, "the time of the first is over"
    held.finish(200)
    # That of the second was collected.
    gc.collect()
    began = time.monotonic()
    assert robots.wait(PAGE, max_wait=5) and time.monotonic() - began < 2


def test_a_closed_site_opens_for_a_thread():
    answers = [(503, {}, b""), (200, {}, RULES)]
    robots = RobotsCache("ExampleBot", lambda url: answers.pop(0), profile=QUICK.replace(retry_early=0.5, backoff="off"))
    began = time.monotonic()
    assert robots.wait(PAGE).allowed and 0.4 < time.monotonic() - began < 5


def test_a_thread_that_runs_a_round_may_be_late():
    """Its robots.txt is on a host that is busy, and another thread takes the round over."""
    away = (301, {"Location": "https://b.example/robots.txt"}, b"")
    robots = RobotsCache("ExampleBot", lambda url: away if "a.example" in url else (200, {}, RULES), profile=QUICK)
    held, permits = robots.wait("https://b.example/1"), []
    patient = threading.Timer(0.1, lambda: permits.append(robots.wait(PAGE, max_wait=30)))
    patient.start()
    late = robots.wait(PAGE, max_wait=0.3)
    assert late.cause == "busy" and late.check is None and str(late).startswith("disallowed: a.example is busy")
    assert (late.line, late.error, late.robot) == (None, None, None)
    held.finish(200)
    patient.join()
    assert permits[0].allowed


def _in_a_child(robots, answers):
    permit = robots.wait(PAGE, max_wait=10)
    answers.put((permit.allowed, robots.check("https://a.example/private").line))


@pytest.mark.skipif(not hasattr(multiprocessing, "get_context") or "fork" not in multiprocessing.get_all_start_methods(), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_leaves_the_threads_behind():
    robots = RobotsCache("ExampleBot", lambda url: (200, {}, RULES), profile=QUICK)
    held = robots.wait(PAGE)
    waiting = threading.Thread(target=robots.wait, args=(PAGE,), kwargs={"max_wait": 20})
    waiting.start()
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    with robots._lock, robots._turns.lock:
        child = context.Process(target=_in_a_child, args=(robots, answers))
        child.start()
    child.join(30)
    assert child.exitcode == 0 and answers.get() == (True, 2)
    held.finish(200)
    waiting.join()


def test_a_check_waits_for_its_turn_once_others_do():
    async def main():
        robots, fetches = cache((404, {}, b""))
        permit = await robots.wait(PAGE)
        check = asyncio.create_task(robots.check("http://a.example/1"))
        await asyncio.sleep(20)
        assert len(fetches) == 1
        permit.finish(200)
        assert (await check).cause == 404 and fetches[1][0] >= 22
        # It has no turn of its own.
        assert await robots.allowed("http://a.example/2") and robots._turns._in_flight == 0 and not robots._turns._lines

    run(main())


def test_a_fetch_that_hangs_ends_with_its_lease():
    async def main():
        async def fetch(url):
            await asyncio.Event().wait()

        robots = polite_robots.aio.RobotsCache("ExampleBot", fetch, clock=asyncio.get_running_loop().time)
        first, second = await asyncio.gather(robots.wait(PAGE, max_wait=601), robots.wait(PAGE, max_wait=601))
        for permit in (first, second):
            assert isinstance(permit.error, TimeoutError) and permit.closed and permit.cause == "unreachable"
        await asyncio.sleep(1)
        assert asyncio.all_tasks() == {asyncio.current_task()} and robots._turns._in_flight == 0

    run(main())


@pytest.mark.parametrize("end", [KeyboardInterrupt(), SystemExit()], ids=repr)
def test_another_thread_sends_the_request_of_one_that_ends(end):
    asked, waits, ends = [], threading.Event(), []

    def fetch(url):
        asked.append(url)
        if len(asked) == 1:
            assert waits.wait(30)
            time.sleep(0.1)
            raise end
        return 200, {}, RULES

    robots = RobotsCache("ExampleBot", fetch, profile=QUICK)

    def ask():
        try:
            ends.append(robots.wait(PAGE, max_wait=20).allowed)
        except BaseException as error:
            ends.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    threads[0].start()
    while not asked:
        time.sleep(0.001)
    threads[1].start()
    waits.set()
    for thread in threads:
        thread.join(30)
    assert ends == [end, True] and len(asked) == 2


def test_a_bug_of_fetch_is_raised_in_all_callers():
    robots, ends = RobotsCache("ExampleBot", lambda url: time.sleep(0.2) or undefined, profile=QUICK), []  # noqa: F821

    def ask():
        with pytest.raises(NameError):
            robots.wait(PAGE, max_wait=20)
        ends.append(True)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert ends == [True] * 3 and robots.check(PAGE).cause == "not_fetched"


def test_a_fetch_may_ask_about_other_sites_only():
    robots = RobotsCache("ExampleBot", lambda url: (200, {}, RULES) if "b.example" in url or robots.allowed("https://b.example/") else None)
    assert robots.wait(PAGE, max_wait=20)
    robots = RobotsCache("ExampleBot", lambda url: robots.allowed(url))
    assert robots.wait(PAGE, max_wait=0.5).cause == "unreachable"
