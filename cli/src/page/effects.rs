//! The uses of a page that are left to one agent, each with the statement that decides.

use jiff::SignedDuration;
use jiff::civil::datetime;
use polite_robots::InvalidToken;
use polite_robots_page::{
    AiTraining, Availability, ImagePreview, Indexing, Limit, PageControls, PageRule, PageStatement,
    Permission,
};
use polite_robots_records::{Preference, UsageCategory};

use crate::page::head::Head;
use crate::page::html::Elements;

/// A page as one agent sees it.
pub(super) struct AgentPage<'a> {
    pub(super) agent: &'a str,
    controls: PageControls,
    /// The status of the answer, if it keeps the page out of the index.
    status: Option<u16>,
    /// The present time, in seconds since 1970.
    now: i64,
}

/// One use of the page.
pub(super) struct Effect<'p> {
    /// A name for programs.
    pub(super) name: &'static str,
    /// The use for people, as in `index: no`.
    pub(super) title: &'static str,
    /// A value for programs.
    pub(super) value: String,
    /// The value for people.
    pub(super) words: String,
    pub(super) strength: Strength,
    /// The statement that decides; none if no rule of the page is about the use.
    pub(super) decided_by: Option<PageStatement<'p>>,
}

/// How much of a use is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    Free,
    Limited,
    Forbidden,
}

