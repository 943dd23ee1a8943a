//! A robots.txt that is not text opens nothing: one in a coding that the client does not decode, or
//! one in UTF-16 without a byte order mark. The client reads every coding that it asks for.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use polite_robots::Cause;
use polite_robots_client::Error;
use polite_robots_policy::Profile;

use super::answer::Answer;
use super::crawl::{client, quick, runtime};
use super::judge::Judge;
use super::server::{Ground, Site};

/// The file closes the site. A client that takes the site for open has read something else.
const FILE: &[u8] = b"User-agent: *\nDisallow: /\n";

/// A file of the same length.
const PRIVATE: &[u8] = b"User-agent: *\nDisallow: /p";

/// Brotli and Zstandard store a text as short as [`FILE`] as it is, between a head and an end.
const BROTLI: [&[u8]; 3] = [b"\x8B\x0C\x80", FILE, b"\x03"];
const ZSTANDARD: [&[u8]; 2] = [b"\x28\xB5\x2F\xFD\x20\x1A\xD1\x00\x00", FILE];

/// Two rules and a comment of 16 MiB in one block, which a decoder has to hold as a whole.
const BROTLI_BOMB: &[u8] = b"\
    \xCF\xFF\xFF\x7F\x00\x44\x4F\xD6\x5F\x92\x4D\xB3\x99\x2E\x0B\xD5\xBA\x20\xA8\xE8\
    \x4E\x56\x99\xE5\x35\xC9\x21\xAB\x79\xBD\x2A\x5B\x27\x41\xCC\x61\xE1\x64\xEB\x60\
    \x5F\xDE\xFF\x7F\x83\xAB\x08\x01\x00\x20\x01\x10\x45\x04\x40";

/// The same rules with a comment of 900,000 bytes, longer than the part of a robots.txt that is
/// read.
const BROTLI_LONG: &[u8] = b"\
    \x5B\xC1\xBB\x0D\xC0\x79\x60\xC7\x10\xCB\x13\x46\x8D\xDE\xFC\x23\x54\x7A\x2A\x10\
    \x85\x35\xC8\x48\xDA\x9C\x52\x79\xA9\x16\x1D\x70\xC8\x01\xEB\x77\x6D\x19\x45\x08\
    \xD5\x62\x26\x87\x39\x4E\xA2\x90\xDD\x50\x63\xA1\xFF\xCF\x9A\x6D\xE0\x01";

fn gzip(file: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(file).unwrap();
    encoder.finish().unwrap()
}

fn zlib(file: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(file).unwrap();
    encoder.finish().unwrap()
}

fn deflate(file: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(file).unwrap();
    encoder.finish().unwrap()
}

fn utf16(file: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(file).unwrap();
    let units = text.encode_utf16().flat_map(u16::to_le_bytes);
    [0xFF, 0xFE].into_iter().chain(units).collect()
}

/// The site of each coding, and one whose redirect leads to a coded answer.
fn answers() -> Vec<(&'static str, Answer)> {
    let coded = |coding: &'static str, body: &[u8]| {
        (coding, Answer::ok(body).header("Content-Encoding", coding))
    };
    vec![
        coded("br", b"\xFF\xFF\xFF\xFF no brotli \x01\x02"),
        coded("zstd", &ZSTANDARD.concat()),
        coded("gzip, br", &BROTLI.concat()),
        coded("br", BROTLI_BOMB),
        ("gzip without a field", Answer::ok(gzip(FILE))),
        ("zstd without a field", Answer::ok(ZSTANDARD.concat())),
        (
            "zip without a field",
            Answer::ok([b"PK\x03\x04", FILE].concat()),
        ),
        ("UTF-16 without a mark", Answer::ok(&utf16(FILE)[2..])),
    ]
}

#[test]
fn a_body_that_is_no_text_opens_nothing() {
    let answers = answers();
    let ground = Ground::new(answers.len() + 1, 0);
    let names = ground.names();
    let mut sites: Vec<(String, Site)> = answers
        .iter()
        .zip(&names)
        .map(|((_, answer), name)| {
            let site = Site::default().on("/robots.txt", [answer.clone()]);
            (name.clone(), site.on("/a", [Answer::ok("a page")]))
        })
        .collect();
    let moved = Answer::redirect(301, ground.url(&names[0], "/robots.txt"));
    let last = names.last().unwrap().clone();
    sites.push((last, Site::default().on("/robots.txt", [moved])));
    let zoo = ground.open(sites.into_iter().collect());
    let urls: Vec<String> = names.iter().map(|name| zoo.url(name, "/a")).collect();
    runtime().block_on(async {
        let profile = quick(Profile::rfc9309());
        let client = client(&zoo, profile, 4).build().unwrap();
        for (number, url) in urls.iter().enumerate() {
            let coding = answers
                .get(number)
                .map_or("behind a redirect", |(coding, _)| coding);
            match client.get(url).await {
                Err(Error::Closed {
                    cause: Cause::Encoded,
                    retry_at: Some(_),
                    ..
                }) => {}
                other => panic!("{coding}: {other:?}"),
            }
        }
    });
    let hits = zoo.hits();
    assert!(
        hits.iter().all(|hit| hit.path == "/robots.txt"),
        "{hits:#?}"
    );
    let judge = Judge::of_crawl(quick(Profile::rfc9309()), "ExampleBot");
    assert!(judge.unfetched(&hits, &urls).is_empty());
}

/// The client decodes gzip, deflate and br; `identity` is no coding.
#[test]
fn a_body_whose_coding_is_undone_is_read() {
    let ground = Ground::new(10, 0);
    let names = ground.names();
    let file = b"User-agent: *\nDisallow: /private\n";
    let answers = [
        Answer::gzip(file),
        Answer::ok(file).header("Content-Encoding", "identity"),
        Answer::ok(file).header("Content-Encoding", "utf-8"),
        Answer::ok([BROTLI[0], PRIVATE, BROTLI[2]].concat()).header("Content-Encoding", "br"),
        Answer::ok(BROTLI_LONG).header("Content-Encoding", "BR"),
        Answer::ok(zlib(PRIVATE)).header("Content-Encoding", "deflate"),
        Answer::ok(utf16(PRIVATE)),
        Answer::ok(deflate(PRIVATE)).header("Content-Encoding", "deflate"),
        Answer::ok(gzip(PRIVATE)).header("Content-Encoding", "x-gzip"),
        Answer::ok(gzip(&gzip(PRIVATE))).header("Content-Encoding", "gzip, gzip"),
    ];
    let sites = names.iter().zip(answers).map(|(name, robots)| {
        let site = Site::default().on("/robots.txt", [robots]);
        (name.clone(), site.on("/a", [Answer::ok("a page")]))
    });
    let zoo = ground.open(sites.collect());
    runtime().block_on(async {
        let client = client(&zoo, quick(Profile::rfc9309()), 2).build().unwrap();
        for name in &names {
            assert_eq!(
                client.get(&zoo.url(name, "/a")).await.unwrap().status(),
                200
            );
            let private = client.get(&zoo.url(name, "/private/x")).await;
            assert!(matches!(private, Err(Error::Disallowed(_))), "{private:?}");
        }
    });
}
