//! Hostile files of any size, each with the most expensive URL to ask about.

use std::fmt::Write as _;

/// A hostile file, and the URL to ask about.
pub(crate) struct Hostile {
    pub(crate) file: Vec<u8>,
    pub(crate) url: String,
}

/// Makes a file with the given number of elements. Even the smallest file exceeds the work limits
/// of the crate: the numbers in patterns end in zeros, as the lint distinguishes patterns by the
/// last four bytes of a literal.
pub(crate) type Shape = fn(usize) -> Hostile;

pub(crate) const SHAPES: [(&str, Shape); 57] = [
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
        "one pattern of bytes that are escaped, the same path",
        |n| rule(&format!("/{}", "é".repeat(n)), "é", n),
    ),
    ("one pattern of `(`, a path of `(`", |n| {
        rule(&format!("/{}", "(".repeat(n)), "(", n)
    }),
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
    ("rules that contain each other", |n| {
        rules(n, |i| format!("/{}*", "a/".repeat(i % 64)), "/a/a/a/a/b")
    }),
    ("a rule that covers the others", |n| {
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
    ("an `Allow` of an index, bytes that are escaped", |n| {
        Hostile {
            file: format!("User-agent: *\nAllow: /{}/index.html\n", "é".repeat(n)).into_bytes(),
            url: format!("https://example.com/{}/", "é".repeat(n)),
        }
    }),
    ("the shortest rules", |n| Hostile {
        file: format!("User-agent: *\n{}", "Allow:/\n".repeat(n)).into_bytes(),
        url: "/".into(),
    }),
    ("the shortest rules with a wildcard", |n| Hostile {
        file: format!("User-agent: *\n{}", "Allow:*\n".repeat(n)).into_bytes(),
        url: "/".into(),
    }),
    ("agents of one group", |n| {
        file(
            n,
            "Disallow: /a",
            |i| format!("User-agent: {}", letters(i)),
            "/a",
        )
    }),
    ("agents that share equally many rules", |n| {
        let line = |i| match i {
            i if i < n / 2 => format!("User-agent: {}", letters(i)),
            i => format!("Disallow: /{i:06}"),
        };
        file(n, "", line, "/000007")
    }),
    ("agents and everyone, who share equally many rules", |n| {
        let line = |i| match i {
            0 => "User-agent: *".into(),
            i if i < n / 2 => format!("User-agent: {}", letters(i)),
            i => format!("Disallow: /{i:06}"),
        };
        file(n, "", line, "/000007")
    }),
    ("agents that share equally many rules of no path", |n| {
        let line = |i| match i {
            i if i < n => format!("User-agent: {}", letters(i)),
            i => format!("Disallow: {i:06}"),
        };
        file(n * 2, "User-agent: b\nDisallow:", line, "/000007")
    }),
    ("agents of one group that are nearly known", |n| {
        file(n, "Disallow: /a", |_| "User-agent: GTPBot".into(), "/a")
    }),
    ("rules about styles, each with an exception", |n| {
        let pattern = |i| match i % 6 {
            0..3 => format!("/{:06}/css/open", i / 6 * 3 + i % 3),
            _ => format!("/{:06}/css/", i / 6 * 3 + i % 3),
        };
        rules(n, pattern, "/000007/css/x.js")
    }),
    ("rules about styles, and groups that close all", |n| {
        let line = |i| match i {
            0 => "User-agent: *".into(),
            i if i < n / 2 => format!("Disallow: /{i:06}/css/"),
            i => format!("User-agent: Googlebot{i}\nDisallow: /"),
        };
        file(n, "", line, "/000007/css/x.js")
    }),
    ("agents that share equally many delays", |n| {
        let line = |i| match i {
            i if i < n / 2 => format!("User-agent: {}", letters(i)),
            i => format!("Crawl-delay: {i:06}"),
        };
        file(n, "Disallow: /a", line, "/a")
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
    (
        "rules for everyone that never decide, and groups of one agent each",
        |n| {
            let line = |i| match i {
                0 => format!("User-agent: *\nAllow: /a{}", "*".repeat(20)),
                i if i < n / 2 => format!("Disallow: /a{i:06}"),
                i => format!("User-agent: {}\nDisallow: /x", letters(i)),
            };
            file(n, "", line, "/a000007")
        },
    ),
    ("agents of one group of other records, and again", |n| {
        let line = |i| match i {
            i if i < n / 3 => format!("User-agent: {}", letters(i)),
            i if i < n / 3 * 2 => "Host:".into(),
            i => format!("Disallow: /a\nUser-agent: {}", letters(i - n / 3 * 2)),
        };
        file(n, "Disallow: /a", line, "/a")
    }),
    ("agents of one group of a long rule, and again", |n| {
        let line = |i| match i {
            i if i < n / 2 => format!("User-agent: {}", letters(i)),
            i if i == n / 2 => format!("Disallow: /{}", "a".repeat(n)),
            i => format!("User-agent: {}\nDisallow: /b", letters(i - n / 2)),
        };
        file(n, "", line, "/a")
    }),
    ("as many rules for one agent as for everyone", |n| {
        let line = |i| match i {
            0 => "User-agent: *".into(),
            i if i < n / 2 => format!("Disallow: /a{i:06}"),
            i if i == n / 2 => "User-agent: b".into(),
            i => format!("Allow: /z{i:06}"),
        };
        file(n, "Allow: /a", line, "/a000007")
    }),
    ("exceptions in other letters than closed paths", |n| {
        let line = |i| match i {
            0 => "User-agent: *".into(),
            i if i < n / 2 => format!("Disallow: /A{i:06}"),
            i => format!("Allow: /a{:06}/x", i - n / 2),
        };
        file(n, "", line, "/a000007/x")
    }),
    ("sitemaps of two schemes", |n| {
        let line = |i| match i {
            i if i % 2 == 0 => format!("Sitemap: http://h{:06}.example/", i / 2),
            i => format!("Sitemap: https://h{:06}.example/", i / 2),
        };
        file(n, "", line, "/")
    }),
    ("rules of a few letters between wildcards", |n| {
        let letter = |number: usize| char::from(b'a' + (number % 26) as u8);
        let word = |number| [676, 26, 1].map(|place| letter(number / place));
        let text = |number| word(number).iter().collect::<String>();
        rules(
            n,
            |i| format!("/*{}*{}", text(i / 17_576), text(i)),
            "/aaa/aah",
        )
    }),
    ("rules that wildcards of many `*` might match", |n| {
        let pattern = |i| match i {
            i if i < 64 => format!("/a{}", "*".repeat(n / 8 + i)),
            i => format!("/a{i:06}"),
        };
        rules(n, pattern, "/a000007")
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
    ("the shortest records of Content-Usage", |n| Hostile {
        file: format!("User-agent: a\n{}", "Content-Usage:\n".repeat(n)).into_bytes(),
        url: "/".into(),
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
    ("pairs of one Content-Signal", |n| {
        one_line(
            "User-agent: a\nContent-Signal: ",
            ",",
            n,
            |i| format!("ai-train={i:06}"),
            "/",
        )
    }),
    ("agents that share equally many preferences", |n| {
        let line = |i| match i {
            i if i < n / 2 => format!("User-agent: {}", letters(i)),
            i if i % 2 == 0 => format!("Content-Signal: /{} ai-train=no, search=yes", i % 64),
            i => format!("Content-Signal: /{} ai-train=yes, search=no", i % 64),
        };
        file(n, "Disallow: /a", line, "/a")
    }),
    ("preferences of closed paths, each in a group", |n| {
        let line = |i| {
            let agent = letters(i / 2);
            format!("User-agent: {agent}\nContent-Usage: /a/{i:06} ai-use=n\nDisallow: /a/")
        };
        file(n, "", line, "/a/000007")
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
    ("names in long records of Clean-param", |n| {
        let record = |_| format!("Clean-param: {}", "p&".repeat(240));
        file(n.div_ceil(240), "", record, "/?p=1&q=2")
    }),
    ("a sitemap that is not UTF-8", |n| Hostile {
        file: [b"Sitemap:", &*b"\xFF".repeat(n)].concat(),
        url: "/".into(),
    }),
    ("a name of fields", |n| {
        one_line(
            "User-agent: ",
            " ",
            n,
            |_| "Disallow all:// Disallow".into(),
            "/",
        )
    }),
    ("a name of blanks and colons", |n| Hostile {
        file: format!("User-agent: a{}", " :".repeat(n)).into_bytes(),
        url: "/".into(),
    }),
    ("a sitemap of schemes", |n| Hostile {
        file: format!("Sitemap: {}", "http:// :".repeat(n)).into_bytes(),
        url: "/".into(),
    }),
    ("a path of invisible characters, and a comment", |n| {
        Hostile {
            file: format!("User-agent: *\nDisallow: {}#/", "\u{200b}".repeat(n)).into_bytes(),
            url: "/".into(),
        }
    }),
    ("sitemaps and delays", |n| {
        file(
            n,
            "",
            |i| format!("Sitemap: ../{i:06}.xml\nCrawl-delay: {i:06}"),
            "/",
        )
    }),
    ("the shortest records", |n| {
        file(n, "", |_| "Host:".into(), "/")
    }),
    ("the shortest records and as long lines without one", |n| {
        file(n, "", |i| ["Host:", "Guest"][i % 2].into(), "/")
    }),
    ("lines that are no records", |n| {
        file(n, "", |i| format!("<p>{i:06} é: Disalow"), "/")
    }),
    ("one line", |n| Hostile {
        file: "Disallow a:#".repeat(n).into_bytes(),
        url: "#/?".repeat(n),
    }),
    ("line feeds", |n| Hostile {
        file: b"\n".repeat(n),
        url: "/".into(),
    }),
    ("number signs", |n| Hostile {
        file: b"#".repeat(n),
        url: "/".into(),
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
    let access = |i: usize| ["Allow", "Disallow"][i % 2];
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

/// Writes a number in letters, as product tokens of RFC 9309 have no digits.
fn letters(number: usize) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}
