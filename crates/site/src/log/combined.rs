//! The combined format: `host ident user [time] "request" status size "referer" "user agent"`.

use memchr::{memchr, memchr2, memrchr};

/// The fields of a line, with their escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'l> {
    /// All before the time: the address of the client, and perhaps the host before it.
    start: &'l [u8],
    pub(super) time: &'l [u8],
    pub(super) request: &'l [u8],
    pub(super) user_agent: &'l [u8],
}

impl<'l> Line<'l> {
    pub(super) fn parse(line: &'l [u8]) -> Option<Line<'l>> {
        let (request, after) = quoted(line)?;
        let (_referer, after) = quoted(after)?;
        let (user_agent, _) = quoted(after)?;
        let before = line.get(..memchr(b'"', line)?)?;
        let open = memchr(b'[', before)?;
        let close = memrchr(b']', before)?;
        Some(Line {
            start: before.get(..open)?,
            time: before.get(open.saturating_add(1)..close)?,
            request,
            user_agent,
        })
    }

    /// The host in front, as in `%v:%p %h %l %u`: four fields in place of three, of which the first is no address.
    pub(super) fn host(&self) -> Option<&'l str> {
        let start = std::str::from_utf8(self.start).ok()?;
        let mut fields = start.split_ascii_whitespace();
        let first = fields.next()?;
        let is_name = first.contains(|character: char| character.is_ascii_alphabetic())
            && !first.starts_with('[')
            && first.matches(':').count() < 2;
        (fields.count() == 3 && is_name).then_some(first)
    }
}

/// The target of a request line such as `GET /a HTTP/1.1`. A target may hold blanks if the client is careless.
pub(super) fn target(request: &[u8]) -> &[u8] {
    let Some(method_end) = memchr(b' ', request) else {
        return &[];
    };
    let rest = request
        .get(method_end.saturating_add(1)..)
        .unwrap_or_default();
    match memrchr(b' ', rest) {
        Some(end)
            if rest
                .get(end..)
                .is_some_and(|end| end.starts_with(b" HTTP/")) =>
        {
            rest.get(..end).unwrap_or_default()
        }
        _ => rest,
    }
}

/// The text between the first two quotes, and what follows. A quote after a backslash is text.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let start = memchr(b'"', text)?.saturating_add(1);
    let mut end = start;
    loop {
        let found = memchr2(b'"', b'\\', text.get(end..)?)?;
        let at = end.saturating_add(found);
        if text.get(at) == Some(&b'"') {
            return Some((text.get(start..at)?, text.get(at.saturating_add(1)..)?));
        }
        end = at.saturating_add(2);
    }
}