impl<'a> AgentPage<'a> {
    pub(super) fn new(
        agent: &'a str,
        head: &Head,
        elements: &Elements,
        now: i64,
    ) -> Result<AgentPage<'a>, InvalidToken> {
        let mut controls = PageControls::new(agent)?;
        for (name, value) in &head.fields {
            controls = controls.with_header(name, value);
        }
        for (name, content) in &elements.metas {
            controls = controls.with_meta(name, content);
        }
        for link in &elements.links {
            controls = controls.with_link(&link.rel, &link.href, &link.media_type);
        }
        Ok(AgentPage {
            agent,
            controls,
            status: head.status_without_index(),
            now,
        })
    }

    /// The status that keeps the page out of the index, whatever its rules are.
    pub(super) fn status_without_index(&self) -> Option<u16> {
        self.status
    }

    /// The rules for this agent that have no effect, because no crawler knows them or their value.
    pub(super) fn rules_without_effect(&self) -> impl Iterator<Item = PageStatement<'_>> {
        let statements = self.controls.statements();
        statements.filter(|statement| {
            let is_known = !matches!(statement.rule(), PageRule::Unknown | PageRule::InvalidValue);
            statement.recipient().includes_agent() && !is_known && !statement.text().is_empty()
        })
    }

    pub(super) fn controls(&self) -> &PageControls {
        &self.controls
    }

    /// Whether the page must stay out of the index.
    pub(super) fn is_kept_out(&self) -> bool {
        self.controls.indexing() != Indexing::Allowed
    }

    /// Whether the page may be indexed but for its `unavailable_after`, which has passed.
    pub(super) fn has_expired(&self) -> bool {
        let is_over = self.controls.availability(self.now) == Availability::Expired;
        is_over && self.status.is_none() && self.controls.indexing() != Indexing::Disallowed
    }

    /// The first rule that forbids or limits something for this agent.
    pub(super) fn first_restriction(&self) -> Option<PageStatement<'_>> {
        let effects = self.effects().into_iter();
        let mut restricted = effects.filter(|effect| effect.strength != Strength::Free);
        restricted.find_map(|effect| effect.decided_by)
    }

    /// The four uses that everybody asks about, and each other one that a rule is about.
    pub(super) fn effects(&self) -> Vec<Effect<'_>> {
        let always = [self.index(), self.follow(), self.snippet(), self.archive()];
        let others = [
            self.video_preview(),
            self.image_preview(),
            self.image_index(),
            self.translate(),
            self.training(),
            self.shown_until(),
        ];
        let others = others
            .into_iter()
            .filter(|effect| effect.decided_by.is_some());
        always.into_iter().chain(others).collect()
    }

    /// The preferences of the headers about the use of the content, as far as they state any: name,
    /// title, preference, and the field with its value.
    pub(super) fn preferences(&self) -> Vec<(&'static str, UsageCategory, Preference, String)> {
        let usage = self.controls.usage();
        [
            ("search", UsageCategory::Search),
            ("ai_input", UsageCategory::AiInput),
            ("ai_training", UsageCategory::AiTraining),
        ]
        .into_iter()
        .filter_map(|(name, category)| {
            let record = usage.record(category)?;
            let value = String::from_utf8_lossy(record.value()).into_owned();
            let evidence = format!("{}: {value}", record.field());
            Some((name, category, usage.preference(category), evidence))
        })
        .collect()
    }

    fn index(&self) -> Effect<'_> {
        let name = ("index", "index");
        if let Some(status) = self.status {
            let words = format!("no, as the status is {status}");
            let value = Indexing::Disallowed.to_string();
            return self.effect(name, value, (words, Strength::Forbidden), |_| false);
        }
        let until = self.controls.unavailable_after();
        if let Some(time) = until.filter(|_| self.has_expired()) {
            let words = format!("no longer, since {}", moment(time));
            let value = Indexing::Disallowed.to_string();
            return self.effect(name, value, (words, Strength::Forbidden), |rule| {
                rule == PageRule::UnavailableAfter(time)
            });
        }
        let indexing = self.controls.indexing();
        let words = match indexing {
            Indexing::Allowed => ("yes", Strength::Free),
            Indexing::IfEmbedded => ("only where another page embeds it", Strength::Limited),
            Indexing::Disallowed => ("no", Strength::Forbidden),
        };
        self.effect(name, indexing.to_string(), words, |rule| match indexing {
            Indexing::IfEmbedded => rule == PageRule::IndexIfEmbedded,
            Indexing::Disallowed => matches!(rule, PageRule::Noindex | PageRule::None),
            Indexing::Allowed => matches!(rule, PageRule::Index | PageRule::All),
        })
    }

    fn follow(&self) -> Effect<'_> {
        self.permission(
            ("follow", "follow links"),
            self.controls.following(),
            &[PageRule::Nofollow, PageRule::None],
            &[PageRule::Follow, PageRule::All],
        )
    }

    fn snippet(&self) -> Effect<'_> {
        let limit = self.controls.snippet();
        self.limit(("snippet", "show a snippet"), limit, "character", |rule| {
            rule == PageRule::MaxSnippet(limit)
                || rule == PageRule::Nosnippet && limit == Limit::AtMost(0)
        })
    }

    fn archive(&self) -> Effect<'_> {
        self.permission(
            ("archive", "show a copy"),
            self.controls.archiving(),
            &[PageRule::Noarchive, PageRule::Nocache],
            &[PageRule::Archive],
        )
    }

    fn video_preview(&self) -> Effect<'_> {
        let limit = self.controls.video_preview();
        let name = ("video_preview", "show a video preview");
        self.limit(name, limit, "second", |rule| {
            rule == PageRule::MaxVideoPreview(limit)
        })
    }

    fn image_preview(&self) -> Effect<'_> {
        let size = self.controls.image_preview();
        let value = size.map_or("unstated", ImagePreview::as_str);
        let words = match size {
            Some(ImagePreview::None) => ("no", Strength::Forbidden),
            Some(ImagePreview::Standard) => (value, Strength::Limited),
            Some(ImagePreview::Large) | None => (value, Strength::Free),
        };
        let name = ("image_preview", "show an image preview");
        self.effect(name, value.to_owned(), words, |rule| {
            size.is_some_and(|size| rule == PageRule::MaxImagePreview(size))
        })
    }

    fn image_index(&self) -> Effect<'_> {
        let name = ("image_index", "index its images");
        let permission = self.controls.image_indexing();
        self.permission(name, permission, &[PageRule::Noimageindex], &[])
    }

    fn translate(&self) -> Effect<'_> {
        let name = ("translate", "offer a translation");
        let permission = self.controls.translation();
        self.permission(name, permission, &[PageRule::Notranslate], &[])
    }

    fn training(&self) -> Effect<'_> {
        let training = self.controls.ai_training();
        let words = match training {
            AiTraining::Allowed => ("yes", Strength::Free),
            AiTraining::WithoutImages => ("without its images", Strength::Limited),
            AiTraining::Disallowed => ("no", Strength::Forbidden),
        };
        let name = ("ai_training", "train models");
        self.effect(name, training.to_string(), words, |rule| match training {
            AiTraining::Disallowed => matches!(rule, PageRule::Noai | PageRule::Noml),
            AiTraining::WithoutImages => rule == PageRule::Noimageai,
            AiTraining::Allowed => false,
        })
    }

    fn shown_until(&self) -> Effect<'_> {
        let until = self.controls.unavailable_after();
        let value = until.map(moment).unwrap_or_default();
        let words = match self.controls.availability(self.now) {
            Availability::Available => (format!("until {value}"), Strength::Limited),
            Availability::Expired => (format!("no longer, since {value}"), Strength::Forbidden),
        };
        self.effect(("available_until", "show it"), value, words, |rule| {
            until.is_some_and(|until| rule == PageRule::UnavailableAfter(until))
        })
    }

    fn permission(
        &self,
        name: (&'static str, &'static str),
        permission: Permission,
        forbidding: &[PageRule],
        permitting: &[PageRule],
    ) -> Effect<'_> {
        let (words, deciding) = match permission {
            Permission::Allowed => (("yes", Strength::Free), permitting),
            Permission::Disallowed => (("no", Strength::Forbidden), forbidding),
        };
        self.effect(name, permission.to_string(), words, |rule| {
            deciding.contains(&rule)
        })
    }

    fn limit(
        &self,
        name: (&'static str, &'static str),
        limit: Limit,
        unit: &'static str,
        decides: impl Fn(PageRule) -> bool,
    ) -> Effect<'_> {
        let words = match limit {
            Limit::Unlimited => (String::from("yes"), Strength::Free),
            Limit::AtMost(0) => (String::from("no"), Strength::Forbidden),
            Limit::AtMost(1) => (format!("up to 1 {unit}"), Strength::Limited),
            Limit::AtMost(most) => (format!("up to {most} {unit}s"), Strength::Limited),
        };
        self.effect(name, limit.to_string(), words, decides)
    }

    /// A use with its names, its value for programs, and the same for people.
    fn effect(
        &self,
        (name, title): (&'static str, &'static str),
        value: String,
        (words, strength): (impl Into<String>, Strength),
        decides: impl Fn(PageRule) -> bool,
    ) -> Effect<'_> {
        Effect {
            name,
            title,
            value,
            words: words.into(),
            strength,
            decided_by: self.decider(decides),
        }
    }

    /// The first of the statements that have the effect.
    fn decider(&self, decides: impl Fn(PageRule) -> bool) -> Option<PageStatement<'_>> {
        self.controls
            .statements()
            .filter(|statement| statement.recipient().includes_agent())
            .find(|statement| decides(statement.rule()))
    }
}

/// A time as in `2027-01-01T00:00:00Z`, in the years that have four digits.
fn moment(seconds: i64) -> String {
    let since = SignedDuration::from_secs(seconds);
    format!(
        "{}Z",
        datetime(1970, 1, 1, 0, 0, 0, 0).saturating_add(since)
    )
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn a_moment_is_a_date_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_277_506_800, "2010-06-25T23:00:00Z"),
            (1_798_761_600, "2027-01-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(moment(seconds), expected);
        }
        // Every number of seconds is accepted.
        let _ = (moment(i64::MIN), moment(i64::MAX));
    }
}
