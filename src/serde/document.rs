//! A document as its bytes and options, from which it is parsed again.

use alloc::borrow::Cow;
use alloc::format;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::Access;
use crate::options::{Dialect, Options};
use crate::robots::agent_view::Blanket;
use crate::robots::robots_txt::RobotsTxt;
use crate::serde::bytes::Bytes;
use crate::verdict::Cause;

impl Serialize for RobotsTxt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = DocumentForm {
            version: Version,
            dialect: self.dialect(),
            blanket: self.site_answer().map(BlanketForm::from),
            truncated_at: self.truncated_at(),
            bytes: Bytes(Cow::Borrowed(self.as_bytes())),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RobotsTxt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RobotsTxt, D::Error> {
        let form = DocumentForm::deserialize(deserializer)?;
        form.read().map_err(D::Error::custom)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DocumentForm<'a> {
    version: Version,
    dialect: Dialect,
    blanket: Option<BlanketForm>,
    truncated_at: Option<usize>,
    bytes: Bytes<'a>,
}

impl DocumentForm<'_> {
    fn read(self) -> Result<RobotsTxt, BrokenDocument> {
        let bytes = &*self.bytes.0;
        if let Some(BlanketForm { access, cause }) = self.blanket {
            let is_alone = bytes.is_empty()
                && self.truncated_at.is_none()
                && self.dialect == Dialect::default();
            return if is_alone {
                Ok(Blanket { access, cause }.into())
            } else {
                Err(BrokenDocument::BlanketAndFile)
            };
        }
        let kept = bytes.len();
        if let Some(at) = self.truncated_at.filter(|at| *at != kept) {
            return Err(BrokenDocument::Truncated { at, kept });
        }
        let options = Options::new(self.dialect);
        Ok(RobotsTxt::parse_again(bytes, &options, self.truncated_at))
    }
}

#[derive(Debug, thiserror::Error)]
enum BrokenDocument {
    #[error(
        "a document with one answer for the whole site must have no bytes, no `truncated_at`, and the dialect `rfc9309`"
    )]
    BlanketAndFile,
    #[error("`truncated_at` is {at}, but must be the number of bytes, {kept}")]
    Truncated { at: usize, kept: usize },
}

/// The answer for a whole site.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlanketForm {
    pub(crate) access: Access,
    pub(crate) cause: Cause,
}

impl From<Blanket> for BlanketForm {
    fn from(Blanket { access, cause }: Blanket) -> BlanketForm {
        BlanketForm { access, cause }
    }
}

/// The version of a form that may change. It stands first, so that a binary format meets it before
/// any field that it cannot read.
pub(crate) struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Version, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Version),
            other => Err(D::Error::custom(format!(
                "version {other} of the serialised form is unknown; this release of polite-robots reads version \
                 {VERSION}, so parse the robots.txt again"
            ))),
        }
    }
}

const VERSION: u32 = 1;
