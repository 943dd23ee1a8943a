//! `robots edit`: closes or opens a site to agents, and states preferences, as a diff or in the
//! file.

mod agents;
mod effect;

use clap::Args;
use polite_robots::RobotsTxt;
use polite_robots_audit::edit::{Edit, EditError};
use polite_robots_audit::known;

use crate::edit::agents::{Agents, unlikely_name};
use crate::edit::effect::Effect;
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::rewrite::rewrite;
use crate::terminal::{self, printable};
use crate::unified_diff::{self, Change};

/// Close or open a site to agents, or state preferences, and change nothing else
///
/// Prints the change as a diff; --write makes it. All other lines keep every byte.
///
/// A named agent obeys no rule for `*`. So a new group repeats the records for the agent, such as
/// its crawl delay, and, if it is opened, the rules for `*` except those that close the whole site.
///
/// Before anything is printed, the new file is compared with the old one by RFC 9309 and by
/// Google's matcher: every other agent must get the same answers. If the file is too odd for that,
/// the command refuses.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct EditFile {
    /// The robots.txt; `-` is standard input
    file: Input,

    /// Close the whole site to an agent, to all known crawlers for a purpose, or with `*` to agents
    /// that are not named
    ///
    /// Several are separated by commas, or given one by one. The purposes are those of `robots
    /// agents --purpose`; `ai` stands for training, ai-search, assistant, agent and data.
    #[arg(long, value_name = "AGENT|PURPOSE", value_delimiter = ',', required_unless_present_any = ["open", "signals"])]
    close: Vec<Agents>,

    /// Open the site to agents that are kept out of everything: the rules that close the whole site
    /// go
    ///
    /// Their other rules stay; where none are left, they get those for `*`.
    #[arg(long, value_name = "AGENT|PURPOSE", value_delimiter = ',')]
    open: Vec<Agents>,

    /// State a preference about the use of content to every agent
    ///
    /// By Content-Signal in each group: search, ai-input or ai-train with yes or no; use with
    /// immediate, reference or full. By a group of its own, `User-agent: __usage_ai-training`:
    /// training with yes or no, where training alone is training=no. Several are separated by
    /// commas.
    #[arg(long = "signal", value_name = "KEY=VALUE|training", value_delimiter = ',', value_parser = signal)]
    signals: Vec<(String, String)>,

    /// Take the names as they are given, also those that no known crawler has, that look misspelled
    /// or are no longer used
    #[arg(long)]
    exact: bool,

    /// Change the file: at once or not at all, with the permissions that it has
    #[arg(long)]
    write: bool,
}

