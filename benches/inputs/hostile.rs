//! Hostile files: each made some parser of robots.txt hang, run out of memory, or refuse the file.

use std::fmt::Write as _;

use super::AGENT;

/// A file, its most expensive question, and the answer.
pub struct Hostile {
    pub name: String,
    pub bytes: Vec<u8>,
    pub path: String,
    pub allowed: bool,
}

/// One rule, one path.
fn one_rule(name: &str, pattern: &str, path: String, allowed: bool) -> Hostile {
    Hostile {
        name: name.to_owned(),
        bytes: format!("User-agent: *\nDisallow: {pattern}\n").into_bytes(),
        path,
        allowed,
    }
}

/// `*a` × `pairs` against a path of four times as many `a` and a `b`. A matcher that tries every
/// way to split the `a` takes exponential time once the `$` makes all ways fail. Without it the
/// rule matches.
pub fn star_a(pairs: usize, end: End) -> Hostile {
    let (name, dollar, allowed) = match end {
        End::Open => (format!("`/` + `*a` × {pairs}"), "", false),
        End::Anchored => (format!("`/` + `*a` × {pairs} + `$`"), "$", true),
    };
    let pattern = format!("/{}{dollar}", "*a".repeat(pairs));
    one_rule(
        &name,
        &pattern,
        format!("/{}b", "a".repeat(4 * pairs)),
        allowed,
    )
}

#[derive(Clone, Copy)]
pub enum End {
    Open,
    /// A pattern that ends in `$`.
    Anchored,
}

/// The rows of section E of the peers' benchmark.
pub fn all() -> Vec<Hostile> {
    let long_path = || format!("/a/{}", "x/".repeat(1_000));
    let a = |count: usize| "A".repeat(count);
    vec![
        star_a(500, End::Open),
        star_a(500, End::Anchored),
        one_rule(
            "`/a/` + 14 stars + `/b`, short path",
            "/a/**************/b",
            "/a/x/y/z/c".to_owned(),
            true,
        ),
        one_rule(
            "same, path of 2,003",
            "/a/**************/b",
            long_path(),
            true,
        ),
        one_rule(
            "`/a/` + 10,000 stars + `/b`, path of 2,003",
            &format!("/a/{}/b", "*".repeat(10_000)),
            long_path(),
            true,
        ),
        one_rule(
            "`/` + 1,000,000 `A`, path of 2,000 `A`",
            &format!("/{}", a(1_000_000)),
            format!("/{}", a(2_000)),
            true,
        ),
        one_rule(
            "same, path of 1,000,001 `A`",
            &format!("/{}", a(1_000_000)),
            format!("/{}", a(1_000_001)),
            false,
        ),
        one_rule(
            "`/` + 1,000 `A` + `$`",
            &format!("/{}$", a(1_000)),
            format!("/{}", a(1_000)),
            false,
        ),
        one_rule(
            "`/` + 4,000 `A` + `$`",
            &format!("/{}$", a(4_000)),
            format!("/{}", a(4_000)),
            false,
        ),
        many_agents(),
        many_stars(),
        Hostile {
            name: "1,000,000 newlines".to_owned(),
            bytes: "\n".repeat(1_000_000).into_bytes(),
            path: "/".to_owned(),
            allowed: true,
        },
        Hostile {
            name: "1,000,000 `#`".to_owned(),
            bytes: "#".repeat(1_000_000).into_bytes(),
            path: "/".to_owned(),
            allowed: true,
        },
    ]
}

/// Agents that share rules: a parser that copies the rules to each agent keeps four million.
fn many_agents() -> Hostile {
    let mut text = String::new();
    for i in 0..1_999_u32 {
        // Product tokens have no digits.
        let letters: String = i
            .to_string()
            .bytes()
            .map(|digit| char::from(digit - b'0' + b'a'))
            .collect();
        let _ = writeln!(text, "User-agent: {letters}");
    }
    let _ = writeln!(text, "User-agent: {AGENT}");
    for i in 0..2_000 {
        let _ = writeln!(text, "Disallow: /p{i}");
    }
    Hostile {
        name: "2,000 agents share 2,000 rules".to_owned(),
        bytes: text.into_bytes(),
        path: "/p1999".to_owned(),
        allowed: false,
    }
}

fn many_stars() -> Hostile {
    let mut text = String::from("User-agent: *\n");
    text.push_str(&"Disallow: /*a*a*a*a*b$\n".repeat(5_000));
    Hostile {
        name: "5,000 × `/*a*a*a*a*b$`, path of 200 `a` + `c`".to_owned(),
        bytes: text.into_bytes(),
        path: format!("/{}c", "a".repeat(200)),
        allowed: true,
    }
}
