//! The answer of a host, byte for byte, right or wrong.

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{self, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::WriteHalf;
use tokio::time::sleep;

use super::hit::{Ending, Hit, Log};

#[derive(Debug, Clone)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    /// The bytes that are sent.
    body: Arc<[u8]>,
    /// The bytes after decoding, if they differ from `body`.
    decoded: Option<Arc<[u8]>>,
    retry_after: Option<Duration>,
    max_age: Option<Duration>,
    delay: Duration,
    manner: Manner,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Sends the body with its length.
    Whole,
    Chunked,
    /// Sends two interim responses before the answer.
    Interim,
    /// Announces the length of the body, sends fewer bytes, and ends the connection.
    Cut {
        sent: usize,
    },
    /// Announces a length smaller than the body. The rest stands where the next answer should.
    Short {
        claimed: usize,
    },
    /// Sends a byte at a time and never the last one, until the client hangs up.
    Drip,
    /// Sends nothing until the client hangs up.
    Silence,
    /// Ends the connection without a byte.
    Empty,
    /// Resets the connection without a byte.
    Reset,
    /// Resets the connection after the first bytes of the body.
    ResetInside,
    /// Sends bytes of another protocol.
    NotHttp,
}

/// Whether the connection can take another request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    Open,
    Closed,
}

impl Answer {
    pub(crate) fn status(status: u16) -> Answer {
        Answer {
            status,
            headers: Vec::new(),
            body: Arc::default(),
            decoded: None,
            retry_after: None,
            max_age: None,
            delay: Duration::ZERO,
            manner: Manner::Whole,
        }
    }

    pub(crate) fn ok(body: impl AsRef<[u8]>) -> Answer {
        let mut answer = Answer::status(200);
        answer.body = body.as_ref().into();
        answer
    }

    pub(crate) fn redirect(status: u16, location: impl Into<String>) -> Answer {
        Answer::status(status).header("Location", location)
    }

    /// An answer that a client decodes to `decoded`.
    pub(crate) fn gzip(decoded: &[u8]) -> Answer {
        let mut answer = Answer::coded(decoded, "gzip");
        answer.decoded = Some(decoded.into());
        answer
    }

    /// An answer in gzip under any coding name. A client may take its bytes without decoding them.
    pub(crate) fn coded(body: impl AsRef<[u8]>, coding: &str) -> Answer {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(body.as_ref()).unwrap();
        Answer::ok(encoder.finish().unwrap()).header("Content-Encoding", coding)
    }

