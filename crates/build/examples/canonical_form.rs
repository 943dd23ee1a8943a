//! Prints the canonical form of a robots.txt file.
//!
//! ```text
//! cargo run --example canonical_form -- robots.txt
//! ```

use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use polite_robots::RobotsTxt;
use polite_robots_build::{CommentPolicy, canonical};

fn main() -> ExitCode {
    let result = match std::env::args_os().nth(1).map(PathBuf::from) {
        Some(path) => print_canonical(&path),
        None => Err("usage: canonical_form FILE".into()),
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

fn print_canonical(path: &Path) -> Result<(), Box<dyn Error>> {
    let file =
        fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let robots_txt = RobotsTxt::parse(&file);
    io::stdout().write_all(&canonical(&robots_txt, CommentPolicy::Keep))?;
    Ok(())
}
