//! Rewrites a parsed file in canonical form.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem::take;

use polite_robots::document::{self, GOOGLE_LINE_BYTES, LineKind};
use polite_robots::document::{is_wildcard, leading_name, leading_token, trim};
use polite_robots::record::ExtensionLevel;
use polite_robots::{Access, Dialect, Options, RobotsTxt};

/// The treatment of comments, of unknown fields and of lines that are not a record, when a file is
/// rewritten in canonical form.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_build::{CommentPolicy, canonical};
///
/// let robots_txt = RobotsTxt::parse(b"user-agent:a # us\nNoarchive: /\ndisallow:/");
/// let kept = canonical(&robots_txt, CommentPolicy::Keep);
/// assert_eq!(kept, b"User-agent: a # us\nNoarchive: /\nDisallow: /\n");
/// assert_eq!(canonical(&robots_txt, CommentPolicy::Drop), b"User-agent: a\nDisallow: /\n");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommentPolicy {
    /// They stay with the record below them or before them on the line.
    Keep,
    /// They are removed.
    Drop,
}

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
/// use polite_robots_build::{CommentPolicy, canonical};
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
/// let written = String::from_utf8(canonical(&robots_txt, CommentPolicy::Keep))?;
/// assert_eq!(written, "\
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
pub fn canonical(robots_txt: &RobotsTxt, comments: CommentPolicy) -> Vec<u8> {
    match robots_txt.blanket() {
        Some((Access::Allow, _)) => return Vec::new(),
        Some((Access::Disallow, _)) => return b"User-agent: *\nDisallow: /\n".to_vec(),
        None => {}
    }
    let file = robots_txt.as_bytes();
    let [rfc9309, google] = [Dialect::Rfc9309, Dialect::Google].map(|dialect| {
        if dialect == robots_txt.dialect() {
            robots_txt.clone()
        } else {
            RobotsTxt::parse_with(file, &Options::new(dialect))
        }
    });
    let lines = || {
        let both = rfc9309.lines().zip(google.lines());
        both.map(|(rfc9309, google)| Line::new(&rfc9309, &google, file, comments))
    };
    let mut text = Text::default();
    if lines().any(|line| matches!(line, Line::Ambiguous(_))) {
        write_in_order(lines(), &mut text);
    } else {
        Outline::new(lines()).write(&mut text);
    }
    text.bytes
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
    kind: LineKind,
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

impl<'a> Line<'a> {
    /// Reads a line of the file by its meaning in each dialect.
    fn new(
        rfc9309: &document::Line<'a>,
        google: &document::Line<'a>,
        file: &'a [u8],
        comments: CommentPolicy,
    ) -> Line<'a> {
        let bytes = match rfc9309.number() {
            1 => first_line(rfc9309, file),
            _ => rfc9309.as_bytes(),
        };
        let written = |kind, field: &'a [u8], value: &'a [u8]| {
            // Google's matcher may cut the comment.
            if field.len() + ": ".len() + value.len() > GOOGLE_LINE_BYTES {
                return Line::Ambiguous(bytes);
            }
            let comment = match comments {
                CommentPolicy::Keep => trim(rfc9309.comment().unwrap_or_default()),
                CommentPolicy::Drop => b"",
            };
            Line::Record(Record {
                kind,
                field,
                value,
                comment,
            })
        };
        let is_too_long = bytes.len() > GOOGLE_LINE_BYTES;
        let value_of = |line: &document::Line<'a>| line.value().unwrap_or_default();
        match (name(rfc9309.kind()), name(google.kind())) {
            (None, None) if comments == CommentPolicy::Drop || trim(bytes).is_empty() => {
                Line::Blank
            }
            // Trimming would show Google's matcher bytes that it cuts off now.
            (None, None) if is_too_long => Line::Remark(bytes),
            (None, None) => Line::Remark(trim(bytes)),
            (Some(name), Some(_))
                if rfc9309.kind() == google.kind() && rfc9309.value() == google.value() =>
            {
                written(rfc9309.kind(), name.as_bytes(), value_of(rfc9309))
            }
            // Google reads `Sitemap_index`, other crawlers skip it, so it may move. A rule or an
            // agent for Google only may not.
            (None, Some(_)) if matches!(google.kind(), LineKind::Extension(_)) && !is_too_long => {
                let field = google.key().unwrap_or_default();
                match written(google.kind(), field, value_of(google)) {
                    // `Sitemap x:y#…` grows by two blanks, and would be too long to be read the
                    // same again.
                    Line::Record(record) if record.line().len() > GOOGLE_LINE_BYTES => {
                        Line::Ambiguous(bytes)
                    }
                    line => line,
                }
            }
            _ => Line::Ambiguous(bytes),
        }
    }
}

/// The field name of a known record, as its specification writes it.
fn name(kind: LineKind) -> Option<&'static str> {
    match kind {
        LineKind::UserAgent => Some("User-agent"),
        LineKind::Rule(access) => Some(access.as_str()),
        LineKind::Extension(field) => Some(field.as_str()),
        _ => None,
    }
}

