//! A file that was read, written in canonical form.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem::take;

use crate::access::Access;
use crate::agent::{is_wildcard, leading_name, leading_token};
use crate::options::Dialect;
use crate::parse::field::{Directive, ExtensionLevel, directive};
use crate::parse::group::{Begins, Grouping};
use crate::parse::line::{
    GOOGLE_LINE_BYTES, PhysicalLine, PhysicalLines, record, trim, without_comment,
};
use crate::robots::robots_txt::RobotsTxt;

/// What becomes of comments when a file is written in canonical form, and of unknown fields and lines that are no record.
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
    /// They stay at the record that they stand above or behind.
    Keep,
    /// They are left out.
    Drop,
}

impl RobotsTxt {
    /// The file in canonical form: one spelling of each field, one blank behind the colon, the groups of the same
    /// agents as one, records of the group directly below its agents, records for everyone at the end.
    ///
    /// It answers every question as the file does, in both dialects, but for the number of the line. Values are not
    /// changed, so any bytes can be in it. Two groups of the same agents stay apart where a group between them shares
    /// an agent, as the order of rules of one length says which of them is reported. Where a line is so long that the
    /// dialects read it differently, every line stays where it is, and that line as it is.
    ///
    /// A "no access" value without a file is written as the group that says so, and "no file" as an empty one.
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
    #[must_use]
    pub fn to_canonical(&self, comments: CommentPolicy) -> Vec<u8> {
        if let Some(blanket) = self.site_answer() {
            return match blanket.access {
                Access::Allow => Vec::new(),
                Access::Disallow => b"User-agent: *\nDisallow: /\n".to_vec(),
            };
        }
        let lines = || PhysicalLines::new(self.as_bytes()).map(|line| read(line, comments));
        let mut text = Text::default();
        if lines().any(|line| matches!(line, Read::Unsettled(_))) {
            write_in_order(lines(), &mut text);
        } else {
            Outline::new(lines()).write(&mut text);
        }
        text.bytes
    }
}

/// What a line says.
enum Read<'a> {
    Blank,
    /// A comment, an unknown field, no record.
    Remark(&'a [u8]),
    Record(Directive, Record<'a>),
    /// The dialects read it differently, or would if it were written canonically.
    Unsettled(&'a [u8]),
}

/// A record as it is written.
struct Record<'a> {
    field: &'a [u8],
    value: &'a [u8],
    comment: &'a [u8],
}

fn read<'a>(line: PhysicalLine<'a>, comments: CommentPolicy) -> Read<'a> {
    let known = |dialect| {
        let record = record(line.read(dialect))?;
        let (directive, _) = directive(record.field, dialect)?;
        Some((directive, record))
    };
    let comment = match comments {
        CommentPolicy::Keep => comment(line.bytes),
        CommentPolicy::Drop => b"",
    };
    let written = |directive, field, value| {
        let record = Record {
            field,
            value,
            comment,
        };
        if record.bytes() > GOOGLE_LINE_BYTES {
            Read::Unsettled(line.bytes)
        } else {
            Read::Record(directive, record)
        }
    };
    match (known(Dialect::Rfc9309), known(Dialect::Google)) {
        (None, None) if comments == CommentPolicy::Drop || trim(line.bytes).is_empty() => {
            Read::Blank
        }
        // Without the blanks before it, Google's matcher might see more of it.
        (None, None) if line.bytes.len() > GOOGLE_LINE_BYTES => Read::Remark(line.bytes),
        (None, None) => Read::Remark(trim(line.bytes)),
        (Some((rfc, record)), Some((google, shorter)))
            if rfc == google && record.value.bytes() == shorter.value.bytes() =>
        {
            written(rfc, rfc.as_str().as_bytes(), record.value.bytes())
        }
        // Google's `sitemap_index`, which means nothing to others.
        (None, Some((sitemap, record))) if line.bytes.len() <= GOOGLE_LINE_BYTES => {
            written(sitemap, record.field, record.value.bytes())
        }
        _ => Read::Unsettled(line.bytes),
    }
}