    /// A text in gzip whose blocks are damaged.
    pub(crate) fn damaged(text: &str) -> Answer {
        let mut body = Answer::coded(text, "gzip").body.to_vec();
        // The first byte after the gzip header of ten bytes.
        body[10] ^= 0xFF;
        let mut answer = Answer::ok(body).header("Content-Encoding", "gzip");
        answer.decoded = Some([0xFF].into());
        answer
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Answer {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn retry_after(mut self, seconds: u64) -> Answer {
        self.retry_after = Some(Duration::from_secs(seconds));
        self.header("Retry-After", seconds.to_string())
    }

    pub(crate) fn max_age(mut self, seconds: u64) -> Answer {
        self.max_age = Some(Duration::from_secs(seconds));
        self.header("Cache-Control", format!("max-age={seconds}"))
    }

    pub(crate) fn delayed(mut self, delay: Duration) -> Answer {
        self.delay = delay;
        self
    }

    pub(crate) fn chunked(self) -> Answer {
        self.in_manner(Manner::Chunked)
    }

    pub(crate) fn after_interim(self) -> Answer {
        self.in_manner(Manner::Interim)
    }

    pub(crate) fn cut_to(self, sent: usize) -> Answer {
        self.in_manner(Manner::Cut { sent })
    }

    pub(crate) fn claiming(self, claimed: usize) -> Answer {
        self.in_manner(Manner::Short { claimed })
    }

    pub(crate) fn dripping(self) -> Answer {
        self.in_manner(Manner::Drip)
    }

    pub(crate) fn silent() -> Answer {
        Answer::status(200).in_manner(Manner::Silence)
    }

    pub(crate) fn empty() -> Answer {
        Answer::status(200).in_manner(Manner::Empty)
    }

    pub(crate) fn reset() -> Answer {
        Answer::status(200).in_manner(Manner::Reset)
    }

    pub(crate) fn reset_inside(self) -> Answer {
        self.in_manner(Manner::ResetInside)
    }

    pub(crate) fn not_http() -> Answer {
        Answer::status(200).in_manner(Manner::NotHttp)
    }

    fn in_manner(mut self, manner: Manner) -> Answer {
        self.manner = manner;
        self
    }

    /// Copies the parts of the answer that the judge needs into a hit.
    pub(crate) fn describe(&self, hit: &mut Hit) {
        let has_head = !matches!(
            self.manner,
            Manner::Silence | Manner::Empty | Manner::Reset | Manner::NotHttp
        );
        if !has_head {
            return;
        }
        let location = self.headers.iter().find(|(name, _)| *name == "Location");
        hit.status = Some(self.status);
        hit.retry_after = self.retry_after;
        hit.max_age = self.max_age;
        hit.location = location.map(|(_, value)| value.clone());
        let decoded = self.decoded.as_ref().unwrap_or(&self.body);
        hit.body = match self.manner {
            Manner::Short { claimed } => decoded[..claimed].into(),
            _ => Arc::clone(decoded),
        };
    }

    /// Sends the answer and notes its end in the log.
    pub(crate) async fn send(
        &self,
        stream: &mut TcpStream,
        log: &Log,
        number: usize,
    ) -> Connection {
        let (mut read, mut write) = stream.split();
        let ending = tokio::select! {
            // If this host is late and both branches are ready, it must not assume that the client
            // had the answer.
            biased;
            // The client sends nothing more before it has the answer. If the read ends, the client
            // has hung up.
            () = hung_up(&mut read) => Err(io::ErrorKind::BrokenPipe.into()),
            ending = self.write(&mut write, log, number) => ending,
        };
        match ending {
            Ok(Connection::Open) => return Connection::Open,
            Ok(Connection::Closed) => {}
            Err(_) => log.end(number, Ending::Aborted),
        }
        if matches!(self.manner, Manner::Reset | Manner::ResetInside) {
            let _ = stream.set_zero_linger();
        }
        Connection::Closed
    }

    async fn write(
        &self,
        write: &mut WriteHalf<'_>,
        log: &Log,
        number: usize,
    ) -> io::Result<Connection> {
        sleep(self.delay).await;
        match self.manner {
            Manner::Whole | Manner::Interim => {
                if self.manner == Manner::Interim {
                    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
                    write.write_all(hints.as_bytes()).await?;
                    write.write_all(b"HTTP/1.1 102 Processing\r\n\r\n").await?;
                }
                let bytes = [self.head(self.body.len()).as_bytes(), &*self.body].concat();
                if self.decoded.is_some() {
                    // The first bytes may decode to as much as the client reads. The client then
                    // ends before the host does.
                    log.end(number, Ending::Complete);
                    write.write_all(&bytes).await?;
                } else {
                    finish(write, &bytes, log, number, Ending::Complete).await?;
                }
                Ok(Connection::Open)
            }
            Manner::Chunked => {
                let mut bytes = self.head_with("Transfer-Encoding: chunked").into_bytes();
                for chunk in self.body.chunks(1000) {
                    bytes.extend(format!("{:x}\r\n", chunk.len()).as_bytes());
                    bytes.extend(chunk);
                    bytes.extend(b"\r\n");
                }
                bytes.extend(b"0\r\n\r\n");
                finish(write, &bytes, log, number, Ending::Complete).await?;
                Ok(Connection::Open)
            }
            Manner::Cut { sent } => {
                let bytes = [self.head(self.body.len()).as_bytes(), &self.body[..sent]].concat();
                finish(write, &bytes, log, number, Ending::Broken).await?;
                Ok(Connection::Closed)
            }
            Manner::Short { claimed } => {
                let (body, rest) = self.body.split_at(claimed);
                let bytes = [self.head(claimed).as_bytes(), body].concat();
                finish(write, &bytes, log, number, Ending::Complete).await?;
                let _ = write.write_all(rest).await;
                Ok(Connection::Closed)
            }
            Manner::Drip => {
                let bytes = [self.head(self.body.len()).as_bytes(), &*self.body].concat();
                for byte in &bytes[..bytes.len() - 1] {
                    write.write_all(&[*byte]).await?;
                    sleep(Duration::from_millis(50)).await;
                }
                std::future::pending().await
            }
            Manner::Silence => std::future::pending().await,
            Manner::Empty | Manner::Reset => {
                log.end(number, Ending::Broken);
                Ok(Connection::Closed)
            }
            Manner::ResetInside => {
                let bytes = [self.head(self.body.len()).as_bytes(), &self.body[..1]].concat();
                finish(write, &bytes, log, number, Ending::Broken).await?;
                // The client gets time to read the bytes before the reset discards them.
                sleep(Duration::from_millis(20)).await;
                Ok(Connection::Closed)
            }
            Manner::NotHttp => {
                finish(
                    write,
                    b"220 mail.test ESMTP\r\n",
                    log,
                    number,
                    Ending::Broken,
                )
                .await?;
                Ok(Connection::Closed)
            }
        }
    }

    fn head(&self, length: usize) -> String {
        self.head_with(&format!("Content-Length: {length}"))
    }

    fn head_with(&self, framing: &str) -> String {
        let mut head = format!("HTTP/1.1 {} Zoo\r\n{framing}\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        head
    }
}

/// Sends bytes. It notes the end before it sends the last byte, as the client may have all of them
/// a moment later.
async fn finish(
    write: &mut WriteHalf<'_>,
    bytes: &[u8],
    log: &Log,
    number: usize,
    ending: Ending,
) -> io::Result<()> {
    let (last, rest) = bytes.split_last().unwrap();
    write.write_all(rest).await?;
    log.end(number, ending);
    // A client that has read enough may be gone. The noted end stays.
    let _ = write.write_all(&[*last]).await;
    Ok(())
}

async fn hung_up(read: &mut (impl io::AsyncRead + Unpin)) {
    let mut byte = [0];
    while let Ok(1) = read.read(&mut byte).await {}
}
