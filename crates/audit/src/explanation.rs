//! Why a rule decides about a URL, in sentences.
//!
//! ```
//! use polite_robots::RobotsTxt;
//! use polite_robots_audit::answer::{Reading, Readings};
//! use polite_robots_audit::explanation::Explainer;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop/\nAllow: /shop/open");
//! let readings = Readings::new(&robots_txt);
//! let answers = readings.answers("ExampleBot", Reading::Crawler)?;
//! let explainer = Explainer::new(&answers);
//! let explanation = explainer.explain("/shop/open/1");
//! assert!(explanation.verdict().is_allowed());
//! assert_eq!(
//!     explanation.why(),
//!     "the longest match decides: 10 characters over 6 (RFC 9309 §2.2.2)"
//! );
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

use polite_robots::{AgentMatch, Reason, Rule, Target, Verdict};

use crate::answer::{Answer, Answers};
use crate::printable::{printable, shortened};

/// Explains verdicts for one agent.
#[derive(Debug)]
pub struct Explainer<'a> {
    answers: &'a Answers<'a>,
    /// The first line that names everyone.
    wildcard_line: Option<u32>,
}

/// A verdict, and the reasons for it.
#[derive(Debug)]
pub struct Explanation<'a> {
    answer: Answer<'a>,
    marks: Vec<Mark>,
    why: String,
    group: Option<String>,
    other_matches: Option<String>,
    path: String,
}

/// A line that an explanation is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The line number, from 1.
    pub line: u32,
    /// The line's part in the verdict.
    pub role: Role,
    /// The part in words.
    pub label: String,
}

/// The part that a line has in a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The line decides.
    Deciding,
    /// The line is about the URL or the agent, but does not decide.
    Context,
}

impl<'a> Explainer<'a> {
    /// Prepares explanations of the answers about an agent.
    #[must_use]
    pub fn new(answers: &'a Answers<'a>) -> Explainer<'a> {
        let groups = answers.robots_txt().groups();
        let mut agents = groups.flat_map(|group| group.user_agents());
        Explainer {
            answers,
            wildcard_line: agents
                .find(|agent| agent.is_wildcard())
                .map(|agent| agent.line()),
        }
    }

    /// Explains the verdict about a URL.
    #[must_use]
    pub fn explain(&self, url: &str) -> Explanation<'_> {
        let target = Target::requested(url);
        let answer = self.answers.about_target(&target);
        let verdict = answer.verdict();
        Explanation {
            marks: self.marks(&verdict),
            why: why(&verdict),
            group: self.group(&target, &verdict),
            other_matches: self.other_matches(&target, &verdict),
            path: String::from_utf8_lossy(&self.answers.robot().deciding_path(&target))
                .into_owned(),
            answer,
        }
    }

    /// The lines that a verdict is about, the deciding one first.
    fn marks(&self, verdict: &Verdict<'_>) -> Vec<Mark> {
        let mut marks = Vec::new();
        if let Some(rule) = verdict.rule() {
            marks.push(Mark {
                line: rule.line(),
                role: Role::Deciding,
                label: match verdict.reason() {
                    Reason::DirectoryOfIndex(rule) => {
                        format!("decides, as `{rule}`: an index page is its directory too")
                    }
                    _ if rule.length() == 0 => {
                        "decides: an empty value disallows nothing".to_owned()
                    }
                    _ => format!("decides: matches with {}", length(rule)),
                },
            });
        }
        if let Some(rule) = verdict.overruled() {
            marks.push(Mark {
                line: rule.line(),
                role: Role::Context,
                label: format!("overruled: matches with {}", length(rule)),
            });
        }
        if let Some(line) = verdict.group_line() {
            let group = match (verdict.agent_match(), self.answers.second_token()) {
                (AgentMatch::Named, Some(second)) => format!("names {second}"),
                (AgentMatch::Named, None) => "names the agent".to_owned(),
                _ => "for every agent that is not named".to_owned(),
            };
            let (role, label) = match verdict.rule() {
                Some(_) => (Role::Context, group),
                None => (Role::Deciding, format!("{group}; no rule below it matches")),
            };
            marks.push(Mark { line, role, label });
        }
        marks
    }

    /// Which groups apply, where the marks do not show it.
    fn group(&self, target: &Target<'_>, verdict: &Verdict<'_>) -> Option<String> {
        match (verdict.reason(), verdict.agent_match()) {
            (Reason::RobotsTxtItself | Reason::Blanket(_), _) => None,
            (_, AgentMatch::None) => Some(self.no_group()),
            (_, AgentMatch::Wildcard) if self.answers.agent() == "*" => self.merged_groups(),
            (_, AgentMatch::Wildcard) => {
                let merged = self.merged_groups().map(|lines| format!("; {lines}"));
                let merged = merged.unwrap_or_default();
                let agent = self.answers.agent();
                Some(format!(
                    "no `User-agent` line names {agent}, so that of `*` applies{merged}"
                ))
            }
            (_, AgentMatch::Named) => {
                match (self.merged_groups(), self.unused_wildcard(target, verdict)) {
                    (Some(merged), Some(wildcard)) => Some(format!("{merged}; {wildcard}")),
                    (merged, wildcard) => merged.or(wildcard),
                }
            }
        }
    }

    fn no_group(&self) -> String {
        if self.wildcard_line.is_some() {
            let agent = self.answers.agent();
            return format!("none names {agent}, and it does not obey that of `*`");
        }
        let mut groups = self.answers.robots_txt().merged_groups();
        let mut tokens: Vec<&str> = (&mut groups)
            .take(MOST_NAMED)
            .map(|group| group.product_token())
            .collect();
        let more = and_more(groups.count());
        tokens.retain(|token| !token.is_empty());
        match tokens.as_slice() {
            [] => "the file has no group at all".to_owned(),
            tokens => format!(
                "none names {} or `*`; the file names {}{more}",
                self.answers.agent(),
                tokens.join(", ")
            ),
        }
    }

    /// The group for everyone does not apply to an agent that has a group.
    fn unused_wildcard(&self, target: &Target<'_>, verdict: &Verdict<'_>) -> Option<String> {
        let line = self.wildcard_line?;
        let everyone = self.answers.robots_txt().robot("*").ok();
        let otherwise = everyone
            .filter(|robot| robot.allowed(target) != verdict.is_allowed())
            .map(|_| match verdict.is_allowed() {
                true => ", which would disallow this,",
                false => ", which would allow this,",
            })
            .unwrap_or_default();
        Some(format!(
            "the group for everyone on line {line}{otherwise} does not count for {}, as a group names {}",
            self.answers.agent(),
            self.answers.second_token().unwrap_or("it")
        ))
    }

    /// Several groups for one agent count as one.
    fn merged_groups(&self) -> Option<String> {
        let lines: Vec<String> = self
            .answers
            .robot()
            .group_lines()
            .map(|line| line.to_string())
            .collect();
        let (last, others) = lines.split_last()?;
        if others.is_empty() {
            return None;
        }
        let others = others.join(", ");
        Some(format!(
            "the groups of lines {others} and {last} count as one (RFC 9309 §2.2.1)"
        ))
    }

    /// The rules that match and have no mark.
    fn other_matches(&self, target: &Target<'_>, verdict: &Verdict<'_>) -> Option<String> {
        let marked = [verdict.rule(), verdict.overruled()];
        // Without a deciding rule none was looked at.
        verdict.rule()?;
        let mut others = self
            .answers
            .robot()
            .rules()
            .filter(|rule| !marked.contains(&Some(*rule)) && rule.matches(target));
        let shown: Vec<String> = (&mut others)
            .take(MOST_NAMED)
            .map(|rule| self.quoted(rule))
            .collect();
        let more = and_more(others.count());
        let verb = if shown.len() == 1 { "matches" } else { "match" };
        (!shown.is_empty()).then(|| format!("{} {verb} too{more}", shown.join(", ")))
    }

    /// The rule as its line writes it, followed by its compared form if that differs.
    fn quoted(&self, rule: Rule<'_>) -> String {
        let mut lines = self.answers.robots_txt().lines();
        let line = lines.find(|line| line.number() == rule.line());
        let value = line.and_then(|line| line.value());
        let value = value.map(|value| printable(&String::from_utf8_lossy(value)));
        let written = value.as_deref().unwrap_or_else(|| rule.pattern());
        let text = shortened(&format!("{}: {written}", rule.access()));
        let compared = match printable(rule.pattern()) {
            pattern if pattern == written => String::new(),
            pattern => format!(", compared as `{}`", shortened(&pattern)),
        };
        format!("line {} `{text}` ({}{compared})", rule.line(), length(rule))
    }
}

