//! The preferences of a site about one URL, each with the record or header that states it.

use core::cmp::Reverse;
use core::fmt;

use polite_robots::Rule;
use polite_robots::record::{AgentRecord, ExtensionField, PolicyToken};
use polite_robots::text::escaped;

use crate::preferences::content_signal::ContentSignal;
use crate::preferences::content_use::ContentUse;
use crate::preferences::preference::{Preference, UsageCategory};

/// The preferences of a site about the use of one URL's content, with the records that state them.
///
/// A preference is not a permission to fetch. It never changes a verdict, and a verdict says
/// nothing about use. [`Usage::of`] returns the preferences that a robots.txt states for a URL, the
/// crate `polite-robots-page` reads those in the headers of the page, and [`Usage::combined`] takes
/// both together.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_records::{Preference, Usage, UsageCategory};
///
/// let robot = Robot::new("ExampleBot", b"
/// User-agent: *
/// Content-Signal: search=yes, ai-train=no
/// Content-Usage: /blog/ train-ai=y
/// ")?;
/// let usage = Usage::of(&robot, "https://example.com/blog/1");
/// assert_eq!((usage.search(), usage.ai_input()), (Preference::Allowed, Preference::Unstated));
/// // The two records disagree, so the more restrictive one counts.
/// assert_eq!(usage.ai_training(), Preference::Disallowed);
/// assert_eq!(usage.record(UsageCategory::AiTraining).map(|record| record.line()), Some(3));
/// assert_eq!(
///     usage.to_string(),
///     "search: allowed by line 3; AI input: not stated; AI training: disallowed by line 3",
/// );
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage<'r> {
    /// The preference that is stated about each use, with its evidence.
    stated: [Stated<'r>; UsageCategory::ALL.len()],
    content_uses: ContentUses<'r>,
}

impl<'r> Usage<'r> {
    /// Combines the preferences that several places state about one page: its robots.txt, the
    /// headers of its response, or the headers of a page that redirects to it. The most restrictive
    /// preference counts, wherever it is stated (draft-ietf-aipref-vocab-08 §5.1). The order of the
    /// usages does not matter: of records that state the same, one of a robots.txt is the evidence
    /// before one of a header, and then the earlier one.
    ///
    /// ```
    /// use polite_robots::Robot;
    /// use polite_robots::record::ExtensionField;
    /// use polite_robots_records::{ContentUsage, Usage, UsageCategory, UsageRecord, UsageSource};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Usage: / train-ai=y, search=y")?;
    /// let value = b"train-ai=n";
    /// let header = UsageRecord::of_header(ExtensionField::ContentUsage, value, 1);
    /// let stated = ContentUsage::new(value).ok_or("no dictionary")?;
    /// let page = Usage::of_record(header, |category| stated.preference(category));
    /// let usage = Usage::combined([Usage::of(&robot, "/story"), page]);
    /// let record = usage.record(UsageCategory::AiTraining).ok_or("nothing stated")?;
    /// assert_eq!((record.source(), record.value()), (UsageSource::Header, &value[..]));
    /// assert_eq!(
    ///     usage.to_string(),
    ///     "search: allowed by line 2; AI input: not stated; \
    ///      AI training: disallowed by the header Content-Usage",
    /// );
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn combined(usages: impl IntoIterator<Item = Usage<'r>>) -> Usage<'r> {
        usages.into_iter().fold(Usage::default(), Usage::and)
    }

    /// The preferences that one record states, with the values of `use` in a `Content-Signal`. A
    /// reader of headers combines several of them by [`Usage::combined`].
    ///
    /// ```
    /// use polite_robots::record::ExtensionField;
    /// use polite_robots_records::{ContentSignal, Usage, UsageRecord};
    ///
    /// let value = b"search=yes, ai-train=no";
    /// let record = UsageRecord::of_header(ExtensionField::ContentSignal, value, 1);
    /// let signal = ContentSignal::new(value);
    /// let usage = Usage::of_record(record, |category| signal.preference(category));
    /// assert_eq!(
    ///     usage.to_string(),
    ///     "search: allowed by the header Content-Signal; AI input: not stated; \
    ///      AI training: disallowed by the header Content-Signal",
    /// );
    /// ```
    #[must_use]
    pub fn of_record(
        record: UsageRecord<'r>,
        preference: impl Fn(UsageCategory) -> Preference,
    ) -> Usage<'r> {
        Usage::stating(record, UsageCategory::EACH.map(preference))
    }

