//! The error of the builders.

use alloc::borrow::ToOwned as _;
use alloc::string::String;

use polite_robots::document::GOOGLE_LINE_BYTES;
use polite_robots::record::ExtensionField;
use polite_robots::text::{as_typed, quote};
use polite_robots::{InvalidToken, InvalidUrl};

/// A value that a robots.txt cannot carry, or that would read back with another meaning.
///
/// The message names the record, the group and the value, and says what to write instead:
///
/// ```
/// use polite_robots_build::GroupBuilder;
///
/// let error = GroupBuilder::new("ExampleBot")?
///     .disallow("search")
///     .unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`Disallow` in the group of `ExampleBot`: `search` begins with neither `/` nor `*` \
///      and matches nothing; begin it with `/`",
/// );
/// assert_eq!((error.field(), error.value()), ("Disallow", "search"));
/// # Ok::<(), polite_robots_build::InvalidRecord>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`{}: {}{}", self.of_group(), self.offender(), refusal.problem)]
pub struct InvalidRecord {
    field: &'static str,
    group: Option<String>,
    refusal: Refusal,
}

impl InvalidRecord {
    pub(crate) fn new(field: &'static str, refusal: Refusal) -> InvalidRecord {
        InvalidRecord {
            field,
            group: None,
            refusal,
        }
    }

    pub(crate) fn in_group_of(self, agent: &str) -> InvalidRecord {
        InvalidRecord {
            group: Some(agent.to_owned()),
            ..self
        }
    }

    /// The field name of the refused record; `#` for a comment.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// The value as given, or the part of it that is wrong.
    pub fn value(&self) -> &str {
        &self.refusal.value
    }

    fn of_group(&self) -> String {
        match &self.group {
            Some(agent) => alloc::format!(" in the group of `{agent}`"),
            None => String::new(),
        }
    }

    fn offender(&self) -> String {
        match &self.refusal.problem {
            // The messages of these quote the value themselves, or there is no value.
            Problem::Token(_) | Problem::Url(_) | Problem::Empty => String::new(),
            _ => alloc::format!("{} ", quote(self.refusal.value.as_bytes())),
        }
    }
}

/// A refused value, or the part of it that is wrong, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    value: String,
    problem: Problem,
}

/// The reason for the refusal. Each message is a predicate; the quoted value is its subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error(transparent)]
    Token(InvalidToken),
    #[error("`{}` is not a valid http or https URL: {}", as_typed(.0.url()), .0.problem())]
    Url(InvalidUrl),
    #[error("the value is empty; leave the record out")]
    Empty,
    #[error(
        "holds the control character `{}`, which no line can carry; remove it, or percent-encode it if a URL has it",
        .0.escape_unicode()
    )]
    Control(char),
    #[error("holds `#`, which begins a comment; remove it and the text after it")]
    NumberSign,
    #[error(
        "begins or ends with a blank, which every reader removes; trim it, or write `%20` if a URL has it"
    )]
    BlankAtEdge,
    #[error(
        "makes a line of {0} bytes, and Google's matcher reads {GOOGLE_LINE_BYTES}; shorten it"
    )]
    TooLong(usize),
    #[error("begins with neither `/` nor `*` and matches nothing; begin it with `/`")]
    PatternStart,
    #[error("does not begin with `/`, as every path does; begin it with `/`")]
    PathStart,
    #[error("is more than a host and a port; remove the rest")]
    NotOnlyHost,
    #[error("holds `{}`, which is not allowed there; {allowed}", as_typed(&String::from(*.found)))]
    Character { found: char, allowed: &'static str },
    #[error("is not in lower case, so the whole record would be ignored; write it in lower case")]
    NotLowerCase,
    #[error("is not a time of day; give hours below 24 and minutes below 60")]
    NotATime,
    #[error("is not a whole number of seconds above zero; round it up")]
    NotWholeSeconds,
    #[error("documents are not a rate; disallow `/` instead")]
    NoDocuments,
    #[error("would apply to the agents above it: add `{0}` to a `GroupBuilder`")]
    GroupRecord(ExtensionField),
    #[error("applies to everyone: add `{0}` to the `RobotsTxtBuilder`")]
    FileRecord(ExtensionField),
}

impl Problem {
    /// The refusal of a value for this reason.
    pub(crate) fn with(self, value: &str) -> Refusal {
        Refusal {
            value: value.to_owned(),
            problem: self,
        }
    }
}
