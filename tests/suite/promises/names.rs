//! The names for programs, which are stable, and the sentences for people, which are distinct.

use std::collections::HashSet;

use polite_robots::{AgentMatch, Cause, Robot};

#[test]
fn machine_readable_names_are_stable() {
    assert_eq!(
        [AgentMatch::None, AgentMatch::Wildcard, AgentMatch::Named].map(|kind| kind.to_string()),
        ["no group", "wildcard group", "named group"]
    );
}

#[test]
fn sentences_are_distinct() {
    let causes = [
        Cause::Configured,
        Cause::NotFetched,
        Cause::Status(404),
        Cause::Unreachable,
        Cause::TooManyRedirects,
        Cause::Truncated,
        Cause::ParseErrors,
        Cause::NoCopy,
        Cause::GaveUp,
        Cause::Encoded,
        Cause::Full,
    ];
    let sentences: HashSet<String> = causes
        .iter()
        .map(|cause| Robot::allow_all(*cause).check("/").to_string())
        .collect();
    assert_eq!(sentences.len(), causes.len());
    assert!(
        sentences
            .iter()
            .all(|sentence| sentence.starts_with("allowed: "))
    );
}
