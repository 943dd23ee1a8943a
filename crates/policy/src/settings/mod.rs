//! The two halves of a profile, each a table with one row for each open choice, and the types of
//! the choices.

pub use self::access::{
    AccessPolicy, AccessSettings, AttemptPlan, ConditionalRequests, ForeignTextPolicy,
    FreshnessPolicy, LongOutagePolicy, NoCopyPolicy, Obedience, OverLimitPolicy, ParseErrorPolicy,
    RedirectPolicy, StaleCopyPolicy,
};
pub use self::pace::{
    Backoff, CrawlDelayPolicy, GapAnchor, GroupPace, LatencyPolicy, Levels, LongDelayPolicy,
    PaceSettings, Reward,
};

/// Makes a struct and its three presets from one table, so that each field stands in one place.
macro_rules! settings {
    (
        $(#[$about:meta])*
        $name:ident;
        $(
            $(#[$doc:meta])*
            $field:ident: $type:ty = $rfc9309:expr, $google:expr, $ibm:expr;
        )*
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(default))]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[$doc])*
                ///
                #[doc = concat!(
                    "Presets: `", stringify!($rfc9309), "`, `", stringify!($google), "`, `", stringify!($ibm), "`."
                )]
                pub $field: $type,
            )*
        }

        impl $name {
            pub(crate) const RFC9309: $name = $name { $( $field: $rfc9309, )* };
            pub(crate) const GOOGLE: $name = $name { $( $field: $google, )* };
            pub(crate) const IBM: $name = $name { $( $field: $ibm, )* };
        }

        /// The half of `Profile::rfc9309()`.
        impl Default for $name {
            fn default() -> $name {
                $name::RFC9309
            }
        }
    };
}

pub(crate) mod access;
pub(crate) mod pace;