/// The first line from its first byte on, if it begins with a character whose start readers skip as
/// that of a byte order mark. No record begins in a character, so the line stays a remark.
fn first_line<'a>(line: &document::Line<'a>, file: &'a [u8]) -> &'a [u8] {
    let span = line.span();
    let is_cut = span.start > 0 && !is_mark(file, span.start);
    let from_start = file.get(..span.end).filter(|_| is_cut);
    from_start.unwrap_or(line.as_bytes())
}

/// Whether the first bytes of a text, which readers skip, are a byte order mark or a part of one,
/// and not the start of another character, such as the full-width `＃`.
fn is_mark(text: &[u8], skipped: usize) -> bool {
    let is_continued = text.get(skipped).is_some_and(|byte| byte >> 6 == 0b10);
    skipped == 3 || !is_continued
}

/// Writes every line in its place.
fn write_in_order<'a>(lines: impl Iterator<Item = Line<'a>>, text: &mut Text) {
    // Whether the next agent begins a group: none came yet, or a rule came since.
    let mut begins_group = true;
    for line in lines {
        match line {
            Line::Blank => {}
            Line::Remark(remark) | Line::Ambiguous(remark) => text.line(remark),
            Line::Record(record) => {
                if record.kind == LineKind::UserAgent && take(&mut begins_group) {
                    text.begin_part();
                }
                begins_group |= matches!(record.kind, LineKind::Rule(_));
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

impl Item<'_> {
    fn is_agent(&self) -> bool {
        let record = self.record.as_ref();
        record.is_some_and(|record| record.kind == LineKind::UserAgent)
    }
}

#[derive(Default)]
struct Group<'a> {
    /// The agents, and below each run of them the records that apply to that run only: see
    /// [`AgentRun`](document::AgentRun).
    agents: Vec<Item<'a>>,
    runs: usize,
    rules: Vec<Item<'a>>,
}

impl<'a> Outline<'a> {
    fn new(lines: impl Iterator<Item = Line<'a>>) -> Outline<'a> {
        let mut outline = Outline::default();
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
                    let place = outline.place(record.kind);
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

    /// The list to which a record belongs. An agent below a rule begins a group (RFC 9309 §2.1),
    /// and one below a record of another kind begins a run.
    fn place(&mut self, kind: LineKind) -> &mut Vec<Item<'a>> {
        if let LineKind::Extension(field) = kind {
            if field.level() == ExtensionLevel::File {
                return &mut self.tail;
            }
        }
        let has_rules = |group: &Group<'_>| !group.rules.is_empty();
        if kind == LineKind::UserAgent && self.groups.last().is_none_or(has_rules) {
            self.groups.push(Group::default());
        }
        match (kind, self.groups.last_mut()) {
            (_, None) => &mut self.head,
            (LineKind::Rule(_), Some(group)) => &mut group.rules,
            (LineKind::UserAgent, Some(group)) => {
                let is_in_run = group.agents.last().is_some_and(Item::is_agent);
                group.runs += usize::from(!is_in_run);
                &mut group.agents
            }
            (_, Some(group)) => &mut group.agents,
        }
    }

    /// Merges groups of the same agents where that changes no answer.
    ///
    /// Two names can apply to one agent only if they have the same leading token: Google reads both
    /// `MJ` and `MJ12bot` as `MJ`.
    fn merge_groups(&mut self) {
        let mut merged: Vec<Group<'a>> = Vec::new();
        // One type of map, as each has 5 KB of code, which browsers download.
        let mut by_names: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut last_with: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for group in take(&mut self.groups) {
            let names = group.names();
            // No name has a line end.
            let all_names = names.join(&b'\n');
            let same = by_names.get(&all_names).copied().filter(|at| {
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
                    by_names.insert(all_names, merged.len());
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
        let agents = self.agents.iter().filter(|item| item.is_agent());
        let records = agents.filter_map(|item| item.record.as_ref());
        let mut names: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for record in records {
            let name = match record.value {
                wildcard if is_wildcard(wildcard) => b"*".to_vec(),
                value => leading_name(value).to_ascii_lowercase(),
            };
            names.insert(name, 0);
        }
        names.into_keys().collect()
    }

    /// Appends a later group of the same agents, if both have one run. Returns the remarks that
    /// have no record to stay with.
    fn append(&mut self, mut later: Group<'a>) -> Vec<&'a [u8]> {
        let mut remarks = Vec::new();
        for mut item in later.agents {
            match &item.record {
                Some(agent) if agent.kind == LineKind::UserAgent => {
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
        let is_like_mark = || {
            let alone = RobotsTxt::parse(line);
            let skipped = alone.lines().next().map_or(0, |line| line.span().start);
            skipped > 0 && is_mark(line, skipped)
        };
        // Google's matcher would skip it.
        if (is_first && is_like_mark()) || (!is_first && self.part == self.bytes.len()) {
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(line);
        self.bytes.push(b'\n');
    }
}
