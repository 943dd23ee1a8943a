//! The comparison of two robots for callers that compare many.

use polite_robots::Robot;

use crate::witness::{RuleText, Search, directories, rules};

/// Compares pairs of robots. All searches for other answers together take some milliseconds; after
/// these a comparison takes only the time to read and to sort the rules.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_audit::difference::{Likeness, RobotPairs};
///
/// let robot = |text: &[u8]| RobotsTxt::parse(text).robot("*");
/// let one = robot(b"User-agent: *\nDisallow: /shop")?;
/// let mut pairs = RobotPairs::new();
/// let other = robot(b"User-agent: *\nDisallow: /shop\nDisallow: /shop/old")?;
/// assert_eq!(pairs.compare(&one, &other), Likeness::Alike);
/// let other = robot(b"User-agent: *\nDisallow: /shop/")?;
/// assert_eq!(pairs.compare(&one, &other), Likeness::Different("/shop".into()));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug)]
pub struct RobotPairs {
    search: Search,
}

/// The answers of two robots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Likeness {
    /// They give the same answer about each URL.
    Alike,
    /// They give different answers about this URL.
    Different(String),
    /// It is not known: no time is left to search, the search found only `/robots.txt`, which RFC
    /// 9309 always allows, or a rule is about an index page, so that Google's matcher opens its
    /// directory too.
    Unknown,
}

impl RobotPairs {
    /// No pair is compared yet.
    #[must_use]
    pub fn new() -> RobotPairs {
        RobotPairs {
            search: Search::small(),
        }
    }

    /// Compares two robots.
    pub fn compare(&mut self, one: &Robot, other: &Robot) -> Likeness {
        let [texts, other_texts] = [one, other].map(|robot| robot.rules().map(RuleText::new));
        if texts.eq(other_texts) {
            return Likeness::Alike;
        }
        let [rules, other_rules] = [one, other].map(rules);
        let directories = directories(&rules).chain(directories(&other_rules));
        let directories: Vec<String> = directories.collect();
        let found = match self.search.first(&rules, &other_rules) {
            Ok(None) if directories.is_empty() => return Likeness::Alike,
            found => found.unwrap_or_default(),
        };
        let mut urls = found.into_iter().chain(directories);
        match urls.find(|url| one.allowed(url) != other.allowed(url)) {
            Some(url) => Likeness::Different(url),
            None => Likeness::Unknown,
        }
    }
}

impl Default for RobotPairs {
    fn default() -> RobotPairs {
        RobotPairs::new()
    }
}

#[cfg(test)]
mod tests {
    use polite_robots::{Options, Robot, RobotsTxt};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::{Likeness, RobotPairs};

    const PARTS: &[&str] = &[
        "/",
        "/",
        "a",
        "b",
        "*",
        "$",
        "?",
        ".",
        "index.html",
        "%61",
        "\\",
        " ",
    ];

    /// Paths that often overlap, and some paths of any parts.
    fn paths() -> impl Strategy<Value = String> {
        let known = select(&["/", "/$", "/*", "/index.html", "/a", "/a/", "/a/index.html"][..]);
        let parts = vec(select(PARTS), 0..5).prop_map(|parts| parts.concat());
        prop_oneof![
            2 => known.prop_map(str::to_owned),
            1 => parts.prop_map(|parts| format!("/{}", parts.trim_start_matches('/'))),
        ]
    }

    fn lists() -> impl Strategy<Value = String> {
        let rules = (select(&["Allow", "Disallow"][..]), paths());
        let rules = rules.prop_map(|(access, path)| format!("{access}: {path}\n"));
        vec(rules, 0..4).prop_map(|rules| rules.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        /// Robots that are alike answer every URL alike. For other robots, the URL shows that they
        /// differ.
        #[test]
        fn answers_are_as_said(
            common in lists(),
            own in lists(),
            urls in vec(paths(), 1..20),
            is_google: bool,
        ) {
            let options = match is_google {
                true => Options::google(),
                false => Options::rfc9309(),
            };
            let [one, other] = [&common, &(common.clone() + &own)].map(|rules| {
                let file = format!("User-agent: *\n{rules}");
                RobotsTxt::parse_with(file.as_bytes(), &options).robot("*").unwrap()
            });
            match RobotPairs::new().compare(&one, &other) {
                Likeness::Alike => {
                    for url in urls {
                        prop_assert_eq!(one.allowed(&url), other.allowed(&url), "{}", url);
                    }
                }
                Likeness::Different(url) => prop_assert_ne!(one.allowed(&url), other.allowed(&url)),
                Likeness::Unknown => {}
            }
        }
    }

    fn robot(rules: &str) -> Robot {
        let file = format!("User-agent: *\n{rules}");
        RobotsTxt::parse(file.as_bytes()).robot("*").unwrap()
    }

    /// An equal `Allow` overrules the `Disallow` at the end of any path, so each search goes on to
    /// its end.
    #[test]
    fn searches_share_one_bound() {
        let hard: String = (0..12).map(|n| format!("Allow: /*a*{n}*b\n")).collect();
        let one = robot(&hard);
        let other = robot(&format!("{hard}Disallow: /*~$\nAllow: /*~$\n"));
        let mut pairs = RobotPairs::new();
        let found: Vec<Likeness> = (0..40).map(|_| pairs.compare(&one, &other)).collect();
        let unknown = found.iter().position(|found| *found == Likeness::Unknown);
        assert!(unknown.is_some_and(|first| first < 20), "{found:?}");
        assert!(pairs.search.is_spent());
        assert_eq!(pairs.compare(&one, &one), Likeness::Alike);
    }
}
