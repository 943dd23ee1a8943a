//! Says what a crawler may do with a page, from its response headers on standard input.
//!
//! ```text
//! curl -sI https://example.com/ | cargo run --example page_rules -- ExampleBot
//! ```

use std::error::Error;
use std::io;

use polite_robots_page::PageControls;

fn main() -> Result<(), Box<dyn Error>> {
    let agent = std::env::args().nth(1).ok_or("usage: page_rules AGENT")?;
    let mut page = PageControls::new(&agent)?;
    for line in io::stdin().lines() {
        if let Some((name, value)) = line?.split_once(':') {
            page = page.with_header(name, value.trim());
        }
    }
    let mut out = io::stdout().lock();
    show(&page, &mut out)?;
    Ok(())
}

fn show(page: &PageControls, out: &mut impl io::Write) -> io::Result<()> {
    writeln!(out, "index: {}", page.indexing())?;
    writeln!(out, "follow links: {}", page.following())?;
    writeln!(out, "snippet: {}", page.snippet())?;
    writeln!(out, "use: {}", page.usage())?;
    for statement in page.statements() {
        writeln!(out, "  {statement}")?;
    }
    Ok(())
}
