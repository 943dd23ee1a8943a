//! Counts the instructions of a part of this program with valgrind's callgrind. The counts are the
//! same on a loaded machine.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

/// Runs this program with the arguments, and counts the instructions of the functions whose name
/// matches the pattern, with all that they call.
///
/// # Errors
///
/// If valgrind is not installed, if the program fails, or if no such function ran.
pub fn count(
    functions: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<u64, String> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--vgdb=no",
            "--callgrind-out-file=/dev/null",
        ])
        .arg(format!("--toggle-collect={functions}"))
        .arg(own)
        .args(arguments)
        .output()
        .map_err(|error| {
            format!("cannot run valgrind, please install the package `valgrind`: {error}")
        })?;
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    collected
        .and_then(|(_, count)| count.trim().parse().ok())
        .filter(|count| *count > 0 && output.status.success())
        .ok_or_else(|| format!("callgrind counted nothing: {log}"))
}
