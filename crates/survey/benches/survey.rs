//! The benchmark of the survey: its lowest and median time beside those of a WARC reader alone,
//! measured in turn on a generated archive. `SURVEY_MIB` is the size of its gzip members, 100 by
//! default.
//!
//! First the time for 30,000 small members after one of 5 MB is measured beside that for the small
//! ones alone: buffers that grew for the large one must not slow what follows it.
//!
//! The reader alone decodes the members on one thread and drops them; the survey counts everything,
//! with two threads and with one. `SURVEY_KEEP=FILE` keeps the archive, for
//! `/usr/bin/time -v robots survey FILE`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    unreachable_pub,
    missing_docs
)]

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use polite_robots_survey::{Depth, Input, Interrupt, Part, Plan, SurveyError, run};
use rust_warc::WarcReader;
use serde_json::Value;

use self::generator::{Random, frame};

#[path = "../tests/generator.rs"]
mod generator;

fn main() {
    measure_behind_large_member();
    let mib: u64 = std::env::var("SURVEY_MIB").map_or(100, |mib| mib.parse().unwrap());
    let kept = std::env::var_os("SURVEY_KEEP").map(PathBuf::from);
    let path = kept
        .clone()
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("survey.warc.gz"));
    let records = write(&path, mib * 1024 * 1024);
    println!(
        "{records} records in {:.1} MiB of gzip",
        fs::metadata(&path).unwrap().len() as f64 / f64::from(1 << 20)
    );
    let mut runs: [(&str, Run, Vec<Duration>); 3] = [
        ("reader alone, 1 thread", read, Vec::new()),
        ("survey, 2 threads", |path| survey(path, 2), Vec::new()),
        ("survey, 1 thread", |path| survey(path, 1), Vec::new()),
    ];
    for _ in 0..ROUNDS {
        for (_, run, times) in &mut runs {
            let start = Instant::now();
            assert_eq!(run(&path), records);
            times.push(start.elapsed());
        }
    }
    for (name, _, mut times) in runs {
        times.sort_unstable();
        let (least, median) = (times[0], times[times.len() / 2]);
        println!(
            "{name:<24} least {:>7.1} ms, median {:>7.1} ms, {:>6.2} µs a record",
            1e3 * least.as_secs_f64(),
            1e3 * median.as_secs_f64(),
            1e6 * least.as_secs_f64() / records as f64,
        );
    }
    if kept.is_none() {
        fs::remove_file(path).unwrap();
    }
}

/// Prints the time of a survey with one large member before many small ones, and without it.
fn measure_behind_large_member() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let paths =
        ["small-members.warc.gz", "behind-large-member.warc.gz"].map(|name| folder.join(name));
    let large = [None, Some(LARGE_BODY)];
    let records = [0, 1].map(|at| write_small(&paths[at], large[at]));
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (at, path) in paths.iter().enumerate() {
            let start = Instant::now();
            assert_eq!(survey(path, 1), records[at]);
            least[at] = least[at].min(start.elapsed());
        }
    }
    let [alone, behind] = least.map(|time| 1e3 * time.as_secs_f64());
    println!(
        "{} small members, 1 thread: least {alone:.1} ms, behind one of 5 MB {behind:.1} ms, {:.2} times as long",
        records[0],
        behind / alone
    );
    for path in paths {
        fs::remove_file(path).unwrap();
    }
}

/// Writes one large response, if any, and the small members. Returns the number of records.
fn write_small(path: &Path, large: Option<usize>) -> u64 {
    let mut random = Random::new(2);
    let mut file = BufWriter::new(File::create(path).unwrap());
    let mut records = 0;
    // A body that is not a file is decoded but not parsed, which would take as long as the small
    // members.
    let large = large.map(|len| {
        let file = robots_txt(&mut random);
        let body = file.repeat(len / file.len());
        let [_, response, _] = records_of(&mut random, "404 Not Found", &body);
        response
    });
    let small = (0..SMALL_MEMBERS / 3)
        .flat_map(|_| records_of(&mut random, "200 OK", "User-agent: *\nDisallow: /tmp/\n"));
    for record in large.into_iter().chain(small) {
        file.write_all(&gzip(&record)).unwrap();
        records += 1;
    }
    file.flush().unwrap();
    records
}

/// Reads an archive and returns the number of its records.
type Run = fn(&Path) -> u64;

fn read(path: &Path) -> u64 {
    let file = BufReader::with_capacity(256 * 1024, File::open(path).unwrap());
    let bytes = BufReader::with_capacity(256 * 1024, MultiGzDecoder::new(file));
    WarcReader::new(bytes)
        .inspect(|record| assert!(record.is_ok()))
        .count() as u64
}

