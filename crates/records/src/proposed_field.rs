//! Fields that are proposed for robots.txt but in no standard: known by name, without effect.

use core::fmt;

use polite_robots::RobotsTxt;
use polite_robots::document::{Line, LineKind};

/// Generates [`ProposedField`] from one row for each field: its variant, its name, the place that
/// proposes it, and its subject, as a part of a sentence.
macro_rules! proposed_fields {
    ($($variant:ident, $name:literal, $origin:literal, $subject:literal;)+) => {
        /// The fields that are proposed or in use somewhere, but in no standard, and that no large
        /// crawler is known to follow. They change no answer: verdicts, preferences
        /// and delays are the same with and without them.
        ///
        /// ```
        /// use polite_robots::RobotsTxt;
        /// use polite_robots_records::ProposedField;
        ///
        /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nLLM-policy: /llms.txt\nColour: red");
        /// let proposed: Vec<_> = ProposedField::of(&robots_txt).collect();
        /// let [(field, line)] = &proposed[..] else {
        ///     panic!("not one record");
        /// };
        /// assert_eq!((*field, line.number()), (ProposedField::LlmPolicy, 2));
        /// assert_eq!(line.value(), Some(&b"/llms.txt"[..]));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProposedField {
            $(
                #[doc = concat!("`", $name, "`: ", $subject, " (", $origin, ").")]
                $variant,
            )+
        }

        impl ProposedField {
            /// Every field, by name.
            pub const ALL: &'static [ProposedField] = &[$(ProposedField::$variant),+];

            /// The name of the field as its proposal writes it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ProposedField::$variant => $name,)+
                }
            }

            /// The place that proposes the field: a draft, a project, or files in public.
            pub const fn origin(self) -> &'static str {
                match self {
                    $(ProposedField::$variant => $origin,)+
                }
            }

            /// The subject of the field as a part of a sentence, such as `the address of …`.
            pub const fn subject(self) -> &'static str {
                match self {
                    $(ProposedField::$variant => $subject,)+
                }
            }
        }
    };
}

proposed_fields! {
    Agentmap, "Agentmap", "site generators of 2026",
        "the address of a catalog of the site's agents and tools";
    AllowAiTraining, "AllowAITraining", "draft-canel-robots-ai-control-01, expired",
        "paths whose content may be used to train AI models";
    DisallowAiTraining, "DisallowAITraining", "draft-canel-robots-ai-control-01, expired",
        "paths whose content must not be used to train AI models";
    LlmPolicy, "LLM-Policy", "parked sites and site generators of 2026",
        "the address of an `llms.txt`";
    Llms, "LLMs", "site generators of 2026", "the address of an `llms.txt`";
    Schemamap, "Schemamap", "NLWeb and Yoast, 2025",
        "the address of a list of feeds with structured data";
    UserAgentPurpose, "User-agent-purpose", "draft-illyes-rep-purpose-00, expired",
        "a group for every crawler with a purpose";
}

impl ProposedField {
    /// The records of a file whose field is only proposed, each with its line, in the order of the
    /// file. They have no effect. In the Google dialect a name that begins with `Disallow`, `Allow`
    /// or `User-agent` is that field, and no proposal.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_records::ProposedField;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallowAITraining: /\nAllow: /");
    /// let proposed = ProposedField::of(&robots_txt).map(|(field, _)| field.origin());
    /// assert_eq!(proposed.collect::<Vec<_>>(), ["draft-canel-robots-ai-control-01, expired"]);
    /// ```
    pub fn of(robots_txt: &RobotsTxt) -> impl Iterator<Item = (ProposedField, Line<'_>)> {
        let lines = robots_txt.lines();
        let unknown = lines.filter(|line| line.kind() == LineKind::UnknownField);
        unknown.filter_map(|line| Some((ProposedField::from_name(line.key()?)?, line)))
    }

    /// The field with a name in any case; `None` if it is no proposal.
    pub fn from_name(name: impl AsRef<[u8]>) -> Option<ProposedField> {
        let is_name = |field: &&ProposedField| {
            let known = field.as_str().as_bytes();
            known.eq_ignore_ascii_case(name.as_ref())
        };
        ProposedField::ALL.iter().find(is_name).copied()
    }
}

impl fmt::Display for ProposedField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