impl Record<'_> {
    /// Without the comment, which may be cut.
    fn bytes(&self) -> usize {
        self.field.len() + SEPARATOR.len() + self.value.len()
    }
}

/// From the `#` on, which is not one behind a NUL.
fn comment(line: &[u8]) -> &[u8] {
    let rest = line.get(without_comment(line).len()..).unwrap_or_default();
    match rest {
        [b'#', ..] => trim(rest),
        _ => b"",
    }
}

fn write_in_order<'a>(lines: impl Iterator<Item = Read<'a>>, text: &mut Text) {
    let mut grouping = Grouping::default();
    for line in lines {
        match line {
            Read::Blank => {}
            Read::Remark(remark) | Read::Unsettled(remark) => text.line(remark),
            Read::Record(directive, record) => {
                match directive {
                    Directive::UserAgent if grouping.user_agent() == Begins::Group => {
                        text.begin_part();
                    }
                    Directive::Rule(_) => {
                        grouping.rule();
                    }
                    Directive::UserAgent | Directive::Extension(_) => {}
                }
                text.record(&record);
            }
        }
    }
}

/// The records of a file in canonical order.
#[derive(Default)]
struct Outline<'a> {
    /// What stands before the first group and is for nobody or everybody there.
    head: Vec<Item<'a>>,
    groups: Vec<Group<'a>>,
    tail: Vec<Item<'a>>,
    remarks_at_end: Vec<&'a [u8]>,
}

/// A record with the remarks above it; in the head also remarks alone.
struct Item<'a> {
    remarks: Vec<&'a [u8]>,
    record: Option<Record<'a>>,
}

#[derive(Default)]
struct Group<'a> {
    runs: Vec<Run<'a>>,
    rules: Vec<Item<'a>>,
}

/// Agents and the records directly below them, which are theirs alone: see [`Grouping`].
#[derive(Default)]
struct Run<'a> {
    agents: Vec<Item<'a>>,
    records: Vec<Item<'a>>,
}

impl<'a> Outline<'a> {
    fn new(lines: impl Iterator<Item = Read<'a>>) -> Outline<'a> {
        let mut outline = Outline::default();
        let mut grouping = Grouping::default();
        let mut remarks = Vec::new();
        for line in lines {
            match line {
                Read::Remark(remark) | Read::Unsettled(remark) => remarks.push(remark),
                // A comment at the top is about the file, not about its first record.
                Read::Blank => {
                    if outline.groups.is_empty() && !remarks.is_empty() {
                        outline.head.push(Item {
                            remarks: take(&mut remarks),
                            record: None,
                        });
                    }
                }
                Read::Record(directive, record) => {
                    let item = Item {
                        remarks: take(&mut remarks),
                        record: Some(record),
                    };
                    outline.place(directive, &mut grouping).push(item);
                }
            }
        }
        if outline.groups.is_empty() && !remarks.is_empty() {
            outline.head.push(Item {
                remarks,
                record: None,
            });
        } else {
            outline.remarks_at_end = remarks;
        }
        outline.merge_groups();
        outline
    }

    /// The list that the next record belongs into.
    fn place(&mut self, directive: Directive, grouping: &mut Grouping) -> &mut Vec<Item<'a>> {
        match directive {
            Directive::UserAgent => {
                let begins = grouping.user_agent();
                if begins == Begins::Group {
                    self.groups.push(Group::default());
                }
                match self.groups.last_mut() {
                    Some(group) => {
                        if begins != Begins::Nothing {
                            group.runs.push(Run::default());
                        }
                        group
                            .runs
                            .last_mut()
                            .map_or(&mut self.head, |run| &mut run.agents)
                    }
                    None => &mut self.head,
                }
            }
            Directive::Rule(_) => {
                grouping.rule();
                self.groups
                    .last_mut()
                    .map_or(&mut self.head, |group| &mut group.rules)
            }
            Directive::Extension(field) => {
                grouping.extension(field.level());
                match field.level() {
                    ExtensionLevel::File => &mut self.tail,
                    ExtensionLevel::Group => self
                        .groups
                        .last_mut()
                        .and_then(|group| group.runs.last_mut())
                        .map_or(&mut self.head, |run| &mut run.records),
                }
            }
        }
    }

