//! Writes WARC archives from a seed, sound and damaged, and lists the records that a survey must
//! find in them.

// The tests of the command and the benchmark include this file too, and each uses only a part.
#![allow(dead_code)]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The form in which the records are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// Each record is a gzip member, as in the archives of Common Crawl.
    Members,
    /// All records are one gzip member.
    OneMember,
    /// Each record is a zstd frame.
    Frames,
    /// Each record is a zstd frame, and all use the dictionary in the first frame.
    FramesWithDictionary,
}

impl Form {
    pub(crate) const ALL: [Form; 5] = [
        Form::Plain,
        Form::Members,
        Form::OneMember,
        Form::Frames,
        Form::FramesWithDictionary,
    ];

    /// Whether each record is compressed on its own.
    fn has_members(self) -> bool {
        match self {
            Form::Plain | Form::OneMember => false,
            Form::Members | Form::Frames | Form::FramesWithDictionary => true,
        }
    }
}

/// Whether an archive has damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    None,
    Some,
}

/// A generated archive.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) bytes: Vec<u8>,
    /// Whether the last record lacks its last bytes.
    pub(crate) is_cut: bool,
    /// The records that a reader must find, in order.
    pub(crate) expected: Vec<ExpectedItem>,
}

/// A record that a reader must find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExpectedItem {
    pub(crate) offset: u64,
    pub(crate) content: ExpectedContent,
}

/// The content of a record that a reader must find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpectedContent {
    Response {
        url: String,
        status: u16,
        body: Vec<u8>,
        end: &'static str,
    },
    /// A skipped record, by the name of the reason in JSON.
    Skipped(&'static str),
}

impl Archive {
    pub(crate) fn count(&self, reason: &str) -> u64 {
        let count = self.expected.iter().filter(
            |item| matches!(item.content, ExpectedContent::Skipped(content) if content == reason),
        );
        count.count() as u64
    }

    pub(crate) fn responses(&self) -> u64 {
        let count = self
            .expected
            .iter()
            .filter(|item| matches!(item.content, ExpectedContent::Response { .. }));
        count.count() as u64
    }
}

/// Generates an archive of about `records` records. A reader must cut bodies that are longer than
/// `max_bytes`.
pub(crate) fn archive(
    seed: u64,
    form: Form,
    damage: Damage,
    records: usize,
    max_bytes: usize,
) -> Archive {
    let mut writer = Writer {
        random: Random::new(seed),
        form,
        max_bytes,
        out: Vec::new(),
        whole: GzEncoder::new(Vec::new(), Compression::fast()),
        expected: Vec::new(),
        was_broken: false,
        was_lost: false,
    };
    if form == Form::FramesWithDictionary {
        // A dictionary may be compressed too.
        let dictionary = match seed % 2 {
            0 => DICTIONARY.to_vec(),
            _ => zstd::encode_all(DICTIONARY, 1).unwrap(),
        };
        writer.out = skippable_frame(0x5D, &dictionary);
    }
    writer.write_info("warcinfo");
    for _ in 0..records {
        writer.write_record(damage);
    }
    // A record whose length is too long must be followed by bytes that it reaches into.
    writer.write_info("metadata");
    if damage == Damage::Some && writer.random.below(2) == 0 {
        writer.cut_end()
    } else {
        writer.end()
    }
}

struct Writer {
    random: Random,
    form: Form,
    max_bytes: usize,
    out: Vec<u8>,
    whole: GzEncoder<Vec<u8>>,
    expected: Vec<ExpectedItem>,
    /// Whether the last member was damaged. Two damaged members in a row may look like one to a
    /// reader.
    was_broken: bool,
    /// Whether the reader is searching for the start of a record, and skips other bytes.
    was_lost: bool,
}

/// A record before it is stored.
struct Record {
    bytes: Vec<u8>,
    content: ExpectedContent,
}

