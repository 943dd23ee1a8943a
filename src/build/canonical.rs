//! Rewrites a parsed file in canonical form.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem::take;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::content::Content;
use crate::parse::field::{Directive, ExtensionLevel};
use crate::parse::group::{Grouping, Membership, Opening};
use crate::parse::line::{
    GOOGLE_LINE_BYTES, PhysicalLine, PhysicalLines, SkippedStart, skipped_start,
};
use crate::parse::part::Part;
use crate::parse::trim::{trim, without_comment};
use crate::robots::robots_txt::RobotsTxt;
use crate::sort;
use crate::token::{is_wildcard, leading_name, leading_token};

/// The treatment of comments, of unknown fields and of lines that are not a record, when a file is
/// rewritten in canonical form.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::build::CommentPolicy;
///
/// let robots_txt = RobotsTxt::parse(b"user-agent:a # us\nNoarchive: /\ndisallow:/");
/// let kept = robots_txt.to_canonical(CommentPolicy::Keep);
/// assert_eq!(kept, b"User-agent: a # us\nNoarchive: /\nDisallow: /\n");
/// assert_eq!(robots_txt.to_canonical(CommentPolicy::Drop), b"User-agent: a\nDisallow: /\n");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommentPolicy {
    /// They stay with the record below them or before them on the line.
    Keep,
    /// They are removed.
    Drop,
}

impl RobotsTxt {
    /// The file in canonical form: one spelling for each field, one blank after the colon, one
    /// group for the same agents, the records of a group directly below its agents, and the records
    /// for everyone at the end.
    ///
    /// It answers every question as the file does, in both dialects; only line numbers differ.
    /// Values are copied, so they may hold any bytes. Two groups of the same agents stay apart if a
    /// group between them shares an agent, because the order of equally long rules decides which of
    /// them is reported. If the dialects read a line differently, because it is very long or its
    /// name only begins like a known one, that line is copied and every line keeps its place.
    ///
    /// [`RobotsTxt::disallow_all`] is written as a group that disallows everything,
    /// [`RobotsTxt::allow_all`] as an empty file.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::build::CommentPolicy;
    ///
    /// let robots_txt = RobotsTxt::parse(b"
    /// user-agent: ExampleBot
    /// dissalow /a
    /// sitemap: https://example.com/map.xml
    /// User-agent: *
    /// Disallow: /
    /// User-Agent: examplebot
    /// Disallow: /b
    /// Crawl-delay: 2
    /// ");
    /// let canonical = String::from_utf8(robots_txt.to_canonical(CommentPolicy::Keep))?;
    /// assert_eq!(canonical, "\
    /// User-agent: ExampleBot
    /// Crawl-delay: 2
    /// Disallow: /a
    /// Disallow: /b
    ///
    /// User-agent: *
    /// Disallow: /
    ///
    /// Sitemap: https://example.com/map.xml
    /// ");
    /// # Ok::<(), std::string::FromUtf8Error>(())
    /// ```
    pub fn to_canonical(&self, comments: CommentPolicy) -> Vec<u8> {
        if let Some(blanket) = self.site_answer() {
            return match blanket.access {
                Access::Allow => Vec::new(),
                Access::Disallow => b"User-agent: *\nDisallow: /\n".to_vec(),
            };
        }
        let file = self.as_bytes();
        let lines = || PhysicalLines::new(file).map(|line| read(whole(line, file), comments));
        let mut text = Text::default();
        if lines().any(|line| matches!(line, Line::Ambiguous(_))) {
            write_in_order(lines(), &mut text);
        } else {
            Outline::new(lines()).write(&mut text);
        }
        text.bytes
    }
}

/// A line of the file.
enum Line<'a> {
    Blank,
    /// A comment, an unknown field, or a line that is not a record.
    Remark(&'a [u8]),
    Record(Record<'a>),
    /// A line that the dialects read differently, or would if it were written in canonical form.
    Ambiguous(&'a [u8]),
}

/// The meaning of a record, and the parts that are written.
struct Record<'a> {
    directive: Directive,
    field: &'a [u8],
    value: &'a [u8],
    comment: &'a [u8],
}

impl Record<'_> {
    /// The line as it is written.
    fn line(&self) -> Vec<u8> {
        let mut line = [self.field, b":"].concat();
        for part in [self.value, self.comment] {
            if !part.is_empty() {
                line.push(b' ');
                line.extend_from_slice(part);
            }
        }
        line
    }
}

/// The line from its first byte on, if it begins with a character whose start was skipped as that
/// of a byte order mark. No record begins in a character, so the line stays a remark.
fn whole<'a>(line: PhysicalLine<'a>, file: &'a [u8]) -> PhysicalLine<'a> {
    let is_cut = line.number == 1 && skipped_start(file) == SkippedStart::Character;
    let from_start = Part::new(0, file).head(line.part.end());
    PhysicalLine {
        part: if is_cut { from_start } else { line.part },
        ..line
    }
}

