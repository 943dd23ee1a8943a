//! Shares with each domain counted once, beside those of all files.

use polite_robots_audit::printable::printable;

use crate::report::number::{counted, interval, percent};
use crate::summary::Summary;
use crate::summary::copies::Largest;
use crate::summary::domain_files::{DomainShare, Trait};

/// The share of the domains with a trait, of those with another one or of all, with its base.
/// `None` where no family of one template and no domain is a large share of the files.
pub(super) fn share(summary: &Summary, wanted: Trait, of: Option<Trait>) -> Option<String> {
    let [_, family, domain] = summary.copies.large(summary.files);
    family.or(domain)?;
    let share: DomainShare = summary.domains.share(wanted, of);
    let (percent, domains) = (
        percent(share.domains, share.of),
        counted(share.of, "domain"),
    );
    Some(match share.is_exact {
        true => format!("{percent} of {domains}"),
        false => {
            let interval = interval(share.domains, share.of);
            format!("{percent} of a sample of {domains}, {interval}")
        }
    })
}

/// The large share of the files by which the base of a chart is judged: `of which 33 % are of
/// shops.example`.
pub(super) fn large_share(summary: &Summary) -> Option<String> {
    let [_, family, domain] = summary.copies.large(summary.files);
    let of_which = |largest: Largest, words: &str| {
        let percent = percent(largest.files, largest.of);
        format!("of which {percent} {words}")
    };
    match domain {
        Some(domain) => {
            let words = format!("are of {}", printable(&domain.name));
            Some(of_which(domain, &words))
        }
        None => family.map(|family| of_which(family, "have one template")),
    }
}

/// The share of the domains in parentheses, after that of the files in a sentence.
pub(super) fn beside(summary: &Summary, wanted: Trait, of: Option<Trait>) -> String {
    share(summary, wanted, of).map_or(String::new(), |share| format!(" ({share})"))
}
