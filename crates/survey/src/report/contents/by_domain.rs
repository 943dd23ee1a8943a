//! Shares with each domain counted once, beside those of all files.

use crate::report::number::{interval, percent};
use crate::summary::Summary;
use crate::summary::domain_files::{DomainShare, Trait};

/// The share of the domains with a trait, of those with another one or of all, in words. `None`
/// where no family of one template and no domain is a large share of the files.
pub(super) fn share(summary: &Summary, wanted: Trait, of: Option<Trait>) -> Option<String> {
    let [_, family, domain] = summary.copies.large(summary.files);
    family.or(domain)?;
    let share: DomainShare = summary.domains.share(wanted, of);
    let percent = percent(share.domains, share.of);
    Some(match share.is_exact {
        true => percent,
        false => format!("{percent} ({})", interval(share.domains, share.of)),
    })
}
