//! The combined format: `host ident user [time] "request" status size "referer" "user agent"`.

use memchr::{memchr, memchr2, memrchr};

/// The fields of a line, with their escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'l> {
    /// The addresses and the time, which are read only in the lines of crawlers.
    start: &'l [u8],
    pub(super) request: &'l [u8],
    pub(super) user_agent: &'l [u8],
}

impl<'l> Line<'l> {
    pub(super) fn parse(line: &'l [u8]) -> Option<Line<'l>> {
        let first_quote = memchr(b'"', line)?;
        let (start, rest) = line.split_at_checked(first_quote)?;
        let (request, after) = quoted(rest)?;
        let (_referer, after) = quoted(after)?;
        let (user_agent, _) = quoted(after)?;
        start.contains(&b'[').then_some(Line {
            start,
            request,
            user_agent,
        })
    }

    /// The text between the brackets.
    pub(super) fn time(&self) -> Option<&'l [u8]> {
        let open = memchr(b'[', self.start)?.saturating_add(1);
        let close = memrchr(b']', self.start)?;
        self.start.get(open..close)
    }

    /// The host in front, as in `%v:%p %h %l %u`: four fields in place of three; the first
    /// is no address.
    pub(super) fn host(&self) -> Option<&'l str> {
        let first_end = memchr(b' ', self.start)?;
        let (first, rest) = self.start.split_at_checked(first_end)?;
        let is_name = first.iter().any(u8::is_ascii_alphabetic)
            && !first.starts_with(b"[")
            && memchr::memchr_iter(b':', first).count() < 2;
        if !is_name {
            return None;
        }
        let fields = rest.get(..memchr(b'[', rest)?)?;
        let fields = std::str::from_utf8(fields).ok()?;
        let is_fourth = fields.split_ascii_whitespace().count() == 3;
        is_fourth.then(|| std::str::from_utf8(first).ok()).flatten()
    }
}

/// The target of a request line such as `GET /a HTTP/1.1`. A target may hold blanks if the client
/// is careless.
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
pub(super) fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
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
