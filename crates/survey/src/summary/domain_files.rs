//! One file of each domain, so that no domain can be a large share.

use serde::ser::SerializeMap as _;
use serde::{Deserialize, Serialize, Serializer};

use crate::summary::agents::{ai_counts, training_counts};
use crate::summary::crawl_delays::CrawlDelays;
use crate::summary::file::FileFacts;
use crate::summary::findings::FilesWithRules;
use crate::summary::hash::{hash, split_hex};
use crate::summary::host::domain_of;
use crate::summary::interval::Interval;
use crate::summary::merge::{Merge, counts};
use crate::summary::sitemaps::Sitemaps;
use crate::summary::smallest::{InText, Smallest};
use crate::summary::source::Source;
use crate::summary::usage::Usage;

counts! {
    /// A fair sample of the domains that someone registered, each with one of its files: all
    /// domains if there are no more. The file of a domain is the one whose URL or host has the
    /// smallest hash, so neither order nor split matters.
    #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
    pub(crate) struct DomainFiles {
        #[serde(rename = "sample")]
        files: Smallest<DomainFile, CAPACITY>,
    }
}

/// The traits of the file that stands for a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct DomainFile {
    rank: u64,
    traits: u16,
}

/// A trait of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trait {
    NamesAi,
    BlocksAi,
    BlocksEveryone,
    HasSitemap,
    /// The file has rules and is no web page.
    HasRules,
    /// The file has rules, is no web page, and has an error about a line.
    HasError,
    /// The file has a crawl delay that is a number.
    AsksForDelay,
    /// The file has a record about the use of content.
    StatesUse,
    /// The file names a crawler that fetches for training.
    NamesTraining,
}

type HasTrait = fn(&FileFacts<'_>) -> bool;

impl Trait {
    /// The traits, each with whether a file has it.
    const ALL: [(Trait, HasTrait); 9] = [
        (Trait::NamesAi, |facts| ai_counts(facts).named > 0),
        (Trait::BlocksAi, |facts| ai_counts(facts).disallowed > 0),
        (Trait::BlocksEveryone, |facts| {
            let everyone = facts.everyone.as_ref();
            everyone.is_some_and(|everyone| everyone.plain.disallow_all())
        }),
        (Trait::HasSitemap, Sitemaps::has_any),
        (Trait::HasRules, FilesWithRules::has),
        (Trait::HasError, |facts| {
            FilesWithRules::has(facts) && FilesWithRules::has_error(facts)
        }),
        (Trait::AsksForDelay, CrawlDelays::has_any),
        (Trait::StatesUse, Usage::has_any),
        (Trait::NamesTraining, |facts| {
            training_counts(facts).named > 0
        }),
    ];

    /// The bit among the traits of a file.
    const fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// The number of domains in a sample, and the number of those with a trait.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct DomainShare {
    pub(crate) domains: u64,
    pub(crate) of: u64,
    percent: Interval,
    /// Whether the sample is all domains.
    #[serde(skip)]
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

    /// The domains with a trait, as far as they are known.
    pub(crate) fn share(&self, wanted: Trait) -> DomainShare {
        share(&self.files.settled(), wanted)
    }
}

/// The domains of a settled sample with a trait.
fn share(settled: &Smallest<DomainFile, CAPACITY>, wanted: Trait) -> DomainShare {
    let count = |wanted: u16| {
        let files = settled.entries().iter();
        let files = files.filter(|(_, file)| file.traits & wanted == wanted);
        files.count() as u64
    };
    let domains = count(wanted.bit());
    // Files with an error are a share of the files with rules. The other traits are shares of all
    // files.
    let of = count(match wanted {
        Trait::HasError => Trait::HasRules.bit(),
        _ => 0,
    });
    DomainShare {
        domains,
        of,
        percent: Interval::of(domains, of),
        is_exact: settled.is_complete(),
    }
}

fn traits(facts: &FileFacts<'_>) -> u16 {
    let traits = Trait::ALL.into_iter().filter(|(_, is_of)| is_of(facts));
    traits.fold(0, |traits, (one, _)| traits | one.bit())
}

impl Merge for DomainFile {
    fn merge(&mut self, other: DomainFile) {
        *self = other.min(*self);
    }
}

impl InText for DomainFile {
    fn to_text(&self) -> String {
        format!("{:016x} {}", self.rank, self.traits)
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
        let mut written = serializer.serialize_map(None)?;
        written.serialize_entry("exact", &files.is_complete())?;
        for (wanted, _) in Trait::ALL {
            written.serialize_entry(&wanted, &share(&files, wanted))?;
        }
        written.serialize_entry("sample", &*files)?;
        written.end()
    }
}

/// The most domains of the sample. A share of a half is known to a point, with 95 % certainty.
const CAPACITY: usize = 1 << 13;
