//! Fetches pages of any sites at once: `polite_fetch https://example.com/ https://example.org/a`
#![allow(clippy::print_stdout)]

use clap::Parser;
use futures_util::future::join_all;
use polite_robots_client::{Egress, Error, PoliteClient};

/// Fetch pages, politely.
#[derive(Parser)]
struct Options {
    /// Pages of any sites
    #[arg(required = true)]
    urls: Vec<String>,
    /// A network that may be asked besides the public internet, such as 10.0.0.0/8
    #[arg(long)]
    network: Option<ipnet::IpNet>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<std::process::ExitCode, Error> {
    let Options { urls, network } = Options::parse();
    let client = PoliteClient::builder("ExampleBot").version("1.0");
    let client = client.contact("https://example.com/bot", "bot@example.com");
    let egress = Egress::public_only();
    let egress = network.into_iter().fold(egress, Egress::also);
    let client = client.egress(egress).retries(2).build()?;
    let fetch = async |url: &String| {
        let page = client.get(url).await?;
        let (status, why) = (page.status(), page.verdict().to_string());
        let bytes = page.bytes().await?.len();
        Ok::<_, Error>(format!("{status}, {bytes} bytes, {why}"))
    };
    let pages = join_all(urls.iter().map(fetch)).await;
    for (url, page) in urls.iter().zip(&pages) {
        let result = page.as_ref().map_or_else(Error::to_string, String::clone);
        println!("{url}\n    {result}");
    }
    Ok(u8::from(pages.iter().any(Result::is_err)).into())
}
