//! A server on loopback with fixed answers, and a log of what it was asked.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The answer of a server to a path.
#[derive(Clone)]
pub(crate) enum Served {
    /// Whole bytes of a response, after which the connection ends.
    Bytes(Vec<u8>),
    /// Nothing, while the connection stays open.
    Silence,
}

/// A server of one port, which answers as long as the test runs.
pub(crate) struct Server {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. `{port}` in an answer stands for its own port.
    pub(crate) fn start(answers: &[(&str, Served)]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let answers: Arc<HashMap<String, Served>> = Arc::new(
            answers
                .iter()
                .map(|(path, served)| ((*path).to_owned(), with_port(served, port)))
                .collect(),
        );
        let log = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, log) = (Arc::clone(&answers), Arc::clone(&log));
                thread::spawn(move || serve(stream, &answers, &log));
            }
        });
        Server { port, requests }
    }

    /// A server with a robots.txt and nothing else.
    pub(crate) fn with(robots_txt: &[u8]) -> Server {
        Server::start(&[("/robots.txt", robots_txt_answer(robots_txt))])
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The heads of the requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, answers: &HashMap<String, Served>, log: &Mutex<Vec<String>>) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    log.lock().unwrap().push(head);
    match answers.get(&path) {
        Some(Served::Bytes(bytes)) => drop(stream.write_all(bytes)),
        Some(Served::Silence) => drop(stream.read(&mut byte)),
        None => drop(stream.write_all(&answer("404 Not Found", &[], b"not here"))),
    }
}

fn with_port(served: &Served, port: u16) -> Served {
    match served {
        Served::Bytes(bytes) if bytes.windows(6).any(|window| window == b"{port}") => {
            let text = String::from_utf8(bytes.clone()).unwrap();
            Served::Bytes(text.replace("{port}", &port.to_string()).into_bytes())
        }
        served => served.clone(),
    }
}

pub(crate) fn answer(status: &str, fields: &[&str], body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n");
    for field in fields {
        head.push_str(field);
        head.push_str("\r\n");
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

pub(crate) fn robots_txt_answer(body: &[u8]) -> Served {
    Served::Bytes(answer("200 OK", &["Content-Type: text/plain"], body))
}

pub(crate) fn redirect(location: &str) -> Served {
    let location = format!("Location: {location}");
    Served::Bytes(answer("302 Found", &[&location], b""))
}

pub(crate) fn status(line: &str) -> Served {
    Served::Bytes(answer(line, &[], b"no"))
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
