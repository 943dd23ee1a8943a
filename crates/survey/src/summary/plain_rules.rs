//! Finds how much plain rules let an agent fetch, without a walk: this settles nine files in ten of
//! a survey.

use polite_robots::Access;
use polite_robots_audit::coverage::Extent;

/// The kinds and lengths of an agent's rules, from which the extent of RFC 9309 follows for most
/// agents. The size is fixed, and the rules of several groups can be joined.
///
/// A plain pattern is a slash and unreserved characters, such as `/tmp/`. It matches itself, and
/// longer plain patterns do not match it. All other patterns are taken to match anything that they
/// might.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlainRules {
    allow: Kind,
    disallow: Kind,
}

/// The value of a rule, with the classes of its bytes, so that it is read only once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleValue<'v> {
    value: &'v [u8],
    classes: Classes,
}

impl<'v> RuleValue<'v> {
    /// Reads a value as the file has it.
    pub(crate) fn new(value: &'v [u8]) -> RuleValue<'v> {
        RuleValue {
            value,
            classes: Classes::of(value),
        }
    }

    /// The value as the file has it.
    pub(crate) fn as_bytes(self) -> &'v [u8] {
        self.value
    }

    /// Whether the value has a `*`.
    pub(crate) fn has_star(self) -> bool {
        self.classes.has(Classes::STAR)
    }

    /// Whether the value is `/`, `*` or equivalent to them, such as `/*`, `*/` and `/*$`.
    pub(crate) fn matches_everything(self) -> bool {
        let body = self.value.strip_suffix(b"*$").unwrap_or(self.value);
        let mut slashes = 0;
        let is_filler = |byte: &u8| {
            slashes += u8::from(*byte == b'/');
            matches!(byte, b'*' | b'/') && slashes <= 1
        };
        !self.value.is_empty() && body.iter().all(is_filler)
    }

    /// Whether the value may match `/`, and is not one of those that match everything. Bytes other
    /// than `/`, and their escapes, match no part of `/`.
    fn may_be_root(self) -> bool {
        let RuleValue { value, classes } = self;
        if classes.has(Classes::ODD | Classes::UNSEEN) {
            return false;
        }
        if !classes.has(Classes::PERCENT) {
            let slashes = || value.iter().filter(|byte| **byte == b'/').count();
            return !classes.has(Classes::NAME) && slashes() <= 1;
        }
        let mut pieces = value.split(|byte| *byte == b'%');
        let is_open = |text: &[u8]| text.iter().all(|byte| matches!(byte, b'/' | b'*' | b'$'));
        let is_slash = |escape: &[u8]| match escape {
            [b'2', b'F' | b'f', after @ ..] => is_open(after),
            _ => false,
        };
        pieces.next().is_none_or(is_open) && pieces.all(is_slash)
    }
}

/// All rules of one access: the `Allow` rules or the `Disallow` rules.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Kind {
    /// Whether a rule might match something.
    can_match: bool,
    /// Whether a rule matches every path.
    matches_everything: bool,
    /// The lengths of the plain patterns: bit `n` for `n` bytes, the last bit for all longer ones.
    plain_lengths: u64,
    /// An upper bound of the length of the patterns that are not plain.
    longest_other: usize,
    /// The length of the longest pattern that surely matches everything: `/`, `*` and `/*`.
    root_length: usize,
    /// An upper bound of the length of all patterns.
    longest: usize,
    /// A lower bound of the length of the longest pattern that is not plain and surely matches some
    /// URL that is not that of robots.txt.
    longest_sure: usize,
    /// Whether a pattern that does not surely match everything may match `/`.
    may_match_root: bool,
}

impl PlainRules {
    /// Adds a rule with a value that was read.
    pub(crate) fn add(&mut self, access: Access, rule_value: RuleValue<'_>) {
        let kind = match access {
            Access::Allow => &mut self.allow,
            Access::Disallow => &mut self.disallow,
        };
        let RuleValue { value, classes } = rule_value;
        let [first @ (b'/' | b'*'), rest @ ..] = value else {
            // An empty value and one without a slash match nothing.
            return;
        };
        kind.can_match = true;
        kind.matches_everything |= rule_value.matches_everything();
        if classes.has(Classes::DOT) && has_dot_segment(value) {
            // No client sends such a path, so that the rule may match nothing.
            let length = value.len().saturating_mul(3);
            kind.longest_other = kind.longest_other.max(length);
            kind.longest = kind.longest.max(length);
            return;
        }
        if *first == b'/' && classes.are_plain() && !matches!(rest, [] | [b'/', ..]) {
            kind.longest = kind.longest.max(value.len());
            if value != ROBOTS_TXT {
                kind.plain_lengths |= length_bit(value.len());
            }
            return;
        }
        // A byte of the file may take three bytes once it is escaped.
        let length = match classes.has(Classes::PERCENT | Classes::ODD | Classes::UNSEEN) {
            false => value.len(),
            true => value.len().saturating_mul(3),
        };
        kind.longest_other = kind.longest_other.max(length);
        kind.longest = kind.longest.max(length);
        let is_sure = !classes.has(Classes::DOLLAR | Classes::PERCENT | Classes::UNSEEN);
        if is_sure && !value.starts_with(b"//") {
            // Without `$` a pattern matches URLs of any length. The stars may not count towards the
            // length.
            let length = match rule_value.has_star() {
                true => value.iter().filter(|byte| **byte != b'*').count(),
                false => value.len(),
            };
            kind.longest_sure = kind.longest_sure.max(length);
        }
        if matches!(value, b"/" | b"*" | b"/*") {
            kind.root_length = kind.root_length.max(value.len());
        } else {
            kind.may_match_root |= rule_value.may_be_root();
        }
    }