impl Writer {
    fn write_record(&mut self, damage: Damage) {
        let was_broken = std::mem::take(&mut self.was_broken);
        let was_lost = std::mem::take(&mut self.was_lost);
        match self.random.below(100) {
            0..=9 => self.write_info("request"),
            10..=14 => self.write_info("metadata"),
            15..=17 => self.write_info("revisit"),
            18..=20 => self.write_info("warcinfo"),
            21..=24 => self.write_not_http(),
            25..=29 => self.write_other_path(),
            30..=33 if damage == Damage::Some => self.write_broken_frame(was_lost),
            34..=36 if damage == Damage::Some => self.write_length_too_short(),
            37..=39 if damage == Damage::Some => self.write_length_too_long(),
            40..=45 if damage == Damage::Some && self.form.has_members() && !was_broken => {
                self.write_broken_member();
            }
            46 if self.form.has_members() => {
                let member = self.member(b"");
                self.out.extend(member);
                if self.form != Form::Members {
                    self.out.extend(skippable_frame(0x50, b"an index"));
                }
            }
            47 if damage == Damage::Some && self.form.has_members() && !was_broken => {
                let offset = self.out.len() as u64;
                let zeros = 1 + self.random.below(100);
                self.out.extend(vec![0; zeros]);
                self.expect(offset, ExpectedContent::Skipped("broken-compression"));
                self.was_broken = true;
            }
            48..=50 => {
                // The same response twice, because a crawl fetches some hosts twice.
                let record = self.response();
                self.store(&record.bytes, Some(record.content.clone()));
                self.store(&record.bytes, Some(record.content));
            }
            _ => {
                let record = self.response();
                self.store(&record.bytes, Some(record.content));
            }
        }
    }

    fn write_info(&mut self, kind: &str) {
        let block = format!("software: generator\r\nkind: {kind}\r\n");
        let bytes = frame(
            &[
                ("WARC-Type", kind),
                ("Content-Type", "application/warc-fields"),
            ],
            block.as_bytes(),
            block.len() as u64,
        );
        self.store(&bytes, Some(ExpectedContent::Skipped("not-a-response")));
    }

    fn write_not_http(&mut self) {
        let (content_type, block): (_, &[u8]) = match self.random.below(3) {
            0 => ("text/dns", b"20260101 example.com. 300 IN A 192.0.2.1"),
            1 => (
                "application/http; msgtype=response",
                b"\x16\x03\x01 not HTTP",
            ),
            _ => ("application/http", b""),
        };
        let bytes = frame(
            &[
                ("WARC-Type", "response"),
                ("WARC-Target-URI", "https://example.com/robots.txt"),
                ("Content-Type", content_type),
            ],
            block,
            block.len() as u64,
        );
        self.store(&bytes, Some(ExpectedContent::Skipped("not-http")));
    }

    fn write_other_path(&mut self) {
        let path = [
            "",
            "/",
            "/en/robots.txt",
            "/robots.txt/",
            "/login?to=/robots.txt",
        ];
        let url = format!("https://example.com{}", self.random.pick(&path));
        let (bytes, _) = self.http(&url);
        let bytes = response(&url, &bytes, bytes.len() as u64, &[]);
        self.store(&bytes, Some(ExpectedContent::Skipped("other-path")));
    }

    fn response(&mut self) -> Record {
        let url = self.url();
        let (block, mut content) = self.http(&url);
        let is_truncated = self.random.below(30) == 0;
        let fields: &[_] = if is_truncated {
            &[("WARC-Truncated", "length")]
        } else {
            &[]
        };
        if let ExpectedContent::Response { end, .. } = &mut content
            && is_truncated
            && *end == "complete"
        {
            *end = "cut-short";
        }
        Record {
            bytes: response(&url, &block, block.len() as u64, fields),
            content,
        }
    }

    fn url(&mut self) -> String {
        let host = self.random.below(1_000_000);
        let end = self.random.pick(&["", "", "", "?again", "#top"]);
        format!("https://host-{host}.example.com/robots.txt{end}")
    }

