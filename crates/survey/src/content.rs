//! The contents of a collection: responses to requests for a robots.txt, and skipped records, which are counted too.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use polite_robots_audit::printable::printable;

/// One thing that was found in an input.
#[derive(Debug)]
pub(crate) enum Content {
    /// An answer to a request for `/robots.txt`.
    Response(Response),
    /// A record or file that is not counted as a response, and the reason.
    Skipped(SkipReason, Place),
}

/// Where in the inputs: what a person needs to look at it again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The input, as it was given or found in a folder.
    #[serde(serialize_with = "lossy")]
    pub(crate) input: Arc<PathBuf>,
    /// The name of a member of an archive; empty for a WARC and a plain file.
    pub(crate) member: String,
    /// Bytes from the start of a WARC to the record (of its compressed form, where each record is compressed by
    /// itself), as an index of Common Crawl has it; 0 elsewhere.
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

/// As a place in a message.
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

/// JSON is text, the name of a file need not be; serde would fail on it, after hours.
fn lossy<S: Serializer>(input: &Arc<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&input.to_string_lossy())
}

/// An answer to a request for `/robots.txt`. A plain file counts as a 200 without header fields.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) place: Place,
    /// The URL that was asked for; unknown of plain files.
    pub(crate) url: Option<String>,
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    pub(crate) cache_control: Option<String>,
    pub(crate) retry_after: Option<String>,
    pub(crate) location: Option<String>,
    /// Without its transfer and content codings.
    pub(crate) body: Vec<u8>,
    pub(crate) end: BodyEnd,
}

/// Whether the body is all that the server sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BodyEnd {
    Complete,
    /// The archive says that it was cut (`WARC-Truncated`), or the record holds less than it says.
    CutShort,
    /// Longer than the survey reads of one file.
    LimitReached,
}

/// Why something was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SkipReason {
    /// The archive's own record, a request, metadata.
    NotAResponse,
    /// The target of a redirect: its path is not `/robots.txt`.
    OtherPath,
    /// A response that is not HTTP.
    NotHttp,
    /// A record or member whose frame cannot be read: no head, no length, or a length that leads nowhere.
    BrokenRecord,
    /// A compressed member that ends too early or does not decode; the record within it is not counted otherwise.
    BrokenCompression,
    /// A file that cannot be opened or read to its end.
    Unreadable,
}

impl SkipReason {
    /// After a count.
    pub(crate) fn counted(self, count: u64) -> &'static str {
        let (one, many) = self.names();
        if count == 1 { one } else { many }
    }

    /// The name of one, and of many.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            SkipReason::NotAResponse => {
                ("record that is no response", "records that are no response")
            }
            SkipReason::OtherPath => (
                "response of another path than /robots.txt",
                "responses of another path than /robots.txt",
            ),
            SkipReason::NotHttp => ("response that is not HTTP", "responses that are not HTTP"),
            SkipReason::BrokenRecord => ("broken record", "broken records"),
            SkipReason::BrokenCompression => (
                "record in compression that is broken",
                "records in compression that is broken",
            ),
            SkipReason::Unreadable => ("file that cannot be read", "files that cannot be read"),
        }
    }
}

/// All of them, as a row of a table has it.
impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().1)
    }
}
