//! The counts of one stratum, such as the hosts of one rank. Those of all strata add up to the
//! counts of the whole.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::summary::access::{KnownAccess, Openness, ThreeCounts};
use crate::summary::agents::{ClassCounts, ai_counts};
use crate::summary::crawl_delays::CrawlDelays;
use crate::summary::merge::{Merge as _, counts};
use crate::summary::outcome::Outcomes;
use crate::summary::site::{Site, SiteFile};
use crate::summary::sitemaps::Sitemaps;
use crate::summary::usage::Usage;

counts! {
    /// Counts of the responses of one stratum. The counts are few, so that there can be many
    /// strata.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Stratum {
        pub(crate) responses: u64,
        pub(crate) by_status: BTreeMap<u16, u64>,
        pub(crate) outcomes: Outcomes,
        /// Files that were read.
        pub(crate) files: u64,
        /// The bytes of these files.
        pub(crate) bytes: u64,
        /// The rules of these files.
        pub(crate) rules: u64,
        /// Counts of the crawlers on lists of AI crawlers.
        pub(crate) ai: ClassCounts,
        /// Files by how much an agent that is not named may fetch.
        pub(crate) everyone_access: ThreeCounts,
        /// Files by how much each known crawler may fetch.
        pub(crate) known_access: KnownAccess,
        /// Files with a sitemap.
        pub(crate) sitemap_files: u64,
        /// Files with a crawl delay.
        pub(crate) crawl_delay_files: u64,
        /// Files with a record about the use of content.
        pub(crate) usage_files: u64,
    }
}

impl Stratum {
    pub(crate) fn add(&mut self, site: &Site<'_>) {
        self.responses += 1;
        *self.by_status.entry(site.response.status).or_default() += 1;
        self.outcomes.add(site.outcome);
        if let Some(file) = &site.file {
            self.add_file(file);
        }
    }

    fn add_file(&mut self, file: &SiteFile<'_>) {
        let facts = file.facts;
        self.files += 1;
        self.bytes += facts.body.len() as u64;
        self.rules += facts.rules.len() as u64;
        self.ai.merge(ai_counts(facts));
        let everyone = facts.everyone.as_ref();
        self.everyone_access
            .add(everyone.map_or(Openness::All, |everyone| everyone.extent.into()));
        self.known_access.add(file.accesses);
        self.sitemap_files += u64::from(Sitemaps::has_any(facts));
        self.crawl_delay_files += u64::from(CrawlDelays::has_any(facts));
        self.usage_files += u64::from(Usage::has_any(facts));
    }
}
