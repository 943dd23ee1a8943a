//! The stored form of a record: a version, a checksum, and the value in postcard.

use std::hash::Hasher as _;

use serde::Serialize;
use serde::de::DeserializeOwned;
use siphasher::sip::SipHasher24;
use thiserror::Error;

/// The reason why a stored record cannot be used. It is removed, and the host is treated as one
/// whose state was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum CorruptRecord {
    /// The record has no byte.
    #[error("the record is empty")]
    Empty,
    /// The record was written by another version of this crate; the number is that of its form.
    #[error("the record has form {0}, which this version does not read")]
    Version(u8),
    /// The bytes are not those that were saved.
    #[error("the checksum of the record is wrong")]
    Checksum,
    /// The bytes are those that were saved and yet no value.
    #[error("the record is not a value of its kind")]
    Value,
}

pub(crate) fn encode(value: &impl Serialize) -> Result<Vec<u8>, postcard::Error> {
    let mut bytes = vec![0; HEAD];
    let value = postcard::to_allocvec(value)?;
    bytes.extend(&value);
    if let Some((version, rest)) = bytes.split_first_mut() {
        *version = VERSION;
        if let Some(sum) = rest.first_chunk_mut() {
            *sum = checksum(&value);
        }
    }
    Ok(bytes)
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CorruptRecord> {
    match bytes.split_first() {
        None => return Err(CorruptRecord::Empty),
        Some((&VERSION, _)) => {}
        Some((&version, _)) => return Err(CorruptRecord::Version(version)),
    }
    let rest = bytes.get(1..).unwrap_or_default();
    let (sum, value) = rest.split_first_chunk().ok_or(CorruptRecord::Checksum)?;
    if *sum != checksum(value) {
        return Err(CorruptRecord::Checksum);
    }
    match postcard::take_from_bytes(value) {
        Ok((value, [])) => Ok(value),
        Ok(_) | Err(_) => Err(CorruptRecord::Value),
    }
}

/// The checksum notices damage, not malice: its key is fixed.
fn checksum(value: &[u8]) -> [u8; 8] {
    let mut hasher = SipHasher24::new();
    hasher.write(value);
    hasher.finish().to_le_bytes()
}

/// The form of the records that this version writes, and the only one that it reads.
const VERSION: u8 = 1;

/// The length of version and checksum.
const HEAD: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_loaded() {
        let value = (7_u32, "text".to_owned(), vec![1_u8, 2, 3]);
        let bytes = encode(&value).unwrap();
        assert_eq!(bytes[0], VERSION);
        assert_eq!(decode(&bytes), Ok(value));
    }

    /// No flipped bit, cut or addition goes unnoticed.
    #[test]
    fn damage_is_noticed() {
        let value = (7_u32, "text".to_owned());
        let bytes = encode(&value).unwrap();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let expected = match at {
                    0 => CorruptRecord::Version(damaged[0]),
                    _ => CorruptRecord::Checksum,
                };
                assert_eq!(decode::<(u32, String)>(&damaged), Err(expected));
            }
            let expected = match at {
                0 => CorruptRecord::Empty,
                _ => CorruptRecord::Checksum,
            };
            assert_eq!(decode::<(u32, String)>(&bytes[..at]), Err(expected), "{at}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(
            decode::<(u32, String)>(&longer),
            Err(CorruptRecord::Checksum)
        );
    }

    #[test]
    fn a_value_of_another_kind_is_noticed() {
        let bytes = encode(&(7_u32, "text".to_owned())).unwrap();
        assert_eq!(decode::<u32>(&bytes), Err(CorruptRecord::Value));
        assert_eq!(
            decode::<(u32, String, u64)>(&bytes),
            Err(CorruptRecord::Value)
        );
        assert_eq!(decode::<u32>(&[2, 0, 0]), Err(CorruptRecord::Version(2)));
    }
}
