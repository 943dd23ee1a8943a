//! The sitemaps that files name.

use polite_robots::record::ExtensionField;
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::FileFacts;
use crate::summary::host::host_of;
use crate::summary::merge::counts;

counts! {
    /// Counts of the `Sitemap` records.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Sitemaps {
        /// The number of records with a value in each file.
        pub(crate) per_file: Distribution,
        /// Files with at least one such record.
        pub(crate) files: u64,
        /// Files with more than 50 such records.
        pub(crate) over_50: u64,
        /// Files with a sitemap whose own URL is known. `other_host` counts only these.
        pub(crate) files_with_url: u64,
        /// Files with a sitemap on another host than their own.
        pub(crate) other_host: u64,
    }
}

impl Sitemaps {
    /// Whether a file has a sitemap.
    pub(crate) fn has_any(facts: &FileFacts<'_>) -> bool {
        let mut records = facts.extensions.iter();
        records
            .any(|record| record.field() == ExtensionField::Sitemap && !record.value().is_empty())
    }

    pub(crate) fn add(&mut self, facts: &FileFacts<'_>, url: Option<&str>) {
        let records = facts.extensions.iter();
        let values = records
            .filter(|record| record.field() == ExtensionField::Sitemap)
            .map(|record| record.value())
            .filter(|value| !value.is_empty());
        let count = values.clone().count() as u64;
        self.per_file.add(count);
        self.files += u64::from(count > 0);
        self.over_50 += u64::from(count > 50);
        let Some(own) = url.and_then(host_of).filter(|_| count > 0) else {
            return;
        };
        self.files_with_url += 1;
        let mut hosts = values.filter_map(|value| host_of(std::str::from_utf8(value).ok()?));
        let is_other = hosts.any(|host| !host.eq_ignore_ascii_case(own));
        self.other_host += u64::from(is_other);
    }
}
