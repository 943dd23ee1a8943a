//! Tables: the ends of the redirects within the input, and the outcomes with them.

use crate::report::contents::access;
use crate::report::document::Table;
use crate::report::number::{grouped, percent};
use crate::summary::Summary;
use crate::summary::outcome::Outcome;

/// The ends of the redirects; no rows if there are no redirects.
pub(super) fn ends(summary: &Summary) -> Table {
    let ends = summary.followed.ends();
    let mut table = Table::new(
        "Redirects, followed within the input",
        &["", "redirects", "share"],
    );
    for outcome in Outcome::ALL {
        let resolved = ends.resolved.get(&outcome).copied().unwrap_or_default();
        let name = format!("end at: {}", access::description(outcome));
        table.count(name, resolved, ends.of);
    }
    for (name, count) in [
        (
            "lead to a URL that the input does not have",
            ends.not_in_input,
        ),
        ("come back to a URL", ends.loops),
        ("take more than five hops", ends.too_many_hops),
    ] {
        table.count(name, count, ends.of);
    }
    if !summary.followed.is_exact() {
        table.count(
            "lead out of the sample of hosts",
            ends.not_in_sample,
            ends.of,
        );
        table.note = Some(format!(
            "A fair sample of hosts was followed: {} of {} redirects.",
            grouped(ends.of),
            grouped(ends.redirects)
        ));
    }
    table
}

/// The responses by the outcome of their end; no rows if there are no redirects.
pub(super) fn outcomes(summary: &Summary) -> Table {
    let ends = summary.followed.ends();
    let mut table = Table::new(
        "What RFC 9309 makes of the responses and of the ends of redirects",
        &["", "responses", "share"],
    );
    if ends.of == 0 {
        return table;
    }
    let resolved = |outcome| ends.resolved_of_all(outcome);
    let all_resolved: u64 = Outcome::ALL.into_iter().map(resolved).sum();
    for outcome in Outcome::ALL {
        let direct = summary.outcomes.direct.get(&outcome).copied();
        let direct = direct.unwrap_or_default();
        let count = match outcome {
            Outcome::Unknown => direct.saturating_sub(all_resolved),
            _ => direct,
        };
        let count = count + resolved(outcome);
        table.count(access::description(outcome), count, summary.responses);
    }
    table
}

/// The redirects that end at an answer, as a share; `None` if there are no redirects.
pub(crate) fn in_words(summary: &Summary) -> Option<String> {
    let ends = summary.followed.ends();
    let answered: u64 = ends.resolved.values().sum();
    (ends.of > 0).then(|| {
        format!(
            "{} of {} end at an answer that the input has",
            percent(answered, ends.of),
            grouped(ends.redirects)
        )
    })
}
