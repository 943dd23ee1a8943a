//! Writes WARC archives from a seed, sound and damaged, and knows what a survey must find in them.

// The tests of the command and the benchmark use it too, each a part of it.
#![allow(dead_code)]

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

/// How the records are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// A gzip member for each record, as Common Crawl has it.
    Members,
    /// One gzip member for all.
    OneMember,
}

/// The damage that an archive may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    None,
    Some,
}

#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) octets: Vec<u8>,
    /// In order.
    pub(crate) finds: Vec<Find>,
}

/// A record that a reader must find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Find {
    pub(crate) offset: u64,
    pub(crate) what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    Response {
        url: String,
        status: u16,
        body: Vec<u8>,
        end: &'static str,
    },
    /// By the name that JSON has.
    SkipReason(&'static str),
}

impl Archive {
    pub(crate) fn count(&self, passed: &str) -> u64 {
        let count = self
            .finds
            .iter()
            .filter(|find| matches!(find.what, What::SkipReason(what) if what == passed));
        count.count() as u64
    }

    pub(crate) fn responses(&self) -> u64 {
        let count = self
            .finds
            .iter()
            .filter(|find| matches!(find.what, What::Response { .. }));
        count.count() as u64
    }
}

/// An archive of about so many records. Bodies longer than `max_bytes` are found cut.
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
        finds: Vec::new(),
        was_broken: false,
        was_lost: false,
    };
    writer.info("warcinfo");
    for _ in 0..records {
        writer.record(damage);
    }
    // After a record with a length that is too long there must be something that it is too long by.
    writer.info("metadata");
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
    finds: Vec<Find>,
    /// Whether the last member was damaged: of two damaged members in a row, the second may not be seen.
    was_broken: bool,
    /// Whether reading goes on at the next start of a record, and passes over what is none.
    was_lost: bool,
}

/// A record before it is stored.
struct Record {
    octets: Vec<u8>,
    what: What,
}

impl Writer {
    fn record(&mut self, damage: Damage) {
        let was_broken = std::mem::take(&mut self.was_broken);
        let was_lost = std::mem::take(&mut self.was_lost);
        match self.random.below(100) {
            0..=9 => self.info("request"),
            10..=14 => self.info("metadata"),
            15..=17 => self.info("revisit"),
            18..=20 => self.info("warcinfo"),
            21..=24 => self.not_http(),
            25..=29 => self.other_path(),
            30..=33 if damage == Damage::Some => self.broken_frame(was_lost),
            34..=36 if damage == Damage::Some => self.length_too_short(),
            37..=39 if damage == Damage::Some => self.length_too_long(),
            40..=45 if damage == Damage::Some && self.form == Form::Members && !was_broken => {
                self.broken_member();
            }
            46 if self.form == Form::Members => self.out.extend(gzip(b"")),
            47 if damage == Damage::Some && self.form == Form::Members && !was_broken => {
                let offset = self.out.len() as u64;
                let zeros = 1 + self.random.below(100);
                self.out.extend(vec![0; zeros]);
                self.find(offset, What::SkipReason("broken-compression"));
                self.was_broken = true;
            }
            48..=50 => {
                // Content twice, as a crawl fetches some hosts twice.
                let record = self.response();
                self.store(&record.octets, Some(record.what.clone()));
                self.store(&record.octets, Some(record.what));
            }
            _ => {
                let record = self.response();
                self.store(&record.octets, Some(record.what));
            }
        }
    }

    fn info(&mut self, kind: &str) {
        let block = format!("software: generator\r\nkind: {kind}\r\n");
        let octets = frame(
            &[
                ("WARC-Type", kind),
                ("Content-Type", "application/warc-fields"),
            ],
            block.as_bytes(),
            block.len() as u64,
        );
        self.store(&octets, Some(What::SkipReason("not-a-response")));
    }

    fn not_http(&mut self) {
        let (content_type, block): (_, &[u8]) = match self.random.below(3) {
            0 => ("text/dns", b"20260101 example.com. 300 IN A 192.0.2.1"),
            1 => (
                "application/http; msgtype=response",
                b"\x16\x03\x01 not HTTP",
            ),
            _ => ("application/http", b""),
        };
        let octets = frame(
            &[
                ("WARC-Type", "response"),
                ("WARC-Target-URI", "https://example.com/robots.txt"),
                ("Content-Type", content_type),
            ],
            block,
            block.len() as u64,
        );
        self.store(&octets, Some(What::SkipReason("not-http")));
    }

    fn other_path(&mut self) {
        let path = [
            "",
            "/",
            "/en/robots.txt",
            "/robots.txt/",
            "/login?to=/robots.txt",
        ];
        let url = format!("https://example.com{}", self.random.pick(&path));
        let (octets, _) = self.http(&url);
        let octets = response(&url, &octets, octets.len() as u64, &[]);
        self.store(&octets, Some(What::SkipReason("other-path")));
    }

    fn response(&mut self) -> Record {
        let url = self.url();
        let (block, mut what) = self.http(&url);
        let is_truncated = self.random.below(30) == 0;
        let fields: &[_] = if is_truncated {
            &[("WARC-Truncated", "length")]
        } else {
            &[]
        };
        if let What::Response { end, .. } = &mut what
            && is_truncated
            && *end == "complete"
        {
            *end = "cut-short";
        }
        Record {
            octets: response(&url, &block, block.len() as u64, fields),
            what,
        }
    }

