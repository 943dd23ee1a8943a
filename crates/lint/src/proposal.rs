//! [`Proposal`]: text to write about a finding, as edits of the file, and which answers it changes.

use std::ops::Range;

use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::difference::{Difference, Question, Versions};

/// A text in the place of another one.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_lint::lint;
///
/// let found = lint(&RobotsTxt::parse(b"User-agent: *\nDisallow: admin\n"));
/// let edit = &found[0].proposals()[0].edits()[0];
/// assert_eq!((edit.span(), edit.text()), (24..29, "/admin"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Edit {
    pub(crate) span: Range<usize>,
    pub(crate) text: String,
}

impl Edit {
    /// The position in [`RobotsTxt::as_bytes`](polite_robots::RobotsTxt::as_bytes), in bytes from
    /// 0. An empty span is a place where the text is inserted.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The new text, which is empty where the old one is only removed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The answers that change if a [`Proposal`] is followed. A later one changes more.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_lint::{Effect, lint};
///
/// let found = lint(&RobotsTxt::parse(b"User-agent: *\nDisallow: admin\n"));
/// // The rule has an effect once its path begins with a slash.
/// assert_eq!(found[0].proposals()[0].effect(), Effect::Answers);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// No answer changes, neither by RFC 9309 nor by Google's matcher.
    Nothing,
    /// No answer of RFC 9309 changes. Answers of Google's matcher may.
    Google,
    /// Answers change: a verdict, a preference, a delay or another record of some agent;
    /// [`Proposal::difference`] says which. The versions of a file of more than 24 KiB are not
    /// compared, and other lines of it may decide as before.
    Answers,
}

impl Effect {
    /// Whether answers change, as an effect.
    pub(crate) fn if_answers(change: bool) -> Effect {
        match change {
            true => Effect::Answers,
            false => Effect::Nothing,
        }
    }

    /// The stable name, for machines: `nothing`, `google` or `answers`.
    ///
    /// ```
    /// assert_eq!(polite_robots_lint::Effect::Answers.as_str(), "answers");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Effect::Nothing => "nothing",
            Effect::Google => "google",
            Effect::Answers => "answers",
        }
    }
}

/// Edits that go together, which an owner can make about a finding.
///
/// Each proposal keeps three promises: once it is followed, the finding is gone; only the answers
/// change that [`Proposal::effect`] names; and following further proposals comes to an end.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_lint::lint;
///
/// let file = b"User-agent: *\nDisallow: admin\n";
/// let found = lint(&RobotsTxt::parse(file));
/// let proposals = found[0].proposals();
/// assert_eq!(proposals[0].apply(file), b"User-agent: *\nDisallow: /admin\n");
/// // The sentence offers a second one.
/// assert_eq!(proposals[1].apply(file), b"User-agent: *\nDisallow: /*admin\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Proposal {
    edits: Vec<Edit>,
    effect: Effect,
}

impl Proposal {
    /// The edits in the order of the file, none of which overlap; at least one.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The answers that change.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The file in which the proposal is followed; `file` is the one of the finding. An edit beyond
    /// the end of another file is left out.
    #[must_use]
    pub fn apply(&self, file: &[u8]) -> Vec<u8> {
        apply(file, &self.edits)
    }

