//! A batch: a bounded piece of an input, which many threads decode and count together.

use std::io;
use std::mem;
use std::ops::Range;

use crate::content::{BodyEnd, Content, Place, RobotsResponse, SkipReason};
use crate::dates::Dates;
use crate::http;
use polite_robots_audit::printable::printable;

/// Records, and the bytes that they refer to. Its size is bounded for every input.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    items: Vec<Item>,
    /// The bytes of the bodies, names and URLs in the items; an archive may hold very long names.
    owned_bytes: usize,
    /// The dates of the responses of a WARC.
    dates: Dates,
    warnings: Vec<String>,
}

/// One record or file of a batch, not yet decoded.
#[derive(Debug)]
pub(crate) enum Item {
    /// An HTTP response as it was recorded: head and body, with their codings.
    Http {
        place: Place,
        url: String,
        recorded: Range<usize>,
        end: BodyEnd,
    },
    /// An HTTP response of another path, to which a redirect may lead.
    OtherPath {
        place: Place,
        url: String,
        recorded: Range<usize>,
        end: BodyEnd,
    },
    /// A robots.txt in a file of its own.
    File {
        place: Place,
        body: Vec<u8>,
        end: BodyEnd,
    },
    /// A record that is not counted as a response.
    Skipped(SkipReason, Place),
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

    pub(crate) fn push_http(&mut self, place: Place, url: String, recorded: &[u8], end: BodyEnd) {
        let recorded = self.keep(recorded);
        self.owned_bytes += url.len();
        self.push(Item::Http {
            place,
            url,
            recorded,
            end,
        });
    }

    /// Adds a response of another path than `/robots.txt`.
    pub(crate) fn push_other_path(
        &mut self,
        place: Place,
        url: String,
        recorded: &[u8],
        end: BodyEnd,
    ) {
        let recorded = self.keep(recorded);
        self.owned_bytes += url.len();
        self.push(Item::OtherPath {
            place,
            url,
            recorded,
            end,
        });
    }

    /// Adds the date of a response.
    pub(crate) fn add_date(&mut self, date: &str) {
        self.dates.add(date);
    }

    pub(crate) fn dates(&self) -> &Dates {
        &self.dates
    }

    /// Adds a file. Its item keeps the body, which would be copied out of `bytes` once more.
    pub(crate) fn push_file(&mut self, place: Place, body: Vec<u8>, end: BodyEnd) {
        self.owned_bytes += body.len();
        self.push(Item::File { place, body, end });
    }

    pub(crate) fn push_skipped(&mut self, reason: SkipReason, place: Place) {
        self.push(Item::Skipped(reason, place));
    }

    /// Adds a warning about a file that cannot be read, and counts the file as skipped.
    pub(crate) fn push_unreadable(&mut self, place: Place, error: &io::Error) {
        // The error of a folder repeats the paths, which may hold control characters.
        let error = printable(&error.to_string());
        self.warnings.push(format!("cannot read {place}: {error}"));
        self.push_skipped(SkipReason::Unreadable, place);
    }

    fn push(&mut self, item: Item) {
        self.owned_bytes += item.place().member.len();
        self.items.push(item);
    }

    /// Takes the warnings, which are printed when the batch is counted.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.warnings)
    }

    fn keep(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }

    /// Splits the batch into its bytes and the items, for [`Item::content`].
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<Item>) {
        (self.bytes, self.items)
    }
}

/// The most bytes that are reserved up front: the usual size of a batch. Callers may ask for any
/// number.
const MOST_ROOM: usize = 4 << 20;

impl Item {
    pub(crate) fn place(&self) -> &Place {
        match self {
            Item::Http { place, .. }
            | Item::OtherPath { place, .. }
            | Item::File { place, .. }
            | Item::Skipped(_, place) => place,
        }
    }

    /// Decodes the item; `bytes` are those of its batch. A body is decoded up to `max_bytes`.
    pub(crate) fn content(self, bytes: &[u8], max_bytes: usize) -> Content {
        match self {
            Item::Http {
                place,
                url,
                recorded,
                end,
            } => {
                let recorded = bytes.get(recorded).unwrap_or_default();
                match http::read(recorded, end, max_bytes) {
                    Some(message) => Content::Response(message.response(place, url)),
                    None => Content::Skipped(SkipReason::NotHttp, place),
                }
            }
            Item::File { place, body, end } => Content::Response(RobotsResponse {
                place,
                url: None,
                status: 200,
                content_type: None,
                cache_control: None,
                retry_after: None,
                location: None,
                body,
                end,
            }),
            Item::OtherPath { place, .. } => Content::Skipped(SkipReason::OtherPath, place),
            Item::Skipped(reason, place) => Content::Skipped(reason, place),
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
        batch.push_http(place(String::new()), name.clone(), b"", BodyEnd::Complete);
        assert!(batch.holds(60_000));
        assert!(!batch.holds(100_000));
        batch.push_skipped(SkipReason::NotAResponse, place(name));
        assert!(batch.holds(120_000));
    }
}
