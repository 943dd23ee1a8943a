//! [`Rule`]: one rule of a robot, as callers see it.

use core::fmt::{self, Write as _};
use core::hash::{Hash, Hasher};

use crate::access::Access;
use crate::rules::pattern::Tier;
use crate::rules::rule_list::{RuleEntry, RuleList};
use crate::target::Target;
use crate::text::percent::encode;

/// An `Allow` or `Disallow` rule that applies to an agent, in the form in which it is compared.
///
/// A `Copy` view of a [`Robot`](crate::Robot), where all rules lie in one block of memory.
///
/// ```
/// use polite_robots::{Access, Robot, Tier};
///
/// let robot = Robot::new("ExampleBot", "User-agent: *\nDisallow: /caf%c3%a9\nAllow: /*.css$".as_bytes())?;
/// let rules: Vec<String> = robot.rules().map(|rule| rule.to_string()).collect();
/// assert_eq!(rules, ["Disallow: /caf%C3%A9", "Allow: /*.css$"]);
///
/// let verdict = robot.check("/style.css");
/// let rule = verdict.rule().unwrap();
/// assert_eq!((rule.access(), rule.line(), rule.length(), rule.tier()), (Access::Allow, 3, 7, Tier::Span));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rule<'r> {
    list: &'r RuleList,
    pub(crate) entry: &'r RuleEntry,
}

impl<'r> Rule<'r> {
    /// `entry` must be one of `list`.
    #[inline]
    pub(crate) fn new(list: &'r RuleList, entry: &'r RuleEntry) -> Rule<'r> {
        Rule { list, entry }
    }

    /// Whether the rule allows or disallows.
    pub fn access(&self) -> Access {
        self.entry.access()
    }

    /// The path pattern in compared form, ASCII: percent-encoded as the dialect asks (RFC 9309
    /// §2.2.2, or only the upper case of Google's matcher), with `*` for any bytes and a final `$`
    /// for the end of the path.
    pub fn pattern(&self) -> &'r str {
        self.list.pattern_text(self.entry)
    }

    /// The line of the file with the rule, from 1.
    pub fn line(&self) -> u32 {
        self.entry.line()
    }

    /// The length of the pattern in bytes of the compared form, wildcards counted: RFC 9309 §2.2.2
    /// measures a match by it, so the longest matching rule decides.
    pub fn length(&self) -> usize {
        self.entry.pattern.len as usize
    }

    /// How the pattern is compared.
    pub fn tier(&self) -> Tier {
        self.entry.pattern.form.tier()
    }

    /// Whether the pattern matches the URL, even where a longer rule decides. Of a URL with a `\`
    /// in its path, either reading may match ([`Target`]).
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /shop\nAllow: /shop/help")?;
    /// let matching = robot.rules().filter(|rule| rule.matches("/shop/help/returns"));
    /// assert_eq!(matching.count(), 2);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn matches<'u>(&self, url: impl Into<Target<'u>>) -> bool {
        let target = url.into();
        let (first, second) = target.readings(self.list.dialect());
        self.list.is_match(self.entry, &first)
            || second.is_some_and(|path| self.list.is_match(self.entry, &path))
    }
}

/// The rule as a line of a file, such as `Disallow: /private/`.
impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.access())?;
        if self.length() > 0 {
            f.write_str(" ")?;
        }
        // The Google dialect leaves control characters in a pattern; a terminal must not obey them.
        for byte in self.pattern().bytes() {
            if byte.is_ascii_control() {
                encode(byte)
                    .map(char::from)
                    .into_iter()
                    .try_for_each(|escape| f.write_char(escape))?;
            } else {
                f.write_char(char::from(byte))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rule")
            .field("access", &self.access())
            .field("pattern", &self.pattern())
            .field("line", &self.line())
            .field("tier", &self.tier())
            .finish()
    }
}

/// Equal with the same access and pattern on the same line; within one robot that is the same rule.
impl PartialEq for Rule<'_> {
    fn eq(&self, other: &Rule<'_>) -> bool {
        (self.access(), self.line(), self.pattern())
            == (other.access(), other.line(), other.pattern())
    }
}

impl Eq for Rule<'_> {}

impl Hash for Rule<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.access(), self.line(), self.pattern()).hash(state);
    }
}
