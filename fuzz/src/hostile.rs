//! Files of any size that are made to cost as much as they can, each with the question that hurts.

use std::fmt::Write as _;

/// A file, and the URL that is asked about.
pub struct Hostile {
    pub file: Vec<u8>,
    pub url: String,
}

/// Makes a file of so many elements. Where the crate stops looking after so many, the smallest file is beyond that already:
/// the numbers in patterns end in zeros, as the lint tells patterns apart by the last four octets of a literal.
pub type Shape = fn(usize) -> Hostile;

pub const SHAPES: [(&str, Shape); 24] = [
    ("one pattern of `*a`, a path of `a`", |n| {
        rule(&format!("/{}$", "*a".repeat(n)), "a", n)
    }),
    ("one pattern of `*`, a path of `a`", |n| {
        rule(&format!("/{}b", "*".repeat(n + 512)), "a", n)
    }),
    ("one pattern of `*ab*`, a path of `a`", |n| {
        rule(&"*ab".repeat(n), "a", n)
    }),
    ("one pattern of `a`, the same path", |n| {
        rule(&format!("/{}$", "a".repeat(n)), "a", n)
    }),
    ("one pattern of `*%2F`, a path of `%2F`", |n| {
        rule(&"*%2F".repeat(n), "%2F", n)
    }),
    ("one pattern of `*%26`, a query of `&`", |n| {
        rule(&"*%26".repeat(n), "?&", n)
    }),
    (
        "one pattern of octets that are escaped, the same path",
        |n| rule(&format!("/{}", "é".repeat(n)), "é", n),
    ),
    ("rules with literal heads", |n| {
        rules(n, |i| format!("/a{i:06}/"), "/a000007/")
    }),
    ("rules with a wildcard and a common head", |n| {
        rules(n, |i| format!("/a*{i:06}00/b"), "/a/00000700/b")
    }),
    ("rules `/*a*a*a*a*b$`", |n| {
        rules(
            n,
            |i| format!("/*a*a*a*a*{i:06}000b$"),
            &format!("/{}c", "a".repeat(500)),
        )
    }),
    ("the same rule", |n| rules(n, |_| "/*?*a=".into(), "/?a=")),
    ("rules that hold each other", |n| {
        rules(n, |i| format!("/{}*", "a/".repeat(i % 64)), "/a/a/a/a/b")
    }),
    ("a rule that the others are under", |n| {
        rules(
            n,
            |i| {
                if i == 0 {
                    "/".into()
                } else {
                    format!("/x{i:06}000*$")
                }
            },
            "/x000007000",
        )
    }),
    ("agents of one group", |n| {
        file(
            n,
            "Disallow: /a",
            |i| format!("User-agent: {}", letters(i)),
            "/a",
        )
    }),
    ("groups of one agent each", |n| {
        file(
            n,
            "",
            |i| format!("User-agent: {}\nDisallow: /{i:06}", letters(i)),
            "/000007",
        )
    }),
    ("groups of the same agent", |n| {
        file(
            n,
            "",
            |i| format!("User-agent: a\nAllow: /{i:06}"),
            "/000007",
        )
    }),
    ("records of Content-Signal", |n| {
        file(
            n,
            "",
            |i| {
                format!("User-agent: a\nContent-Signal: /{i:06}/ search=yes, ai-train=no\nAllow: /")
            },
            "/000007/",
        )
    }),
    ("members of one Content-Usage", |n| {
        one_line(
            "User-agent: a\nContent-Usage: ",
            ", ",
            n,
            |i| format!("k{i:06}=y"),
            "/",
        )
    }),
    ("records of Clean-param, parameters of the URL", |n| {
        let parameters = joined("&", n, |i| format!("p{i:06}=1"));
        let text = joined("\n", n, |i| format!("Clean-param: p{:06} /", i * 2));
        Hostile {
            file: text.into_bytes(),
            url: format!("https://example.com/?{parameters}"),
        }
    }),
    ("names of one Clean-param", |n| {
        one_line(
            "Clean-param: ",
            "&",
            n,
            |i| format!("p{i:06}"),
            "/?p000007=1&q=2",
        )
    }),
    ("sitemaps and delays", |n| {
        file(
            n,
            "",
            |i| format!("Sitemap: ../{i:06}.xml\nCrawl-delay: {i:06}"),
            "/",
        )
    }),
    ("lines that are no records", |n| {
        file(n, "", |i| format!("<p>{i:06} é: Disalow"), "/")
    }),
    ("one line", |n| Hostile {
        file: "Disallow a:#".repeat(n).into_bytes(),
        url: "#/?".repeat(n),
    }),
    ("line ends, NULs and byte order marks", |n| Hostile {
        file: b"\r\n\r\0\xEF\xBB\xBF:\n".repeat(n),
        url: "//".repeat(n),
    }),
];

fn rule(pattern: &str, part: &str, parts: usize) -> Hostile {
    Hostile {
        file: format!("User-agent: a\nUser-agent: *\nDisallow: {pattern}\n").into_bytes(),
        url: format!("https://example.com/{}", part.repeat(parts)),
    }
}

fn rules(count: usize, pattern: impl Fn(usize) -> String, path: &str) -> Hostile {
    let access = |i: usize| {
        if i.is_multiple_of(2) {
            "Allow"
        } else {
            "Disallow"
        }
    };
    let line = |i: usize| format!("{}: {}", access(i / 3), pattern(i));
    let mut hostile = file(count, "", line, path);
    hostile
        .file
        .splice(0..0, *b"User-agent: a\nUser-agent: *\n");
    hostile
}

fn file(count: usize, last: &str, line: impl Fn(usize) -> String, path: &str) -> Hostile {
    Hostile {
        file: format!("{}\n{last}\n", joined("\n", count, line)).into_bytes(),
        url: format!("https://example.com{path}"),
    }
}

fn one_line(
    start: &str,
    between: &str,
    count: usize,
    part: impl Fn(usize) -> String,
    path: &str,
) -> Hostile {
    Hostile {
        file: format!("{start}{}\n", joined(between, count, part)).into_bytes(),
        url: format!("https://example.com{path}"),
    }
}

fn joined(between: &str, count: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..count {
        let separator = if i == 0 { "" } else { between };
        let _ = write!(text, "{separator}{}", part(i));
    }
    text
}

/// A number as letters: product tokens of RFC 9309 have no digits.
fn letters(number: usize) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}
