"""The drop-ins beside the classes that they stand for: never more open where a name, a blank or a line end is odd."""

import random
import urllib.robotparser

import protego
import pytest

from polite_robots.compat.protego import Protego
from polite_robots.compat.robotparser import Entry, RobotFileParser, RuleLine

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
CONTXBOT = "Mozilla/5.0 (compatible;contxbot/1.0)"
HEADERS = [CHROME, CONTXBOT, "ExampleBot/1.0", "Mozilla/5.0 (compatible; ExampleBot/2.0)", "Googlebot-News", "Mozilla", "*"]


def by_protego(make, text):
    return make.parse(text).can_fetch


def by_urllib(make, text):
    parser = make()
    parser.parse(text.splitlines())
    return lambda url, header: parser.can_fetch(header, url)


MODELS = {
    "protego": lambda text: (by_protego(protego.Protego, text), by_protego(Protego, text)),
    "urllib": lambda text: (by_urllib(urllib.robotparser.RobotFileParser, text), by_urllib(RobotFileParser, text)),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("name", "opens_to"),
    [
        (CONTXBOT, CHROME),
        ("Mozilla/4.0", CHROME),
        ("Safari/600 (Applebot)", CHROME),
        ("AppleWebKit/1.0", CHROME),
        ("Mozilla/5.0 (ExampleBot)", "Mozilla/5.0 (compatible; ExampleBot/2.0)"),
        ("Linux i686", CHROME),
    ],
)
def test_a_name_like_a_browsers_opens_nothing(model, name, opens_to):
    text = f"User-agent: *\nDisallow: /\n\nUser-agent: {name}\nDisallow:\n"
    theirs, ours = MODELS[model](text)
    assert not theirs("/x", opens_to) and not ours("/x", opens_to)


def test_a_whole_name_is_found():
    text = f"User-agent: *\nDisallow: /\n\nUser-agent: {CONTXBOT}\nDisallow: /a\nCrawl-delay: 3\n\nUser-agent: Mozilla\nAllow: /a\n"
    parsed = Protego.parse(text)
    assert parsed.can_fetch("/x", CONTXBOT) and not parsed.can_fetch("/a", CONTXBOT)
    assert parsed.crawl_delay(CONTXBOT) == 3 and parsed.crawl_delay(CHROME) is None
    # Its rules are not those of another name with the same token.
    assert parsed.can_fetch("/a", CHROME) and not parsed.can_fetch("/a", f"{CONTXBOT} Mozilla")
    # An agent of one's own counts whatever its version is.
    parsed = Protego.parse("User-agent: ExampleBot/1.0\nDisallow: /a")
    assert not parsed.can_fetch("/a", "Mozilla/5.0 (compatible; ExampleBot/2.0)")


NAMES = ["*", "Mozilla", CONTXBOT, "Mozilla/5.0", "ExampleBot", "Safari", "Chrome/1", "Googlebot*", "Googlebot", "Google", "bot", "a b"]


@pytest.mark.parametrize("seed", range(20))
def test_no_name_opens_more_than_protego(seed):
    choose = random.Random(seed)
    for _ in range(100):
        names = [choose.choice(NAMES) for _ in range(choose.randint(1, 4))]
        rules = (f"{choose.choice(['Allow', 'Disallow'])}: {choose.choice(['/', '/a', ''])}" for _ in names)
        text = "\n".join(f"User-agent: {name}\n{rule}\n" for name, rule in zip(names, rules, strict=True))
        theirs, ours = MODELS["protego"](text)
        for header in HEADERS:
            assert theirs("/a", header) or not ours("/a", header), (text, header)


BLANKS = ["\xa0", "\u3000", "\u2009", "\x1f", "\u1680", "\x85", "\u2028", "\v", "\f"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
@pytest.mark.parametrize(
    "file",
    [
        "{0}User-agent{0}:{0}*{0}\n{0}Disallow{0}:{0}/a{0}\n",
        "User-agent: *\nDisallow: /a{0}# a comment\n",
        "User-agent:{0}ExampleBot{0}\nDisallow:{0}/b{0}\nUser-agent: *\nDisallow: /a\n",
        "User-agent: *{0}Disallow: /a\n",
        "User-agent: *\nAllow: /{0}a\nDisallow: /\n",
    ],
)
def test_blanks_and_line_ends_are_those_of_the_model(model, blank, file):
    theirs, ours = MODELS[model](file.format(blank))
    for header in ("ExampleBot", "OtherBot"):
        for path in ("/a", "/b"):
            assert theirs(path, header) == ours(path, header), (path, header)


def test_a_blank_in_place_of_the_colon():
    assert not Protego.parse("User-agent: *\nDisallow\xa0/a").can_fetch("/a", "ExampleBot")


def test_the_parts_of_a_file():
    lines = ["User-agent: A", "User-agent: B", "Crawl-delay: 2", "Request-rate: 1/5", "Allow: /a", "Disallow:", "", "User-agent: *"]
    lines += ["Disallow: /", "Sitemap: https://h/s", "", "User-agent: *", "Crawl-delay: 7"]
    ours, theirs = RobotFileParser(), urllib.robotparser.RobotFileParser()
    for parser in (ours, theirs):
        assert (list(parser.entries), parser.default_entry, parser.sitemaps) == ([], None, [])
        parser.parse(lines)
        assert [entry.useragents for entry in parser.entries] == [["A", "B"]] and parser.default_entry.useragents == ["*"]
        assert [(rule.path, rule.allowance) for rule in parser.entries[0].rulelines] == [("/a", True), ("", True)]
        assert (parser.entries[0].delay, parser.entries[0].req_rate) == (2, (1, 5))
        assert (parser.default_entry.delay, parser.default_entry.req_rate) == (None, None)
        assert parser.sitemaps == ["https://h/s"]
    assert [str(entry) for entry in ours.entries] == [str(entry) for entry in theirs.entries]
    assert ours.default_entry == Entry(["*"], [RuleLine("/", False)], None, None)
    with pytest.raises(AttributeError):
        ours.entries.append(ours.default_entry)


def test_nobody_asks():
    for make in (urllib.robotparser.RobotFileParser, RobotFileParser):
        parser = make()
        parser.parse(["User-agent: *", "Disallow: /a"])
        assert parser.can_fetch(None, "/") and not parser.can_fetch(None, "/a")


PIECES = ["search", "/", " ", "\t", "\r", "\n", "\x00", "\x1f", "\x0b", "?", "open", "s", "e", "https://h", "%20", "\xa0"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", range(10))
def test_blanks_in_a_url_are_those_of_the_model(model, seed):
    """`urllib.parse` drops blanks before a URL, and tabs and line ends in it; a bare path of a robot keeps them."""
    choose = random.Random(seed)
    theirs, ours = MODELS[model]("User-agent: *\nDisallow: /search\n")
    closed = 0
    for _ in range(2000):
        begin = "".join(choose.choices(PIECES[2:9], k=choose.randint(0, 2)))
        url = f"{begin}/{''.join(choose.choices(PIECES, k=choose.randint(1, 5)))}"
        assert theirs(url, "ExampleBot") or not ours(url, "ExampleBot"), (model, url)
        closed += not theirs(url, "ExampleBot")
    assert closed > 50


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("url", ["/\tsearch", "\t/search", " /search", "/se\r\narch", "\x00 \t/search?a", " https://h/search"])
def test_a_blank_opens_nothing(model, url):
    theirs, ours = MODELS[model]("User-agent: *\nDisallow: /search\n")
    assert not theirs(url, "ExampleBot") and not ours(url, "ExampleBot") and not ours(url.encode(), "ExampleBot")
