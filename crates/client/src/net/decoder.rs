//! The trait of the decoders of content codings, for a body that arrives piece by piece.

use std::{fmt, io};

use bytes::{Buf as _, Bytes};

/// A body in a coding that arrives piece by piece.
pub(crate) trait Decoder: fmt::Debug + Send + Sync {
    /// Takes the next piece that arrived.
    fn push(&mut self, input: Bytes);

    /// The next piece of the body, or `None` if more has to arrive.
    fn read(&mut self) -> Result<Option<Bytes>, Undecodable>;

    /// Checks that the body may end here. An empty one may, as that of a HEAD request.
    fn end(&mut self) -> Result<(), Undecodable>;
}

/// The body is not in its coding, ends before its end, or needs more memory than it may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Undecodable;

impl From<io::Error> for Undecodable {
    fn from(_: io::Error) -> Undecodable {
        Undecodable
    }
}

/// The bytes that are left, and those that came.
pub(crate) fn appended(left: &Bytes, input: Bytes) -> Bytes {
    match left.has_remaining() {
        true => [&**left, &*input].concat().into(),
        false => input,
    }
}
