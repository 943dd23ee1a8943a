//! Prints the errors and warnings of a robots.txt, and fails if there are any: a check for a build.
//!
//! ```text
//! cargo run -p polite-robots-lint --example check_file -- robots.txt
//! ```

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use polite_robots::RobotsTxt;
use polite_robots_lint::{Severity, lint};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: check_file FILE")?;
    let file = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let found = lint(&RobotsTxt::parse(&file));
    let mut out = std::io::stdout().lock();
    let mut exit = ExitCode::SUCCESS;
    for finding in found
        .iter()
        .filter(|finding| finding.severity() > Severity::Note)
    {
        let (line, severity, code) = (finding.line(), finding.severity(), finding.code());
        writeln!(
            out,
            "{path}:{line}: {severity}: {} [{code}]",
            finding.message()
        )?;
        exit = ExitCode::FAILURE;
    }
    Ok(exit)
}
