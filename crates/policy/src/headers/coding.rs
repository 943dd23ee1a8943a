//! The names of content codings (RFC 9110 §8.4.1).

/// Whether a value of `Content-Encoding` names a coding that changes the bytes. Servers write
/// `identity`, `none` or `utf-8` there for plain files.
pub(crate) fn names_coding(value: &str) -> bool {
    codings_of(value).next().is_some()
}

/// The codings that a value names, that which was applied last first.
pub(crate) fn codings_of(value: &str) -> impl Iterator<Item = &str> {
    let names = value.split(',').map(str::trim);
    names.rev().filter(|name| is_any_of(name, REGISTERED))
}

pub(crate) fn is_any_of(name: &str, codings: &[&str]) -> bool {
    codings
        .iter()
        .any(|coding| coding.eq_ignore_ascii_case(name))
}

/// The content codings that are registered with IANA, but for `identity`.
const REGISTERED: &[&str] = &[
    "aes128gcm",
    "br",
    "compress",
    "dcb",
    "dcz",
    "deflate",
    "exi",
    "gzip",
    "pack200-gzip",
    "x-compress",
    "x-gzip",
    "zstd",
];
