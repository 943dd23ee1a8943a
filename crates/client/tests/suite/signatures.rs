//! A crawler whose only dependency is this crate can name every type in its signatures: nothing
//! here is imported from elsewhere.

use polite_robots_client::crates::{
    bytes, futures_util, http, ipnet, polite_robots, polite_robots_policy, url,
};
use polite_robots_client::error::BuildError;
use polite_robots_client::hosts::Groups;
use polite_robots_client::{
    Egress, Error, Evidence, PoliteClient, Profile, Request, Response, reqwest,
};

/// The pieces of a page.
fn stream(page: Response) -> impl futures_util::Stream<Item = Result<bytes::Bytes, Error>> {
    page.bytes_stream()
}

#[test]
fn the_types_of_signatures_have_names() {
    let _: fn(&Response) -> http::StatusCode = Response::status;
    let _: fn(&Response) -> &http::HeaderMap = Response::headers;
    let _: fn(&Response) -> &url::Url = Response::url;
    let _ = stream;
    let _: fn(&Evidence) -> &polite_robots::Robot = Evidence::robot;
    let request = Request::new(reqwest::Method::HEAD, "https://example.com/").unwrap();
    assert_eq!(request.url().path(), "/");

    let mut profile = Profile::rfc9309();
    profile.pace.backoff = polite_robots_policy::settings::Backoff::Levels(
        polite_robots_policy::settings::Levels::with_base(std::time::Duration::from_secs(2)),
    );
    let network: ipnet::IpNet = "10.0.0.0/8".parse().unwrap();
    let client = PoliteClient::builder("ExampleBot")
        .profile(profile)
        .egress(Egress::public_only().also(network))
        .groups(Groups::by_address(&[network]))
        .http(reqwest::Client::builder().tcp_nodelay(true));
    assert!(matches!(client.build(), Err(BuildError::NoRuntime)));
    let error = Request::get("https://[").unwrap_err();
    assert!(matches!(error, Error::InvalidUrl(_)), "{error}");
}
