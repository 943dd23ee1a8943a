//! The origin of a URL as people write it.

use polite_robots_policy::Origin;

use crate::terminal::printable;

/// The origin of a URL, or a sentence about why it has none.
pub(super) fn origin(url: &str) -> Result<Origin, String> {
    if !url.contains("://") {
        let example = match url.contains('.') && Origin::of(&format!("https://{url}")).is_ok() {
            true => url,
            false => "example.com",
        };
        return Err(format!(
            "`{}` does not begin with `https://` or `http://`; write the whole URL, as in `https://{}`",
            printable(url),
            printable(example)
        ));
    }
    Origin::of(url).map_err(|error| format!("{error}"))
}

/// The origin of a host without a scheme, with or without a port and a path, as browsers read it.
/// `None` for `mailto:a@b`, and for a path.
pub(super) fn by_https(url: &str) -> Option<Origin> {
    let host = url.split(['/', '?', '#']).next()?;
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => name,
        _ => host,
    };
    // `robots.txt`, `./shop.txt` and `-` are files, and `javascript:1` is no web site.
    let is_named = name.contains('.') && !name.starts_with('.') && !name.ends_with(".txt");
    let is_host = (is_named || name == "localhost") && !name.contains([':', '@', '\\']);
    let is_host = is_host && !url.contains("://");
    Origin::of(&format!("https://{url}"))
        .ok()
        .filter(|_| is_host)
}
