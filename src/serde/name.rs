//! Enums by their stable names, in every format: a number would change with the list.

use alloc::string::String;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::options::Dialect;
use crate::parse::field::{Directive, ExtensionField};
use crate::rules::pattern::Tier;

/// Serializes an enum as the name of its variant. The list of all variants is the enum's own `ALL`,
/// or stands here and does not compile while a variant is missing.
macro_rules! by_name {
    ($type:ident, $name:path, [$($variant:ident),+]) => {
        by_name!($type, $name, {
            const _: fn($type) = |value| match value {
                $($type::$variant)|+ => {}
            };
            &[$($type::$variant),+]
        });
    };
    ($type:ident, $name:path, $all:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($name(*self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                const ALL: &[$type] = $all;
                // The compiler runs this loop, so a wrong index is an error of the build.
                #[allow(clippy::indexing_slicing)]
                const NAMES: [&str; ALL.len()] = {
                    let mut names = [""; ALL.len()];
                    let mut at = 0;
                    while at < ALL.len() {
                        names[at] = $name(ALL[at]);
                        at += 1;
                    }
                    names
                };

                let name = String::deserialize(deserializer)?;
                match ALL.iter().find(|value| $name(**value) == name) {
                    Some(value) => Ok(*value),
                    None => Err(D::Error::unknown_variant(&name, &NAMES)),
                }
            }
        }
    };
}

by_name!(Dialect, Dialect::as_str, [Rfc9309, Google]);
by_name!(AgentMatch, AgentMatch::as_str, [None, Wildcard, Named]);
by_name!(Access, access_name, [Allow, Disallow]);
by_name!(Tier, tier_name, [Prefix, Span, Regex]);
by_name!(ExtensionField, ExtensionField::as_str, ExtensionField::ALL);
by_name!(Directive, Directive::as_str, Directive::ALL);

const fn access_name(access: Access) -> &'static str {
    match access {
        Access::Allow => "allow",
        Access::Disallow => "disallow",
    }
}

const fn tier_name(tier: Tier) -> &'static str {
    match tier {
        Tier::Prefix => "prefix",
        Tier::Span => "span",
        Tier::Regex => "regex",
    }
}
