//! The value of the key `use` in a `Content-Signal`: how much of the content may be used.

use core::fmt;

use polite_robots::text::escaped;

/// How much of the content may be used: the value of `use` in a `Content-Signal`, which managed
/// files of 2026 have beside the preferences (`Content-Signal: search=yes, ai-train=no,
/// use=reference`).
///
/// No published text orders all values. It is known only that
/// [`Reference`](ContentUse::Reference) permits less than [`Full`](ContentUse::Full), so values
/// have no order of their own: ask [`ContentUse::permits_less_than`].
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_records::{ContentUse, Usage};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Signal: ai-train=no, use=reference")?;
/// let usage = Usage::of(&robot, "/story");
/// let uses: Vec<ContentUse> = usage.content_uses().map(|(content_use, _)| content_use).collect();
/// assert_eq!(uses, [ContentUse::Reference]);
/// assert!(ContentUse::Reference.permits_less_than(ContentUse::Full));
/// assert!(!ContentUse::Immediate.permits_less_than(ContentUse::Full));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentUse<'r> {
    /// `use=immediate`.
    Immediate,
    /// `use=reference`: it permits less than `full`.
    Reference,
    /// `use=full`.
    Full,
    /// Another value, as written; any bytes.
    Other(&'r [u8]),
}

impl<'r> ContentUse<'r> {
    /// The values that are known.
    pub const KNOWN: &'static [ContentUse<'static>] = &[
        ContentUse::Immediate,
        ContentUse::Reference,
        ContentUse::Full,
    ];

    /// Reads a value in any case.
    pub(crate) fn new(value: &'r [u8]) -> ContentUse<'r> {
        let is_value = |known: &&ContentUse<'static>| {
            let name = known.as_bytes();
            name.eq_ignore_ascii_case(value)
        };
        let known = ContentUse::KNOWN.iter().find(is_value);
        known.copied().unwrap_or(ContentUse::Other(value))
    }

    /// Whether this value is known to permit less than another one. That is so for `reference` and
    /// `full` alone.
    pub fn permits_less_than(self, other: ContentUse<'_>) -> bool {
        self == ContentUse::Reference && other == ContentUse::Full
    }

    /// The value: `immediate`, `reference`, `full`, or another as written.
    pub const fn as_bytes(self) -> &'r [u8] {
        match self {
            ContentUse::Immediate => b"immediate",
            ContentUse::Reference => b"reference",
            ContentUse::Full => b"full",
            ContentUse::Other(value) => value,
        }
    }
}

/// The value, with control characters escaped.
impl fmt::Display for ContentUse<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.as_bytes()).fmt(f)
    }
}
