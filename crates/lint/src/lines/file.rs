//! Diagnostics about the file as a whole, and about the bytes of a line before it is parsed.

use memchr::memchr;
use polite_robots::RobotsTxt;
use polite_robots::document::{GOOGLE_LINE_BYTES, LineKind};
use polite_robots::text::quote;
use polite_robots_audit::doubt::Doubt;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, WholeLine, byte_order_mark_len};
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;

/// Kind of file and first offset of each problem, so that lines are searched only for problems the
/// file has. The offset of a problem that is reported once is removed with that report.
#[derive(Debug)]
pub(super) struct Shape {
    /// The kind of file that this is in place of text.
    doubt: Option<Doubt>,
    first_nul: Option<usize>,
    first_not_utf8: Option<usize>,
    /// Whether a carriage return that ends a line alone is still looked for.
    looks_for_return: bool,
    /// Most files end before it.
    first_too_large: Option<usize>,
    /// The least of the offsets above; lines that end before it are not searched.
    first_problem: usize,
}

impl Shape {
    pub(super) fn of(robots_txt: &RobotsTxt) -> Shape {
        let file = robots_txt.as_bytes();
        let doubt = Doubt::about_start(robots_txt);
        let is_utf16 = doubt == Some(Doubt::Utf16);
        // ASCII is seen in a third of the instructions.
        let not_utf8 = Some(file).filter(|file| !file.is_ascii());
        let not_utf8 = not_utf8.and_then(|file| core::str::from_utf8(file).err());
        // UTF-16 has NULs everywhere, also within a CRLF.
        let unless_utf16 = |at: Option<usize>| at.filter(|_| !is_utf16);
        let first_nul = unless_utf16(memchr(0, file));
        let first_not_utf8 = unless_utf16(not_utf8.map(|error| error.valid_up_to()));
        Shape {
            doubt,
            first_nul,
            first_not_utf8,
            looks_for_return: !is_utf16,
            first_too_large: Some(GOOGLE_FILE_BYTES),
            first_problem: [first_nul, first_not_utf8]
                .into_iter()
                .flatten()
                .fold(GOOGLE_FILE_BYTES, usize::min),
        }
    }

    /// Whether the file is text. In other files most lines are no record, and one diagnostic says
    /// why.
    pub(super) fn is_text(&self) -> bool {
        self.doubt.is_none()
    }

    pub(super) fn before_lines(&self, findings: &mut Findings<'_, '_>) {
        let file = findings.file;
        let mark = file.head(byte_order_mark_len(file.bytes));
        if mark.bytes.len() == BYTE_ORDER_MARK_LEN {
            findings.report(DiagnosticCode::ByteOrderMark, mark, || without_marks(file));
        }
        let Some(doubt) = self.doubt else {
            return;
        };
        let code = match doubt {
            Doubt::Utf16 => DiagnosticCode::Utf16,
            _ => DiagnosticCode::HtmlDocument,
        };
        findings.report(code, file.tail(mark.bytes.len()).head(0), || {
            doubt.message()
        });
    }

    /// Reports on a line; `text` is the part that the dialect reads.
    pub(super) fn line(&mut self, findings: &mut Findings<'_, '_>, text: Part<'_>, kind: LineKind) {
        let line = findings.line;
        if !self.is_odd(findings.file, line) {
            return;
        }
        let end = line.part.end();
        if is_too_long(line) && self.is_text() {
            // Bytes in a comment are not missed.
            let cut = line.part.without_comment().tail(GOOGLE_LINE_BYTES);
            if !cut.bytes.is_empty() {
                findings.report(DiagnosticCode::LineTooLong, cut, || {
                    format!(
                        "Google's matcher reads only the first {GOOGLE_LINE_BYTES} bytes of a line, not these"
                    )
                });
            }
        }
        if let Some(at) = self.first_not_utf8.take_if(|at| *at < end) {
            let byte = findings.file.tail(at).head(1);
            let value = byte.bytes.first().copied().unwrap_or_default();
            findings.report(DiagnosticCode::NotUtf8, byte, || {
                format!(
                    "byte {value:02X} is not UTF-8 here, and a robots.txt is UTF-8 (RFC 9309 §2.3)"
                )
            });
        }
        if self.first_nul.is_some_and(|at| at < end) {
            let read = text.without_comment();
            let cut = text.tail(read.bytes.len());
            // In a comment it does no harm.
            if cut.bytes.first() == Some(&0) {
                // With the text after it `*` would name nobody.
                let is_everyone = kind == LineKind::UserAgent && read.bytes.ends_with(b"*");
                let message = || without_nul(line.part, cut, is_everyone);
                findings.report(DiagnosticCode::NulByte, cut, message);
            }
        }
        if self.ends_with_carriage_return(findings.file, line) {
            self.looks_for_return = false;
            let message = || {
                let sentence = "a carriage return alone ends this line, and some crawlers see one long line; use line feeds";
                Advice::new(sentence).propose_all(line_feeds(findings.file.bytes))
            };
            let line_end = findings.file.tail(end).head(1);
            findings.report(DiagnosticCode::LoneCarriageReturn, line_end, message);
        }
        if let Some(at) = self.first_too_large.take_if(|at| *at < end) {
            findings.report(DiagnosticCode::TooLarge, findings.file.tail(at), || {
                format!(
                    "the file has {} bytes, and Google reads only the first {GOOGLE_FILE_BYTES} (500 KiB)",
                    findings.file.bytes.len()
                )
            });
        }
    }