    fn url(&mut self) -> String {
        let host = self.random.below(1_000_000);
        let end = self.random.pick(&["", "", "", "?again", "#top"]);
        format!("https://host-{host}.example.com/robots.txt{end}")
    }

    /// A head and a body as they are stored, and what they are.
    fn http(&mut self, url: &str) -> (Vec<u8>, What) {
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
                // Within the last chunk, `0 CR LF CR LF`.
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
        let mut octets = format!("{version} {status} Reason\r\n{fields}\r\n\r\n").into_bytes();
        octets.extend(stored);
        let url = url.to_owned();
        let what = What::Response {
            url,
            status,
            body,
            end,
        };
        (octets, what)
    }

    /// Does not begin as a chunk does, nor end with a line end.
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

    fn broken_frame(&mut self, was_lost: bool) {
        self.was_lost = true;
        let octets = match self.random.below(4) {
            0 => b"WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n".to_vec(),
            1 => {
                b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1e3\r\n\r\nx\r\n\r\n".to_vec()
            }
            2 => b"WARC/1.0\r\nContent-Length: 1\r\n\r\nx\r\n\r\n".to_vec(),
            _ if was_lost && self.form != Form::Members => return,
            _ => b"no record at all\r\n\r\n".to_vec(),
        };
        self.store(&octets, Some(What::SkipReason("broken-record")));
    }

    fn length_too_short(&mut self) {
        let url = self.url();
        let (block, _) = self.http(&url);
        // The end of the head must not be left over: it is line ends, which may stand between records.
        let by = 1 + self.random.below(5);
        let block = [&block[..], b"the end of the block"].concat();
        let octets = response(&url, &block, (block.len() - by) as u64, &[]);
        self.store(&octets, Some(What::SkipReason("broken-record")));
        self.was_lost = true;
    }

    /// In a member of its own the record is cut at its end; otherwise it reaches into the next one.
    fn length_too_long(&mut self) {
        let url = self.url();
        let block = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";
        let by = match self.random.below(3) {
            0 => 1_000_000_000_000,
            _ => 20 + self.random.below(60) as u64,
        };
        let octets = response(&url, block, block.len() as u64 + by, &[]);
        let what = match self.form {
            // The bytes after the block belong to it then.
            Form::Members => What::Response {
                url,
                status: 200,
                body: b"User-agent: *\n\r\n\r\n".to_vec(),
                end: "cut-short",
            },
            Form::Plain | Form::OneMember => What::SkipReason("broken-record"),
        };
        self.store(&octets, Some(what));
        // A whole record, so that it does not end at the end of one by chance.
        self.info("request");
    }

    fn broken_member(&mut self) {
        let record = self.response();
        let mut member = gzip(&record.octets);
        let length = member.len();
        match self.random.below(3) {
            // The checksum.
            0 => member[length - 8] ^= 1,
            1 => member.truncate(length - 1 - self.random.below(length / 3)),
            _ => {
                let at = length / 2;
                member[at..at + 8].copy_from_slice(b"damaged!");
            }
        }
        let offset = self.out.len() as u64;
        self.out.extend(member);
        self.find(offset, What::SkipReason("broken-compression"));
        self.was_broken = true;
    }

    fn store(&mut self, octets: &[u8], what: Option<What>) {
        let offset = match self.form {
            Form::Plain => {
                self.out.extend(octets);
                self.out.len() - octets.len()
            }
            Form::Members => {
                let member = gzip(octets);
                self.out.extend(&member);
                self.out.len() - member.len()
            }
            Form::OneMember => {
                self.whole.write_all(octets).unwrap();
                0
            }
        };
        if let Some(what) = what {
            self.find(offset as u64, what);
        }
    }

    fn find(&mut self, offset: u64, what: What) {
        self.finds.push(Find { offset, what });
    }

    fn end(mut self) -> Archive {
        if self.form == Form::OneMember {
            self.out = self.whole.finish().unwrap();
        }
        Archive {
            octets: self.out,
            finds: self.finds,
        }
    }

    /// The last record is a response without its last bytes.
    fn cut_end(mut self) -> Archive {
        let block = b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /";
        let url = self.url();
        let octets = response(&url, block, block.len() as u64, &[]);
        let what = match self.form {
            Form::Plain => What::Response {
                url,
                status: 200,
                body: b"User-agent: *\nDisa".to_vec(),
                end: "cut-short",
            },
            Form::Members | Form::OneMember => What::SkipReason("broken-compression"),
        };
        self.store(&octets, Some(what));
        let by = match self.form {
            Form::Plain => b"llow: /\r\n\r\n".len(),
            // The last bytes are the checksum.
            Form::Members | Form::OneMember => 1 + self.random.below(7),
        };
        let mut archive = self.end();
        archive.octets.truncate(archive.octets.len() - by);
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
    let mut octets = b"WARC/1.0\r\n".to_vec();
    for (name, value) in fields {
        write!(octets, "{name}: {value}\r\n").unwrap();
    }
    write!(octets, "Content-Length: {length}\r\n\r\n").unwrap();
    octets.extend(block);
    octets.extend(b"\r\n\r\n");
    octets
}

pub(crate) fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

/// Xorshift64: the same numbers everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// From 0, less than `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
