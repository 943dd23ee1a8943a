//! `--format gitlab`: the Code Quality report of GitLab, which shows findings in a merge request.
//!
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>

use std::collections::HashMap;
use std::io::{self, Write};

use polite_robots_lint::Severity;

use crate::json::{self, object};
use crate::lint::report::Report;

pub(super) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut seen: HashMap<u64, u64> = HashMap::new();
    let mut issues = Vec::new();
    for linted in &report.linted {
        let path = linted.input.argument();
        for finding in &linted.findings {
            // The fingerprint leaves out the line number, so that lines inserted above do not
            // change it. It counts equal findings on equal lines.
            let parts = [
                path.as_bytes(),
                finding.code().as_str().as_bytes(),
                linted.line(finding),
            ];
            let hash = fnv1a(&parts);
            let count = seen.entry(hash).or_default();
            let fingerprint = format!("{hash:016x}{count:08x}");
            *count = count.saturating_add(1);
            issues.push(object! {
                "description": finding.diagnostic.message(),
                "check_name": finding.code().as_str(),
                "fingerprint": fingerprint,
                "severity": match finding.severity() {
                    Severity::Error => "major",
                    Severity::Warning => "minor",
                    Severity::Note => "info",
                },
                "location": object! {
                    "path": path.clone(),
                    "lines": object! {
                        "begin": finding.place.start.line,
                        "end": finding.place.end.line,
                    },
                },
            });
        }
    }
    json::write(out, &issues)
}

/// FNV-1a of 64 bits: the same in every run and every release, unlike the hashes of the standard
/// library.
fn fnv1a(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter().chain(&[0]));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