    /// Adds the rules of another group of the same agent.
    pub(crate) fn join(&mut self, other: PlainRules) {
        self.allow.join(other.allow);
        self.disallow.join(other.disallow);
    }

    /// Whether everything is disallowed: a `Disallow` matches every path, and no `Allow` can match.
    pub(crate) fn disallow_all(&self) -> bool {
        self.disallow.matches_everything && !self.allow.can_match
    }

    /// Whether everything is allowed: no `Disallow` can match.
    pub(crate) fn allow_all(&self) -> bool {
        !self.disallow.can_match
    }

    /// The access to `/`, if it is certain without compiled rules.
    pub(crate) fn access_to_root(&self) -> Option<Access> {
        // Other rules may match `/` too. They can change the answer only if they are of the other
        // kind.
        match self.allow.root_length >= self.disallow.root_length {
            true => (!self.disallow.may_match_root).then_some(Access::Allow),
            false => (!self.allow.may_match_root).then_some(Access::Disallow),
        }
    }

    /// The extent, if it is certain without a walk. A test compares it with that of
    /// [`CoverageSearch`](polite_robots_audit::coverage::CoverageSearch).
    pub(crate) fn extent(&self) -> Option<Extent> {
        let PlainRules { allow, disallow } = self;
        if !disallow.can_match {
            return Some(Extent::Everything);
        }
        // Only patterns that match everything have a length here, and the longest rule of all
        // decides about the URLs that it matches. `Allow` wins a tie (RFC 9309 §2.2.2).
        if disallow.root_length > allow.longest {
            return Some(Extent::Nothing);
        }
        if allow.root_length >= disallow.longest {
            return Some(Extent::Everything);
        }
        let root = self.access_to_root();
        let has_allowed = root == Some(Access::Allow)
            || allow.longest_sure >= disallow.longest
            || lengths_from(disallow.longest_other) & allow.plain_lengths != 0;
        let has_disallowed = root == Some(Access::Disallow)
            || disallow.longest_sure > allow.longest
            || lengths_from(allow.longest_other.saturating_add(1))
                & disallow.plain_lengths
                & !allow.plain_lengths
                != 0;
        (has_allowed && has_disallowed).then_some(Extent::Part)
    }
}

impl Kind {
    fn join(&mut self, other: Kind) {
        self.can_match |= other.can_match;
        self.matches_everything |= other.matches_everything;
        self.plain_lengths |= other.plain_lengths;
        self.longest_other = self.longest_other.max(other.longest_other);
        self.root_length = self.root_length.max(other.root_length);
        self.longest = self.longest.max(other.longest);
        self.longest_sure = self.longest_sure.max(other.longest_sure);
        self.may_match_root |= other.may_match_root;
    }
}

/// The classes of the bytes of a value, found in one pass: a survey of millions of files has
/// hundreds of millions of rules.
#[derive(Debug, Clone, Copy)]
struct Classes(u8);

impl Classes {
    /// Letters, digits and other bytes that stand for themselves in every pattern and URL. Only `/`
    /// has no class.
    const NAME: u8 = 1;
    /// A dot, which is a `NAME` too unless it is a segment.
    const DOT: u8 = 1 << 6;
    const STAR: u8 = 1 << 1;
    const DOLLAR: u8 = 1 << 2;
    const PERCENT: u8 = 1 << 3;
    /// Other visible bytes, which a URL may have escaped.
    const ODD: u8 = 1 << 4;
    /// Blanks, control characters and bytes outside of ASCII.
    const UNSEEN: u8 = 1 << 5;

    fn of(value: &[u8]) -> Classes {
        let class = |byte: &u8| {
            CLASS_OF
                .get(usize::from(*byte))
                .copied()
                .unwrap_or_default()
        };
        Classes(value.iter().fold(0, |all, byte| all | class(byte)))
    }

    fn has(self, any: u8) -> bool {
        self.0 & any != 0
    }

    fn are_plain(self) -> bool {
        self.0 & !(Classes::NAME | Classes::DOT) == 0
    }

