//! Large shares: bodies or domains with such a share of the files that the others hardly show.

use polite_robots_audit::printable::printable;

use crate::part::Part;
use crate::report::number::grouped;
use crate::summary::copies::{Domains, Largest};
use crate::unit::Unit;

/// The body and the domain that are 5 % of the files or more, because the shares of all files then
/// say much about that body or domain. Each is described in words, with the unit that counts it
/// once. A survey of less than 1,000 files has none, and neither has a survey that counts by that
/// unit already.
#[must_use]
pub fn large_shares(part: &Part) -> Vec<(Unit, String)> {
    let files = part.summary.files;
    let [body, _, domain] = part.summary.copies.large(files);
    let body = body.map(|body| (Unit::Body, copies(&body, "have the same bytes", files)));
    let domain = domain.map(|domain| {
        let (share, name) = (share(&domain, files), printable(&domain.name));
        (Unit::Domain, format!("{share} are of the domain {name}"))
    });
    let shares = body.into_iter().chain(domain);
    shares.filter(|(unit, _)| *unit != part.unit).collect()
}

/// The family of one template that is 5 % of the files or more, in words; `None` if all its files
/// are copies of one body.
pub(super) fn family(part: &Part) -> Option<String> {
    let [body, family, _] = part.summary.copies.large(part.summary.files);
    let family = family.filter(|family| body.is_none_or(|body| body.files < family.files))?;
    let words = "are equal but for the hosts of URLs";
    Some(copies(&family, words, part.summary.files) + ".")
}

/// Says that files are copies, as in `7,378 of 28,599 files, 26 %, have the same bytes
/// (soft112.com)`.
fn copies(body: &Largest, words: &str, files: u64) -> String {
    let domains = match &body.domains {
        Domains::One(domain) => printable(domain),
        Domains::Mostly(domain) => format!("mostly {}", printable(domain)),
        Domains::Many(domains) => format!("{} domains", grouped(*domains as u64)),
    };
    format!("{} {words} ({domains})", share(body, files))
}

fn share(largest: &Largest, files: u64) -> String {
    let percent = largest.share() * 100.0;
    match largest.of == files {
        true => format!(
            "{} of {} files, {percent:.0} %,",
            grouped(largest.files),
            grouped(files)
        ),
        false => format!("about {percent:.0} % of {} files", grouped(files)),
    }
}
