//! A batch: a bounded piece of an input, which many threads decode and count together.

use std::io;
use std::ops::Range;

use crate::content::{BodyEnd, Content, Place, RobotsResponse, SkipReason};
use crate::dates::Dates;
use crate::http;
use polite_robots_audit::printable::printable;

/// Records, and the bytes that they refer to. The size of a batch is bounded for every input.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) items: Vec<Item>,
    /// The bytes of the bodies, names and URLs in the items; an archive may hold very long names.
    owned_bytes: usize,
    /// The dates of the responses of a WARC.
    pub(crate) dates: Dates,
    /// The warnings, which are printed when the batch is counted.
    pub(crate) warnings: Vec<String>,
}

/// One record or file of a batch, not yet decoded.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) place: Place,
    pub(crate) record: Record,
}

#[derive(Debug)]
pub(crate) enum Record {
    /// An HTTP response as it was recorded: head and body, with their codings.
    Http {
        url: String,
        recorded: Range<usize>,
        end: BodyEnd,
        /// Whether the path is `/robots.txt`. A redirect may lead to a response of another path.
        is_robots_txt: bool,
    },
    /// A robots.txt in a file of its own.
    File { body: Vec<u8>, end: BodyEnd },
    /// A record that is not counted as a response.
    Skipped(SkipReason),
}

impl Batch {
    /// Creates a batch with room for `bytes`, up to [`MOST_ROOM`], because growing would copy the
    /// bytes again and again.
    pub(crate) fn with_room(bytes: usize) -> Batch {
        Batch {
            bytes: Vec::with_capacity(bytes.min(MOST_ROOM)),
            ..Batch::default()
        }
    }

    /// Whether the batch has reached its size and should be handed over.
    pub(crate) fn holds(&self, bytes: usize) -> bool {
        self.bytes.len() + self.owned_bytes + self.items.len() * size_of::<Item>() >= bytes
    }

    /// Adds a response to a request for `/robots.txt` or for another path.
    pub(crate) fn push_http(
        &mut self,
        place: Place,
        url: String,
        block: &[u8],
        end: BodyEnd,
        is_robots_txt: bool,
    ) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(block);
        self.owned_bytes += url.len();
        let recorded = start..self.bytes.len();
        let record = Record::Http {
            url,
            recorded,
            end,
            is_robots_txt,
        };
        self.push(place, record);
    }

    /// Adds a file. The item keeps its own body, because `bytes` would need one more copy of it.
    pub(crate) fn push_file(&mut self, place: Place, body: Vec<u8>, end: BodyEnd) {
        self.owned_bytes += body.len();
        self.push(place, Record::File { body, end });
    }

    pub(crate) fn push_skipped(&mut self, reason: SkipReason, place: Place) {
        self.push(place, Record::Skipped(reason));
    }

    /// Adds a warning about a file that cannot be read, and counts the file as skipped.
    pub(crate) fn push_unreadable(&mut self, place: Place, error: &io::Error) {
        // The error of a folder repeats the paths, which may hold control characters.
        let error = printable(&error.to_string());
        self.warnings.push(format!("cannot read {place}: {error}"));
        self.push_skipped(SkipReason::Unreadable, place);
    }

    fn push(&mut self, place: Place, record: Record) {
        self.owned_bytes += place.member.len();
        self.items.push(Item { place, record });
    }
}

/// The most bytes that are reserved up front: the usual size of a batch. Callers may ask for any
/// number.
const MOST_ROOM: usize = 4 << 20;

impl Item {
    /// Decodes the item from the `bytes` of its batch. It decodes at most `max_bytes` of a body.
    pub(crate) fn content(self, bytes: &[u8], max_bytes: usize) -> Content {
        let Item { place, record } = self;
        match record {
            Record::Http {
                is_robots_txt: false,
                ..
            } => Content::Skipped(SkipReason::OtherPath, place),
            Record::Http {
                url, recorded, end, ..
            } => {
                let recorded = bytes.get(recorded).unwrap_or_default();
                match http::read((&place, &url), recorded, end, max_bytes) {
                    Some(response) => Content::Response(response),
                    None => Content::Skipped(SkipReason::NotHttp, place),
                }
            }
            Record::File { body, end } => {
                Content::Response(RobotsResponse::of_file(place, body, end))
            }
            Record::Skipped(reason) => Content::Skipped(reason, place),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Batch, BodyEnd, Place, SkipReason};

    #[test]
    fn long_names_count_towards_the_size_of_a_batch() {
        let place = |member| Place {
            member,
            ..Place::of_input(Path::new("x"))
        };
        let name = "a".repeat(60_000);
        let mut batch = Batch::default();
        batch.push_http(
            place(String::new()),
            name.clone(),
            b"",
            BodyEnd::Complete,
            true,
        );
        assert!(batch.holds(60_000));
        assert!(!batch.holds(100_000));
        batch.push_skipped(SkipReason::NotAResponse, place(name));
        assert!(batch.holds(120_000));
    }
}
