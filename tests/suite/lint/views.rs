//! The accessors of findings and comparisons.

use polite_robots::lint::{Comparison, Diagnostic, Severity, Sink};
use polite_robots::{Cause, Options, RobotsTxt};

#[test]
fn a_finding_is_a_sentence_with_its_line() {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let _ = RobotsTxt::parse_with(b"User-agent: *\njunk", &Options::rfc9309(), &mut findings);
    let finding = findings.first().unwrap().clone();
    assert_eq!(
        finding.to_string(),
        format!("line 2: {}", finding.message())
    );
    assert_eq!(finding.severity().to_string(), finding.severity().as_str());
    assert_eq!(Severity::Error.to_string(), "error");
    // `()` listens to no report, so a report has no effect.
    assert!(!().is_listening());
    ().report(finding);
}

#[test]
fn without_a_file_the_dialects_agree() {
    for robots_txt in [
        RobotsTxt::allow_all(Cause::Status(404)),
        RobotsTxt::disallow_all(Cause::Status(503)),
    ] {
        let comparison = Comparison::of("ExampleBot", &robots_txt).unwrap();
        assert_eq!(comparison.disagreement("/a"), None);
    }
}

#[test]
fn a_sink_may_be_a_trait_object() {
    let mut count = 0;
    let mut closure = |_: Diagnostic| count += 1;
    let sink: &mut dyn Sink = &mut closure;
    let _ = RobotsTxt::parse_with(b"junk\njunk", &Options::google(), sink);
    assert_eq!(count, 2);
}
