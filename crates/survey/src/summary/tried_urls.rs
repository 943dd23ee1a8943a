//! Finds by a few URLs, without compiling the rules, whether they open a part of a site and close
//! another.

use polite_robots::Access;

use crate::summary::plain_rules::ROBOTS_TXT;

/// Whether an agent with these rules may fetch a part of the site: one tried URL is allowed, and
/// another one is disallowed. `false` proves nothing.
///
/// The tried URLs are `/`, URLs that the first patterns of each kind match, with nothing for each
/// `*`, and one URL that hardly any file has a rule about. The values of the rules are those of the
/// file, byte for byte.
///
/// `work` is the number of comparisons of a rule with a URL that may still be made.
pub(crate) fn show_a_part(rules: &[(Access, &[u8])], work: &mut usize) -> bool {
    let mut found = Vec::from_iter(verdict(rules, b"/", work));
    for kind in [Access::Allow, Access::Disallow] {
        let of_kind = rules.iter().filter(|(access, _)| *access == kind);
        let urls = of_kind.filter_map(|(_, value)| url_of(value));
        for url in urls.take(MOST_URLS).chain([OTHER_URL.to_vec()]) {
            if found.contains(&kind) {
                break;
            }
            found.extend(verdict(rules, &url, work));
        }
    }
    found.contains(&Access::Allow) && found.contains(&Access::Disallow)
}

/// The verdict about a URL of certain bytes, if it is certain and there is enough work left.
fn verdict(rules: &[(Access, &[u8])], url: &[u8], work: &mut usize) -> Option<Access> {
    *work = work.checked_sub(rules.len())?;
    let mut allow = Longest::default();
    let mut disallow = Longest::default();
    for (access, value) in rules {
        let longest = match access {
            Access::Allow => &mut allow,
            Access::Disallow => &mut disallow,
        };
        longest.add(matches(value, url), value.len());
    }
    // `Allow` wins a tie (RFC 9309 §2.2.2).
    if allow.certain >= disallow.possible {
        Some(Access::Allow)
    } else if disallow.certain > allow.possible {
        Some(Access::Disallow)
    } else {
        None
    }
}

/// The length of the longest rule of one kind that matches a URL.
#[derive(Debug, Default)]
struct Longest {
    /// A lower bound of the length.
    certain: usize,
    /// An upper bound of the length.
    possible: usize,
}

impl Longest {
    fn add(&mut self, matches: Matches, length: usize) {
        match matches {
            Matches::Yes => {
                self.certain = self.certain.max(length);
                self.possible = self.possible.max(length);
            }
            // An escaped byte takes three bytes.
            Matches::Perhaps => self.possible = self.possible.max(length.saturating_mul(3)),
            Matches::No => {}
        }
    }
}

/// Whether a rule matches a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matches {
    Yes,
    No,
    /// The value has an escape that may stand for a byte of the URL.
    Perhaps,
}

/// Compares a value with a URL of certain bytes. Normalization of the value would escape some of
/// its bytes. Such a byte is not certain, so it matches no byte of the URL, escaped or not. So the
/// value needs no normalization.
fn matches(value: &[u8], url: &[u8]) -> Matches {
    if !matches!(value, [b'/' | b'*', ..]) {
        return Matches::No;
    }
    let (mut value, mut url) = (value, url);
    loop {
        (value, url) = match (value, url) {
            ([], _) | ([b'$'], []) => return Matches::Yes,
            ([b'*', ..], _) => return matches_from_star(value, url),
            ([b'%', ..], _) => return matches_with_escape(value, url),
            ([one, value @ ..], [other, url @ ..]) if one == other => (value, url),
            _ => return Matches::No,
        };
    }
}

/// [`matches`] for the rest of a value that begins with `*`.
fn matches_from_star(value: &[u8], url: &[u8]) -> Matches {
    if value.contains(&b'%') {
        return matches_with_escape(value, url);
    }
    let (body, is_anchored) = match value {
        [body @ .., b'$'] => (body, true),
        body => (body, false),
    };
    let mut rest = url;
    let mut pieces = body.split(|byte| *byte == b'*').skip(1).peekable();
    while let Some(piece) = pieces.next() {
        let is_last = pieces.peek().is_none();
        let after = match is_last && is_anchored {
            true => rest.ends_with(piece).then_some(&[][..]),
            false => after_first(rest, piece),
        };
        match after {
            Some(after) => rest = after,
            None => return Matches::No,
        }
    }
    Matches::Yes
}

/// [`matches`] for the rest of a value, which has an escape, and the rest of a URL, which has none.
/// Each escape stands for itself or for its byte.
fn matches_with_escape(value: &[u8], url: &[u8]) -> Matches {
    let mut escapes = value.split(|byte| *byte == b'%').skip(1);
    let is_in_url = |escape: &[u8]| match escape {
        [high, low, ..] => digits(*high, *low).is_some_and(|byte| url.contains(&byte)),
        _ => false,
    };
    match escapes.all(is_in_url) {
        true => Matches::Perhaps,
        false => Matches::No,
    }
}

/// The byte of two hexadecimal digits.
fn digits(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = digit(high)?.checked_mul(16)?.checked_add(digit(low)?)?;
    u8::try_from(byte).ok()
}

/// The text after the first place of a piece.
fn after_first<'u>(text: &'u [u8], piece: &[u8]) -> Option<&'u [u8]> {
    (0..=text.len()).find_map(|at| text.get(at..)?.strip_prefix(piece))
}