fn read<'a>(line: PhysicalLine<'a>, comments: CommentPolicy) -> Line<'a> {
    let known = |dialect| match Content::new(&line, dialect) {
        Content::Known(record, directive) => Some((directive, record)),
        _ => None,
    };
    let bytes = line.part.bytes;
    let written = |directive, field: &'a [u8], value: &'a [u8]| {
        // Google's matcher may cut the comment.
        if field.len() + ": ".len() + value.len() > GOOGLE_LINE_BYTES {
            return Line::Ambiguous(bytes);
        }
        let comment = match comments {
            CommentPolicy::Keep => comment(bytes),
            CommentPolicy::Drop => b"",
        };
        Line::Record(Record {
            directive,
            field,
            value,
            comment,
        })
    };
    match (known(Dialect::Rfc9309), known(Dialect::Google)) {
        (None, None) if comments == CommentPolicy::Drop || trim(bytes).is_empty() => Line::Blank,
        // Trimmed, it would show Google's matcher bytes that it cuts off now.
        (None, None) if line.is_too_long() => Line::Remark(bytes),
        (None, None) => Line::Remark(trim(bytes)),
        (Some((rfc, record)), Some((google, shorter)))
            if rfc == google && record.value.bytes() == shorter.value.bytes() =>
        {
            written(rfc, rfc.as_str().as_bytes(), record.value.bytes())
        }
        // Google reads `Sitemap_index`, other crawlers skip it, so it may move. A rule or an agent
        // for Google only may not.
        (None, Some((sitemap @ Directive::Extension(_), record))) if !line.is_too_long() => {
            match written(sitemap, record.field.bytes, record.value.bytes()) {
                // `Sitemap x:y#…` grows by two blanks, and would be too long to be read the same
                // again.
                Line::Record(record) if record.line().len() > GOOGLE_LINE_BYTES => {
                    Line::Ambiguous(bytes)
                }
                line => line,
            }
        }
        _ => Line::Ambiguous(bytes),
    }
}

/// The comment of a line from its `#` on; a NUL before the `#` ends the line instead.
fn comment(line: &[u8]) -> &[u8] {
    let rest = line.get(without_comment(line).len()..).unwrap_or_default();
    match rest {
        [b'#', ..] => trim(rest),
        _ => b"",
    }
}

/// Writes every line in its place.
fn write_in_order<'a>(lines: impl Iterator<Item = Line<'a>>, text: &mut Text) {
    let mut grouping = Grouping::default();
    for line in lines {
        match line {
            Line::Blank => {}
            Line::Remark(remark) | Line::Ambiguous(remark) => text.line(remark),
            Line::Record(record) => {
                if grouping.next(record.directive) == Membership::Agent(Opening::Group) {
                    text.begin_part();
                }
                text.record(&record);
            }
        }
    }
}

/// The records of a file in canonical order.
#[derive(Default)]
struct Outline<'a> {
    /// The records above the first group, which apply to nobody or to everyone.
    head: Vec<Item<'a>>,
    groups: Vec<Group<'a>>,
    tail: Vec<Item<'a>>,
    remarks_at_end: Vec<&'a [u8]>,
}

/// A record with the remarks above it; in the head there are also remarks without a record.
struct Item<'a> {
    remarks: Vec<&'a [u8]>,
    record: Option<Record<'a>>,
}

#[derive(Default)]
struct Group<'a> {
    /// The agents, and below each run of them the records that apply to that run only: see
    /// [`Grouping`].
    agents: Vec<Item<'a>>,
    runs: usize,
    rules: Vec<Item<'a>>,
}

impl<'a> Outline<'a> {
    fn new(lines: impl Iterator<Item = Line<'a>>) -> Outline<'a> {
        let mut outline = Outline::default();
        let mut grouping = Grouping::default();
        let mut remarks = Vec::new();
        // A comment before a blank line at the top belongs to the file, not to the first record.
        for line in lines.chain([Line::Blank]) {
            match line {
                Line::Remark(remark) | Line::Ambiguous(remark) => remarks.push(remark),
                Line::Blank if outline.groups.is_empty() && !remarks.is_empty() => {
                    let remarks = take(&mut remarks);
                    let record = None;
                    outline.head.push(Item { remarks, record });
                }
                Line::Blank => {}
                Line::Record(record) => {
                    let place = outline.place(grouping.next(record.directive));
                    let remarks = take(&mut remarks);
                    let record = Some(record);
                    place.push(Item { remarks, record });
                }
            }
        }
        outline.remarks_at_end = remarks;
        outline.merge_groups();
        outline
    }

    /// The list to which a record belongs.
    fn place(&mut self, membership: Membership) -> &mut Vec<Item<'a>> {
        if membership == Membership::Agent(Opening::Group) {
            self.groups.push(Group::default());
        }
        match (membership, self.groups.last_mut()) {
            (Membership::Extension(field, _), _) if field.level() == ExtensionLevel::File => {
                &mut self.tail
            }
            (_, None) => &mut self.head,
            (Membership::Rule | Membership::StrayRule, Some(group)) => &mut group.rules,
            (Membership::Extension(..), Some(group)) => &mut group.agents,
            (Membership::Agent(opening), Some(group)) => {
                group.runs += usize::from(opening != Opening::Nothing);
                &mut group.agents
            }
        }
    }