impl<'a> Explanation<'a> {
    /// The verdict that is explained.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'a> {
        self.answer.verdict()
    }

    /// The answer that is explained, with its notes.
    #[must_use]
    pub fn answer(&self) -> &Answer<'a> {
        &self.answer
    }

    /// The lines of the file that the explanation is about, the deciding one first.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Why the deciding rule wins, or why no rule was needed.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }

    /// Which groups apply to the agent, where the marks do not show it.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        self.group.as_deref()
    }

    /// The rules that match beside the marked ones.
    #[must_use]
    pub fn other_matches(&self) -> Option<&str> {
        self.other_matches.as_deref()
    }

    /// The path that was compared with the rules.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

fn why(verdict: &Verdict<'_>) -> String {
    match (verdict.reason(), verdict.overruled()) {
        (Reason::Rule(rule) | Reason::DirectoryOfIndex(rule), Some(overruled)) => {
            if rule.length() == overruled.length() {
                format!(
                    "both match with {}, and `Allow` wins a tie (RFC 9309 §2.2.2)",
                    length(rule)
                )
            } else {
                format!(
                    "the longest match decides: {} over {} (RFC 9309 §2.2.2)",
                    length(rule),
                    overruled.length()
                )
            }
        }
        (Reason::Rule(_) | Reason::DirectoryOfIndex(_), None) => {
            "no rule that matches says the opposite".to_owned()
        }
        (Reason::NoRuleMatches, _) => {
            "what no rule matches is allowed (RFC 9309 §2.2.2)".to_owned()
        }
        (Reason::NoGroup, _) => "what no group speaks of is allowed (RFC 9309 §2.2.1)".to_owned(),
        (Reason::RobotsTxtItself, _) => {
            "/robots.txt itself is always allowed, whatever the rules say (RFC 9309 §2.2.2)"
                .to_owned()
        }
        (reason, _) => reason.to_string(),
    }
}

fn length(rule: Rule<'_>) -> String {
    match rule.length() {
        1 => "1 character".to_owned(),
        length => format!("{length} characters"),
    }
}

fn and_more(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!(" and {count} more"),
    }
}

/// Agents and rules that are listed before "and … more".
const MOST_NAMED: usize = 5;
