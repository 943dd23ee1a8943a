//! Tests of the WARC reader with generated archives, whose contents are known, in batches of
//! different sizes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempPath;

use super::generator::{self, Archive, Damage, ExpectedContent, ExpectedItem, Form, archive};
use super::source::Pipe;
use super::{Batch, Warc, is_robots_txt};
use crate::content::{BodyEnd, Content, SkipReason};
use crate::input::Input;
use crate::input::kind::Kind;
use crate::input::reader::{Chunk, Limits, Position, Reader as _};
use crate::interrupt::Interrupt;

const MAX_BYTES: usize = 2000;

#[test]
fn exactly_the_written_records_are_found() {
    for seed in 0..SEEDS {
        for form in Form::ALL {
            for damage in [Damage::None, Damage::Some] {
                let archive = archive(seed, form, damage, 60, MAX_BYTES);
                let path = write_archive(&archive);
                let items = read_items(&path, usize::MAX, Resume::Never);
                assert_same(&items, &archive.expected, (seed, form, damage));
            }
        }
    }
}

#[test]
fn reading_can_resume_after_each_batch() {
    for seed in 0..SEEDS / 10 {
        for form in Form::ALL {
            let archive = archive(seed, form, Damage::Some, 40, MAX_BYTES);
            let path = write_archive(&archive);
            for batch in [1, 3_000] {
                let items = read_items(&path, batch, Resume::AfterEachBatch);
                assert_same(&items, &archive.expected, (seed, form, Damage::Some));
            }
        }
    }
}

/// A pipe gives its bytes once, a few at a time.
#[test]
fn a_pipe_is_read_as_a_file_is() {
    for seed in 0..SEEDS {
        for form in Form::ALL {
            let archive = archive(seed, form, Damage::Some, 60, MAX_BYTES);
            let chunk = 1 + seed as usize * 100;
            let pipe = Trickle {
                bytes: archive.bytes.clone(),
                at: 0,
                chunk,
            };
            let source = Box::new(Pipe::new(Box::new(pipe)));
            let input = Arc::new(PathBuf::from("-"));
            let mut reader = Warc::open(input, source, limits(3_000), Position::default()).unwrap();
            let mut items = Vec::new();
            loop {
                let chunk = reader.next();
                let is_last = chunk.is_last;
                assert!(chunk.failure.is_none(), "{:?}", chunk.failure);
                items.extend(expected_forms(chunk));
                if is_last {
                    break;
                }
            }
            assert_same(&items, &archive.expected, (seed, form, Damage::Some));
        }
    }
}

#[test]
fn an_input_that_ends_within_a_record_is_cut_at_its_length() {
    for seed in 0..SEEDS {
        for form in Form::ALL {
            for damage in [Damage::None, Damage::Some] {
                let archive = archive(seed, form, damage, 20, MAX_BYTES);
                let length = archive.bytes.len() as u64;
                let found = cut_at(&archive.bytes, 3_000);
                assert_eq!(found, archive.is_cut.then_some(length), "{seed} {form:?}");
            }
        }
    }
}

/// The ends of members and records are the only places where a cut cannot be seen.
#[test]
fn a_cut_anywhere_is_seen_but_between_two_records() {
    for form in Form::ALL {
        let archive = archive(5, form, Damage::None, 4, MAX_BYTES);
        let mut unseen: Vec<u64> = archive.expected.iter().map(|item| item.offset).collect();
        let length = archive.bytes.len();
        let start = match form {
            Form::FramesWithDictionary => unseen[0] as usize + 1,
            _ => 5,
        };
        unseen.extend([0, length as u64]);
        for end in start..=length {
            let found = cut_at(&archive.bytes[..end], usize::MAX);
            if form == Form::Plain {
                // A record is whole without the line ends after its block.
                let after = &archive.bytes[end..];
                let is_whole = (0..=4).any(|line_ends| {
                    let rest = after.get(line_ends..).unwrap_or_default();
                    after[..line_ends.min(after.len())]
                        .iter()
                        .all(|byte| b"\r\n".contains(byte))
                        && (rest.is_empty() || rest.starts_with(b"WARC/1.0\r\n"))
                });
                assert_eq!(found.is_none(), is_whole, "{end} of {length}");
            } else {
                let is_whole = unseen.contains(&(end as u64));
                assert_eq!(found.is_none(), is_whole, "{form:?}: {end} of {length}");
            }
        }
    }
}

