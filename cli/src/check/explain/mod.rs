//! The answers with their reasons: the deciding line in its place, as a compiler shows what it found.

mod source;

use std::io::{self, Write};

use annotate_snippets::{Group, Level, Renderer};
use polite_robots::{AgentMatch, Comparison, Reason, RobotsTxt, Rule, Verdict};

use crate::check::Asked;
use crate::check::explain::source::{Mark, Source, cut};
use crate::input::Input;
use crate::reading::Dialect;
use crate::terminal::{ALLOWED, DISALLOWED, printable};

pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    robots_txt: &RobotsTxt,
    dialect: Dialect,
    asked: &[Asked<'_>],
) -> io::Result<()> {
    let source = Source::new(file, robots_txt);
    let mut separator = "";
    for asked in asked {
        let explainer = Explainer {
            source: &source,
            dialect,
            asked,
            rules: asked.robot.rules().collect(),
            comparison: Comparison::of(asked.agent, robots_txt).ok(),
        };
        for checked in asked.checked() {
            let explained = explainer.explain(checked.url, &checked.verdict);
            writeln!(out, "{separator}{explained}")?;
            separator = "\n";
        }
    }
    Ok(())
}

struct Explainer<'a> {
    source: &'a Source<'a>,
    dialect: Dialect,
    asked: &'a Asked<'a>,
    rules: Vec<Rule<'a>>,
    comparison: Option<Comparison>,
}