    /// Merges groups of the same agents where that changes no answer.
    ///
    /// Two names can apply to one agent only if they have the same leading token: Google reads both
    /// `MJ` and `MJ12bot` as `MJ`.
    fn merge_groups(&mut self) {
        let mut merged: Vec<Group<'a>> = Vec::new();
        let mut by_names: BTreeMap<Vec<Vec<u8>>, usize> = BTreeMap::new();
        let mut last_with: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for group in take(&mut self.groups) {
            let names = group.names();
            let same = by_names.get(&names).copied().filter(|at| {
                let mut tokens = names.iter().map(|name| leading_token(name));
                tokens.all(|token| last_with.get(token) == Some(at))
            });
            match same.and_then(|at| merged.get_mut(at)) {
                Some(first) if first.runs == 1 && group.runs == 1 => {
                    let remarks = first.append(group);
                    self.remarks_at_end.splice(..0, remarks).for_each(drop);
                }
                _ => {
                    for name in &names {
                        last_with.insert(leading_token(name).to_vec(), merged.len());
                    }
                    by_names.insert(names, merged.len());
                    merged.push(group);
                }
            }
        }
        self.groups = merged;
    }

    fn write(&self, text: &mut Text) {
        let mut is_after_remarks = true;
        for item in &self.head {
            if item.record.is_none() || is_after_remarks {
                text.begin_part();
            }
            is_after_remarks = item.record.is_none();
            text.item(item);
        }
        for group in &self.groups {
            text.begin_part();
            let items = group.agents.iter().chain(&group.rules);
            items.for_each(|item| text.item(item));
        }
        text.begin_part();
        self.tail.iter().for_each(|item| text.item(item));
        text.begin_part();
        let remarks = self.remarks_at_end.iter();
        remarks.for_each(|remark| text.line(remark));
    }
}

impl<'a> Group<'a> {
    /// The names of the agents, up to the last byte that some dialect compares.
    fn names(&self) -> Vec<Vec<u8>> {
        let records = self.agents.iter().filter_map(|item| item.record.as_ref());
        let mut names: Vec<Vec<u8>> = records
            .filter(|record| record.directive == Directive::UserAgent)
            .map(|record| match record.value {
                wildcard if is_wildcard(wildcard) => b"*".to_vec(),
                value => leading_name(value).to_ascii_lowercase(),
            })
            .collect();
        sort::unstable(&mut names);
        names.dedup();
        names
    }

    /// Appends a later group of the same agents, if both have one run. Returns the remarks that
    /// have no record to stay with.
    fn append(&mut self, mut later: Group<'a>) -> Vec<&'a [u8]> {
        let mut remarks = Vec::new();
        for mut item in later.agents {
            match &item.record {
                Some(agent) if agent.directive == Directive::UserAgent => {
                    remarks.append(&mut item.remarks);
                    remarks.push(agent.comment);
                }
                _ => self.agents.push(item),
            }
        }
        remarks.retain(|remark| !remark.is_empty());
        if let Some(first) = later.rules.first_mut() {
            remarks.append(&mut first.remarks);
            first.remarks = take(&mut remarks);
        }
        self.rules.append(&mut later.rules);
        remarks
    }
}

/// The rewritten file.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    part: usize,
}

impl Text {
    /// Puts a blank line before the next line, unless it is the first.
    fn begin_part(&mut self) {
        self.part = self.bytes.len();
    }

    fn item(&mut self, item: &Item<'_>) {
        item.remarks.iter().for_each(|remark| self.line(remark));
        item.record.iter().for_each(|record| self.record(record));
    }

    fn record(&mut self, record: &Record<'_>) {
        self.line(&record.line());
    }

    fn line(&mut self, line: &[u8]) {
        let is_first = self.bytes.is_empty();
        // Google's matcher would skip it.
        let is_like_mark = skipped_start(line) == SkippedStart::Mark;
        if (is_first && is_like_mark) || (!is_first && self.part == self.bytes.len()) {
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
    }
}
