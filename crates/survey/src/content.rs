//! The contents of an input: responses to requests for a robots.txt, and skipped records, which are
//! counted too.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use polite_robots_audit::printable::printable;

/// One record or file of an input.
#[derive(Debug)]
#[non_exhaustive]
pub enum Content {
    /// A response to a request for `/robots.txt`.
    Response(RobotsResponse),
    /// A record or file that is not counted as a response, and the reason.
    Skipped(SkipReason, Place),
}

impl Content {
    /// The response to a request for a robots.txt: its URL, its status and its body without
    /// codings. It has no header fields, so the measures about header fields do not count it.
    #[must_use]
    pub fn response(url: &str, status: u16, body: Vec<u8>) -> Content {
        let place = Place::of_input(Path::new(url));
        Content::Response(RobotsResponse {
            url: Some(String::from(url)),
            status,
            ..RobotsResponse::of_file(place, body, BodyEnd::Complete)
        })
    }
}

/// The place of a record or file in the inputs, precise enough for a person to find it again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The path of the input, as it was given or found in a folder.
    #[serde(serialize_with = "lossy")]
    pub(crate) input: Arc<PathBuf>,
    /// The name of the member of a tar archive; empty for a WARC and a plain file.
    pub(crate) member: String,
    /// The offset of the record in a WARC file, in compressed bytes where each record is a gzip
    /// member: the offset that an index of Common Crawl states. 0 for other inputs.
    pub(crate) offset: u64,
}

impl Place {
    pub(crate) fn of_input(path: &Path) -> Place {
        Place {
            input: Arc::new(path.to_owned()),
            member: String::new(),
            offset: 0,
        }
    }
}

/// The form that messages use.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", printable(&self.input.to_string_lossy()))?;
        if !self.member.is_empty() {
            write!(f, ", member `{}`", printable(&self.member))?;
        }
        if self.offset > 0 {
            write!(f, ", offset {}", self.offset)?;
        }
        Ok(())
    }
}

/// Writes a path that may not be UTF-8. JSON is text, and serde would fail on such a path after
/// hours of work.
fn lossy<S: Serializer>(input: &Arc<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&input.to_string_lossy())
}

/// A response to a request for `/robots.txt`. A plain file counts as a 200 without header fields.
#[derive(Debug)]
pub struct RobotsResponse {
    pub(crate) place: Place,
    /// The URL of the request; a plain file has none.
    pub(crate) url: Option<String>,
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) cache_control: Option<String>,
    pub(crate) retry_after: Option<String>,
    pub(crate) location: Option<String>,
    /// The body without its transfer and content codings.
    pub(crate) body: Vec<u8>,
    pub(crate) end: BodyEnd,
}

impl RobotsResponse {
    pub(crate) fn of_file(place: Place, body: Vec<u8>, end: BodyEnd) -> RobotsResponse {
        RobotsResponse {
            place,
            url: None,
            status: 200,
            content_type: None,
            cache_control: None,
            retry_after: None,
            location: None,
            body,
            end,
        }
    }
}

/// Whether a body is complete, and the reason if not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BodyEnd {
    Complete,
    /// The archive marks the record as cut (`WARC-Truncated`), or the record is shorter than it
    /// states.
    CutShort,
    /// The body is longer than the limit on one file.
    LimitReached,
}

/// The reason why a record or file is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SkipReason {
    /// The record is a request, metadata, or about the archive itself.
    NotAResponse,
    /// The path is not `/robots.txt`: the response is the target of a redirect.
    OtherPath,
    /// The response is not HTTP.
    NotHttp,
    /// Another response stands for the body or the domain of this one.
    Repeated,
    /// The frame of the record or member cannot be read: no head, no length, or a wrong length.
    BrokenRecord,
    /// A compressed member ends too early or does not decode. Its record counts only here.
    BrokenCompression,
    /// The file cannot be opened, or cannot be read to its end.
    Unreadable,
}

impl SkipReason {
    /// The noun for a count of records: singular for 1, otherwise plural.
    pub(crate) fn noun(self, count: u64) -> &'static str {
        let (singular, plural) = self.nouns();
        if count == 1 { singular } else { plural }
    }

    /// The singular and the plural.
    fn nouns(self) -> (&'static str, &'static str) {
        match self {
            SkipReason::NotAResponse => (
                "record that is not a response",
                "records that are not a response",
            ),
            SkipReason::OtherPath => (
                "response of another path than /robots.txt",
                "responses of another path than /robots.txt",
            ),
            SkipReason::NotHttp => ("response that is not HTTP", "responses that are not HTTP"),
            SkipReason::Repeated => (
                "response for which another one stands",
                "responses for which another one stands",
            ),
            SkipReason::BrokenRecord => ("broken record", "broken records"),
            SkipReason::BrokenCompression => (
                "record with broken compression",
                "records with broken compression",
            ),
            SkipReason::Unreadable => ("file that cannot be read", "files that cannot be read"),
        }
    }
}

/// The plural, for the row of a table.
impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.nouns().1)
    }
}