#[test]
fn a_wrong_dictionary_loses_the_records_or_the_file_and_never_more() {
    let archive = archive(2, Form::FramesWithDictionary, Damage::None, 20, MAX_BYTES);
    let first = archive.expected[0].offset as usize;
    let without = Archive {
        bytes: archive.bytes[first..].to_vec(),
        is_cut: false,
        expected: Vec::new(),
    };
    let items = read_items(&write_archive(&without), usize::MAX, Resume::Never);
    assert!(!items.is_empty());
    for (bytes, message) in [
        (&archive.bytes[..first - 1], "ends within its dictionary"),
        (
            b"\x5d\x2a\x4d\x18\xff\xff\xff\xff\x28\xb5\x2f\xfd",
            "longer than 16 MiB",
        ),
        (
            b"\x5d\x2a\x4d\x18\x08\0\0\0\x28\xb5\x2f\xfd\xff\xff\xff\xff",
            "does not decode",
        ),
    ] {
        let bytes = [bytes, b"\x28\xb5\x2f\xfd"].concat();
        let bytes = if message.contains("within") {
            bytes[..first - 1].to_vec()
        } else {
            bytes
        };
        let source = Box::new(Pipe::new(Box::new(std::io::Cursor::new(bytes))));
        let input = Arc::new(PathBuf::from("-"));
        let result = Warc::open(input, source, limits(1), Position::default());
        let error = result
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_plain_warc_named_as_compressed_is_read() {
    let archive = archive(1, Form::Plain, Damage::None, 5, MAX_BYTES);
    let path = write_archive(&archive);
    assert_eq!(path.extension().unwrap(), "gz");
    assert_same(
        &read_items(&path, 1, Resume::Never),
        &archive.expected,
        (1, Form::Plain, Damage::None),
    );
}

#[test]
fn random_damage_gives_the_same_records_with_and_without_resuming() {
    let mut random = generator::Random::new(1);
    for seed in 0..SEEDS {
        for form in Form::ALL {
            let mut archive = archive(seed, form, Damage::Some, 10, MAX_BYTES);
            // The dictionary stays undamaged.
            let kept = archive.expected[0].offset as usize + 4;
            for _ in 0..20 {
                // The first bytes stay, because they show that the archive is compressed.
                let at = kept + random.below(archive.bytes.len() - kept);
                archive.bytes[at] = random.below(256) as u8;
            }
            let path = write_archive(&archive);
            let once = read_items(&path, usize::MAX, Resume::Never);
            let resumed = read_items(&path, 1, Resume::AfterEachBatch);
            assert_same(&resumed, &once, (seed, form, Damage::Some));
        }
    }
}

/// Each start begins a member that reaches to the end of the file.
#[test]
fn bytes_are_searched_again_only_a_few_times() {
    let start = b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\xff\xff\0\0";
    let bytes = start.repeat(20_000);
    let length = bytes.len() as u64;
    let archive = Archive {
        bytes,
        is_cut: false,
        expected: Vec::new(),
    };
    let path = write_archive(&archive);
    let limits = Limits {
        batch: usize::MAX,
        max_bytes: MAX_BYTES,
        interrupt: Interrupt::default(),
    };
    let input = Input::find(&path).remove(0);
    let chunk = input.open(&limits, Position::default()).unwrap().next();
    assert!(chunk.is_last);
    let again = chunk.position.gone_back;
    assert!(again > 0, "some bytes are searched again");
    assert!(again <= 4 * length + 1024 * 1024, "{again}");
}

/// The length of each record leads into the same run of line ends, and no start of a record has an
/// empty line after it.
#[test]
fn the_search_for_a_record_ends_at_the_next_one() {
    let starts = "WARC/1.0\n".repeat(100_000);
    let line_ends = "\n".repeat(1_000_000);
    let records: String = (0..10_000)
        .map(|number| {
            let length = 1_000_000 - 60 * number;
            format!("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: {length:7}\r\n\r\n")
        })
        .collect();
    let sound = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let bytes = [&starts, &records, &line_ends, "x\n", sound].concat();
    let archive = Archive {
        bytes: bytes.into(),
        is_cut: false,
        expected: Vec::new(),
    };
    let path = write_archive(&archive);
    let items = read_items(&path, usize::MAX, Resume::Never);
    assert_eq!(
        items.last().unwrap().content,
        ExpectedContent::Skipped("not-a-response")
    );
    let broken = items
        .iter()
        .filter(|item| item.content == ExpectedContent::Skipped("broken-record"));
    assert_eq!(broken.count(), 110_000);
}

#[test]
fn only_the_path_of_robots_txt_is_accepted() {
    for url in [
        "http://example.com/robots.txt",
        "https://example.com:8443/robots.txt?x=/y",
        "https://example.com/robots.txt#top",
    ] {
        assert!(is_robots_txt(url), "{url}");
    }
    for url in [
        "https://example.com/",
        "https://example.com",
        "https://example.com?/robots.txt",
        "https://example.com/en/robots.txt",
        "https://example.com/robots.txt/",
        "https://example.com/Robots.txt",
        "dns:example.com",
        "",
    ] {
        assert!(!is_robots_txt(url), "{url}");
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resume {
    Never,
    AfterEachBatch,
}

fn read_items(path: &Path, batch: usize, resume: Resume) -> Vec<ExpectedItem> {
    let input = Input::find(path).remove(0);
    assert_eq!(input.kind, Kind::Warc);
    let limits = limits(batch);
    let mut reader = input.open(&limits, Position::default()).unwrap();
    let mut items = Vec::new();
    loop {
        let chunk = reader.next();
        assert!(chunk.failure.is_none(), "{:?}", chunk.failure);
        let (is_last, position) = (chunk.is_last, chunk.position);
        items.extend(expected_forms(chunk));
        if is_last {
            return items;
        }
        if resume == Resume::AfterEachBatch {
            reader = input.open(&limits, position).unwrap();
        }
    }
}

fn limits(batch: usize) -> Limits {
    Limits {
        batch,
        max_bytes: MAX_BYTES,
        interrupt: Interrupt::default(),
    }
}

/// The byte at which a reader finds that the input was cut.
fn cut_at(bytes: &[u8], batch: usize) -> Option<u64> {
    let source = Box::new(Pipe::new(Box::new(std::io::Cursor::new(bytes.to_vec()))));
    let input = Arc::new(PathBuf::from("-"));
    let mut reader = Warc::open(input, source, limits(batch), Position::default()).unwrap();
    loop {
        let chunk = reader.next();
        if chunk.is_last {
            return chunk.cut_at;
        }
        assert_eq!(chunk.cut_at, None);
    }
}

/// A pipe that gives a few bytes at a time.
struct Trickle {
    bytes: Vec<u8>,
    at: usize,
    chunk: usize,
}

impl std::io::Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes = buffer.len().min(self.chunk).min(self.bytes.len() - self.at);
        buffer[..bytes].copy_from_slice(&self.bytes[self.at..self.at + bytes]);
        self.at += bytes;
        Ok(bytes)
    }
}

fn expected_forms(chunk: Chunk) -> Vec<ExpectedItem> {
    let Batch { bytes, items, .. } = chunk.batch;
    let forms = items
        .into_iter()
        .map(|item| expected_form(item.content(&bytes, MAX_BYTES)));
    forms.collect()
}

fn expected_form(content: Content) -> ExpectedItem {
    match content {
        Content::Response(response) => ExpectedItem {
            offset: response.place.offset,
            content: ExpectedContent::Response {
                url: response.url.unwrap(),
                status: response.status,
                body: response.body,
                end: match response.end {
                    BodyEnd::Complete => "complete",
                    BodyEnd::CutShort => "cut-short",
                    BodyEnd::LimitReached => "limit-reached",
                },
            },
        },
        Content::Skipped(reason, place) => ExpectedItem {
            offset: place.offset,
            content: ExpectedContent::Skipped(match reason {
                SkipReason::NotAResponse => "not-a-response",
                SkipReason::OtherPath => "other-path",
                SkipReason::Repeated => "repeated",
                SkipReason::NotHttp => "not-http",
                SkipReason::BrokenRecord => "broken-record",
                SkipReason::BrokenCompression => "broken-compression",
                SkipReason::Unreadable => "unreadable",
            }),
        },
    }
}

/// Compares record by record, because the difference of whole lists would be too long to read.
fn assert_same(found: &[ExpectedItem], written: &[ExpectedItem], case: (u64, Form, Damage)) {
    for (at, (found, written)) in found.iter().zip(written).enumerate() {
        assert_eq!(found, written, "record {at} of {case:?}");
    }
    assert_eq!(found.len(), written.len(), "{case:?}");
}

/// Writes an archive to a temporary file, which is removed with the value.
fn write_archive(archive: &Archive) -> TempPath {
    let mut builder = tempfile::Builder::new();
    let path = builder.suffix(".warc.gz").tempfile().unwrap();
    fs::write(&path, &archive.bytes).unwrap();
    path.into_temp_path()
}

const SEEDS: u64 = 60;
