//! Names of uses in `User-agent` lines.

/// The name of a use of content that a `User-agent` line may have in place of a crawler's name
/// (draft-kelley-aipref-training-preference-signal-00).
///
/// The rules of such a group say where that use is not wanted. They are for no crawler, and change
/// no verdict about fetching.
///
/// ```
/// use polite_robots::record::PolicyToken;
///
/// assert_eq!(PolicyToken::find("__Usage_AI-training"), Some(PolicyToken::AiTraining));
/// assert_eq!(PolicyToken::find("GPTBot"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum PolicyToken {
    /// The training of AI models: `__usage_ai-training`.
    AiTraining,
}

impl PolicyToken {
    /// Every token that is known.
    pub const ALL: &'static [PolicyToken] = &[PolicyToken::AiTraining];

    /// The token of a `User-agent` line. ASCII case is ignored, as in the names of crawlers.
    #[must_use]
    pub fn find(token: &str) -> Option<PolicyToken> {
        let mut tokens = PolicyToken::ALL.iter().copied();
        tokens.find(|known| known.as_str().eq_ignore_ascii_case(token))
    }

    /// The token as a file writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            PolicyToken::AiTraining => "__usage_ai-training",
        }
    }
}
