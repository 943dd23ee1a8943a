//! Diagnostics about names that only begin like a known one: Google's matcher reads that field, RFC
//! 9309 another record.

use polite_robots::document::LineKind;
use polite_robots::record::ExtensionField;
use polite_robots::text::quote;
use polite_robots::{Access, Dialect, RobotsTxt};
use polite_robots_records::ProposedField;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::field::before_url;
use crate::lines::findings::{Findings, Reported};
use crate::lines::groups_above::{GroupsAbove, Place};
use crate::lines::record::{Record, standard_name};
use crate::proposal::Effect;
use crate::text::whole_site::is_whole_site;

/// The field that Google's matcher reads where the RFC dialect reads another record.
pub(super) fn read_by_google_alone(field: &[u8]) -> Option<LineKind> {
    // Nearly all names are one of these, and other ones begin like none of the fields.
    if matches!(field, b"Disallow" | b"Allow" | b"User-agent" | b"Sitemap")
        || !matches!(
            field,
            [b'A' | b'a' | b'D' | b'd' | b'S' | b's' | b'U' | b'u', ..]
        )
    {
        return None;
    }
    let [google, rfc9309] =
        [Dialect::Google, Dialect::Rfc9309].map(|dialect| LineKind::of_field(field, dialect));
    (google != rfc9309).then_some(google)
}

/// Whether Google's matcher takes a line of the file for another record than RFC 9309 does.
pub(crate) fn has_another_record(robots_txt: &RobotsTxt) -> bool {
    let mut keys = robots_txt.lines().filter_map(|line| line.key());
    keys.any(|key| read_by_google_alone(key).is_some())
}

impl Findings<'_, '_> {
    /// `groups` are those above the line to Google's matcher, and `place` is by RFC 9309.
    pub(super) fn prefixed(
        &mut self,
        record: Record<'_>,
        google: LineKind,
        groups: GroupsAbove,
        place: Place,
    ) -> Option<Reported> {
        let quoted = quote(record.field.bytes);
        let standard = standard_name(google);
        let Advice { message, proposals } = self.proposed(record, google, groups, place);
        // Another rule may decide in its place.
        let rule = |name: &str| {
            let value = String::from_utf8_lossy(record.value.bytes);
            let rule = format!("{name}: {value}");
            let effect = format!(", and so has the rule {}", quote(rule.as_bytes()));
            (Severity::Error, effect)
        };
        let (severity, effect) = match google {
            _ if !changes_groups(groups, google, record) => (Severity::Note, String::new()),
            LineKind::Rule(Access::Allow) => rule("Allow"),
            LineKind::Rule(_) => rule("Disallow"),
            _ => (Severity::Error, ", and so starts a group".into()),
        };
        // Nothing else may open a site that is closed to all others.
        let closing = match severity == Severity::Error && is_whole_site(record.value.bytes) {
            true if google == LineKind::Rule(Access::Allow) => {
                ", and without the line Google's matcher may close the whole site"
            }
            _ => "",
        };
        // The sitemap is lost to all others, and no rule was meant.
        let is_sitemap = google == LineKind::Extension(ExtensionField::Sitemap);
        let (severity, loss) = match is_sitemap {
            true => (
                Severity::Warning,
                ", so other crawlers do not find the sitemap",
            ),
            false => (severity, ", without an effect on rules"),
        };
        self.grade(DiagnosticCode::PrefixedField, severity, record.field, || {
            Advice::new(format!(
                "Google's matcher reads {quoted} as `{standard}`, because the name begins like it{effect}; by RFC 9309 it is another record{loss}; {message}{closing}"
            ))
            .propose_all(proposals)
        })
    }

    /// The text to write, as a part of a sentence and as a proposal.
    fn proposed(
        &self,
        record: Record<'_>,
        google: LineKind,
        groups: GroupsAbove,
        place: Place,
    ) -> Advice {
        let standard = standard_name(google);
        let start = place.start(google, record.value.bytes);
        let text = record.field.start..record.value.end();
        let training = |value: &str| {
            let signal = format!("Content-Signal: ai-train={value}");
            // Without a rule here Google's matcher would give the agents above the rules below.
            if groups == GroupsAbove::Agents && place.agent_below.is_some() {
                return Advice::new(format!(
                    "`{signal}` and groups for the crawlers that train, such as `User-agent: GPTBot`, say it to all"
                ));
            }
            Advice::new(format!(
                "write `{signal}` in its place; groups for the crawlers that train, such as `User-agent: GPTBot`, say it too"
            ))
            .write(text.clone(), signal)
        };
        // The colon of a URL may have been taken for that of the record.
        let name = before_url(record);
        match ProposedField::from_name(name.unwrap_or(record.field.bytes)) {
            // The plain field would close or open the site to search engines too.
            Some(ProposedField::DisallowAiTraining) => training("no"),
            Some(ProposedField::AllowAiTraining) => training("yes"),
            _ if name.is_some() => {
                let name = record.field.head(name.unwrap_or_default().len());
                let text = format!("{standard}:");
                let quoted = quote(name.bytes);
                Advice::new(format!("write `{text}` in place of {quoted}{start}"))
                    .write(name.span(), text)
            }
            _ if is_whole_site(record.value.bytes) => {
                Advice::new("remove the line if no rule about the whole site is meant")
                    .propose(self.without_head(text.end, Effect::Google))
            }
            _ => Advice::new(format!("write `{standard}` if that is meant{start}"))
                .write(record.field.span(), standard),
        }
    }
}

/// Whether Google's reading starts a group, or is a rule that can match.
fn changes_groups(groups: GroupsAbove, google: LineKind, record: Record<'_>) -> bool {
    match google {
        LineKind::UserAgent => groups.is_ended(),
        LineKind::Rule(_) => groups.has_group() && matches!(record.value.bytes, [b'/' | b'*', ..]),
        _ => false,
    }
}