    /// Makes groups of the same agents one, where no agent can notice.
    ///
    /// Names that an agent can share have the same leading token: `MJ` and `MJ12bot` are both read as `MJ`.
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
                Some(first) if first.runs.len() == 1 && group.runs.len() == 1 => {
                    self.remarks_at_end
                        .splice(..0, first.append(group))
                        .for_each(drop);
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
            for run in &group.runs {
                run.agents.iter().for_each(|item| text.item(item));
                run.records.iter().for_each(|item| text.item(item));
            }
            group.rules.iter().for_each(|item| text.item(item));
        }
        text.begin_part();
        self.tail.iter().for_each(|item| text.item(item));
        text.begin_part();
        self.remarks_at_end
            .iter()
            .for_each(|remark| text.line(remark));
    }
}

impl<'a> Group<'a> {
    /// Whom the group names, as far as any dialect compares it.
    fn names(&self) -> Vec<Vec<u8>> {
        let agents = self.runs.iter().flat_map(|run| &run.agents);
        let mut names: Vec<Vec<u8>> = agents
            .filter_map(|item| item.record.as_ref())
            .map(|record| match record.value {
                wildcard if is_wildcard(wildcard) => b"*".to_vec(),
                value => leading_name(value).to_ascii_lowercase(),
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Takes over a later group of the same agents, both of one run. What is left are remarks that found no record.
    fn append(&mut self, later: Group<'a>) -> Vec<&'a [u8]> {
        let mut remarks = Vec::new();
        for run in later.runs {
            for agent in run.agents {
                remarks.extend(agent.remarks);
                remarks.extend(agent.record.map(|record| record.comment));
            }
            if let Some(own) = self.runs.last_mut() {
                own.records.extend(run.records);
            }
        }
        remarks.retain(|remark| !remark.is_empty());
        let mut rules = later.rules.into_iter();
        if let Some(first) = rules.next() {
            remarks.extend(first.remarks);
            self.rules.push(Item {
                remarks: take(&mut remarks),
                record: first.record,
            });
        }
        self.rules.extend(rules);
        remarks
    }
}

/// The file that is written.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    part: usize,
}

impl Text {
    /// Sets the next line apart from those that are there.
    fn begin_part(&mut self) {
        self.part = self.bytes.len();
    }

    fn item(&mut self, item: &Item<'_>) {
        item.remarks.iter().for_each(|remark| self.line(remark));
        if let Some(record) = &item.record {
            self.record(record);
        }
    }

    fn record(&mut self, record: &Record<'_>) {
        let colon = match record.value {
            [] => ":",
            _ => SEPARATOR,
        };
        let blank = match record.comment {
            [] => "",
            _ => " ",
        };
        self.parts(&[
            record.field,
            colon.as_bytes(),
            record.value,
            blank.as_bytes(),
            record.comment,
        ]);
    }

    fn line(&mut self, line: &[u8]) {
        self.parts(&[line]);
    }

    fn parts(&mut self, parts: &[&[u8]]) {
        let is_like_mark = matches!(parts, [[0xEF, ..], ..]);
        if self.bytes.is_empty() {
            // It would be taken for the start of a byte order mark, and the line for what is behind it.
            if is_like_mark {
                self.bytes.push(b'\n');
            }
        } else if self.part == self.bytes.len() {
            self.bytes.push(b'\n');
        }
        parts
            .iter()
            .for_each(|part| self.bytes.extend_from_slice(part));
        self.bytes.push(b'\n');
    }
}

const SEPARATOR: &str = ": ";
