//! Says what a robots.txt permits one crawler to do with one page, and how fast.
//!
//! ```text
//! cargo run --example terms_of_use -- robots.txt ExampleBot https://example.com/story
//! ```

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use polite_robots::{Robot, RobotsTxt};
use polite_robots_records::{CleanParams, DayWindow, License, RequestRate, Usage};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match &arguments[..] {
        [path, agent, url] => print_terms(path, agent, url),
        _ => Err("usage: terms_of_use FILE AGENT URL".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a standard error there is nobody to read it.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn print_terms(path: &str, agent: &str, url: &str) -> Result<(), Box<dyn Error>> {
    let file = fs::read(path).map_err(|error| format!("{path} cannot be read: {error}"))?;
    let robots_txt = RobotsTxt::parse(&file);
    let robot = robots_txt.robot(agent)?;
    let clean_params = CleanParams::of(&robots_txt);
    let mut out = io::stdout().lock();
    writeln!(out, "queue as: {}", clean_params.clean(url))?;
    show(&robot, url, &mut out)?;
    Ok(())
}

fn show(robot: &Robot, url: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "fetch: {}", robot.check(url))?;
    writeln!(out, "use: {}", Usage::of(robot, url))?;
    for license in License::of(robot) {
        writeln!(out, "license: {license}")?;
    }
    for rate in RequestRate::of(robot) {
        writeln!(out, "rate: {rate}")?;
    }
    for window in DayWindow::visit_times(robot) {
        writeln!(out, "visit: {window} UTC")?;
    }
    Ok(())
}
