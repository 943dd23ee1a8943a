//! Choices of the caller for the HTTP client.

use polite_robots_policy::Profile;

use super::answer::Answer;
use super::crawl::{client, quick, runtime};
use super::server::{Ground, Site};

#[test]
fn cookies_go_back_to_the_site_that_set_them() {
    let ground = Ground::new(2, 0);
    let names = ground.names();
    let site = |name: &String| {
        let session = Answer::ok("in").header("Set-Cookie", "session=1");
        let site = Site::default()
            .on("/robots.txt", [Answer::status(404)])
            .on("/in", [session])
            .on("/page", [Answer::ok("a page")]);
        (name.clone(), site)
    };
    let zoo = ground.open(names.iter().map(site).collect());
    runtime().block_on(async {
        let client = client(&zoo, quick(Profile::rfc9309()), 2);
        let http = reqwest::Client::builder().cookie_store(true);
        let client = client.http(http).build().unwrap();
        for (name, path) in [(0, "/in"), (0, "/page"), (1, "/page")] {
            let page = client.get(&zoo.url(&names[name], path)).await.unwrap();
            page.bytes().await.unwrap();
        }
    });
    for hit in zoo.hits() {
        let is_known = hit.host == names[0] && hit.path == "/page";
        let expected = is_known.then_some("session=1");
        assert_eq!(hit.header("cookie"), expected, "{hit:?}");
    }
}
