//! Names that are nearly the name of a use, `__usage_ai-training`.

use polite_robots::document::leading_token;
use polite_robots::record::PolicyToken;
use polite_robots::text::quote;
use polite_robots_audit::policy::use_of;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported};
use crate::text::part::Part;

impl Findings<'_, '_> {
    /// Reports a name that is nearly that of a use.
    pub(super) fn nearly_policy_token(&mut self, part: Part<'_>) -> Option<Reported> {
        let token = nearly_use(part.bytes)?;
        self.report(DiagnosticCode::MisspelledPolicyToken, part, || {
            let message = format!(
                "this line says nothing about {}, because {} is not the name of that use; write `{}` if you mean it",
                use_of(token),
                quote(part.bytes),
                token.as_str()
            );
            Advice::new(message).write(part.span(), token.as_str())
        })
    }
}

/// Fast: whether the first letter is that of the token, as it is of hardly any other name.
#[inline]
pub(super) fn may_be_nearly_token(value: &[u8]) -> bool {
    let first = value.iter().find(|byte| byte.is_ascii_alphabetic());
    matches!(first, Some(b'u' | b'U'))
}

/// The token that is probably meant; `None` for one that is right.
pub(crate) fn nearly_use(value: &[u8]) -> Option<PolicyToken> {
    if !may_be_nearly_token(value) || value.len() > LONGEST {
        return None;
    }
    let read = core::str::from_utf8(leading_token(value)).unwrap_or_default();
    // A list of names has a finding of its own.
    if PolicyToken::find(read).is_some() || value.contains(&b',') || value.contains(&b';') {
        return None;
    }
    let written = letters(value);
    let mut tokens = PolicyToken::ALL.iter().copied();
    tokens.find(|token| {
        let right = letters(token.as_str().as_bytes());
        let is_short = match token {
            PolicyToken::AiTraining => SHORT_FORMS.contains(&written.as_slice()),
            _ => false,
        };
        is_short || distance(&written, &right) <= MOST_CHANGES
    })
}

/// The letters alone, in lower case, because the signs between them are often wrong.
fn letters(text: &[u8]) -> Vec<u8> {
    let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic());
    letters.map(u8::to_ascii_lowercase).collect()
}

/// The number of letters to insert, remove or replace until both are the same.
fn distance(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut before = at;
        let mut left = at.saturating_add(1);
        let mut next = vec![left];
        for (other, above) in other.iter().zip(row.iter().skip(1)) {
            let exchanged = before.saturating_add(usize::from(letter != other));
            left = exchanged
                .min(left.saturating_add(1))
                .min(above.saturating_add(1));
            next.push(left);
            before = *above;
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// `__usage_training` and `__use_ai-training` lack two letters.
const MOST_CHANGES: usize = 2;

/// In bytes, with a character of three bytes for each sign.
const LONGEST: usize = 48;

/// Forms that lack more letters, or have them in another order as `train-ai` of `Content-Usage`
/// has.
const SHORT_FORMS: &[&[u8]] = &[
    b"usageaitrain",
    b"usagetrain",
    b"usagetrainai",
    b"usagetrainingai",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_of_the_use_are_found_and_no_others() {
        for name in [
            "__usage-ai-training",
            "_usage_ai-training",
            "__usage_ai_training",
            "usage_ai-training",
            "__usage_ai-train",
            "__usage_training",
            "__Usage_AI_Training",
            "__usage_ai-trainig",
            "___usage_ai-training",
            "__usage_aitraining",
            "__usage_train-ai",
            "__use_ai-training",
            "__usage_ai training",
            "__usage_ai\u{2011}training",
            "usage: ai-training",
            "\"__usage_ai-training\"",
        ] {
            assert_eq!(
                nearly_use(name.as_bytes()),
                Some(PolicyToken::AiTraining),
                "{name}"
            );
        }
        for name in [
            "__usage_ai-training",
            "__USAGE_AI-TRAINING/1.0",
            "__usage_search",
            "__usage_ai-input",
            "__usage_ai",
            "__usage_ai-training, GPTBot",
            "UptimeRobot",
            "UsageTrainingBot",
            "ai-training",
            "",
        ] {
            assert_eq!(nearly_use(name.as_bytes()), None, "{name}");
        }
    }
}
