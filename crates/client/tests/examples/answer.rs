//! Answers of a server, byte for byte, right or wrong.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use flate2::Compression;
use flate2::write::GzEncoder;

#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    manner: Manner,
    block: Option<Block>,
    gate: Option<Gate>,
}

/// Holds answers back until it is opened.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub(crate) fn open(&self) {
        let (is_open, opened) = &*self.0;
        *is_open.lock().unwrap() = true;
        opened.notify_all();
    }

    fn wait(&self) {
        let (is_open, opened) = &*self.0;
        let _open = opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open);
    }
}

#[derive(Debug, Clone, Copy)]
enum Manner {
    /// Announces the length of the body.
    Whole,
    /// Announces another length.
    Claiming(usize),
    /// Sends one chunk, and then ends the connection without the last chunk.
    CutChunks,
    /// Pauses in the middle of the answer.
    Slow,
    /// Sends nothing until the client hangs up.
    Silence,
    /// Resets the connection.
    Reset,
    /// Answers in another protocol.
    NotHttp,
}

/// The `Retry-After` of an answer.
#[derive(Debug, Clone, Copy)]
enum Block {
    Seconds(u64),
    /// An HTTP-date that is at least this far ahead.
    Date(Duration),
}

impl Answer {
    pub(crate) fn status(status: u16) -> Answer {
        Answer {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            manner: Manner::Whole,
            block: None,
            gate: None,
        }
    }

    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Answer {
        Answer::status(200).with_body(body)
    }

    pub(crate) fn redirect(status: u16, location: impl Into<String>) -> Answer {
        Answer::status(status).with("Location", location)
    }

    pub(crate) fn silence() -> Answer {
        Answer {
            manner: Manner::Silence,
            ..Answer::status(200)
        }
    }

    pub(crate) fn reset() -> Answer {
        Answer {
            manner: Manner::Reset,
            ..Answer::status(200)
        }
    }

    pub(crate) fn not_http() -> Answer {
        Answer {
            manner: Manner::NotHttp,
            ..Answer::status(200)
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Answer {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn with_body(self, body: impl Into<Vec<u8>>) -> Answer {
        Answer {
            body: body.into(),
            ..self
        }
    }

    pub(crate) fn retry_after(self, seconds: u64) -> Answer {
        Answer {
            block: Some(Block::Seconds(seconds)),
            ..self
        }
    }

    pub(crate) fn retry_after_date(self, ahead: Duration) -> Answer {
        Answer {
            block: Some(Block::Date(ahead)),
            ..self
        }
    }

    pub(crate) fn behind(self, gate: &Gate) -> Answer {
        Answer {
            gate: Some(gate.clone()),
            ..self
        }
    }

    pub(crate) fn claiming(self, length: usize) -> Answer {
        Answer {
            manner: Manner::Claiming(length),
            ..self
        }
    }

    pub(crate) fn in_cut_chunks(self) -> Answer {
        Answer {
            manner: Manner::CutChunks,
            ..self
        }
    }

    pub(crate) fn slowly(self) -> Answer {
        Answer {
            manner: Manner::Slow,
            ..self
        }
    }

    pub(crate) fn gzipped(self) -> Answer {
        self.packed().with("Content-Encoding", "gzip")
    }

    /// Packs the body as a gzip file.
    pub(crate) fn packed(self) -> Answer {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.body).unwrap();
        let body = encoder.finish().unwrap();
        Answer { body, ..self }
    }

    /// Keeps only the first bytes of the body, and announces their length.
    pub(crate) fn cut_to(mut self, length: usize) -> Answer {
        self.body.truncate(length);
        self
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.status == 200
    }

    /// Answers a request whose last byte is still unread.
    pub(crate) fn write(&self, stream: &mut TcpStream) -> io::Result<Told> {
        if let Manner::Reset = self.manner {
            // A connection that is closed with unread bytes is reset.
            return Ok(Told {
                until: Instant::now(),
                blocked_until: None,
            });
        }
        stream.read_exact(&mut [0])?;
        if let Manner::Silence = self.manner {
            let _ = stream.read(&mut [0]);
            // Only the client knows when it hung up.
            return Err(io::ErrorKind::TimedOut.into());
        }
        // The pause is long enough for a second request to come in between, if somebody sends one.
        thread::sleep(THINKING);
        if let Some(gate) = &self.gate {
            gate.wait();
        }
        let (bytes, blocked_until) = self.bytes();
        // `until` is taken before the client can have all of the answer: before the last byte, or
        // before the first if the client may stop early.
        let has_known_end = matches!(
            self.manner,
            Manner::Whole | Manner::Slow | Manner::CutChunks
        );
        let is_read_whole = has_known_end && bytes.len() < SURELY_READ;
        let (first, last) = bytes.split_at(if is_read_whole { bytes.len() - 1 } else { 0 });
        let (start, first) = first.split_at(first.len() / 2);
        stream.write_all(start)?;
        if let Manner::Slow = self.manner {
            thread::sleep(PAUSE);
        }
        stream.write_all(first)?;
        let until = Instant::now();
        stream.write_all(last)?;
        Ok(Told {
            until,
            blocked_until,
        })
    }

    fn bytes(&self) -> (Vec<u8>, Option<Instant>) {
        if let Manner::NotHttp = self.manner {
            return (b"220 mail.example.com ESMTP\r\n".to_vec(), None);
        }
        let mut head = format!("HTTP/1.1 {} Status\r\nConnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        let blocked_until = self.block.map(|block| {
            let (value, block) = block.value();
            head += &format!("Retry-After: {value}\r\n");
            Instant::now() + block
        });
        let length = match self.manner {
            Manner::Claiming(length) => length,
            _ => self.body.len(),
        };
        let mut bytes = match self.manner {
            Manner::CutChunks => format!("{head}Transfer-Encoding: chunked\r\n\r\n{length:x}\r\n"),
            // RFC 9110 §6.4.1: neither status has a body.
            _ if matches!(self.status, 204 | 304) => format!("{head}\r\n"),
            _ => format!("{head}Content-Length: {length}\r\n\r\n"),
        }
        .into_bytes();
        bytes.extend_from_slice(&self.body);
        (bytes, blocked_until)
    }
}

/// The time at which the client got its answer, and the end of the `Retry-After` in it.
pub(crate) struct Told {
    pub(crate) until: Instant,
    pub(crate) blocked_until: Option<Instant>,
}

impl Block {
    /// The field's value, and the wait that it asks for.
    fn value(self) -> (String, Duration) {
        match self {
            Block::Seconds(seconds) => (seconds.to_string(), Duration::from_secs(seconds)),
            Block::Date(ahead) => {
                let now = SystemTime::now();
                let date = now + ahead + Duration::from_secs(1);
                let written = httpdate::fmt_http_date(date);
                // An HTTP-date has whole seconds only.
                let date = httpdate::parse_http_date(&written).unwrap();
                (written, date.duration_since(now).unwrap())
            }
        }
    }
}

/// Fewer bytes than a client reads of any file.
const SURELY_READ: usize = 100_000;
const THINKING: Duration = Duration::from_millis(30);
const PAUSE: Duration = Duration::from_millis(500);
