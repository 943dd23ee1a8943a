//! The robots.txt of sites for `robots diff`, with the meaning that `robots fetch` gives an answer.

use polite_robots_audit::answer::Readings;

use crate::fetch::ask::ask;
use crate::fetch::options::RequestOptions;
use crate::fetch::origin::origin;
use crate::fetch::profiles::Meaning;
use crate::fetch::site::Site;
use crate::fetch::text::cause;
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::terminal::{self, EMPHASIS};

/// Asks the sites of the URLs. A note says what an answer means that is not the file itself.
pub(crate) fn fetch_readings(
    urls: &[&str],
    options: &RequestOptions,
) -> Result<Vec<Readings>, Failure> {
    let origins: Result<Vec<_>, _> = urls.iter().map(|url| origin(url)).collect();
    let origins = origins.map_err(Failure::usage)?;
    ask(origins, options.settings(), urls.len(), |site| {
        if site.answer() == Answer::Partial {
            return Err(NoVersion(site.name.clone(), cause(&site)).into());
        }
        note(&site);
        Ok(site.readings)
    })
}

fn note(site: &Site) {
    let [rfc9309, ..] = &site.profiles;
    let is_file = rfc9309.meaning == Meaning::Rules && rfc9309.polite.is_none();
    if !is_file || site.round.exchanges.len() > 1 {
        let text = format!("{}: {}", site.name, cause(site));
        terminal::tell(format_args!("{EMPHASIS}note:{EMPHASIS:#} {text}"));
    }
}

/// A site that gives no answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}: {1}")]
struct NoVersion(Input, String);
