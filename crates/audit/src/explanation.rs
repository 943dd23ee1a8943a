//! Why a rule decides about a URL, in sentences.
//!
//! ```
//! use polite_robots::{Options, RobotsTxt};
//! use polite_robots_audit::explanation::Explainer;
//!
//! let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /shop/\nAllow: /shop/open");
//! let explainer = Explainer::new(&robots_txt, "ExampleBot", Options::default().dialect)?;
//! let explanation = explainer.explain("/shop/open/1");
//! assert!(explanation.verdict().is_allowed());
//! assert_eq!(
//!     explanation.why(),
//!     "the longest match decides: 10 characters over 6 (RFC 9309 §2.2.2)"
//! );
//! # Ok::<(), polite_robots::InvalidToken>(())
//! ```

use polite_robots::Robot;
use polite_robots::{AgentMatch, Dialect, InvalidToken, Reason, RobotsTxt, Rule, Target, Verdict};

use crate::comparison::Comparison;
use crate::operator::OperatorReading;
use crate::printable::{printable, shortened};

/// Explains verdicts for one agent.
#[derive(Debug)]
pub struct Explainer<'a> {
    robots_txt: &'a RobotsTxt,
    agent: &'a str,
    robot: Robot,
    dialect: Dialect,
    /// The first line that names everyone.
    wildcard_line: Option<u32>,
    comparison: Option<Comparison>,
    operator: Option<OperatorReading>,
}

