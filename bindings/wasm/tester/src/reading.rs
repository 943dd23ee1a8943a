//! The reading that the page asks for, and uses in the place of crawlers.

use polite_robots::Dialect;
use polite_robots::record::PolicyToken;
use polite_robots_audit::answer::Reading;
use polite_robots_audit::policy::use_of;

/// The reading of this name; the crawler's own for every other name, as links hold any text.
pub(crate) fn reading(name: &str) -> Reading {
    let dialects = [Dialect::Rfc9309, Dialect::Google];
    let mut forced = dialects.into_iter();
    forced
        .find(|dialect| dialect.as_str() == name)
        .map_or(Reading::Crawler, Reading::Of)
}

/// The use that a name in the place of a crawler's stands for, in words.
pub(crate) fn use_named(agent: &str) -> Option<&'static str> {
    PolicyToken::find(agent).map(use_of)
}