/// A URL that the value matches, with nothing for each `*`, if all its bytes are certain.
fn url_of(value: &[u8]) -> Option<Vec<u8>> {
    let body = value.strip_suffix(b"$").unwrap_or(value);
    let is_short = matches!(body, [b'/' | b'*', ..]) && body.len() <= LONGEST_URL;
    if !is_short || !body.iter().all(|byte| is_certain(*byte) || *byte == b'*') {
        return None;
    }
    let mut url = Vec::with_capacity(body.len().saturating_add(1));
    url.extend(body.iter().filter(|byte| **byte != b'*'));
    if !url.starts_with(b"/") {
        url.insert(0, b'/');
    }
    // Two slashes would be read as an authority, and the file itself is always allowed.
    let is_path = !url.starts_with(b"//") && !url.starts_with(ROBOTS_TXT);
    // No client sends a dot segment.
    let mut segments = url.split(|byte| matches!(byte, b'/' | b'?'));
    let is_sent = !segments.any(|segment| matches!(segment, b"." | b".."));
    (is_path && is_sent).then_some(url)
}

/// Bytes that no form of a URL or value has escaped, wherever they stand.
fn is_certain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'/' | b'-' | b'_' | b'.' | b'?' | b'=' | b'&' | b'+' | b',' | b':' | b';' | b'@'
        )
}

/// The most comparisons about one file. They take less time than reading the file, although a file
/// may have thousands of agents, each with thousands of rules.
pub(crate) const MOST_WORK: usize = 50_000;

/// A URL of no pattern in the corpora, for `Allow: /$`.
const OTHER_URL: &[u8] = b"/q7-zx";

/// The most URLs of each kind of rules. Nearly always the first one settles it.
const MOST_URLS: usize = 16;

/// The longest tried URL. For each byte of a URL, a hostile value with stars takes as many steps as
/// the value has bytes.
const LONGEST_URL: usize = 100;

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;
    use proptest::prelude::*;

    use super::*;
    use polite_robots_audit::coverage::{CoverageSearch, Extent};

    fn rules_of(robots_txt: &RobotsTxt) -> Vec<(Access, &[u8])> {
        let rules = robots_txt.groups().flat_map(|group| group.rules());
        rules.map(|rule| (rule.access(), rule.value())).collect()
    }

    fn is_shown(rules: &str) -> bool {
        let robots_txt = RobotsTxt::parse(format!("User-agent: *\n{rules}").as_bytes());
        show_a_part(&rules_of(&robots_txt), &mut { MOST_WORK })
    }

    #[test]
    fn a_few_urls_show_a_part() {
        for rules in [
            "Disallow: /tmp/\nAllow: /tmp/*.css",
            "Disallow: /\nAllow: /a*b$",
            "Disallow: /*?session=\nAllow: /*?session=1&page=",
            "Disallow: *.php\nAllow: /a.php",
            "Disallow: /b\nAllow: /%C3%A9",
            "Disallow: /b\nAllow: /*%C3%A9",
            "Disallow: /b\nAllow: /*%2B",
            "Disallow: /\nAllow: /$",
        ] {
            assert!(is_shown(rules), "{rules}");
        }
        for rules in [
            "",
            "Disallow: /",
            "Allow: /",
            "Disallow: /robots.txt",
            "Disallow: /a\nAllow: /a",
            "Disallow: /a\nAllow: /%61",
            "Disallow: //a",
        ] {
            assert!(!is_shown(rules), "{rules}");
        }
    }

    #[test]
    fn all_tries_about_a_file_share_one_bound() {
        let rules: Vec<(Access, &[u8])> = vec![(Access::Disallow, b"/a"); MOST_WORK / 4];
        let mut work = MOST_WORK;
        // Each call tries two URLs.
        assert!(show_a_part(&rules, &mut work));
        assert!(show_a_part(&rules, &mut work));
        assert!(!show_a_part(&rules, &mut work));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1000, ..ProptestConfig::default() })]

        #[test]
        fn every_verdict_is_that_of_the_rules(
            rules in prop::collection::vec("(Allow|Disallow): ([/*$ab]{1,5}|[/*][ab/*$.%2é?=&#\"6]{0,5}|/%6[12]|[/*]%[8C6Zz][A4é]a?)\n", 0..6),
            url in "/([ab][ab/?=&.26]{0,5})?",
        ) {
            let text = format!("User-agent: *\n{}", rules.concat());
            let robots_txt = RobotsTxt::parse(text.as_bytes());
            let robot = robots_txt.robot("*").unwrap();
            if let Some(access) = verdict(&rules_of(&robots_txt), url.as_bytes(), &mut { MOST_WORK }) {
                prop_assert_eq!(access == Access::Allow, robot.allowed(&url), "{} {}", text, url);
            }
        }

        #[test]
        fn a_part_that_is_shown_is_that_of_the_walk(
            rules in prop::collection::vec("(Allow|Disallow): (/|/robots.txt|[/*$a]{1,4}|[/*][ab/*$.%2é?#]{0,4})\n", 0..5),
        ) {
            let text = format!("User-agent: *\n{}", rules.concat());
            let robots_txt = RobotsTxt::parse(text.as_bytes());
            if show_a_part(&rules_of(&robots_txt), &mut { MOST_WORK }) {
                let mut search = CoverageSearch::new(&robots_txt);
                let coverage = search.coverage(&robots_txt.robot("*").unwrap());
                prop_assert!(coverage.is_certain());
                prop_assert_eq!(coverage.extent(), Extent::Part, "{}", text);
            }
        }
    }
}
