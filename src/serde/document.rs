//! A document as its bytes and options, from which it is parsed again.

use alloc::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::options::{Dialect, Options};
use crate::robots::agent_view::Blanket;
use crate::robots::robots_txt::RobotsTxt;
use crate::serde::bytes::Bytes;

impl Serialize for RobotsTxt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DocumentForm::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RobotsTxt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RobotsTxt, D::Error> {
        DocumentForm::deserialize(deserializer)?.document()
    }
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentForm<'a> {
    #[serde(deserialize_with = "known_version")]
    version: u32,
    dialect: Dialect,
    blanket: Option<Blanket>,
    truncated_at: Option<usize>,
    bytes: Bytes<'a>,
}

impl<'a> From<&'a RobotsTxt> for DocumentForm<'a> {
    fn from(document: &'a RobotsTxt) -> DocumentForm<'a> {
        DocumentForm {
            version: VERSION,
            dialect: document.dialect(),
            blanket: document.site_answer(),
            truncated_at: document.truncated_at(),
            bytes: Bytes(Cow::Borrowed(document.as_bytes())),
        }
    }
}

impl DocumentForm<'_> {
    fn document<E: Error>(self) -> Result<RobotsTxt, E> {
        if let Some(blanket) = self.blanket {
            let document = RobotsTxt::from(blanket);
            return if self == DocumentForm::from(&document) {
                Ok(document)
            } else {
                Err(E::custom(
                    "a document with one answer for the whole site must have no bytes, no `truncated_at`, and the dialect `rfc9309`",
                ))
            };
        }
        let bytes = &*self.bytes.0;
        let kept = bytes.len();
        if let Some(at) = self.truncated_at.filter(|at| *at != kept) {
            return Err(E::custom(format_args!(
                "`truncated_at` is {at}, but must be the number of bytes, {kept}"
            )));
        }
        let options = Options::new(self.dialect);
        Ok(RobotsTxt::parse_again(bytes, &options, self.truncated_at))
    }
}

/// The version of the forms that may change. It stands first in each, so that a binary format meets
/// it before any field that it cannot read.
pub(crate) const VERSION: u32 = 1;

/// Reads a version, and refuses all but [`VERSION`].
pub(crate) fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(D::Error::custom(format_args!(
            "version {other} of the serialized form is unknown; this release of polite-robots reads version {VERSION}, \
             so parse the robots.txt again"
        ))),
    }
}
