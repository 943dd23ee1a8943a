//! A server on loopback that stands for any number of hosts, and keeps the list of its requests.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The behaviour of a host at a request.
pub(super) enum Reply {
    /// Raw bytes, after which the connection ends.
    Bytes(Vec<u8>),
    /// Raw bytes, and then the last of them for ever.
    Endless(Vec<u8>),
    /// The connection is closed with the request unread, which resets it.
    Reset,
    /// No answer until the client goes away.
    Silence,
}

/// Answers as long as the process lives.
pub(super) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A request: its host and path, and the rest of its head.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) host: String,
    pub(super) path: String,
    pub(super) head: String,
}

impl Server {
    /// Starts a server. `reply` gets the host and the path of each request.
    pub(super) fn start(reply: fn(&str, &str) -> Reply) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&log);
                thread::spawn(move || serve(stream, &log, reply));
            }
        });
        Server { address, requests }
    }

    /// Rewrites `url`, which has no port, so that it leads to this server.
    pub(super) fn stand_in(&self, url: &str) -> String {
        let (_, rest) = url.split_once("://").unwrap();
        format!("http://{}/{rest}", self.address)
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The number of requests for a robots.txt at this host.
    pub(super) fn count(&self, host: &str) -> usize {
        let requests = self.requests.lock().unwrap();
        let is_its = |request: &&Request| request.host == host && request.path == "/robots.txt";
        requests.iter().filter(is_its).count()
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<Request>>, reply: fn(&str, &str) -> Reply) {
    let mut head = [0; 2048];
    let mut len = 0;
    let Some((host, path)) = (loop {
        len += stream.peek(&mut head).unwrap_or(0).min(1);
        if len == 0 {
            return;
        }
        let text = String::from_utf8_lossy(&head);
        if text.contains("\r\n\r\n") {
            let target = text.split(' ').nth(1).unwrap_or_default().to_owned();
            let target = target.trim_start_matches('/').to_owned();
            let (host, path) = target.split_once('/').unwrap_or((&target, ""));
            break Some((host.to_owned(), format!("/{path}")));
        }
        thread::yield_now();
    }) else {
        return;
    };
    let text = String::from_utf8_lossy(&head);
    let end = text.find("\r\n\r\n").unwrap_or_default();
    log.lock().unwrap().push(Request {
        host: host.clone(),
        path: path.clone(),
        head: text[..end].to_ascii_lowercase(),
    });
    let reply = reply(&host, &path);
    if matches!(reply, Reply::Reset) {
        return;
    }
    let _ = stream.read_exact(&mut vec![0; end + 4]);
    match reply {
        Reply::Bytes(bytes) => drop(stream.write_all(&bytes)),
        Reply::Endless(bytes) => {
            let _ = stream.write_all(&bytes);
            let last = [*bytes.last().unwrap(); 4096];
            while stream.write_all(&last).is_ok() {}
        }
        Reply::Silence => drop(stream.read(&mut [0])),
        Reply::Reset => {}
    }
}

/// A response with its length.
pub(super) fn response(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Reply {
    let body = body.as_ref();
    let len = body.len();
    let head = format!(
        "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {len}\r\n{headers}\r\n"
    );
    Reply::Bytes([head.as_bytes(), body].concat())
}