    /// Whether the line may have a problem.
    #[inline]
    pub(super) fn is_odd(&self, file: Part<'_>, line: WholeLine<'_>) -> bool {
        line.part.end() >= self.first_problem
            || is_too_long(line)
            || self.ends_with_carriage_return(file, line)
    }

    /// Whether a carriage return alone ends the line and is the first to do so.
    #[inline]
    fn ends_with_carriage_return(&self, file: Part<'_>, line: WholeLine<'_>) -> bool {
        let end = line.part.end();
        file.bytes.get(end) == Some(&b'\r')
            && file.bytes.get(end.saturating_add(1)) != Some(&b'\n')
            && self.looks_for_return
    }
}

/// The advice about the byte order marks at the start of a file. Crawlers skip one: the start of a
/// second is text.
fn without_marks(file: Part<'_>) -> Advice {
    let marks = file.bytes.chunks(BYTE_ORDER_MARK_LEN);
    let lengths = marks.map(byte_order_mark_len);
    let len: usize = lengths.take_while(|len| *len > 0).sum();
    let effect = Effect::if_answers(len != BYTE_ORDER_MARK_LEN);
    Advice::new(
        "the file starts with a byte order mark, which some crawlers read as text; remove it",
    )
    .propose(Proposal::replace(0..len, "", effect))
}

/// The advice about NUL bytes and the text after them. With that text `*` would name nobody.
fn without_nul(line: Part<'_>, cut: Part<'_>, is_everyone: bool) -> Advice {
    const FACT: &str = "the text after this NUL byte is not read";
    let nuls = cut.bytes.iter().take_while(|byte| **byte == 0).count();
    let after = cut.tail(nuls);
    let rest = if is_everyone { b"" } else { after.bytes };
    let effect = Effect::if_answers(!is_everyone && !after.trim().bytes.is_empty());
    let read = line.head(cut.start.saturating_sub(line.start));
    let fixed = [read.bytes, rest].concat();
    match core::str::from_utf8(&fixed) {
        Ok(fixed) => Advice::new(format!("{FACT}; write {}", quote(fixed.as_bytes())))
            .propose(Proposal::replace(line.span(), fixed, effect)),
        Err(_) => FACT.into(),
    }
}

/// A line feed in place of each carriage return that ends a line alone.
fn line_feeds(file: &[u8]) -> Option<Proposal> {
    let returns = memchr::memchr_iter(b'\r', file);
    let alone = returns.filter(|at| file.get(at.saturating_add(1)) != Some(&b'\n'));
    let span = |at: usize| at..at.saturating_add(1);
    Proposal::of(alone.map(|at| (span(at), "\n")), Effect::Nothing)
}

/// Whether the line has bytes that Google's matcher does not read.
fn is_too_long(line: WholeLine<'_>) -> bool {
    line.part.bytes.len() > GOOGLE_LINE_BYTES
}

/// RFC 9309 §2.5 asks parsers to read at least this much; Google reads no more.
pub(crate) const GOOGLE_FILE_BYTES: usize = 500 * 1024;

const BYTE_ORDER_MARK_LEN: usize = 3;
