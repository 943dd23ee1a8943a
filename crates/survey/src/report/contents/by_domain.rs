//! Shares with each domain counted once, beside those of all files.

use polite_robots_audit::printable::printable;

use crate::report::number::{counted, interval, percent};
use crate::summary::Summary;
use crate::summary::domain_files::Trait;

/// The share of the domains with a trait, with its base. `None` unless a family of one template or
/// a domain is a large share of the files.
pub(super) fn share(summary: &Summary, wanted: Trait) -> Option<String> {
    let [_, family, domain] = summary.copies.large(summary.files);
    family.or(domain)?;
    let share = summary.domains.share(wanted);
    let percent = percent(share.domains, share.of);
    let domains = counted(share.of, "domain");
    Some(match share.is_exact {
        true => format!("{percent} of {domains}"),
        false => {
            let interval = interval(share.domains, share.of);
            format!("{percent} of a sample of {domains}, {interval}")
        }
    })
}

/// A phrase about the large share of the files, which qualifies the base of a chart: `of which 33 %
/// are of shops.example`.
pub(super) fn large_share(summary: &Summary) -> Option<String> {
    let [_, family, domain] = summary.copies.large(summary.files);
    let words = match &domain {
        Some(domain) => format!("are of {}", printable(&domain.name)),
        None => String::from("have one template"),
    };
    let largest = domain.or(family)?;
    Some(format!(
        "of which {} {words}",
        percent(largest.files, largest.of)
    ))
}

/// The share of the domains in parentheses, for a sentence with the share of the files.
pub(super) fn beside(summary: &Summary, wanted: Trait) -> String {
    share(summary, wanted).map_or(String::new(), |share| format!(" ({share})"))
}
