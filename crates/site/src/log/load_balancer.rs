//! The
//! [log of AWS load balancers](https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html),
//! of which the classic one writes no type: `type time elb client:port … "request" "user agent" …`.

use memchr::memchr;

use crate::log::combined::quoted;

/// The fields of a line, with their escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'l> {
    pub(super) time: &'l [u8],
    /// `GET https://example.com:443/a HTTP/1.1`.
    pub(super) request: &'l [u8],
    pub(super) user_agent: &'l [u8],
}

impl<'l> Line<'l> {
    /// Requires the time in its place: the address of a client, `[2001:db8::1]:443`, has the
    /// bracket by which a line of the combined format is recognized.
    pub(super) fn parse(line: &'l [u8]) -> Option<Line<'l>> {
        let mut words = line.splitn(3, |byte| *byte == b' ');
        let first = words.next()?;
        let time = match TYPES.contains(&first) {
            true => words.next()?,
            false => first,
        };
        let [_, _, _, _, b'-', _, _, b'-', _, _, b'T', ..] = time else {
            return None;
        };
        let (_, quotes) = line.split_at_checked(memchr(b'"', line)?)?;
        let (request, after) = quoted(quotes)?;
        // The next value begins at once; a quote further on is of another one.
        let (user_agent, _) = quoted(
            after
                .strip_prefix(b" ")
                .filter(|agent| agent.starts_with(b"\""))?,
        )?;
        Some(Line {
            time,
            request,
            user_agent,
        })
    }
}

const TYPES: [&[u8]; 6] = [b"http", b"https", b"h2", b"grpcs", b"ws", b"wss"];
