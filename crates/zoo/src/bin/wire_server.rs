//! A server that plays the table of answers on the wire for clients in other languages, and judges
//! the results that they report.
//!
//! `wire_server` prints a line of JSON with its `port` and the `names` of the answers in their
//! order: answer N of client number C is at `127.C.(N / 256).(N % 256)`. Each line on stdin is a
//! JSON object with the result of a client: its `library`, the number of the `answer`, and the
//! fields of `Heard`. The server replies with a line that says what is wrong with the result, or
//! `null`. The server ends when stdin does.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    dead_code
)]

#[path = "../../tests/zoo"]
mod zoo {
    pub(crate) mod wire_server;
    pub(crate) mod wire_table;
}

use std::io::{self, BufRead as _};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use crate::zoo::wire_server::WireServer;
use crate::zoo::wire_table::{Heard, shapes};

#[derive(Deserialize)]
struct Report {
    library: String,
    answer: usize,
    #[serde(flatten)]
    heard: Heard,
}

fn main() {
    let shapes = Arc::new(shapes());
    let server = WireServer::start(Arc::clone(&shapes));
    let names: Vec<&str> = shapes.iter().map(|shape| &*shape.name).collect();
    println!("{}", json!({ "port": server.port(), "names": names }));
    for line in io::stdin().lock().lines() {
        let report: Report = serde_json::from_str(&line.unwrap()).unwrap();
        let fault = shapes[report.answer].fault(&report.library, &report.heard);
        println!("{}", json!(fault));
    }
}
