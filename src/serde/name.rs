//! Choices, each by its name in every format: a number would change with the list.

use alloc::string::String;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::lint::code::{DiagnosticCode, Severity};
use crate::options::Dialect;
use crate::parse::field::ExtensionField;
use crate::rules::pattern::Tier;
use crate::text::quote::quote;

macro_rules! by_name {
    ($type:ident, $name:path, [$($variant:ident),+ $(,)?]) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($name(*self))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                const ALL: &[$type] = &[$($type::$variant),+];
                const NAMES: &[&str] = &[$($name($type::$variant)),+];
                // Does not compile while a variant is missing in the list.
                const _: fn($type) = |value| match value {
                    $($type::$variant)|+ => {}
                };

                let name = String::deserialize(deserializer)?;
                let mut all = ALL.iter().zip(NAMES);
                match all.find(|(_, known)| **known == name) {
                    Some((value, _)) => Ok(*value),
                    None => Err(D::Error::unknown_variant(&name, NAMES)),
                }
            }
        }
    };
}

by_name!(Dialect, Dialect::as_str, [Rfc9309, Google]);
by_name!(AgentMatch, AgentMatch::as_str, [None, Wildcard, Named]);
by_name!(Access, access_name, [Allow, Disallow]);
by_name!(Severity, Severity::as_str, [Note, Warning, Error]);
by_name!(Tier, tier_name, [Prefix, Span, Regex]);
impl Serialize for DiagnosticCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for DiagnosticCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DiagnosticCode, D::Error> {
        let name = String::deserialize(deserializer)?;
        DiagnosticCode::from_name(&name).ok_or_else(|| {
            D::Error::custom(format_args!(
                "no kind of finding has the name {}",
                quote(name.as_bytes())
            ))
        })
    }
}

by_name!(
    ExtensionField,
    ExtensionField::as_str,
    [
        CleanParam,
        Comment,
        ContentSignal,
        ContentUsage,
        CrawlDelay,
        Host,
        License,
        Noindex,
        RequestRate,
        RobotVersion,
        Sitemap,
        VisitTime,
    ]
);

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