    pub(crate) fn stating(record: UsageRecord<'r>, preferences: [Preference; 3]) -> Usage<'r> {
        let is_stated = |preference| preference != Preference::Unstated;
        let mut usage = Usage {
            stated: preferences.map(|it| is_stated(it).then_some((it, record))),
            content_uses: ContentUses::default(),
        };
        if record.field == ExtensionField::ContentSignal.as_str() {
            for content_use in ContentSignal::new(record.value).content_uses() {
                usage.content_uses.add(content_use, record);
            }
        }
        usage
    }

    fn and(mut self, other: Usage<'r>) -> Usage<'r> {
        for (one, other) in self.stated.iter_mut().zip(other.stated) {
            keep_stronger(one, other);
        }
        for (content_use, record) in other.content_uses() {
            self.content_uses.add(content_use, record);
        }
        self
    }

    /// Adds the preference that a record states about one use.
    pub(crate) fn add(&mut self, of: UsageCategory, preference: Preference, by: UsageRecord<'r>) {
        if let Some(one) = self.stated.get_mut(of as usize) {
            keep_stronger(one, Some((preference, by)));
        }
    }

    /// The preference about a search index, and about results that link to the content.
    pub fn search(&self) -> Preference {
        self.preference(UsageCategory::Search)
    }

    /// The preference about input to an AI model, such as grounding an answer.
    pub fn ai_input(&self) -> Preference {
        self.preference(UsageCategory::AiInput)
    }

    /// The preference about training an AI model.
    pub fn ai_training(&self) -> Preference {
        self.preference(UsageCategory::AiTraining)
    }

    /// The preference about one use.
    pub fn preference(&self, category: UsageCategory) -> Preference {
        let stated = self.stated(category);
        stated.map(|(preference, _)| preference).unwrap_or_default()
    }

    /// The record that states the preference, the first if several do. `None` for
    /// [`Preference::Unstated`].
    pub fn record(&self, category: UsageCategory) -> Option<UsageRecord<'r>> {
        self.stated(category).map(|(_, record)| record)
    }

    fn stated(&self, category: UsageCategory) -> Stated<'r> {
        self.stated.get(category as usize).copied().flatten()
    }

    /// How much of the content may be used, each value with the first record that states it. Nearly
    /// always there is at most one. If records disagree, `full` is left out beside `reference`,
    /// which permits less; other values have no known order, so each of them is there, and of
    /// several unknown values the first.
    pub fn content_uses(
        &self,
    ) -> impl Iterator<Item = (ContentUse<'r>, UsageRecord<'r>)> + use<'r> {
        self.content_uses.slots.into_iter().flatten()
    }
}

/// A preference that is stated about a use, with its evidence.
type Stated<'r> = Option<(Preference, UsageRecord<'r>)>;

/// Keeps the more restrictive preference, and of equal ones the first.
fn keep_stronger<'r>(one: &mut Stated<'r>, other: Stated<'r>) {
    let strength = |(preference, record): &(Preference, UsageRecord<'_>)| {
        (*preference, Reverse(record.place()))
    };
    if other.as_ref().map(strength) > one.as_ref().map(strength) {
        *one = other;
    }
}

/// The values of `use` that are left of several records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ContentUses<'r> {
    /// Values that are known to permit more or less than each other share a place.
    slots: [Option<(ContentUse<'r>, UsageRecord<'r>)>; 3],
}

impl<'r> ContentUses<'r> {
    fn add(&mut self, content_use: ContentUse<'r>, record: UsageRecord<'r>) {
        let [ordered, immediate, other] = &mut self.slots;
        let slot = match content_use {
            ContentUse::Reference | ContentUse::Full => ordered,
            ContentUse::Immediate => immediate,
            ContentUse::Other(_) => other,
        };
        let counts = slot.is_none_or(|(kept, at)| {
            content_use.permits_less_than(kept)
                || (!kept.permits_less_than(content_use) && record.place() < at.place())
        });
        if counts {
            *slot = Some((content_use, record));
        }
    }
}

