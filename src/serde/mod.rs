//! `Serialize` and `Deserialize` behind the feature `serde`. The crate's documentation describes
//! the forms.
//!
//! A form borrows nothing from its input, so it can be read from a reader and from a value too.
//! Input may be hostile: a form is checked as the constructors check it, and derived data is
//! computed again.

pub(crate) mod bytes;
pub(crate) mod document;
pub(crate) mod name;
pub(crate) mod robot;
pub(crate) mod verdict;

use alloc::string::String;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::agent::ProductToken;

impl Serialize for ProductToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ProductToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProductToken, D::Error> {
        let token = String::deserialize(deserializer)?;
        ProductToken::new(&token).map_err(D::Error::custom)
    }
}