impl Explainer<'_> {
    fn explain(&self, url: &str, verdict: &Verdict<'_>) -> String {
        let (level, style) = if verdict.is_allowed() {
            (Level::NOTE.with_name("allowed"), ALLOWED)
        } else {
            (Level::ERROR.with_name("disallowed"), DISALLOWED)
        };
        let title = format!("{} for {}", cut(&printable(url)), self.asked.agent);
        let marks = self.marks(verdict);
        let mut report = Group::with_title(level.primary_title(title));
        if let Some(snippet) = self.source.snippet(&marks) {
            report = report.element(snippet);
        }
        for (name, note) in self.notes(url, verdict) {
            report = report.element(Level::INFO.with_name(name).message(note));
        }
        let renderer = Renderer::styled().term_width(WIDTH);
        let renderer = renderer.note(style.bold()).error(style.bold());
        renderer.render(&[report])
    }

    /// The group and the rules, the deciding one before all.
    fn marks(&self, verdict: &Verdict<'_>) -> Vec<Mark> {
        let mut marks = Vec::new();
        if let Some(rule) = verdict.rule() {
            marks.push(Mark {
                line: rule.line(),
                is_primary: true,
                label: match verdict.reason() {
                    Reason::DirectoryOfIndex(rule) => {
                        format!("decides, as `{rule}`: an index page is its directory too")
                    }
                    _ if rule.octets() == 0 => {
                        "decides: an empty value disallows nothing".to_owned()
                    }
                    _ => format!("decides: matches with {}", octets(rule)),
                },
            });
        }
        if let Some(rule) = verdict.overruled() {
            marks.push(Mark {
                line: rule.line(),
                is_primary: false,
                label: format!("overruled: matches with {}", octets(rule)),
            });
        }
        if let Some(line) = verdict.group_line() {
            let group = match verdict.agent_match() {
                AgentMatch::Named => "names the agent",
                AgentMatch::Wildcard | AgentMatch::None => "for every agent that is not named",
            };
            marks.push(Mark {
                line,
                is_primary: verdict.rule().is_none(),
                label: match verdict.rule() {
                    Some(_) => group.to_owned(),
                    None => format!("{group}; no rule below it matches"),
                },
            });
        }
        marks
    }

    fn notes(&self, url: &str, verdict: &Verdict<'_>) -> Vec<(&'static str, String)> {
        let mut notes = vec![("why", why(verdict))];
        notes.extend(self.group(url, verdict).map(|group| ("group", group)));
        notes.extend(
            self.other_matches(url, verdict)
                .map(|others| ("also", others)),
        );
        notes.extend(self.other_dialect(url).map(|other| ("dialect", other)));
        notes
    }

    /// Which group applies, where the marks do not say it all.
    fn group(&self, url: &str, verdict: &Verdict<'_>) -> Option<String> {
        let agent = self.asked.agent;
        match (verdict.reason(), verdict.agent_match()) {
            (Reason::RobotsTxtItself | Reason::Blanket(_), _) => None,
            (_, AgentMatch::None) => {
                let mut named = self.source.robots_txt.merged_groups();
                let mut tokens: Vec<&str> = (&mut named)
                    .take(MOST_NAMED)
                    .map(|group| group.product_token())
                    .collect();
                let more = match named.count() {
                    0 => String::new(),
                    count => format!(" and {count} more"),
                };
                tokens.retain(|token| !token.is_empty());
                Some(match tokens.as_slice() {
                    [] => "the file has no group at all".to_owned(),
                    tokens => format!(
                        "none names {agent} or `*`; the file names {}{more}",
                        tokens.join(", ")
                    ),
                })
            }
            (_, AgentMatch::Wildcard) if agent == "*" => self.together(),
            (_, AgentMatch::Wildcard) => {
                let together = self.together().map(|lines| format!("; {lines}"));
                let together = together.unwrap_or_default();
                Some(format!(
                    "no `User-agent` line names {agent}, so that of `*` applies{together}"
                ))
            }
            (_, AgentMatch::Named) => {
                let wildcard = self.source.wildcard.map(|line| {
                    let everyone = self.source.robots_txt.robot("*").ok();
                    let otherwise = everyone
                        .filter(|robot| robot.allowed(url) != verdict.is_allowed())
                        .map(|_| match verdict.is_allowed() {
                            true => ", which would disallow this,",
                            false => ", which would allow this,",
                        })
                        .unwrap_or_default();
                    format!(
                        "the group for everyone on line {line}{otherwise} does not count for {agent}, as a group names it"
                    )
                });
                match (self.together(), wildcard) {
                    (Some(together), Some(wildcard)) => Some(format!("{together}; {wildcard}")),
                    (together, wildcard) => together.or(wildcard),
                }
            }
        }
    }

    /// That the rules come from several places.
    fn together(&self) -> Option<String> {
        let lines: Vec<String> = self
            .asked
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

    /// What matches beside the marked rules.
    fn other_matches(&self, url: &str, verdict: &Verdict<'_>) -> Option<String> {
        let marked = [verdict.rule(), verdict.overruled()];
        // A verdict without a rule had no use for them.
        verdict.rule()?;
        let mut others = self
            .rules
            .iter()
            .filter(|rule| !marked.contains(&Some(**rule)) && rule.matches(url));
        let shown: Vec<String> = (&mut others)
            .take(MOST_NAMED)
            .map(|rule| {
                let rule_text = cut(&rule.to_string());
                format!("line {} `{rule_text}` ({})", rule.line(), octets(*rule))
            })
            .collect();
        let more = match others.count() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let verb = if shown.len() == 1 { "matches" } else { "match" };
        (!shown.is_empty()).then(|| format!("{} {verb} too{more}", shown.join(", ")))
    }

    fn other_dialect(&self, url: &str) -> Option<String> {
        let disagreement = self.comparison.as_ref()?.disagreement(url)?;
        let (other, verdict) = match self.dialect {
            Dialect::Rfc9309 => ("Google's matcher", disagreement.google()),
            Dialect::Google => ("RFC 9309", disagreement.rfc9309()),
        };
        let reason = disagreement.difference();
        Some(format!("{other} differs: {verdict}. {reason}"))
    }
}

/// Why the deciding rule wins, or why none was asked.
fn why(verdict: &Verdict<'_>) -> String {
    match (verdict.reason(), verdict.overruled()) {
        (Reason::Rule(rule) | Reason::DirectoryOfIndex(rule), Some(overruled)) => {
            if rule.octets() == overruled.octets() {
                format!(
                    "both match with {}, and `Allow` wins a tie (RFC 9309 §2.2.2)",
                    octets(rule)
                )
            } else {
                format!(
                    "the longest match decides: {} over {} (RFC 9309 §2.2.2)",
                    octets(rule),
                    overruled.octets()
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

fn octets(rule: Rule<'_>) -> String {
    match rule.octets() {
        1 => "1 octet".to_owned(),
        octets => format!("{octets} octets"),
    }
}

/// Names and rules listed before "and … more".
const MOST_NAMED: usize = 5;

/// Notes do not wrap; only lines longer than this are cut around their mark.
const WIDTH: usize = 240;
