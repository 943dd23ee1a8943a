//! A batch: as much of an input as is read at once, for many threads to take apart.

use std::io;
use std::mem;
use std::ops::Range;

use crate::content::{BodyEnd, Content, Place, Response, SkipReason};
use crate::http;
use polite_robots_audit::printable::printable;

/// Records, and the bytes that they refer to. Its size is bounded, whatever the input.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    octets: Vec<u8>,
    items: Vec<Item>,
    /// Bytes of the texts in the items: what an archive names may be long.
    texts: usize,
    warnings: Vec<String>,
}

/// One thing in the batch, as far as the reader took it apart.
#[derive(Debug)]
pub(crate) enum Item {
    /// An HTTP response as it was recorded: its head and its body, in their codings.
    Http {
        place: Place,
        url: String,
        recorded: Range<usize>,
        end: BodyEnd,
    },
    /// A robots.txt that is a file of its own.
    File {
        place: Place,
        body: Range<usize>,
        end: BodyEnd,
    },
    Skipped(SkipReason, Place),
}

impl Batch {
    /// With room for so many bytes, within reason: to grow there would copy them all again and again.
    pub(crate) fn with_room(octets: usize) -> Batch {
        Batch {
            octets: Vec::with_capacity(octets.min(MOST_ROOM)),
            ..Batch::default()
        }
    }

    /// Whether it is time to hand it over.
    pub(crate) fn holds(&self, octets: usize) -> bool {
        self.octets.len() + self.texts + self.items.len() * size_of::<Item>() >= octets
    }

    pub(crate) fn push_http(&mut self, place: Place, url: String, recorded: &[u8], end: BodyEnd) {
        let recorded = self.keep(recorded);
        self.texts += url.len();
        self.push(Item::Http {
            place,
            url,
            recorded,
            end,
        });
    }

    pub(crate) fn push_file(&mut self, place: Place, body: &[u8], end: BodyEnd) {
        let body = self.keep(body);
        self.push(Item::File { place, body, end });
    }

    pub(crate) fn push_skipped(&mut self, passed: SkipReason, place: Place) {
        self.push(Item::Skipped(passed, place));
    }

    /// Warns of a file that cannot be read, and counts it.
    pub(crate) fn push_unreadable(&mut self, place: Place, error: &io::Error) {
        // An error of a folder names paths again.
        let error = printable(&error.to_string());
        self.warnings.push(format!("cannot read {place}: {error}"));
        self.push_skipped(SkipReason::Unreadable, place);
    }

    fn push(&mut self, item: Item) {
        self.texts += item.place().member.len();
        self.items.push(item);
    }

    /// Takes the warnings, which are printed as soon as the batch counts.
    pub(crate) fn take_warnings(&mut self) -> Vec<String> {
        mem::take(&mut self.warnings)
    }

    fn keep(&mut self, octets: &[u8]) -> Range<usize> {
        let start = self.octets.len();
        self.octets.extend_from_slice(octets);
        start..self.octets.len()
    }

    /// The bytes, and what to call [`Item::found`] on.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<Item>) {
        (self.octets, self.items)
    }
}

/// The room of a batch of usual size; the limit may be any number.
const MOST_ROOM: usize = 4 << 20;

impl Item {
    pub(crate) fn place(&self) -> &Place {
        match self {
            Item::Http { place, .. } | Item::File { place, .. } | Item::Skipped(_, place) => place,
        }
    }

    /// Decodes the item of a batch with these bytes. A body is decoded up to `max_bytes`.
    pub(crate) fn content(self, octets: &[u8], max_bytes: usize) -> Content {
        match self {
            Item::Http {
                place,
                url,
                recorded,
                end,
            } => {
                let recorded = octets.get(recorded).unwrap_or_default();
                match http::read(recorded, end, max_bytes) {
                    Some(message) => Content::Response(message.response(place, url)),
                    None => Content::Skipped(SkipReason::NotHttp, place),
                }
            }
            Item::File { place, body, end } => Content::Response(Response {
                place,
                url: None,
                status: 200,
                content_type: None,
                cache_control: None,
                retry_after: None,
                location: None,
                body: octets.get(body).unwrap_or_default().to_vec(),
                end,
            }),
            Item::Skipped(passed, place) => Content::Skipped(passed, place),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Batch, BodyEnd, Place, SkipReason};

    #[test]
    fn names_in_an_archive_fill_a_batch() {
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
