//! [`Access`]: the effect of a rule.

/// The effect of a rule on the URLs that it matches.
///
/// ```
/// use polite_robots::{Access, Robot};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /a\nAllow: /a/b")?;
/// let allows = robot.rules().filter(|rule| rule.access() == Access::Allow);
/// assert_eq!(allows.count(), 1);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// The URL may be fetched. Wins against a `Disallow` of the same length (RFC 9309 §2.2.2).
    Allow,
    /// The URL must not be fetched.
    Disallow,
}

impl Access {
    /// The field name of a rule with this effect.
    pub const fn as_str(self) -> &'static str {
        match self {
            Access::Allow => "Allow",
            Access::Disallow => "Disallow",
        }
    }
}

impl core::fmt::Display for Access {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}