/// A verdict, and the reasons for it.
#[derive(Debug)]
pub struct Explanation<'a> {
    verdict: Verdict<'a>,
    marks: Vec<Mark>,
    why: String,
    group: Option<String>,
    other_matches: Option<String>,
    other_dialect: Option<String>,
    operator: Option<String>,
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
    /// Prepares explanations for an agent. The dialect must be that in which the file was parsed.
    ///
    /// # Errors
    ///
    /// If the agent is no product token.
    pub fn new(
        robots_txt: &'a RobotsTxt,
        agent: &'a str,
        dialect: Dialect,
    ) -> Result<Explainer<'a>, InvalidToken> {
        let mut agents = robots_txt.groups().flat_map(|group| group.user_agents());
        Ok(Explainer {
            robots_txt,
            agent,
            robot: robots_txt.robot(agent)?,
            dialect,
            wildcard_line: agents
                .find(|agent| agent.is_wildcard())
                .map(|agent| agent.line()),
            comparison: Comparison::of(agent, robots_txt).ok(),
            operator: OperatorReading::new(agent, robots_txt),
        })
    }

    /// Explains the verdict about a URL.
    #[must_use]
    pub fn explain(&self, url: &str) -> Explanation<'_> {
        let verdict = self.robot.check(url);
        Explanation {
            verdict,
            marks: marks(&verdict),
            why: why(&verdict),
            group: self.group(url, &verdict),
            other_matches: self.other_matches(url, &verdict),
            other_dialect: self.other_dialect(url),
            operator: self
                .operator
                .as_ref()
                .map(|operator| operator.sentence(url)),
            path: String::from_utf8_lossy(&self.robot.deciding_path(&Target::from(url)))
                .into_owned(),
        }
    }

    /// Which groups apply, where the marks do not show it.
    fn group(&self, url: &str, verdict: &Verdict<'_>) -> Option<String> {
        match (verdict.reason(), verdict.agent_match()) {
            (Reason::RobotsTxtItself | Reason::Blanket(_), _) => None,
            (_, AgentMatch::None) => Some(self.no_group()),
            (_, AgentMatch::Wildcard) if self.agent == "*" => self.merged_groups(),
            (_, AgentMatch::Wildcard) => {
                let merged = self.merged_groups().map(|lines| format!("; {lines}"));
                let merged = merged.unwrap_or_default();
                let agent = self.agent;
                Some(format!(
                    "no `User-agent` line names {agent}, so that of `*` applies{merged}"
                ))
            }
            (_, AgentMatch::Named) => {
                match (self.merged_groups(), self.unused_wildcard(url, verdict)) {
                    (Some(merged), Some(wildcard)) => Some(format!("{merged}; {wildcard}")),
                    (merged, wildcard) => merged.or(wildcard),
                }
            }
        }
    }

    fn no_group(&self) -> String {
        let mut groups = self.robots_txt.merged_groups();
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
                self.agent,
                tokens.join(", ")
            ),
        }
    }

    /// The group for everyone does not apply to an agent that has a group.
    fn unused_wildcard(&self, url: &str, verdict: &Verdict<'_>) -> Option<String> {
        let line = self.wildcard_line?;
        let everyone = self.robots_txt.robot("*").ok();
        let otherwise = everyone
            .filter(|robot| robot.allowed(url) != verdict.is_allowed())
            .map(|_| match verdict.is_allowed() {
                true => ", which would disallow this,",
                false => ", which would allow this,",
            })
            .unwrap_or_default();
        Some(format!(
            "the group for everyone on line {line}{otherwise} does not count for {}, as a group names it",
            self.agent
        ))
    }

    /// Several groups for one agent count as one.
    fn merged_groups(&self) -> Option<String> {
        let lines: Vec<String> = self
            .robot
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
    fn other_matches(&self, url: &str, verdict: &Verdict<'_>) -> Option<String> {
        let marked = [verdict.rule(), verdict.overruled()];
        // Without a deciding rule none was looked at.
        verdict.rule()?;
        let mut others = self
            .robot
            .rules()
            .filter(|rule| !marked.contains(&Some(*rule)) && rule.matches(url));
        let shown: Vec<String> = (&mut others)
            .take(MOST_NAMED)
            .map(|rule| self.quoted(rule))
            .collect();
        let more = and_more(others.count());
        let verb = if shown.len() == 1 { "matches" } else { "match" };
        (!shown.is_empty()).then(|| format!("{} {verb} too{more}", shown.join(", ")))
    }

    /// The rule as its line writes it; and as it is compared, if that is another form.
    fn quoted(&self, rule: Rule<'_>) -> String {
        let mut lines = self.robots_txt.lines();
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

    fn other_dialect(&self, url: &str) -> Option<String> {
        let disagreement = self.comparison.as_ref()?.disagreement(url)?;
        let (other, verdict) = match self.dialect {
            Dialect::Rfc9309 => ("Google's matcher", disagreement.google()),
            Dialect::Google => ("RFC 9309", disagreement.rfc9309()),
        };
        let reason = disagreement.reason();
        Some(format!("{other} differs: {verdict}. {reason}"))
    }
}

impl<'a> Explanation<'a> {
    /// The verdict that is explained.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'a> {
        self.verdict
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

    /// The answer that follows from what the crawler's operator says, where it reads the file in
    /// another way.
    #[must_use]
    pub fn operator(&self) -> Option<&str> {
        self.operator.as_deref()
    }

    /// The answer of the other dialect, if it differs.
    #[must_use]
    pub fn other_dialect(&self) -> Option<&str> {
        self.other_dialect.as_deref()
    }
}

fn marks(verdict: &Verdict<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    if let Some(rule) = verdict.rule() {
        marks.push(Mark {
            line: rule.line(),
            role: Role::Deciding,
            label: match verdict.reason() {
                Reason::DirectoryOfIndex(rule) => {
                    format!("decides, as `{rule}`: an index page is its directory too")
                }
                _ if rule.length() == 0 => "decides: an empty value disallows nothing".to_owned(),
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
        let group = match verdict.agent_match() {
            AgentMatch::Named => "names the agent",
            AgentMatch::Wildcard | AgentMatch::None => "for every agent that is not named",
        };
        let (role, label) = match verdict.rule() {
            Some(_) => (Role::Context, group.to_owned()),
            None => (Role::Deciding, format!("{group}; no rule below it matches")),
        };
        marks.push(Mark { line, role, label });
    }
    marks
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
