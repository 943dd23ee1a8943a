//! Generated files with the sizes, rule counts and kinds of patterns of real files but none of
//! their lines, and synthetic sets, each of one pattern.

use std::fmt::Write as _;

use super::xorshift::Xorshift;
use super::{Expected, Input};

/// The files that are parsed and compiled.
pub fn parsed() -> [Input; 10] {
    [
        tiny(),
        median(),
        twitter_like(),
        p99(),
        sophos_like(),
        smugmug_like(),
        runescape_like(),
        oracle_like(),
        d1(),
        d4(),
    ]
}

/// The smallest file that has a rule.
pub fn tiny() -> Input {
    let text = "User-agent: *\nAllow: /admin/login\nDisallow: /admin/\n";
    Input::new("tiny", text.into(), Expected::Disallowed(15))
}

/// Half of the 3,728 real files with rules are smaller than 618 bytes, and half have fewer than 15
/// rules.
pub fn median() -> Input {
    let text = "\
# robots.txt for https://www.example.com/
# Questions: robots@example.com

User-agent: OtherBot
Disallow: /

User-agent: *
Crawl-delay: 5
Allow: /wp-admin/admin-ajax.php
Disallow: /wp-admin/
Disallow: /wp-includes/
Disallow: /cgi-bin/
Disallow: /search
Disallow: /cart/
Disallow: /checkout/confirmation/
Disallow: /account/
Disallow: /user/*/followers
Disallow: /*?session=
Disallow: /*?sort=
Disallow: /print/
Disallow: /*.pdf$
Disallow: /newsletter/stop/

Sitemap: https://www.example.com/sitemap.xml
Sitemap: https://www.example.com/sitemaps/news-sitemap.xml
Sitemap: https://www.example.com/sitemaps/images.xml
";
    Input::new("median", text.into(), Expected::Disallowed(22))
}

/// One file of a hundred is larger than this: 22 kB, 488 rules. 18 % of the rules
/// contain a `*`, 8 % begin with one, 2 % end in `$`.
pub fn p99() -> Input {
    let mut random = Xorshift::new(99);
    let mut text = String::from("# robots.txt\n\n");
    for (agent, rules) in [("OtherBot", 60), ("ThirdBot", 40), ("*", 388)] {
        let _ = writeln!(text, "User-agent: {agent}");
        for _ in 0..rules {
            let access = if random.below(10) == 0 {
                "Allow"
            } else {
                "Disallow"
            };
            let a = random.pick(&WORDS);
            let b = random.pick(&WORDS);
            let c = random.pick(&WORDS);
            let number = random.below(10_000);
            let _ = match random.below(100) {
                0..8 => writeln!(text, "{access}: /*/{a}/{b}-{number}/{c}/"),
                8..16 => writeln!(text, "{access}: /{a}/*/{b}/{c}?page={number}"),
                16..18 => writeln!(text, "{access}: /{a}/{b}/{c}/*-{number}.php$"),
                _ => writeln!(text, "{access}: /{a}/{b}/{c}-{number}/{a}/"),
            };
        }
        text.push('\n');
    }
    text.push_str("Sitemap: https://www.example.com/sitemap.xml\n");
    Input::new("p99", text.into(), Expected::Disallowed(14))
}

/// 2.8 kB, 136 lines, six groups with the same dozen rules; the last group is for everyone.
pub fn twitter_like() -> Input {
    let mut text = String::new();
    for agent in ["OtherBot", "ThirdBot", "FourthBot", "FifthBot", "SixthBot"] {
        let _ = write!(
            text,
            "# Rules of the search engine {agent}\n# ================================\n"
        );
        let _ = writeln!(text, "User-agent: {agent}");
        text.push_str(SOCIAL_NETWORK);
        text.push('\n');
    }
    text.push_str("# Rules of everyone else who reads this file\n# ==========================================\nUser-agent: *\n");
    text.push_str(SOCIAL_NETWORK);
    text.push_str(
        "
Disallow: /connect/authorize
Disallow: /v2/authorize

Disallow: /live/events
Disallow: /live/welcome

# Links in letters must not be indexed. This applies to all robots.
# =================================================================
Disallow: /m/letter
Noindex: /m/letter

# A second between two requests, please; the operations team counts them.
# The sitemap is the same for every robot.
Crawl-delay: 1

Sitemap: https://www.example.com/sitemap.xml
",
    );
    Input::new("twitter-like", text.into(), Expected::Disallowed(20))
}

/// 850 kB, 31,843 rules for `*`: the largest rule set of the corpus (docs.oracle.com).
pub fn oracle_like() -> Input {
    let mut random = Xorshift::new(31_843);
    let mut text = String::from("User-agent: *\n");
    for i in 0..31_843 {
        let shelf = random.pick(&["cd", "cd", "library"]);
        let part = 1 + random.below(9);
        let _ = writeln!(text, "Disallow: /{shelf}/E{:05}_{part:02}/", 10_000 + i);
    }
    Input::new("oracle-like", text.into(), Expected::DisallowedHere(20))
}

