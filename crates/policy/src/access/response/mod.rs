//! Reads a response to a request for a robots.txt by the bytes that arrived, in the same way for
//! every client.

pub(crate) mod body_end;
mod text;
mod unpack;

use alloc::borrow::Cow;

use polite_robots::Cause;

use self::body_end::BodyEnd;
use self::text::{can_be_text, is_no_text, utf8, utf16};
use self::unpack::{Unpacked, is_gzip, unpack};
use crate::headers::Headers;
use crate::headers::coding::is_any_of;
use crate::settings::access::{AccessSettings, ForeignTextPolicy, OverLimitPolicy};

/// The response to one request for robots.txt.
///
/// ```
/// use polite_robots_policy::fetch::{BodyEnd, Headers, RawResponse};
///
/// let response = RawResponse {
///     status: 200,
///     headers: Headers::default(),
///     body: b"User-agent: *\nDisallow: /x",
///     end: BodyEnd::Complete,
/// };
/// assert_eq!(response.status, 200);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawResponse<'a> {
    /// The status; any number is taken.
    pub status: u16,
    /// The header fields that matter.
    pub headers: Headers<'a>,
    /// The bytes of the body as they came, as far as they were read, or those that a decoder of the
    /// client has made of them. [`RawResponse::file`] undoes gzip and deflate that the header
    /// names.
    pub body: &'a [u8],
    /// How the reading of the body ended.
    pub end: BodyEnd,
}

/// A robots.txt as it arrived: the answer of [`RawResponse::file`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct File<'a> {
    /// The text to read, without a content coding, in UTF-8 if its owner has written text.
    pub text: Cow<'a, [u8]>,
    /// The number of bytes of [`File::text`] that count. The last line of a longer text may be cut.
    pub max_bytes: usize,
    /// Whether the file of the site is longer than the part that was read.
    pub is_longer: bool,
    /// Whether a content coding was undone here.
    pub is_unpacked: bool,
    /// Whether the text was in UTF-16, with its mark.
    pub is_utf16: bool,
}

