//! The evidence that proves a verdict years later: the version of this command, and size and hash
//! of the file.

use crate::json::{Fields, Object, object};

/// The fields of a file of these bytes, as far as they were read.
pub(super) fn evidence_fields(file: &[u8]) -> Object<impl Fields + use<>> {
    object! {
        "version": env!("CARGO_PKG_VERSION"),
        "bytes": file.len(),
        "sha256": sha256(file),
    }
}

/// The hash in hexadecimal digits. It is that of the TLS library, so a build without `fetch` has
/// none.
#[cfg(feature = "fetch")]
fn sha256(bytes: &[u8]) -> Option<String> {
    use std::fmt::Write as _;

    use rustls::crypto::ring::cipher_suite::TLS13_AES_128_GCM_SHA256;

    let suite = TLS13_AES_128_GCM_SHA256.tls13()?;
    let hash = suite.common.hash_provider.hash(bytes);
    let mut digits = String::new();
    for byte in hash.as_ref() {
        let _ = write!(digits, "{byte:02x}");
    }
    Some(digits)
}

#[cfg(not(feature = "fetch"))]
fn sha256(_: &[u8]) -> Option<String> {
    None
}

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use super::sha256;

    /// The examples of FIPS 180-4.
    #[test]
    fn the_hash_is_sha_256() {
        for (text, hash) in [
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
        ] {
            assert_eq!(sha256(text.as_bytes()).as_deref(), Some(hash));
        }
    }
}
