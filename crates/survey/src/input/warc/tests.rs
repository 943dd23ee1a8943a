//! Tests of the WARC reader with generated archives, whose contents are known, in batches of
//! different sizes.

use std::fs;
use std::path::Path;

use tempfile::TempPath;

use super::generator::{self, Archive, Damage, ExpectedContent, ExpectedItem, Form, archive};
use super::is_robots_txt;
use crate::content::{BodyEnd, Content, SkipReason};
use crate::input::Input;
use crate::input::kind::Kind;
use crate::input::reader::{Limits, Position};
use crate::interrupt::Interrupt;

const MAX_BYTES: usize = 2000;

#[test]
fn exactly_the_written_records_are_found() {
    for seed in 0..SEEDS {
        for form in [Form::Plain, Form::Members, Form::OneMember] {
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
        for form in [Form::Plain, Form::Members, Form::OneMember] {
            let archive = archive(seed, form, Damage::Some, 40, MAX_BYTES);
            let path = write_archive(&archive);
            for batch in [1, 3_000] {
                let items = read_items(&path, batch, Resume::AfterEachBatch);
                assert_same(&items, &archive.expected, (seed, form, Damage::Some));
            }
        }
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
        for form in [Form::Plain, Form::Members, Form::OneMember] {
            let mut archive = archive(seed, form, Damage::Some, 10, MAX_BYTES);
            for _ in 0..20 {
                // The first bytes stay, because they show that the archive is compressed.
                let at = 3 + random.below(archive.bytes.len() - 3);
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
    let limits = Limits {
        batch,
        max_bytes: MAX_BYTES,
        interrupt: Interrupt::default(),
    };
    let mut reader = input.open(&limits, Position::default()).unwrap();
    let mut items = Vec::new();
    loop {
        let chunk = reader.next();
        assert!(chunk.failure.is_none(), "{:?}", chunk.failure);
        let (bytes, batch_items) = chunk.batch.into_parts();
        items.extend(
            batch_items
                .into_iter()
                .map(|item| expected_form(item.content(&bytes, MAX_BYTES))),
        );
        if chunk.is_last {
            return items;
        }
        if resume == Resume::AfterEachBatch {
            reader = input.open(&limits, chunk.position).unwrap();
        }
    }
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