/// 119 kB, 4,997 short rules for `*` (www.runescape.com).
pub fn runescape_like() -> Input {
    let mut text = String::from("User-agent: *\n");
    for i in 0..4_997 {
        let (language, page) = (i % 5, i / 5);
        let _ = match language {
            0 => writeln!(text, "Disallow: /b={page}/"),
            1 => writeln!(text, "Disallow: /g=dragonrealm/k=1/b={page}/"),
            _ => writeln!(text, "Disallow: /k={language}/b={page}/"),
        };
    }
    Input::new("runescape-like", text.into(), Expected::Disallowed(20))
}

/// 67 kB, 1,208 rules for `*`, 1,200 of them with wildcards, most of them leading (www.sophos.com,
/// made harder).
pub fn sophos_like() -> Input {
    let mut random = Xorshift::new(1_208);
    let mut text = String::from("User-agent: *\n");
    for i in 0..1_208 {
        let a = random.pick(&WORDS);
        let b = random.pick(&WORDS);
        let c = random.pick(&WORDS);
        let _ = match i % 6 {
            _ if i >= 1_200 => writeln!(text, "Disallow: /{a}/{b}/"),
            0 => writeln!(text, "Disallow: /{a}/*/{b}/{c}/archived-release-{i}.aspx"),
            1 => writeln!(text, "Disallow: /*/{a}/{b}/{c}/archived-release-{i}.aspx"),
            2 => writeln!(
                text,
                "Disallow: /*/{a}-office/{b}-releases/{i}/{c}/summary.aspx"
            ),
            3 => writeln!(text, "Disallow: /*{a}-{b}-{c}-topics-{i}*"),
            4 => writeln!(text, "Disallow: /management-console/{a}/{b}/{i}/*"),
            _ => writeln!(text, "Disallow: /*/{a}/{b}/{c}/*?release-number={i}"),
        };
    }
    Input::new("sophos-like", text.into(), Expected::Disallowed(24))
}

/// 143 kB: 39 agents with 144 rules each, and one rule for `*`, the only one that a robot needs
/// (www.smugmug.com).
pub fn smugmug_like() -> Input {
    let mut text = String::new();
    for agent in 0..39_u8 {
        let letter = |n: u8| char::from(b'a' + n);
        let _ = writeln!(
            text,
            "User-agent: Robot-{}{}",
            letter(agent / 26),
            letter(agent % 26)
        );
        for (i, word) in WORDS.iter().cycle().take(72).enumerate() {
            let _ = write!(
                text,
                "Disallow: /look/{word}{i}\nDisallow: /look/{word}{i}/\n"
            );
        }
        text.push('\n');
    }
    text.push_str("User-agent: *\nDisallow: /look/\n");
    Input::new("smugmug-like", text.into(), Expected::Disallowed(30))
}

/// 10,000 prefixes, 500,014 bytes.
pub fn d1() -> Input {
    let text = rules(10_000, |i| {
        format!("/directory-{i:05}/section/page-{i:05}.htm")
    });
    Input::new("d1", text, Expected::Disallowed(20))
}

/// 5,000 × `/a{i}/*/b{i}$`.
pub fn d2() -> Input {
    let text = rules(5_000, |i| format!("/a{i}/*/b{i}$"));
    Input::new("d2", text, Expected::Disallowed(10))
}

/// 5,000 × `/a{i}/*/b{i}`.
pub fn d3() -> Input {
    let text = rules(5_000, |i| format!("/a{i}/*/b{i}"));
    Input::new("d3", text, Expected::Disallowed(20))
}

/// 5,000 × `/*/a{i}/b{i}=`.
pub fn d4() -> Input {
    let text = rules(5_000, |i| format!("/*/a{i}/b{i}="));
    Input::new("d4", text, Expected::Disallowed(20))
}

/// 500 × `/*?*param{i}=`, as shops write them.
pub fn params() -> Input {
    let text = rules(500, |i| format!("/*?*param{i}="));
    Input::new("500 params", text, Expected::Disallowed(20))
}

/// One group for `*` with the patterns of 1 to `count`.
pub fn rules(count: usize, pattern: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = String::from("User-agent: *\n");
    for i in 1..=count {
        let _ = writeln!(text, "Disallow: {}", pattern(i));
    }
    text.into_bytes()
}

const SOCIAL_NETWORK: &str = "\
Allow: /?_old_fragment_

Allow: /*?locale=
Allow: /topic/*?from=
Allow: /find?q=%23
Allow: /live/api/
Disallow: /find/happening-now
Disallow: /find/people
Disallow: /find/*/as-tiles

Disallow: /*?
Disallow: /*/fans
Disallow: /*/friends

Disallow: /profile/was-closed
Disallow: /preferences/was-closed
";

const WORDS: [&str; 36] = [
    "about", "account", "admin", "archive", "article", "basket", "blog", "browse", "career",
    "catalog", "category", "comment", "contact", "content", "download", "event", "feed", "forum",
    "gallery", "help", "image", "include", "login", "media", "member", "module", "news", "order",
    "partner", "press", "print", "product", "profile", "review", "search", "support",
];
