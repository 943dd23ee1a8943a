//! `--fix`: the fixes of files, printed or written.

use std::borrow::Cow;

use polite_robots::RobotsTxt;
use polite_robots_lint::Diagnostic;
use polite_robots_lint::fix::Fixes;

use crate::counted::counted;
use crate::input::Input;
use crate::lint::allowed::Allowed;
use crate::lint::levels::{Levels, Treatment};
use crate::rewrite::{RewriteError, rewrite};
use crate::terminal;
use crate::unified_diff::Change;

/// A file before and after its fixes.
pub(super) struct FileFixes<'a> {
    pub(super) input: &'a Input,
    pub(super) before: Vec<u8>,
    fixes: Fixes,
}

impl<'a> FileFixes<'a> {
    pub(super) fn new(input: &'a Input, before: Vec<u8>, levels: &Levels) -> FileFixes<'a> {
        let choice = |robots_txt: &RobotsTxt| {
            let allowed = Allowed::of(robots_txt);
            move |finding: &Diagnostic| {
                levels.treatment(finding.code(), finding.severity()) != Treatment::LeftOut
                    && !allowed.contains(finding.code(), finding.line())
            }
        };
        let fixes = Fixes::chosen(&before, choice);
        FileFixes {
            input,
            before,
            fixes,
        }
    }

    pub(super) fn after(&self) -> &[u8] {
        self.fixes.file()
    }

    pub(super) fn change(&self) -> Change<'_> {
        Change {
            input: self.input,
            before: &self.before,
            after: self.after(),
        }
    }

    /// Writes the file, unless nothing was fixed.
    pub(super) fn write(&self) -> Result<(), RewriteError> {
        if let (Input::File(path), true) = (self.input, self.fixes.count() > 0) {
            rewrite(path, self.after())?;
            let findings = counted(self.fixes.count(), "finding");
            terminal::tell(format_args!("fixed {findings} in {}", self.input));
        }
        Ok(())
    }
}

/// Reports on standard error how many findings the diff fixes.
pub(super) fn announce(files: &[FileFixes<'_>]) {
    let count: usize = files.iter().map(|file| file.fixes.count()).sum();
    let message: Cow<'static, str> = if count == 0 {
        "nothing can be fixed without changing an answer".into()
    } else {
        let findings = counted(count, "finding");
        format!("{findings} can be fixed; rerun with --write to apply").into()
    };
    terminal::tell(format_args!("{message}"));
}