    /// The answers that change if the proposal is followed in its file, for which agents and about
    /// which URLs, by the dialect of the file. This compares two versions, which takes longer than
    /// the finding did.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_lint::lint;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: admin\n");
    /// let found = lint(&robots_txt);
    /// let difference = found[0].proposals()[0].difference(&robots_txt);
    /// let mut changes = difference.changes().iter().filter(|change| change.is_change());
    /// let change = changes.next().ok_or("no change")?;
    /// assert_eq!(change.agents(), ["*"]);
    /// assert!(change.verdicts().any(|verdict| verdict.url == "/admin"));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn difference(&self, robots_txt: &RobotsTxt) -> Difference {
        let options = Options::new(robots_txt.dialect());
        let followed = RobotsTxt::parse_with(&self.apply(robots_txt.as_bytes()), &options);
        Versions::new(robots_txt, &followed).difference(Question::Rules)
    }

    /// A text in the place of another one.
    pub(crate) fn replace(span: Range<usize>, text: impl Into<String>, effect: Effect) -> Proposal {
        let text = text.into();
        Proposal {
            edits: vec![Edit { span, text }],
            effect,
        }
    }

    /// Like [`Proposal::replace`], for a text that changes answers.
    pub(crate) fn write(span: Range<usize>, text: impl Into<String>) -> Proposal {
        Proposal::replace(span, text, Effect::Answers)
    }

    /// Edits that go together; `None` if there are none.
    pub(crate) fn of<T: Into<String>>(
        edits: impl IntoIterator<Item = (Range<usize>, T)>,
        effect: Effect,
    ) -> Option<Proposal> {
        let mut edits = edits.into_iter();
        let (span, text) = edits.next()?;
        let first = Proposal::replace(span, text, effect);
        Some(edits.fold(first, |proposal, (span, text)| proposal.and(span, text)))
    }

    /// The proposal with the edits of another one.
    #[must_use]
    pub(crate) fn with(self, other: &Proposal) -> Proposal {
        let edits = other.edits().iter();
        edits.fold(self, |all, edit| all.and(edit.span(), edit.text()))
    }

    /// The proposal with one more edit.
    #[must_use]
    pub(crate) fn and(mut self, span: Range<usize>, text: impl Into<String>) -> Proposal {
        let text = text.into();
        let edit = Edit { span, text };
        let is_before = |other: &Edit| other.span.start <= edit.span.start;
        let place = match self.edits.last() {
            // Nearly all come in their order, so this is fast for thousands too.
            Some(last) if is_before(last) => self.edits.len(),
            _ => self.edits.partition_point(is_before),
        };
        self.edits.insert(place, edit);
        self
    }

    /// The file without a line and its end.
    pub(crate) fn without_line(file: &[u8], line: Range<usize>, effect: Effect) -> Proposal {
        Proposal::replace(with_line_end(file, line), "", effect)
    }

    /// Lines in the place of a text; `text` has a line feed between two of them.
    pub(crate) fn lines(file: &[u8], span: Range<usize>, text: &str) -> Proposal {
        Proposal::write(span, text.replace('\n', usual_line_end(file)))
    }

    /// One or more lines above a line; `text` has a line feed between two of them.
    pub(crate) fn line_above(file: &[u8], line: Range<usize>, text: &str) -> Proposal {
        Proposal::lines(file, line.start..line.start, &format!("{text}\n"))
    }

    /// One or more lines below a line; `text` has a line feed between two of them.
    pub(crate) fn line_below(file: &[u8], line: Range<usize>, text: &str) -> Proposal {
        Proposal::lines(file, line.end..line.end, &format!("\n{text}"))
    }

    /// Gives the edit at a place of the list another span and text.
    pub(crate) fn rewrite(&mut self, at: usize, span: Range<usize>, text: &str) {
        if let Some(edit) = self.edits.get_mut(at) {
            let text = text.to_owned();
            *edit = Edit { span, text };
        }
    }

    /// The same edits with another effect.
    #[must_use]
    pub(crate) fn with_effect(self, effect: Effect) -> Proposal {
        Proposal { effect, ..self }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_edits(edits: Vec<Edit>, effect: Effect) -> Option<Proposal> {
        let mut end = 0;
        let is_apart = |edit: &Edit| {
            let is_apart = edit.span.start >= end && edit.span.start <= edit.span.end;
            end = edit.span.end;
            is_apart
        };
        let are_apart = !edits.is_empty() && edits.iter().all(is_apart);
        are_apart.then_some(Proposal { edits, effect })
    }
}

/// The file with edits that are in its order and do not overlap.
pub(crate) fn apply(file: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut after = Vec::with_capacity(file.len());
    let mut end = 0;
    for edit in edits.iter().filter(|edit| edit.span.end <= file.len()) {
        after.extend_from_slice(file.get(end..edit.span.start).unwrap_or_default());
        after.extend_from_slice(edit.text.as_bytes());
        end = edit.span.end;
    }
    after.extend_from_slice(file.get(end..).unwrap_or_default());
    after
}

/// The line with its end.
pub(crate) fn with_line_end(file: &[u8], line: Range<usize>) -> Range<usize> {
    let end = line_end(file, line.end);
    line.start..line.end.saturating_add(end.len())
}

/// The line end at a place; empty at the end of the file.
pub(crate) fn line_end(file: &[u8], at: usize) -> &str {
    match file.get(at..) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\n', ..]) => "\n",
        Some([b'\r', ..]) => "\r",
        _ => "",
    }
}

/// The end of the first line, which new lines get too.
pub(crate) fn usual_line_end(file: &[u8]) -> &'static str {
    // In a file of carriage returns alone the search would read it all, for each proposal.
    let head = file.get(..LONGEST_FIRST_LINE).unwrap_or(file);
    let first = memchr::memchr(b'\n', head).and_then(|at| file.get(..at));
    match first {
        Some([.., b'\r']) => "\r\n",
        _ => "\n",
    }
}

const LONGEST_FIRST_LINE: usize = 1 << 10;
