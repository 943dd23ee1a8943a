//! The comparison of two robots for callers that compare many.

use polite_robots::Robot;

use crate::witness::{RuleText, Search, rules};

/// The answers of two robots.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_audit::difference::Likeness;
///
/// let robot = |text: &[u8]| RobotsTxt::parse(text).robot("*");
/// let one = robot(b"User-agent: *\nDisallow: /shop")?;
/// let other = robot(b"User-agent: *\nDisallow: /shop\nDisallow: /shop/old")?;
/// assert_eq!(Likeness::of(&one, &other), Likeness::Alike);
/// let other = robot(b"User-agent: *\nDisallow: /shop/")?;
/// assert_eq!(Likeness::of(&one, &other), Likeness::Different("/shop".into()));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Likeness {
    /// They give the same answer about each URL.
    Alike,
    /// They give different answers about this URL.
    Different(String),
    /// The search takes more than some milliseconds, or has found a URL about which the answers
    /// are the same all the same: `/robots.txt`, which RFC 9309 always allows.
    Unknown,
}

impl Likeness {
    /// Compares two robots within some milliseconds, however long their rules are.
    #[must_use]
    pub fn of(one: &Robot, other: &Robot) -> Likeness {
        let [texts, other_texts] = [one, other].map(|robot| robot.rules().map(RuleText::new));
        if texts.eq(other_texts) {
            return Likeness::Alike;
        }
        match Search::first(&rules(one), &rules(other)) {
            Ok(None) => Likeness::Alike,
            Ok(Some(url)) if one.allowed(&url) != other.allowed(&url) => Likeness::Different(url),
            Ok(Some(_)) | Err(_) => Likeness::Unknown,
        }
    }
}