    const fn of_byte(byte: u8) -> u8 {
        match byte {
            b'/' => 0,
            b'*' => Classes::STAR,
            b'$' => Classes::DOLLAR,
            b'%' => Classes::PERCENT,
            b'-' | b'_' => Classes::NAME,
            b'.' => Classes::NAME | Classes::DOT,
            byte if byte.is_ascii_alphanumeric() => Classes::NAME,
            byte if byte.is_ascii_graphic() => Classes::ODD,
            _ => Classes::UNSEEN,
        }
    }
}

#[expect(clippy::indexing_slicing, reason = "computed at compile time")]
static CLASS_OF: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < classes.len() {
        classes[byte] = Classes::of_byte(byte as u8);
        byte += 1;
    }
    classes
};

/// Whether a value has a segment `.` or `..`, perhaps with a query or a `$` after it.
fn has_dot_segment(value: &[u8]) -> bool {
    let mut segments = value.split(|byte| *byte == b'/');
    segments.any(|segment| {
        let end = segment.iter().position(|byte| matches!(byte, b'?' | b'$'));
        matches!(
            segment.get(..end.unwrap_or(segment.len())),
            Some(b"." | b"..")
        )
    })
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(LAST_BIT)
}

/// The bits of this length and all greater lengths. A length beyond the last bit has no bits: the
/// last bit may stand for a smaller length.
fn lengths_from(length: usize) -> u64 {
    match length {
        0..=LAST_BIT => u64::MAX << length,
        _ => 0,
    }
}

const LAST_BIT: usize = 63;

/// The one URL that is always allowed.
pub(super) const ROBOTS_TXT: &[u8] = b"/robots.txt";

#[cfg(test)]
mod tests {
    use polite_robots::RobotsTxt;
    use proptest::prelude::*;

    use super::*;
    use polite_robots_audit::coverage::CoverageSearch;

    fn plain_rules(robots_txt: &RobotsTxt) -> PlainRules {
        let mut all = PlainRules::default();
        for group in robots_txt.groups() {
            let mut rules = PlainRules::default();
            for rule in group.rules() {
                rules.add(rule.access(), RuleValue::new(rule.value()));
            }
            all.join(rules);
        }
        all
    }

    fn of(rules: &str) -> Option<Extent> {
        plain_rules(&RobotsTxt::parse(
            format!("User-agent: *\n{rules}").as_bytes(),
        ))
        .extent()
    }

    #[test]
    fn the_rules_of_most_files_need_no_walk() {
        for (rules, extent) in [
            ("", Extent::Everything),
            ("Disallow:", Extent::Everything),
            ("Allow: /", Extent::Everything),
            ("Disallow: /", Extent::Nothing),
            (
                "Disallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php",
                Extent::Part,
            ),
            ("Disallow: /\nAllow: /open", Extent::Part),
            ("Disallow: /*.pdf$\nDisallow: /a", Extent::Part),
            ("Disallow: /a\nAllow: /", Extent::Part),
            ("Disallow: /\nAllow: /", Extent::Everything),
            ("Disallow: *\nAllow: /*", Extent::Everything),
            ("Disallow: /*\nAllow: /", Extent::Nothing),
        ] {
            assert_eq!(of(rules), Some(extent), "{rules}");
        }
        for rules in [
            "Disallow: /robots.txt",
            "Disallow: /a\nAllow: /a",
            "Disallow: /\nAllow: /a\nDisallow: /a*",
        ] {
            assert_eq!(of(rules), None, "{rules}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn an_extent_without_a_walk_is_that_of_the_walk(
            rules in prop::collection::vec("(Allow|Disallow): (/|\\*|/\\*|/robots.txt|/[ab]{1,3}|[/*$a]{1,4}|/[ab/*$.%2é?#]{0,4}|/a{62,65}|)", 0..5),
            at in 0..5_usize,
        ) {
            let (one, other) = rules.split_at(at.min(rules.len()));
            let text = format!("User-agent: *\n{}\nUser-agent: *\n{}", one.join("\n"), other.join("\n"));
            let robots_txt = RobotsTxt::parse(text.as_bytes());
            let robot = robots_txt.robot("*").unwrap();
            if let Some(extent) = plain_rules(&robots_txt).extent() {
                let mut search = CoverageSearch::new(&robots_txt);
                let coverage = search.coverage(&robot);
                prop_assert!(coverage.is_certain());
                prop_assert_eq!(coverage.extent(), extent, "{}", text);
            }
        }

        #[test]
        fn an_access_to_root_without_a_robot_is_that_of_the_robot(
            rules in prop::collection::vec("(Allow|Disallow): (/|[/*$]{1,4}|/[ab]|/?\\*|[/*$.a?é]{0,3}%(2[FfAa4]|6|%)?[/*$a]{0,2}|)\n", 0..5),
        ) {
            let text = format!("User-agent: *\n{}", rules.concat());
            let robots_txt = RobotsTxt::parse(text.as_bytes());
            if let Some(access) = plain_rules(&robots_txt).access_to_root() {
                let robot = robots_txt.robot("*").unwrap();
                prop_assert_eq!(access == Access::Allow, robot.allowed("/"), "{}", text);
            }
        }
    }
}
