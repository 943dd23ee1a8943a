//! What the benchmarks read: shapes of real files restated by generators, synthetic sets, hostile files, and the real
//! files where they are at hand. Everything is deterministic, so that figures of two days can be compared.

pub mod corpus;
pub mod hostile;
pub mod shapes;
pub mod urls;
pub mod xorshift;

/// The crawler that asks. No generated file but one names it, so the rules of `*` apply.
pub const AGENT: &str = "ExampleBot";

/// A robots.txt and the questions about it.
#[derive(Clone)]
pub struct Input {
    pub name: String,
    pub bytes: Vec<u8>,
    /// [`urls::MIX`] paths, and the same as full URLs.
    pub paths: Vec<String>,
    pub urls: Vec<String>,
    pub expected: Expected,
}

/// What a bench asserts before it measures: a fast wrong answer is no figure.
#[derive(Clone, Copy)]
pub enum Expected {
    /// So many of the paths are disallowed, and the peers say the same.
    Disallowed(usize),
    /// So many, as recorded when this crate and a reading of the file agreed; a peer differs, as its limits make it.
    DisallowedHere(usize),
    /// A real file: nothing is recorded. What peers say is compared over the whole corpus.
    Unrecorded,
}

impl Input {
    pub fn new(name: impl Into<String>, bytes: Vec<u8>, expected: Expected) -> Input {
        let paths = urls::mix(&bytes);
        let urls = paths.iter().map(|path| urls::full(path)).collect();
        Input {
            name: name.into(),
            bytes,
            paths,
            urls,
            expected,
        }
    }
}
