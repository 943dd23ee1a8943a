//! One server on loopback that plays the table of answers: the last two bytes of the requested
//! address select the answer, and the client may choose the second byte.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::wire_table::{Shape, Then};

/// The server, for as long as the process lives.
pub(crate) struct WireServer {
    port: u16,
}

impl WireServer {
    pub(crate) fn start(shapes: Arc<Vec<Shape>>) -> WireServer {
        // Clients ask at every address of 127/8.
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shapes = Arc::clone(&shapes);
                thread::spawn(move || serve(stream, &shapes));
            }
        });
        WireServer { port }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The origin of a shape for a client with a number of its own.
    pub(crate) fn origin(&self, client: u8, shape: usize) -> String {
        let [high, low] = u16::try_from(shape).unwrap().to_be_bytes();
        format!("http://127.{client}.{high}.{low}:{}", self.port())
    }
}

/// Answers the requests of a connection. A client that went away is no error.
fn serve(mut stream: TcpStream, shapes: &[Shape]) -> Option<()> {
    // A client may send the next request at once. If the connection ended, that request would be
    // lost.
    while answer(&mut stream, shapes)? {}
    Some(())
}

/// Answers one request. Returns whether the connection goes on, which it does after a whole
/// redirect.
fn answer(stream: &mut TcpStream, shapes: &[Shape]) -> Option<bool> {
    let local = stream.local_addr().ok()?;
    let SocketAddr::V4(address) = local else {
        return None;
    };
    let [127, _, high, low] = address.ip().octets() else {
        return None;
    };
    let shape = shapes.get(usize::from(u16::from_be_bytes([high, low])))?;
    stream.set_read_timeout(Some(HOLD)).ok()?;
    // If a byte of the request is left unread, the end of the connection is a reset.
    let last: &[u8] = match shape.then {
        Then::Reset => b"\r\n\r",
        Then::Close | Then::Hold => b"\r\n\r\n",
    };
    let mut head = Vec::new();
    while !head.ends_with(last) {
        let mut byte = [0];
        stream.read_exact(&mut byte).ok()?;
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1)?;
    let Some(answer) = shape.answer(path, &local.to_string()) else {
        stream.write_all(PAGE).ok()?;
        return Some(false);
    };
    if shape.drip && path == "/robots.txt" {
        let begun = answer.iter().position(|byte| *byte == b'\n')? + 1;
        stream.write_all(&answer[..begun]).ok()?;
        for byte in &answer[begun..] {
            thread::sleep(DRIP);
            stream.write_all(&[*byte]).ok()?;
        }
    } else {
        stream.write_all(&answer).ok()?;
    }
    let text = String::from_utf8_lossy(&answer);
    if text.starts_with("HTTP/1.1 3") && text.ends_with("Content-Length: 0\r\n\r\n") {
        return Some(true);
    }
    match shape.then {
        Then::Close => {}
        Then::Hold => thread::sleep(HOLD),
        // The pause lets the bytes arrive before the reset, which discards unread ones.
        Then::Reset => {
            thread::sleep(Duration::from_millis(100));
            return Some(false);
        }
    }
    // The server reads to the end: if it closed with unread bytes of the client, it would reset the
    // connection.
    stream.shutdown(std::net::Shutdown::Write).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_millis(500)))
        .ok()?;
    while stream.read(&mut [0; 1024]).ok()? > 0 {}
    Some(false)
}

const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\npage";
/// Longer than any client waits here.
const HOLD: Duration = Duration::from_secs(60);
const DRIP: Duration = Duration::from_millis(500);