    /// Generates a stored response, and the content that a reader must find in it.
    fn http(&mut self, url: &str) -> (Vec<u8>, ExpectedContent) {
        let status = [
            200, 200, 200, 200, 200, 301, 302, 403, 404, 404, 429, 500, 503,
        ];
        let status = self.random.pick(&status);
        let version = self
            .random
            .pick(&["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2"]);
        let mut body = self.body();
        let length = body.len();
        let mut end = "complete";
        let (fields, stored) = match self.random.below(10) {
            0 => ("Transfer-Encoding: chunked".into(), self.chunked(&body)),
            1 => {
                let mut chunked = self.chunked(&body);
                // Removes the last chunk, `0 CR LF CR LF`.
                chunked.truncate(chunked.len() - 5);
                end = "cut-short";
                ("transfer-encoding: Chunked".into(), chunked)
            }
            2 => {
                let stored = gzip(&body);
                let fields = format!("Content-Encoding: gzip\r\nContent-Length: {}", stored.len());
                (fields, stored)
            }
            3 => {
                let stored = self.chunked(&gzip(&body));
                let fields = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked";
                (fields.into(), stored)
            }
            4 => (
                format!("X-Crawl-Content-Encoding: gzip\r\nContent-Length: {length}"),
                body.clone(),
            ),
            5 => (
                "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nContent-Length: 10".into(),
                body.clone(),
            ),
            6 => {
                end = "cut-short";
                (format!("Content-Length: {}", length + 1), body.clone())
            }
            7 => (format!("Content-Length: {}", length / 2), body.clone()),
            _ => (String::from("Content-Type: text/plain"), body.clone()),
        };
        if body.len() > self.max_bytes {
            body.truncate(self.max_bytes);
            end = "limit-reached";
        }
        let mut bytes = format!("{version} {status} Reason\r\n{fields}\r\n\r\n").into_bytes();
        bytes.extend(stored);
        let url = url.to_owned();
        let content = ExpectedContent::Response {
            url,
            status,
            body,
            end,
        };
        (bytes, content)
    }

    /// Generates a body that neither begins like a chunk nor ends with a line end.
    fn body(&mut self) -> Vec<u8> {
        let mut body = b"User-agent: *\n".to_vec();
        let lines = match self.random.below(40) {
            0 => 4_000,
            1..=5 => 200,
            _ => 10,
        };
        for _ in 0..self.random.below(lines) {
            let number = self.random.below(1_000_000);
            writeln!(body, "Disallow: /{number:x}/*?page={number}").unwrap();
        }
        body.extend(b"Sitemap: https://example.com/sitemap.xml");
        body
    }

    fn chunked(&mut self, body: &[u8]) -> Vec<u8> {
        let mut chunked = Vec::new();
        let size = 1 + self.random.below(body.len());
        for chunk in body.chunks(size) {
            write!(chunked, "{:x}\r\n", chunk.len()).unwrap();
            chunked.extend(chunk);
            chunked.extend(b"\r\n");
        }
        chunked.extend(b"0\r\n\r\n");
        chunked
    }

    fn write_broken_frame(&mut self, was_lost: bool) {
        self.was_lost = true;
        let bytes = match self.random.below(4) {
            0 => b"WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n".to_vec(),
            1 => {
                b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1e3\r\n\r\nx\r\n\r\n".to_vec()
            }
            2 => b"WARC/1.0\r\nContent-Length: 1\r\n\r\nx\r\n\r\n".to_vec(),
            _ if was_lost && !self.form.has_members() => return,
            _ => b"no record at all\r\n\r\n".to_vec(),
        };
        self.store(&bytes, Some(ExpectedContent::Skipped("broken-record")));
    }

    fn write_length_too_short(&mut self) {
        let url = self.url();
        let (block, _) = self.http(&url);
        // The length must not end within the line ends of the head, which look like those between
        // two records.
        let by = 1 + self.random.below(5);
        let block = [&block[..], b"the end of the block"].concat();
        let bytes = response(&url, &block, (block.len() - by) as u64, &[]);
        self.store(&bytes, Some(ExpectedContent::Skipped("broken-record")));
        self.was_lost = true;
    }

    /// Writes a record whose length is too long. It is cut at the end of its own member, or reaches
    /// into the next record.
    fn write_length_too_long(&mut self) {
        let url = self.url();
        let block = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";
        let by = match self.random.below(3) {
            0 => 1_000_000_000_000,
            _ => 20 + self.random.below(60) as u64,
        };
        let bytes = response(&url, block, block.len() as u64 + by, &[]);
        let content = match self.form {
            // The line ends after the block are read as a part of it.
            _ if self.form.has_members() => ExpectedContent::Response {
                url,
                status: 200,
                body: b"User-agent: *\n\r\n\r\n".to_vec(),
                end: "cut-short",
            },
            _ => ExpectedContent::Skipped("broken-record"),
        };
        self.store(&bytes, Some(content));
        // Another record follows, so that the length does not fit by chance.
        self.write_info("request");
    }

