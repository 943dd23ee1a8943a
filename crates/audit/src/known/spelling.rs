//! Names compared as people type them: without their signs, with a slip of the fingers, or with
//! most letters in common.

/// The name without the signs and the `bot` that people leave out, add or move: `googleextended`.
pub(super) fn core_of(name: &str) -> String {
    let core = letters_of(name);
    // Nearly all names have none, and a replacement copies each.
    match core.contains("bot") {
        true => core.replace("bot", ""),
        false => core,
    }
}

/// The ASCII letters and digits of a name, in lower case.
pub(super) fn letters_of(name: &str) -> String {
    let mut all = String::with_capacity(name.len());
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    all.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    all
}

/// A difference by one slip of the fingers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slip {
    /// Two neighbours are swapped: `gtpbot`.
    Swapped,
    /// One letter is missing, added or replaced.
    OtherLetter,
}

pub(super) fn slip(one: &[u8], other: &[u8]) -> Option<Slip> {
    // The first two bytes show nearly always that there are more slips.
    let (Some([a, b]), Some([c, d])) = (one.first_chunk(), other.first_chunk()) else {
        return None;
    };
    let may_be_near = a == c || b == d || a == d || b == c;
    if !may_be_near || one.len().abs_diff(other.len()) > 1 {
        return None;
    }
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count();
    match (one.get(same..)?, other.get(same..)?) {
        ([a, b, one @ ..], [c, d, other @ ..]) if a == d && b == c && one == other => {
            Some(Slip::Swapped)
        }
        ([_, one @ ..], other) | (other, [_, one @ ..]) if one == other => Some(Slip::OtherLetter),
        ([_, one @ ..], [_, other @ ..]) if one == other => Some(Slip::OtherLetter),
        _ => None,
    }
}

/// Whether one name ends in `bot` and the other in a slip of it, after the same letters: `ccbott`.
pub(super) fn differ_in_bot(one: &str, token: &str) -> bool {
    let before = token.strip_suffix("bot");
    let end = before.and_then(|before| one.strip_prefix(before));
    end.is_some_and(|end| slip(end.as_bytes(), b"bot").is_some())
}

/// The percentage of the letters of both names that they have in common, in the same order, from
/// [`MUCH`] on: `trainng` and `training` have 93.
pub(super) fn likeness(one: &[u8], other: &[u8]) -> Option<usize> {
    let both = one.len().saturating_add(other.len()).max(1);
    let percent = |common: usize| common.saturating_mul(200).checked_div(both);
    let is_much = |percent: &usize| *percent >= MUCH;
    // The lengths alone refuse a long name, for which the table would be large.
    percent(one.len().min(other.len())).filter(is_much)?;
    percent(common(one, other)).filter(is_much)
}

/// The length of the longest common subsequence.
fn common(one: &[u8], other: &[u8]) -> usize {
    let mut row = vec![0_usize; other.len()];
    for a in one {
        let (mut diagonal, mut left) = (0_usize, 0);
        for (b, cell) in other.iter().zip(&mut row) {
            let above = *cell;
            *cell = match a == b {
                true => diagonal.saturating_add(1),
                false => above.max(left),
            };
            (diagonal, left) = (above, *cell);
        }
    }
    row.last().copied().unwrap_or(0)
}

/// `google-extend` and `google-extended` have 92; `baiduspider` and `baiduspider-ads`, which are
/// two crawlers, have 84.
const MUCH: usize = 85;
