//! Archives of which it is known what is in them, read in batches of any size.

use std::fs;
use std::path::Path;

use tempfile::TempPath;

use super::generator::{self, Archive, Damage, Find, Form, What, archive};
use super::is_robots_txt;
use crate::content::{BodyEnd, Content, SkipReason};
use crate::input::Input;
use crate::input::kind::Kind;
use crate::input::reader::{Limits, Position};
use crate::interrupt::Interrupt;

const MAX_BYTES: usize = 2000;

#[test]
fn all_that_was_written_is_found_and_nothing_else() {
    for seed in 0..SEEDS {
        for form in [Form::Plain, Form::Members, Form::OneMember] {
            for damage in [Damage::None, Damage::Some] {
                let archive = archive(seed, form, damage, 60, MAX_BYTES);
                let path = written(&archive);
                let finds = finds(&path, usize::MAX, Resume::Never);
                assert_same(&finds, &archive.finds, (seed, form, damage));
            }
        }
    }
}

#[test]
fn going_on_after_any_batch_is_going_on() {
    for seed in 0..SEEDS / 10 {
        for form in [Form::Plain, Form::Members, Form::OneMember] {
            let archive = archive(seed, form, Damage::Some, 40, MAX_BYTES);
            let path = written(&archive);
            for batch in [1, 3_000] {
                let finds = finds(&path, batch, Resume::AfterEachBatch);
                assert_same(&finds, &archive.finds, (seed, form, Damage::Some));
            }
        }
    }
}

#[test]
fn a_plain_warc_with_the_name_of_a_compressed_one_is_read() {
    let archive = archive(1, Form::Plain, Damage::None, 5, MAX_BYTES);
    let path = written(&archive);
    assert_eq!(path.extension().unwrap(), "gz");
    assert_same(
        &finds(&path, 1, Resume::Never),
        &archive.finds,
        (1, Form::Plain, Damage::None),
    );
}

#[test]
fn any_octets_come_to_an_end() {
    let mut random = generator::Random::new(1);
    for seed in 0..SEEDS {
        for form in [Form::Plain, Form::Members, Form::OneMember] {
            let mut archive = archive(seed, form, Damage::Some, 10, MAX_BYTES);
            for _ in 0..20 {
                // With one member, the first bytes must stay: they show that it is one.
                let at = 3 + random.below(archive.octets.len() - 3);
                archive.octets[at] = random.below(256) as u8;
            }
            let path = written(&archive);
            let once = finds(&path, usize::MAX, Resume::Never);
            let resumed = finds(&path, 1, Resume::AfterEachBatch);
            assert_same(&resumed, &once, (seed, form, Damage::Some));
        }
    }
}

/// Each of the starts is that of a member which goes on to the end of the file.
#[test]
fn starts_of_members_are_gone_over_a_few_times_at_most() {
    let start = b"\x1f\x8b\x08\0\0\0\0\0\0\0\0\xff\xff\0\0";
    let octets = start.repeat(20_000);
    let length = octets.len() as u64;
    let archive = Archive {
        octets,
        finds: Vec::new(),
    };
    let path = written(&archive);
    let limits = Limits {
        batch: usize::MAX,
        max_bytes: MAX_BYTES,
        interrupt: Interrupt::default(),
    };
    let input = Input::find(&path).remove(0);
    let chunk = input.open(&limits, Position::default()).unwrap().next();
    assert!(chunk.is_last);
    let again = chunk.position.gone_back;
    assert!(again > 0, "it is gone over again");
    assert!(again <= 4 * length + 1024 * 1024, "{again}");
}

/// Each record leads to the same line ends, and each start of a record to no empty line.
#[test]
fn a_record_is_not_looked_for_beyond_the_next_one() {
    let starts = "WARC/1.0\n".repeat(100_000);
    let line_ends = "\n".repeat(1_000_000);
    let records: String = (0..10_000)
        .map(|number| {
            let length = 1_000_000 - 60 * number;
            format!("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: {length:7}\r\n\r\n")
        })
        .collect();
    let sound = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let octets = [&starts, &records, &line_ends, "x\n", sound].concat();
    let archive = Archive {
        octets: octets.into(),
        finds: Vec::new(),
    };
    let path = written(&archive);
    let finds = finds(&path, usize::MAX, Resume::Never);
    assert_eq!(
        finds.last().unwrap().what,
        What::SkipReason("not-a-response")
    );
    let broken = finds
        .iter()
        .filter(|find| find.what == What::SkipReason("broken-record"));
    assert_eq!(broken.count(), 110_000);
}

#[test]
fn the_path_says_what_is_a_robots_txt() {
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

fn finds(path: &Path, batch: usize, resume: Resume) -> Vec<Find> {
    let input = Input::find(path).remove(0);
    assert_eq!(input.kind, Kind::Warc);
    let limits = Limits {
        batch,
        max_bytes: MAX_BYTES,
        interrupt: Interrupt::default(),
    };
    let mut reader = input.open(&limits, Position::default()).unwrap();
    let mut finds = Vec::new();
    loop {
        let chunk = reader.next();
        assert!(chunk.failure.is_none(), "{:?}", chunk.failure);
        let (octets, items) = chunk.batch.into_parts();
        finds.extend(
            items
                .into_iter()
                .map(|item| find(item.content(&octets, MAX_BYTES))),
        );
        if chunk.is_last {
            return finds;
        }
        if resume == Resume::AfterEachBatch {
            reader = input.open(&limits, chunk.position).unwrap();
        }
    }
}

fn find(found: Content) -> Find {
    match found {
        Content::Response(response) => Find {
            offset: response.place.offset,
            what: What::Response {
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
        Content::Skipped(passed, place) => Find {
            offset: place.offset,
            what: What::SkipReason(match passed {
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

/// One by one, as a whole list is too long to look at.
fn assert_same(found: &[Find], written: &[Find], of: (u64, Form, Damage)) {
    for (at, (found, written)) in found.iter().zip(written).enumerate() {
        assert_eq!(found, written, "{at} of {of:?}");
    }
    assert_eq!(found.len(), written.len(), "{of:?}");
}

/// Gone again with the value.
fn written(archive: &Archive) -> TempPath {
    let mut builder = tempfile::Builder::new();
    let path = builder.suffix(".warc.gz").tempfile().unwrap();
    fs::write(&path, &archive.octets).unwrap();
    path.into_temp_path()
}

const SEEDS: u64 = 60;
