//! Requests the URLs of standard input, each a line of JSON with a number and a URL. Each request
//! carries its number as `X-Number`. The program prints a line with each number and the request
//! target that the client knows before it sends the request, or null for a URL that it refuses.
//!
//! `sent reqwest|ureq`, for `bindings/peers/sent.py`.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::{self, BufRead as _};
use std::time::Duration;

use http::Uri;
use reqwest::redirect::Policy;
use url::{Position, Url};

const TIMEOUT: Duration = Duration::from_secs(5);

fn main() -> Result<(), Box<dyn Error>> {
    let client = std::env::args().nth(1);
    let lines = io::stdin().lock().lines();
    let pairs = lines.map(|line| Ok(serde_json::from_str(&line?)?));
    let pairs: Vec<(u64, String)> = pairs.collect::<Result<_, Box<dyn Error>>>()?;
    let targets = match client.as_deref() {
        Some("reqwest") => by_reqwest(&pairs)?,
        Some("ureq") => by_ureq(&pairs),
        _ => return Err("sent reqwest|ureq".into()),
    };
    for ((number, _), target) in pairs.iter().zip(targets) {
        println!("{}", serde_json::to_string(&(number, target))?);
    }
    Ok(())
}

fn by_reqwest(pairs: &[(u64, String)]) -> Result<Vec<Option<String>>, Box<dyn Error>> {
    // The client's crate lets the program choose a TLS provider. For plain HTTP any will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let client = reqwest::Client::builder()
        .redirect(Policy::none())
        .timeout(TIMEOUT)
        .build()?;
    runtime.block_on(async {
        for (number, url) in pairs {
            let request = client.get(url).header("X-Number", number.to_string());
            // A refused URL is no error: the server counts that no request arrives.
            if let Ok(answer) = request.send().await {
                let _ = answer.bytes().await;
            }
        }
    });
    let target = |url: &str| {
        let url = Url::parse(url).ok()?;
        Some(url[Position::BeforePath..Position::AfterQuery].to_owned())
    };
    Ok(pairs.iter().map(|(_, url)| target(url)).collect())
}

fn by_ureq(pairs: &[(u64, String)]) -> Vec<Option<String>> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .max_redirects(0);
    let agent = config.build().new_agent();
    for (number, url) in pairs {
        let request = agent.get(url).header("X-Number", number.to_string());
        if let Ok(mut answer) = request.call() {
            let _ = answer.body_mut().read_to_vec();
        }
    }
    let target = |url: &str| {
        let uri: Uri = url.parse().ok()?;
        Some(uri.path_and_query()?.as_str().to_owned())
    };
    pairs.iter().map(|(_, url)| target(url)).collect()
}