/// One sentence: every category, its preference, and the line or header that states it.
impl fmt::Display for Usage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for category in UsageCategory::ALL.iter().copied() {
            write!(f, "{separator}{category}: {}", self.preference(category))?;
            if let Some(record) = self.record(category) {
                match record.source {
                    UsageSource::RobotsTxt | UsageSource::Policy(_) => {
                        write!(f, " by line {}", record.line)?;
                    }
                    UsageSource::Header => write!(f, " by the header {}", record.field)?,
                }
            }
            separator = "; ";
        }
        Ok(())
    }
}

/// The record that states a preference of a [`Usage`]: `Content-Signal` or `Content-Usage`, in a
/// line of a robots.txt or in a header, or a rule of a group that names the use.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_records::{Usage, UsageCategory, UsageSource};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Usage: /a/ train-ai=n")?;
/// let record = Usage::of(&robot, "/a/1").record(UsageCategory::AiTraining).unwrap();
/// assert_eq!((record.source(), record.line()), (UsageSource::RobotsTxt, 2));
/// assert_eq!((record.field(), record.value()), ("Content-Usage", &b"/a/ train-ai=n"[..]));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsageRecord<'r> {
    source: UsageSource,
    field: &'static str,
    value: &'r [u8],
    line: u32,
}

impl<'r> UsageRecord<'r> {
    /// A line of a header: its field, `Content-Signal` or `Content-Usage`, its value without blanks
    /// around it, and its number among the lines with that field name, counted from 1.
    #[must_use]
    pub fn of_header(field: ExtensionField, value: &'r [u8], line: u32) -> UsageRecord<'r> {
        UsageRecord {
            source: UsageSource::Header,
            field: field.as_str(),
            value,
            line,
        }
    }

    /// The line of a robots.txt that is for the agent of a robot.
    pub(crate) fn of_robot(record: &'r AgentRecord) -> UsageRecord<'r> {
        UsageRecord {
            source: UsageSource::RobotsTxt,
            ..UsageRecord::of_header(record.field(), record.value(), record.line())
        }
    }

    /// A rule of a group that names a use.
    pub(crate) fn of_policy(token: PolicyToken, rule: Rule<'r>) -> UsageRecord<'r> {
        UsageRecord {
            source: UsageSource::Policy(token),
            field: rule.access().as_str(),
            value: rule.pattern().as_bytes(),
            line: rule.line(),
        }
    }

    /// Where the record stands.
    pub fn source(&self) -> UsageSource {
        self.source
    }

    /// The field as its specification writes it: `Content-Signal`, `Content-Usage`, or `Allow` or
    /// `Disallow` for a rule.
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// The value as written, without blanks around it and without a comment; any bytes. For a rule,
    /// its path in the form of [`Rule::pattern`].
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// The line of the robots.txt, counted from 1. For a header, the number of the line among those
    /// with its field name, which may come several times, also counted from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The sort key of the evidence: of equal statements the first counts.
    fn place(&self) -> (bool, u32, &'static str) {
        (self.source == UsageSource::Header, self.line, self.field)
    }
}

/// The record as written, with control characters escaped.
impl fmt::Display for UsageRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, escaped(self.value))
    }
}

/// Where a record about the use of content stands.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots::record::{ExtensionField, PolicyToken};
/// use polite_robots_records::{Usage, UsageCategory, UsageRecord, UsageSource};
///
/// let record = UsageRecord::of_header(ExtensionField::ContentSignal, b"ai-train=no", 1);
/// assert_eq!(record.source(), UsageSource::Header);
///
/// let robot = Robot::new("ExampleBot", b"User-agent: __usage_ai-training\nDisallow: /a")?;
/// let record = Usage::of(&robot, "/a").record(UsageCategory::AiTraining).unwrap();
/// assert_eq!(record.source(), UsageSource::Policy(PolicyToken::AiTraining));
/// assert_eq!((record.line(), record.to_string()), (2, "Disallow: /a".to_string()));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UsageSource {
    /// A record of a robots.txt.
    RobotsTxt,
    /// A rule of a robots.txt, in a group that names the use in place of an agent.
    Policy(PolicyToken),
    /// A header of the response with the page.
    Header,
}
