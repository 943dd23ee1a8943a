//! Inputs of the benchmarks: generated files with the shapes of real ones, synthetic sets, hostile
//! files, and the real files where they are available. All are deterministic, so that figures of
//! different days can be compared.

pub mod corpus;
pub mod hostile;
pub mod shapes;
pub mod urls;
pub mod xorshift;

/// The crawler that asks. Only one generated file names it, so in the others the rules of `*`
/// apply.
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

/// The answers that a bench asserts before it measures, so that no wrong answer is timed.
#[derive(Clone, Copy)]
pub enum Expected {
    /// The number of disallowed paths; the peers agree.
    Disallowed(usize),
    /// The number of disallowed paths, confirmed by reading the file; a peer differs because of its
    /// limits.
    DisallowedHere(usize),
    /// No number, for real files: the verdicts of peers are compared over the whole corpus.
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
