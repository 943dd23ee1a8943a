//! One file of each domain, for shares that no domain can be large in.

use serde::de::IgnoredAny;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::summary::agents::ai_counts;
use crate::summary::crawl_delays::CrawlDelays;
use crate::summary::file::FileFacts;
use crate::summary::findings::FilesWithRules;
use crate::summary::hash::{hash, push_hex, split_hex};
use crate::summary::host::domain_of;
use crate::summary::interval::Interval;
use crate::summary::merge::{Merge, merge_fields};
use crate::summary::sitemaps::Sitemaps;
use crate::summary::smallest::{InText, Smallest, push_count};
use crate::summary::source::Source;
use crate::summary::usage::Usage;

/// A fair sample of the domains that someone registered, each with one of its files: all domains if
/// there are no more. The file of a domain is the one whose URL or host has the smallest hash, so
/// neither order nor split matters.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DomainFiles {
    files: Smallest<DomainFile, CAPACITY>,
}

/// The traits of the file that stands for a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DomainFile {
    rank: u64,
    traits: u8,
}

/// A trait of a file, as a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Trait {
    NamesAi = 1,
    BlocksAi = 2,
    BlocksEveryone = 4,
    HasSitemap = 8,
    /// The file has rules and is no web page.
    HasRules = 16,
    /// The file has rules, is no web page, and has an error about a line.
    HasError = 32,
    /// The file has a crawl delay that is a number.
    AsksForDelay = 64,
    /// The file has a record about the use of content.
    StatesUse = 128,
}

/// Domains of a sample, of which some have a trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DomainShare {
    pub(crate) domains: u64,
    pub(crate) of: u64,
    /// Whether the sample is all domains.
    pub(crate) is_exact: bool,
}

impl DomainFiles {
    pub(crate) fn add(&mut self, source: &Source, facts: &FileFacts<'_>) {
        let Some(host) = &source.host else {
            return;
        };
        let domain = hash(domain_of(host).as_bytes());
        self.files.add(domain, || DomainFile {
            rank: source.hash,
            traits: traits(facts),
        });
    }

    /// The domains with a trait, of those with another one or of all.
    pub(crate) fn share(&self, wanted: Trait, of: Option<Trait>) -> DomainShare {
        share(&self.files.settled(), wanted, of)
    }
}

/// The domains of a settled sample with a trait.
fn share(
    settled: &Smallest<DomainFile, CAPACITY>,
    wanted: Trait,
    of: Option<Trait>,
) -> DomainShare {
    let count = |wanted: u8| {
        let files = settled.entries().iter();
        files
            .filter(|(_, file)| file.traits & wanted == wanted)
            .count() as u64
    };
    DomainShare {
        domains: count(wanted as u8),
        of: count(of.map_or(0, |of| of as u8)),
        is_exact: settled.is_complete(),
    }
}

fn traits(facts: &FileFacts<'_>) -> u8 {
    let ai = ai_counts(facts);
    let everyone = facts.everyone.as_ref();
    let has_rules = FilesWithRules::has(facts);
    [
        (Trait::NamesAi, ai.named > 0),
        (Trait::BlocksAi, ai.disallowed > 0),
        (
            Trait::BlocksEveryone,
            everyone.is_some_and(|everyone| everyone.reach.disallows_all()),
        ),
        (Trait::HasSitemap, Sitemaps::has_any(facts)),
        (Trait::HasRules, has_rules),
        (
            Trait::HasError,
            has_rules && FilesWithRules::has_error(facts),
        ),
        (Trait::AsksForDelay, CrawlDelays::has_any(facts)),
        (Trait::StatesUse, Usage::has_any(facts)),
    ]
    .into_iter()
    .filter(|(_, has)| *has)
    .fold(0, |traits, (one, _)| traits | one as u8)
}

impl Merge for DomainFile {
    fn merge(&mut self, other: DomainFile) {
        *self = other.min(*self);
    }
}

merge_fields!(DomainFiles { files });

impl InText for DomainFile {
    fn write(&self, text: &mut String) {
        push_hex(text, self.rank);
        text.push(' ');
        push_count(text, self.traits.into());
    }

    fn read(text: &str) -> Option<DomainFile> {
        let (rank, traits) = split_hex(text)?;
        let traits = traits.parse().ok()?;
        Some(DomainFile { rank, traits })
    }
}

/// The JSON form: the shares for readers, and the sample for a merge.
impl Serialize for DomainFiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let files = self.files.settled();
        let of_all = |wanted| ShareInJson::new(share(&files, wanted, None));
        let mut written = serializer.serialize_struct("DomainFiles", 10)?;
        written.serialize_field("exact", &files.is_complete())?;
        written.serialize_field("names_ai", &of_all(Trait::NamesAi))?;
        written.serialize_field("blocks_ai", &of_all(Trait::BlocksAi))?;
        written.serialize_field("blocks_everyone", &of_all(Trait::BlocksEveryone))?;
        written.serialize_field("has_sitemap", &of_all(Trait::HasSitemap))?;
        written.serialize_field("has_rules", &of_all(Trait::HasRules))?;
        let errors = share(&files, Trait::HasError, Some(Trait::HasRules));
        written.serialize_field("has_error", &ShareInJson::new(errors))?;
        written.serialize_field("asks_for_delay", &of_all(Trait::AsksForDelay))?;
        written.serialize_field("states_use", &of_all(Trait::StatesUse))?;
        written.serialize_field("sample", &*files)?;
        written.end()
    }
}

#[derive(Serialize)]
struct ShareInJson {
    domains: u64,
    of: u64,
    percent: Interval,
}

impl ShareInJson {
    fn new(share: DomainShare) -> ShareInJson {
        ShareInJson {
            domains: share.domains,
            of: share.of,
            percent: Interval::of(share.domains, share.of),
        }
    }
}

impl<'de> Deserialize<'de> for DomainFiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DomainFiles, D::Error> {
        #[derive(Deserialize)]
        struct JsonForm {
            #[serde(rename = "exact")]
            _exact: IgnoredAny,
            sample: Smallest<DomainFile, CAPACITY>,
        }

        let files = JsonForm::deserialize(deserializer)?.sample;
        Ok(DomainFiles { files })
    }
}

/// The most domains of the sample. A share of a half is known to a point, with 95 % certainty.
const CAPACITY: usize = 1 << 13;