impl<'a> RawResponse<'a> {
    /// Reads the file in a response with a status of 2xx. If it cannot be read, the error says why:
    /// [`Cause::Truncated`] or [`Cause::Encoded`]. Then the last good copy counts, and without one
    /// nothing may be fetched. A site with [`Cause::Encoded`] does not open with time, because its
    /// owner has a file.
    ///
    /// | body | RFC 9309 | here |
    /// |---|---|---|
    /// | empty, under any label | | an empty file |
    /// | gzip or x-gzip, deflate, as `Content-Encoding` says | RFC 9110 §8.4: the coding is no part of the file | undone; several members of gzip are one file (RFC 1952 §2.2), and bytes after them that begin none are left out |
    /// | the same, cut | | cut short |
    /// | text under the label of a coding | | the text: a false label, or a client has undone it |
    /// | another coding, a damaged one, more than four, or gzip of more than 1,024 members | | encoded |
    /// | shorter than `Content-Length`, without a coding | RFC 9112 §8: incomplete | cut short |
    /// | HTML, XML, other text | §2.3.1.5: the parseable rules | the text |
    /// | an archive, UTF-16, UTF-32, a coding that is not announced | §2.2: text in UTF-8 | see [`AccessSettings::foreign_text`] |
    ///
    /// Without the feature `std` no coding is undone.
    ///
    /// ```
    /// use polite_robots::Cause;
    /// use polite_robots_policy::Profile;
    /// use polite_robots_policy::fetch::{BodyEnd, Headers, RawResponse};
    ///
    /// let mut headers = Headers::default();
    /// headers.insert("Content-Encoding", "br");
    /// let settings = Profile::rfc9309().access;
    /// let body = b"\x8B\x0C\x80User-agent: *\nDisallow: /\n\x03";
    /// let response = RawResponse { status: 200, headers, body, end: BodyEnd::Complete };
    /// assert_eq!(response.file(&settings), Err(Cause::Encoded));
    /// let response = RawResponse { body: b"User-agent: *", ..response };
    /// assert_eq!(response.file(&settings).map(|file| file.text.len()), Ok(13));
    /// ```
    ///
    /// # Errors
    ///
    /// The cause.
    pub fn file(&self, settings: &AccessSettings) -> Result<File<'a>, Cause> {
        let max_bytes = settings.max_bytes;
        let (body, end, is_unpacked) = self.unpacked(max_bytes)?;
        let is_foreign = settings.foreign_text == ForeignTextPolicy::Recognize;
        if is_foreign && is_no_text(&body) {
            // A reader that takes it for text finds no rules, and opens the site.
            return Err(Cause::Encoded);
        }
        let decoded = utf8(&body, max_bytes).filter(|_| is_foreign);
        let is_utf16 = decoded.is_some();
        let text = decoded.map_or(body, Cow::Owned);
        let is_over = end == BodyEnd::LimitReached || text.len() > max_bytes;
        // A cut after the bytes that are read does not matter.
        let is_cut = end == BodyEnd::CutShort && text.len() < max_bytes;
        if is_cut || is_over && settings.over_limit == OverLimitPolicy::Outage {
            return Err(Cause::Truncated);
        }
        Ok(File {
            max_bytes: match text.len() <= max_bytes && end != BodyEnd::Complete {
                // The parser cuts a line only if it sees that more follows, and here more was left
                // on the wire.
                true => whole_lines(&text),
                false => max_bytes,
            },
            is_longer: is_over || end != BodyEnd::Complete,
            is_unpacked,
            is_utf16,
            text,
        })
    }

    /// The body without its content codings, how it ends, and whether one was undone.
    fn unpacked(&self, max_bytes: usize) -> Result<(Cow<'a, [u8]>, BodyEnd, bool), Cause> {
        let mut body = Cow::Borrowed(self.body);
        let mut end = self.end();
        if end == BodyEnd::Undecodable {
            return Err(Cause::Encoded);
        }
        if body.is_empty() {
            return Ok((body, end, false));
        }
        let mut is_unpacked = false;
        // Undoing a coding reads the whole body, and a header has room for thousands of codings.
        if self.headers.codings().nth(MOST_CODINGS).is_some() {
            return Err(Cause::Encoded);
        }
        for coding in self.headers.codings() {
            match unpack(coding, &body, max_bytes.saturating_add(1)) {
                Unpacked::Bytes(bytes, unpacked) => {
                    end = end_of(unpacked, end);
                    body = Cow::Owned(bytes);
                    is_unpacked = true;
                    continue;
                }
                Unpacked::OtherBytes => {}
                Unpacked::Broken => return Err(Cause::Encoded),
            }
            // A body that does not begin as its coding was decoded before, and may be in Latin-1.
            let has_start =
                is_gzip(coding) || is_any_of(coding, &["compress", "x-compress", "zstd"]);
            let is_text = utf16(&body).is_some() || can_be_text(&body, has_start);
            if !is_text || is_no_text(&body) {
                return Err(Cause::Encoded);
            }
        }
        Ok((body, end, is_unpacked))
    }

    /// How the body ended, by all that the header says.
    fn end(&self) -> BodyEnd {
        match self.end {
            BodyEnd::Unproven if self.may_end_in_header() => BodyEnd::CutShort,
            BodyEnd::Complete | BodyEnd::Unproven if self.is_shorter_than_stated() => {
                BodyEnd::CutShort
            }
            BodyEnd::Unproven => BodyEnd::Complete,
            end => end,
        }
    }

    /// Whether the connection may have ended before the header did. A whole response without a body
    /// states a length or chunks, or is a 204.
    pub(crate) fn may_end_in_header(&self) -> bool {
        self.end == BodyEnd::Unproven
            && self.body.is_empty()
            && self.status != 204
            && self.headers.stated_length().is_none()
            && !self.headers.is_chunked
    }

    /// Whether the body is shorter than the header states. Not compared are a body with the label
    /// of a coding, which has another length once a client has decoded it, and a body at whose
    /// limit the client stopped.
    fn is_shorter_than_stated(&self) -> bool {
        let is_whole = self.headers.codings().next().is_none() && !self.headers.is_chunked;
        let stated = self
            .headers
            .stated_length()
            .filter(|_| is_whole && self.status != 204);
        let most = u64::try_from(self.body.len()).unwrap_or(u64::MAX);
        stated.is_some_and(|stated| most < stated && self.body.len() < LEAST_LIMIT)
    }
}

/// The end of a body that was unpacked, by the end on the wire: if the client stopped at a limit,
/// the last member only seems to be cut.
fn end_of(unpacked: BodyEnd, wire: BodyEnd) -> BodyEnd {
    match (unpacked, wire) {
        (BodyEnd::CutShort, BodyEnd::LimitReached) => BodyEnd::LimitReached,
        (BodyEnd::Complete, wire) => wire,
        (unpacked, _) => unpacked,
    }
}

/// The length of the whole lines, which have a line end.
fn whole_lines(text: &[u8]) -> usize {
    memchr::memrchr2(b'\n', b'\r', text).map_or(0, |end| end + 1)
}

/// The most codings of one body that are undone. Nobody applies more than one on purpose, and two
/// by mistake.
const MOST_CODINGS: usize = 4;

/// The least length at which a client may have stopped at a limit of its own: RFC 9309 §2.5 asks it
/// to read this much.
const LEAST_LIMIT: usize = 500 << 10;
