//! One origin with everything that was found out about its robots.txt.

use polite_robots::RobotsTxt;
use polite_robots_audit::answer::Readings;
use polite_robots_audit::doubt::Doubt;
use polite_robots_policy::Origin;

use crate::fetch::http::{Http, NoClient, Paces, Settings};
use crate::fetch::profiles::{Meaning, ProfileReading};
use crate::fetch::round::Round;
use crate::input::Input;
use crate::outcome::Answer;
use crate::reading::Dialect;

/// An origin, its answer, and the meaning of that.
pub(super) struct Site {
    /// The URL of the robots.txt, which stands for the file in all that is printed about it.
    pub(super) name: Input,
    pub(super) origin: Origin,
    pub(super) round: Round,
    pub(super) profiles: [ProfileReading; 4],
    /// The file that answers questions. It is read as Google's profile reads it if the dialect is
    /// Google's, and otherwise as the profile of RFC 9309 reads it.
    pub(super) readings: Readings,
    file: Option<Vec<u8>>,
}

impl Site {
    pub(super) async fn ask(
        origin: Origin,
        settings: &Settings,
        paces: &Paces,
    ) -> Result<Site, NoClient> {
        let http = Http::new(settings, origin.host()).await?;
        Ok(Site::ask_through(&http, origin, paces).await)
    }

    /// Asks through an existing client, whose redirects may lead to other hosts.
    pub(super) async fn ask_through(http: &Http, origin: Origin, paces: &Paces) -> Site {
        let round = Round::ask(&origin, http, paces).await;
        let profiles = ProfileReading::all(&round, &origin);
        let [rfc9309, google, ..] = &profiles;
        let file = round.received().filter(|_| rfc9309.has_file());
        let file = file.and_then(|received| received.file()?.ok());
        Site {
            name: Input::File(origin.robots_url().into()),
            file: file.map(|file| file.text.into_owned()),
            origin,
            round,
            readings: Readings::of_both(rfc9309.robots_txt.clone(), google.robots_txt.clone()),
            profiles,
        }
    }

    /// The bytes of the file, if the answer is a file. A content coding is undone. If the file is
    /// longer than crawlers read, there is one byte beyond their limit.
    pub(super) fn file(&self) -> Option<&[u8]> {
        self.file.as_deref()
    }

    /// The reason to doubt that the file is a robots.txt.
    pub(super) fn doubt(&self, dialect: Dialect) -> Option<Doubt> {
        let robots_txt = RobotsTxt::parse_with(self.file()?, &dialect.options());
        Doubt::about(&robots_txt)
    }

    /// Whether the question has an answer, and whether it lets crawlers in.
    pub(super) fn answer(&self) -> Answer {
        let [rfc9309, ..] = &self.profiles;
        let waits = rfc9309.polite.is_some() && self.file.is_none();
        match (self.round.problem(), &rfc9309.meaning) {
            (Some(_), _) | (None, Meaning::Unknown) => Answer::Partial,
            (None, Meaning::Nothing(_)) => Answer::No,
            (None, _) if waits => Answer::No,
            (None, _) => Answer::Yes,
        }
    }
}