    fn write_broken_member(&mut self) {
        let record = self.response();
        let mut member = self.member(&record.bytes);
        let length = member.len();
        match self.random.below(3) {
            // Damages the checksum.
            0 if self.form == Form::Members => member[length - 8] ^= 1,
            0 => member[length - 4] ^= 1,
            1 => member.truncate(length - 1 - self.random.below(length / 3)),
            _ => {
                let at = length / 2;
                member[at..at + 8].copy_from_slice(b"damaged!");
            }
        }
        let offset = self.out.len() as u64;
        self.out.extend(member);
        self.expect(offset, ExpectedContent::Skipped("broken-compression"));
        self.was_broken = true;
    }

    fn store(&mut self, bytes: &[u8], content: Option<ExpectedContent>) {
        let offset = match self.form {
            Form::Plain => {
                self.out.extend(bytes);
                self.out.len() - bytes.len()
            }
            Form::Members | Form::Frames | Form::FramesWithDictionary => {
                let member = self.member(bytes);
                self.out.extend(&member);
                self.out.len() - member.len()
            }
            Form::OneMember => {
                self.whole.write_all(bytes).unwrap();
                0
            }
        };
        if let Some(content) = content {
            self.expect(offset as u64, content);
        }
    }

    /// Compresses a record on its own.
    fn member(&self, bytes: &[u8]) -> Vec<u8> {
        let dictionary = match self.form {
            Form::Frames => &[],
            Form::FramesWithDictionary => DICTIONARY,
            Form::Plain | Form::Members | Form::OneMember => return gzip(bytes),
        };
        let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 1, dictionary).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn expect(&mut self, offset: u64, content: ExpectedContent) {
        self.expected.push(ExpectedItem { offset, content });
    }

    fn end(mut self) -> Archive {
        if self.form == Form::OneMember {
            self.out = self.whole.finish().unwrap();
        }
        Archive {
            bytes: self.out,
            is_cut: false,
            expected: self.expected,
        }
    }

    /// Ends the archive with a response that lacks its last bytes.
    fn cut_end(mut self) -> Archive {
        let block = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /";
        let url = self.url();
        let bytes = response(&url, block, block.len() as u64, &[]);
        let content = match self.form {
            Form::Plain => ExpectedContent::Response {
                url,
                status: 200,
                body: b"User-agent: *\nDisa".to_vec(),
                end: "cut-short",
            },
            _ => ExpectedContent::Skipped("broken-compression"),
        };
        self.store(&bytes, Some(content));
        let by = match self.form {
            Form::Plain => b"llow: /\r\n\r\n".len(),
            // The last bytes are those of the trailer.
            Form::Members | Form::OneMember => 1 + self.random.below(7),
            Form::Frames | Form::FramesWithDictionary => 1 + self.random.below(3),
        };
        let mut archive = self.end();
        archive.bytes.truncate(archive.bytes.len() - by);
        archive.is_cut = true;
        archive
    }
}

pub(crate) fn response(url: &str, block: &[u8], length: u64, fields: &[(&str, &str)]) -> Vec<u8> {
    let mut all = vec![
        ("WARC-Type", "response"),
        ("WARC-Date", "2026-01-01T00:00:00Z"),
        ("WARC-Target-URI", url),
        ("Content-Type", "application/http; msgtype=response"),
    ];
    all.extend(fields);
    frame(&all, block, length)
}

pub(crate) fn frame(fields: &[(&str, &str)], block: &[u8], length: u64) -> Vec<u8> {
    let mut bytes = b"WARC/1.0\r\n".to_vec();
    for (name, value) in fields {
        write!(bytes, "{name}: {value}\r\n").unwrap();
    }
    write!(bytes, "Content-Length: {length}\r\n\r\n").unwrap();
    bytes.extend(block);
    bytes.extend(b"\r\n\r\n");
    bytes
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A frame that a reader of zstd skips, with the first byte of its magic number.
fn skippable_frame(first: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    [&[first, 0x2A, 0x4D, 0x18], &length[..], content].concat()
}

/// A dictionary of raw content: the texts that most records have.
const DICTIONARY: &[u8] =
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://host-\r\n\
      Content-Type: application/http; msgtype=response\r\nHTTP/1.1 200 Reason\r\nContent-Type: text/plain\r\n\r\n\
      User-agent: *\nDisallow: /Sitemap: https://example.com/sitemap.xml";

/// A generator of random numbers (xorshift64), the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number from 0 to less than `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
