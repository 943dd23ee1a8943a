//! The comparison of a pattern with a path, for the few pairs that the indexes let pass.

use memchr::memmem;

/// Whether a pattern in compared form matches a path (RFC 9309 §2.2.3). The literals between the
/// `*` are found from left to right, as an earlier place never excludes a later one.
pub(super) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (body, is_anchored) = match pattern {
        [body @ .., b'$'] => (body, true),
        _ => (pattern, false),
    };
    let mut literals = body.split(|byte| *byte == b'*').peekable();
    let head = literals.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(head) else {
        return false;
    };
    if literals.peek().is_none() {
        return !is_anchored || rest.is_empty();
    }
    while let Some(literal) = literals.next() {
        let is_last = literals.peek().is_none();
        if is_last && is_anchored {
            return rest.ends_with(literal);
        }
        let Some(at) = memmem::find(rest, literal) else {
            return false;
        };
        rest = rest
            .get(at.saturating_add(literal.len())..)
            .unwrap_or_default();
    }
    true
}

#[cfg(test)]
mod tests {
    use polite_robots::Robot;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4096) })]

        #[test]
        fn a_pattern_matches_as_for_a_robot(
            pattern in r"[/*][ab*]{0,6}\$?",
            path in "/[ab]{0,8}",
        ) {
            let file = format!("User-agent: *\nDisallow: {pattern}");
            let robot = Robot::new("ExampleBot", file.as_bytes()).unwrap();
            prop_assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), !robot.allowed(&path));
        }
    }
}