fn survey(path: &Path, threads: usize) -> u64 {
    let mut part = Part::new(Input::find(path), 5 << 20, Depth::Sampled).unwrap();
    let plan = Plan {
        threads,
        batch_bytes: 4 << 20,
        save_interval: None,
    };
    let save = |_: &Part| Ok::<(), SurveyError>(());
    run(&mut part, &plan, &Interrupt::default(), &(), save).unwrap();
    let mut json = Vec::new();
    part.write(&mut json).unwrap();
    let part: Value = serde_json::from_slice(&json).unwrap();
    let summary = &part["summary"];
    let passed = summary["passed"].as_object().unwrap().values();
    summary["responses"].as_u64().unwrap()
        + passed.map(|count| count.as_u64().unwrap()).sum::<u64>()
}

/// Writes the records of fetches until the archive has its size. Returns the number of records.
fn write(path: &Path, bytes: u64) -> u64 {
    let mut random = Random::new(1);
    let mut file = BufWriter::new(File::create(path).unwrap());
    let (mut written, mut records) = (0, 0);
    while written < bytes {
        for record in fetch(&mut random) {
            let member = gzip(&record);
            file.write_all(&member).unwrap();
            written += member.len() as u64;
            records += 1;
        }
    }
    file.flush().unwrap();
    records
}

fn gzip(record: &[u8]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    member.write_all(record).unwrap();
    member.finish().unwrap()
}

/// Generates the three records of a fetch. Statuses and sizes have about the shares of a real
/// crawl.
fn fetch(random: &mut Random) -> [Vec<u8>; 3] {
    let status = match random.below(100) {
        0..=58 => "200 OK",
        59..=72 => "404 Not Found",
        73..=92 => "301 Moved Permanently",
        93..=95 => "403 Forbidden",
        _ => "503 Service Unavailable",
    };
    let body = robots_txt(random);
    records_of(random, status, &body)
}

/// Generates the three records of a fetch with this status and body.
fn records_of(random: &mut Random, status: &str, body: &str) -> [Vec<u8>; 3] {
    let host = random.below(1_000_000_000);
    let url = format!("https://www.host-{host}.example.com/robots.txt");
    let request = format!(
        "GET /robots.txt HTTP/1.1\r\nUser-Agent: ExampleBot/1.0 (+https://example.org/bot)\r\n\
         Accept: text/plain\r\nHost: www.host-{host}.example.com\r\nConnection: Keep-Alive\r\n\r\n"
    );
    let response = format!(
        "HTTP/1.1 {status}\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nServer: example\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nX-Crawl-Content-Encoding: gzip\r\n\
         Cache-Control: max-age=3600\r\nETag: \"{host:x}\"\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let metadata = "fetchTimeMs: 120\r\ncharset-detected: UTF-8\r\n";
    let fields = |kind, content_type| {
        [
            ("WARC-Type", kind),
            ("WARC-Date", "2026-01-01T00:00:00Z"),
            (
                "WARC-Record-ID",
                "<urn:uuid:00000000-0000-0000-0000-000000000000>",
            ),
            ("WARC-IP-Address", "192.0.2.1"),
            ("WARC-Target-URI", url.as_str()),
            (
                "WARC-Payload-Digest",
                "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
            ),
            ("Content-Type", content_type),
        ]
    };
    [
        (
            fields("request", "application/http; msgtype=request"),
            request.as_str(),
        ),
        (
            fields("response", "application/http; msgtype=response"),
            &response,
        ),
        (fields("metadata", "application/warc-fields"), metadata),
    ]
    .map(|(fields, block)| frame(&fields, block.as_bytes(), block.len() as u64))
}

/// Generates a robots.txt of 0.3 to 10 KB, more often short than long.
fn robots_txt(random: &mut Random) -> String {
    let mut body = String::from("User-agent: *\n");
    let longest = random.pick(&[300, 300, 600, 600, 1_500, 3_000, 10_000]);
    while body.len() < longest {
        let words = [
            "admin",
            "cart",
            "search",
            "wp-content",
            "user",
            "tmp",
            "checkout",
            "api",
        ];
        let line = match random.below(8) {
            0 => format!("Allow: /{}/{}$\n", random.pick(&words), random.below(1000)),
            1 => format!("\nUser-agent: ExampleBot-{}\n", random.below(50)),
            2 => format!("Disallow: /*?{}=\n", random.pick(&words)),
            3 => String::from("Crawl-delay: 10\n"),
            _ => format!(
                "Disallow: /{}/{}\n",
                random.pick(&words),
                random.below(1000)
            ),
        };
        body.push_str(&line);
    }
    body + "Sitemap: https://www.example.com/sitemap.xml\n"
}

/// The body of the large member, in bytes.
const LARGE_BODY: usize = 5_000_000;

/// The small members, three for each fetch.
const SMALL_MEMBERS: u64 = 30_000;

/// The number of measurements.
const ROUNDS: usize = 5;
