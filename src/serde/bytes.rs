//! Bytes of a file, as text where a format and the bytes allow it.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes of a file. A binary format gets bytes. A format for people gets text, or a list of numbers
/// if the bytes are not UTF-8: one file in seven hundred, for which a further encoding does not
/// pay.
#[derive(PartialEq)]
pub(crate) struct Bytes<'a>(pub(crate) Cow<'a, [u8]>);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_bytes(&self.0);
        }
        match core::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(self.0.iter()),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = if deserializer.is_human_readable() {
            deserializer.deserialize_any(BytesVisitor)
        } else {
            deserializer.deserialize_byte_buf(BytesVisitor)
        };
        bytes.map(|bytes| Bytes(Cow::Owned(bytes)))
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of a file, as text or as a list of numbers")
    }

    fn visit_str<E>(self, text: &str) -> Result<Vec<u8>, E> {
        Ok(text.as_bytes().to_vec())
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<u8>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use serde::de::value::{Error, SeqDeserializer};

    use super::*;

    #[test]
    fn every_form_of_bytes_is_read() -> Result<(), Error> {
        let bytes = b"Allow: /".to_vec();
        let text = String::from("Allow: /");
        let list = SeqDeserializer::<_, Error>::new(bytes.iter().copied());
        for found in [
            BytesVisitor.visit_str::<Error>(&text)?,
            BytesVisitor.visit_string::<Error>(text.clone())?,
            BytesVisitor.visit_bytes::<Error>(&bytes)?,
            BytesVisitor.visit_byte_buf::<Error>(bytes.clone())?,
            BytesVisitor.visit_seq(list)?,
        ] {
            assert_eq!(found, bytes);
        }
        Ok(())
    }
}
