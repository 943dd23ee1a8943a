//! The files, agents, patterns and URLs that the laws are tried with.

use polite_robots::Dialect;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) fn dialects() -> impl Strategy<Value = Dialect> {
    select(vec![Dialect::Rfc9309, Dialect::Google])
}

/// Parts of paths; there are few, so that rules often match URLs.
const PARTS: &[&str] = &[
    "/",
    "/",
    "a",
    "a",
    "b",
    "ab",
    "?",
    "&",
    "=",
    ";",
    ":",
    "%2F",
    "%2f",
    "%3F",
    "%26",
    "%3d",
    "%41",
    "%7e",
    "%20",
    "%25",
    "%",
    "%2",
    "é",
    "%C3%A9",
    "{",
    " ",
    "!",
    "robots.txt",
    "index.html",
    "$",
    "%24",
    "%2A",
];

pub(crate) fn urls() -> impl Strategy<Value = String> {
    let authority = select(
        &[
            "",
            "",
            "",
            "//",
            "http://h",
            "https://user;x@h:80",
            "h",
            "a:",
            "://",
            "#",
            "h?://",
        ][..],
    );
    let tail = select(&["", "", "", "#f", "\0x", "*"][..]);
    (authority, vec(select(PARTS), 0..9), tail)
        .prop_map(|(authority, path, tail)| format!("{authority}{}{tail}", path.concat()))
}

pub(crate) fn patterns() -> impl Strategy<Value = String> {
    let part = prop_oneof![8 => select(PARTS), 1 => Just("*"), 1 => Just("%c3%a9")];
    (select(&["/", "/", "*", "/*", ""][..]), vec(part, 0..9))
        .prop_map(|(start, parts)| format!("{start}{}", parts.concat()))
}

pub(crate) const LINES: &[&str] = &[
    "User-agent: *",
    "User-agent: * all",
    "User-agent: ExampleBot",
    "user agent: examplebot/2.1",
    "User-agent: a",
    "User-agent:",
    "User-agent: MJ12bot",
    "User-agent: __usage_ai-training",
    "user-agent: __Usage_AI-Training/1 # x",
    "Useragent ExampleBot",
    "Disallow: /",
    "Disallow: /a",
    "Allow: /a",
    "Disallow:",
    "Allow: /b*$",
    "dissalow: /a*b",
    "Allow: /index.html",
    "Disallow: a",
    "Disallow /b",
    "Crawl-delay: 1",
    "crawldelay: 2.5",
    "Crawl-delay: x",
    "Sitemap: http://h/s",
    "Sitemap:",
    "sitemap_index: /s",
    "# comment",
    "",
    "junk",
    "Disallow: /a\0b",
    "Disallow: /é # why",
    ":",
    "Disallow: /*?*&a=",
];

pub(crate) fn files() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        select(LINES),
        select(&["\n", "\n", "\r\n", "\r", "\n\n"][..]),
    );
    let start = select(vec![&b""[..], b"", b"\xEF\xBB\xBF", b"\xEF\xBB", b"\0"]);
    (start, vec(line, 0..16)).prop_map(|(start, lines)| {
        let mut file = start.to_vec();
        for (line, end) in lines {
            file.extend(line.as_bytes());
            file.extend(end.bytes());
        }
        file
    })
}

pub(crate) const AGENTS: &[&str] = &[
    "*",
    "ExampleBot",
    "a",
    "MJ12bot",
    "MJ",
    "OtherBot",
    "__usage_ai-training",
];

const MORE_LINES: &[&str] = &[
    "User-agent: MJ",
    "User-agent: ExampleBot # ours",
    "User-agent: b",
    "User-agent: *bot",
    "User-agent: 7",
    "Allow: /a",
    "Disallow: /ab",
    "Allow: /?b",
    "Disallow:/é",
    "Host: h",
    "Clean-param: p /a",
    "Content-Signal: search=no",
    "License: https://h/l # l",
    "License: https://h/m",
    "Content-Usage: /a train-ai=n",
    "Content-Usage: /a search=n, train-ai=y",
    "Request-rate: 1/5",
    "Visit-time: 0100-0500",
    "site-map: /t",
    "Sitemap http://h/s",
    "# one\0two",
    "\u{feff}User-agent: *",
    "＃ 全站",
    "\t# two",
    "Noindex: /x\0# no comment",
    "<p>",
    "",
];

fn lines() -> impl Strategy<Value = String> {
    let line = || {
        prop_oneof![
            select(LINES).prop_map(str::to_string),
            select(MORE_LINES).prop_map(str::to_string)
        ]
    };
    // Google's matcher cuts a line after 16,663 bytes.
    let long = (
        line(),
        16_640_usize..16_670,
        select(&[" ", "a", "#"][..]),
        any::<bool>(),
        line(),
    )
        .prop_map(|(line, bytes, fill, in_front, after)| {
            let fill = fill.repeat(bytes);
            if in_front {
                format!("{fill}{line}")
            } else {
                format!("{line}{fill} {after}")
            }
        });
    prop_oneof![200 => line(), 1 => long]
}

/// Files with any kind of record, long lines, and broken starts.
pub(crate) fn any_files() -> impl Strategy<Value = Vec<u8>> {
    let line = (lines(), select(&["\n", "\n", "\r\n", "\n\n"][..]));
    let start = select(vec![
        &b""[..],
        b"",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB",
        b"\xEF",
        "＃".as_bytes(),
        "ﻀ".as_bytes(),
    ]);
    (start, vec(line, 0..24)).prop_map(|(start, lines)| {
        let mut file = start.to_vec();
        for (line, end) in lines {
            file.extend(line.as_bytes());
            file.extend(end.bytes());
        }
        file
    })
}
