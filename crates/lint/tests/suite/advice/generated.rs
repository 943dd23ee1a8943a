//! Files of hostile parts: records with odd names, signs and values, in groups of any order.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const FIELDS: &[&str] = &[
    "User-agent",
    "user-agent",
    "Disallow",
    "Allow",
    "Disallow",
    "Allow",
    "User-agent",
    "Sitemap",
    "Crawl-delay",
    "Content-Signal",
    "Content-Usage",
    "Disalow",
    "Dissallow",
    "Allowed",
    "Useragent",
    "Host",
    "Noindex",
    "License",
    "Request-rate",
    "Deny",
    "Block",
    "X-Robots-Tag",
    "Agent",
    "- Disallow",
    "\u{200b}Disallow",
    "\u{feff}Allow",
    "DisallowAITraining",
    "Sitemap_index",
    "User-agents",
    "Colour",
    "<br>Disallow",
    "Disallow all",
    "Disallow /a",
];

const SIGNS: &[&str] = &[": ", ":", ": ", " : ", ":: ", " ", "= ", ":\t", "; ", ""];

const NAMES: &[&str] = &[
    "*",
    "*",
    "Googlebot",
    "googlebot",
    "bingbot",
    "GPTBot",
    "GTPBot",
    "OpenAI",
    "PlumBot",
    "PlumBot/1.0",
    "* (all)",
    "**",
    "'*'",
    "PearBot, PlumBot",
    "Googlebot2",
    "anthropic-ai",
    "",
    "192.0.2.1",
    "Chrome",
    "Mozilla/5.0 (compatible; PlumBot/2.0)",
    "ai",
    "* Disallow: /x/",
    "*\\nDisallow: /b/",
    "__usage_ai-training",
    "usage_ai-training",
    "*\u{a0}",
    "Plum Bot",
];

const PATHS: &[&str] = &[
    "/",
    "/a/",
    "/a",
    "/b/c",
    "/admin/",
    "/api/",
    "*",
    "/*",
    "",
    "/a b",
    "a/",
    "GPTBot",
    "/cart,/checkout",
    "/cart;/checkout",
    "/cart|/checkout",
    "/a/\\nDisallow: /b/",
    "/a/ // the admin",
    "/a/ -- admin",
    "/a/ ; admin",
    "/a/ (no robots)",
    "/*&amp;sort=",
    "//a/",
    "//www.plum.eu/a/",
    "https://www.plum.eu/a/",
    "/*.pdf$",
    "/*.pdf$?",
    "/a/*.php$/",
    "/caf\u{e9}/",
    "/contrase\u{c3}\u{b1}a/",
    "/sale/50%",
    "/a/../b/",
    "/./a",
    "/p/#x",
    "/#x",
    "/a/<br>",
    "/[0-9]/",
    "/a/.*",
    "^/a",
    "\"/a/\"",
    "/a,",
    "/a;",
    "/a\\n",
    "/Account/",
    "/account/",
    "/index.html",
    "/$",
    "/wp-includes/",
    "/*?",
    "/*.js$",
    "/a\u{200b}",
    "/{{ path }}",
    "/robots.txt",
    "/a/*",
    "/x\0y",
    "none",
    "all",
    "\\admin",
    "/a/ /b/",
    "/ Disallow: /c/",
    "/ // staging",
    "[\"/cart\",\"/checkout\"]",
    "/secret/",
    "/a//b",
    "www.plum.eu/a",
    "/*$",
    "**",
    "/*a*b*",
];

const OTHERS: &[&str] = &[
    "https://www.plum.eu/sitemap.xml",
    "http://www.plum.eu/s.xml",
    "https://plum.eu/s.xml",
    "/sitemap.xml",
    "https://www.plum.eusitemap.xml",
    "https://[domain]/s.xml",
    "https://example.com/sitemap.xml",
    "[object Object]",
    "https://bakery,com/s.xml",
    "<https://www.plum.eu/s.xml>",
    "htps://www.plum.eu/s.xml",
    "https://www.plum.eu/a b.xml",
    "https://www.plum.eu",
    "10",
    "0.5",
    "10s",
    "1,5",
    "5000",
    "abc",
    "search=yes, ai-train=no",
    "train=no",
    "content-use=reference",
    "use=full",
    "ai-train: no",
    "search=y",
    "search=yes, search=no",
    "train-ai=n",
    "Train-AI=n",
    "/a/ train-ai=n",
    "train-ai=n,",
    "noindex",
    "/license.xml",
    "1/5",
    "",
];

const LINES: &[&str] = &[
    "",
    "# a comment",
    "# block it Disallow: /d/",
    "# (end) botsDisallow: /d/",
    "# Disallow: /d/",
    "rules of the shop",
    "/d/",
    "- /d/",
    "noindex, nofollow",
    "```",
    "<<<<<<< HEAD",
    "=======",
    ">>>>>>> live",
    "<!-- cached -->",
    "Warning: no such file",
    "https://www.plum.eu/sitemap.xml",
    "Disallow = /d/",
    "Disallow",
    "User-agent",
    "\u{ef}\u{bb}\u{bf}",
    "Disallow /d/ e",
];

fn line() -> impl Strategy<Value = String> {
    let record = |field: &'static [&'static str], values: &'static [&'static str]| {
        (select(field), select(SIGNS), select(values), 0..12_u8).prop_map(
            |(field, sign, value, end)| {
                // Most lines are correct; otherwise nothing would be below a group.
                let end = match end {
                    0 => " # why",
                    1 => "\r",
                    2 => " ",
                    _ => "",
                };
                format!("{field}{sign}{value}{end}")
            },
        )
    };
    let fine = |field: &'static str, values: &'static [&'static str]| {
        select(values).prop_map(move |value| format!("{field}: {value}"))
    };
    prop_oneof![
        4 => fine("User-agent", NAMES),
        3 => fine("Disallow", PATHS),
        2 => fine("Allow", PATHS),
        1 => fine("Sitemap", OTHERS),
        1 => fine("Crawl-delay", OTHERS),
        1 => fine("Content-Signal", OTHERS),
        2 => record(FIELDS, PATHS),
        1 => record(FIELDS, NAMES),
        1 => record(FIELDS, OTHERS),
        1 => select(LINES).prop_map(str::to_owned),
    ]
}

/// Files that depend on the seed alone.
pub(super) fn files(seed: u64, count: usize) -> impl Iterator<Item = (String, Vec<u8>)> {
    let bytes: Vec<u8> = seed.to_le_bytes().repeat(4);
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let file = (
        vec(line(), 1..10),
        select(&["\n", "\n", "\n", "\r\n", "\r"]),
        any::<bool>(),
    );
    (0..count).map(move |at| {
        let (lines, end, has_end) = file.new_tree(&mut runner).unwrap().current();
        let last = if has_end { end } else { "" };
        let text = format!("{}{last}", lines.join(end));
        (
            format!("generated-{seed}-{at} {}", text.escape_debug()),
            text.into_bytes(),
        )
    })
}
