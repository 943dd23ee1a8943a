//! Forms in which types of the core are saved inside of the policy's.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::options::Dialect;
use crate::verdict::Cause;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Dialect", rename_all = "lowercase")]
pub(crate) enum DialectForm {
    Rfc9309,
    Google,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Cause")]
pub(crate) enum CauseForm {
    Configured,
    NotFetched,
    Status(u16),
    Unreachable,
    TooManyRedirects,
    Truncated,
    ParseErrors,
    NoCopy,
    GaveUp,
}

/// The octets of a file: a string where they are UTF-8, which most formats keep far shorter than a list of numbers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Octets<'a> {
    Text(Cow<'a, str>),
    Raw(Cow<'a, [u8]>),
}

/// `serialize_with` hands over a reference to the field.
pub(crate) fn serialize_octets<S: Serializer>(
    octets: &impl AsRef<[u8]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let octets = octets.as_ref();
    match core::str::from_utf8(octets) {
        Ok(text) => Octets::Text(text.into()),
        Err(_) => Octets::Raw(octets.into()),
    }
    .serialize(serializer)
}

pub(crate) fn deserialize_octets<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<u8>, D::Error> {
    Ok(match Octets::deserialize(deserializer)? {
        Octets::Text(text) => String::into_bytes(text.into_owned()),
        Octets::Raw(octets) => octets.into_owned(),
    })
}