impl EditFile {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        if self.write && self.file == Input::StandardInput {
            return Err(Failure::usage(
                "standard input cannot be written to; leave --write out to get a diff, or name a file",
            ));
        }
        let edit = self.edit().map_err(|error| match error {
            EditError::Use { .. } => Failure::usage(format_args!("{error}, with --signal")),
            error => Failure::usage(error),
        })?;
        let before = self.file.bytes()?;
        if !self.exact {
            self.refuse_unlikely_names(&before)?;
        }
        for agents in self.agents() {
            for explanation in agents.explanations() {
                terminal::tell(format_args!("note: {explanation}"));
            }
        }
        let after = edit.applied(&before).map_err(|source| match source {
            EditError::ClosedAndOpened { .. } => Failure::usage(source),
            source => Refused {
                input: self.file.clone(),
                source,
            }
            .into(),
        })?;
        if before == after {
            terminal::tell(format_args!("{} is as asked; nothing changes", self.file));
            return Ok(Answer::Yes);
        }
        match (&self.file, self.write) {
            (Input::File(path), true) => rewrite(path, &after)?,
            _ => unified_diff::print(&[Change {
                input: &self.file,
                before: &before,
                after: &after,
            }])?,
        }
        self.report_effect(&before, &after);
        self.report_crawlers_that_follow(&after);
        Ok(Answer::Yes)
    }

    /// The agents whose access changes, as they are given.
    fn agents(&self) -> impl Iterator<Item = &Agents> {
        self.close.iter().chain(&self.open)
    }

    fn refuse_unlikely_names(&self, file: &[u8]) -> Result<(), Failure> {
        let agents: Vec<&Agents> = self.agents().collect();
        match unlikely_name(&agents, &RobotsTxt::parse(file)) {
            None => Ok(()),
            Some(problem) => Err(Failure::usage(format_args!(
                "{problem}; --exact takes the names as they are given"
            ))),
        }
    }

    fn edit(&self) -> Result<Edit, EditError> {
        let mut edit = Edit::new();
        for token in tokens(&self.close) {
            edit = edit.close(&token)?;
        }
        for token in tokens(&self.open) {
            edit = edit.open(&token)?;
        }
        for (key, value) in &self.signals {
            edit = edit.signal(key, value)?;
        }
        Ok(edit)
    }

    /// Reports the known crawlers that are closed or open in the new file.
    fn report_effect(&self, before: &[u8], after: &[u8]) {
        let [close, open] =
            [&self.close, &self.open].map(|agents| tokens(agents).collect::<Vec<_>>());
        if close.is_empty() && open.is_empty() {
            return;
        }
        let effect = Effect::new(before, after, &close, &open);
        let is_written = self.write && self.file != Input::StandardInput;
        for sentence in effect.sentences(is_written) {
            terminal::tell(format_args!("{sentence}"));
        }
        if self.close.contains(&Agents::Ai) && effect.closes_ai_answers() {
            terminal::tell(format_args!(
                "note: AI search and assistants are among them, so that the site may vanish from the answers of AI; `--close training` closes it to training alone"
            ));
        }
    }

    /// Reports the crawlers that obey the rules for a closed or opened crawler, because the new
    /// file does not name them.
    fn report_crawlers_that_follow(&self, after: &[u8]) {
        let after = RobotsTxt::parse(after);
        let changed: Vec<String> = tokens(&self.close).chain(tokens(&self.open)).collect();
        for token in &changed {
            let is_changed =
                |name: &str| changed.iter().any(|other| other.eq_ignore_ascii_case(name));
            let followers = known::all().iter().filter(|crawler| {
                let leader = crawler.second_token_in(&after);
                leader.is_some_and(|leader| leader.eq_ignore_ascii_case(token))
                    && !is_changed(crawler.token())
            });
            let followers: Vec<&str> = followers.map(|crawler| crawler.token()).collect();
            if !followers.is_empty() {
                let [them, obey, their] = match followers[..] {
                    [_] => ["it", "obeys", "its operator says"],
                    _ => ["them", "obey", "their operators say"],
                };
                terminal::tell(format_args!(
                    "note: where the file does not name {them}, {} {obey} the rules for {}, as {their}",
                    followers.join(", "),
                    printable(token)
                ));
            }
        }
    }
}

fn tokens(agents: &[Agents]) -> impl Iterator<Item = String> {
    agents.iter().flat_map(Agents::tokens)
}

/// Parses a key and a value, and lets the edit check them.
fn signal(argument: &str) -> Result<(String, String), String> {
    let argument = match argument.trim().eq_ignore_ascii_case(TRAINING) {
        true => TRAINING_UNWANTED,
        false => argument,
    };
    let (key, value) = argument
        .split_once('=')
        .ok_or("write a key and a value, as in ai-train=no, or training")?;
    let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
    match Edit::new().signal(&key, &value) {
        Ok(_) => Ok((key, value)),
        Err(error) => Err(error.to_string()),
    }
}

/// A file that stays as it is.
#[derive(Debug, thiserror::Error)]
#[error("{input} is not edited: {source}")]
struct Refused {
    input: Input,
    source: EditError,
}

/// The only signal with a default value: a group for its use mostly says that it is not wanted.
const TRAINING: &str = "training";

const TRAINING_UNWANTED: &str = "training=no";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots edit robots.txt --close GPTBot,CCBot
  robots edit robots.txt --close training --signal ai-train=no
  robots edit robots.txt --signal training
  robots edit robots.txt --close ai
  robots edit robots.txt --open bingbot --write
  robots edit - --close training < robots.txt | patch robots.txt

Exit codes:
  0  done, or there is nothing to change
  2  the command line or an input is wrong, or the file is too odd to be edited; the message says what and where

Colours are for terminals; NO_COLOR=1 turns them off.";
