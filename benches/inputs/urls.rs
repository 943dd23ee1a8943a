//! The URLs of the questions about each file.

use super::xorshift::Xorshift;

/// Questions per file.
pub const MIX: usize = 50;

/// 30 paths made from the rules of the file, for any agent, so that some are disallowed; and 20
/// paths that are the same for every file. One third of the paths from rules match exactly, one
/// third continue after the match, and one third stop one byte short, which is the slowest miss to
/// detect.
pub fn mix(robots_txt: &[u8]) -> Vec<String> {
    let rules: Vec<&str> = rule_values(robots_txt).collect();
    let from_rules = (0..MIX - FIXED.len()).map(|k| {
        let Some(rule) = rules.get(k * rules.len() / (MIX - FIXED.len())) else {
            return format!("/section-{k}/page-{k}.html");
        };
        let mut path = filled(rule, k);
        match k % 3 {
            0 => {}
            1 => path.push_str("/page.html"),
            _ => drop(path.pop()),
        }
        // After two slashes the name would be an authority.
        format!("/{}", path.trim_start_matches('/'))
    });
    from_rules
        .chain(FIXED.iter().map(|path| (*path).to_owned()))
        .collect()
}

/// `count` full URLs, nearly all different, made from rules of the file, chosen at random, in the
/// same three ways.
pub fn many(robots_txt: &[u8], count: usize) -> Vec<String> {
    let rules: Vec<&str> = rule_values(robots_txt).collect();
    let mut random = Xorshift::new(4_000);
    (0..count)
        .map(|k| {
            let mut path = filled(random.pick(&rules), k);
            match k % 3 {
                0 => {}
                1 => path.push_str(&format!("/page-{k}.html")),
                _ => drop(path.pop()),
            }
            full(&format!("/{}", path.trim_start_matches('/')))
        })
        .collect()
}

pub fn full(path: &str) -> String {
    format!("https://www.example.com{path}")
}

/// The values after the colon of lines that begin with `allow` or `disallow`, found without the
/// library's parser.
fn rule_values(robots_txt: &[u8]) -> impl Iterator<Item = &str> {
    robots_txt
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .filter_map(|line| core::str::from_utf8(line).ok())
        .filter_map(|line| {
            let (key, value) = line.split_once(':')?;
            let key = key.trim();
            let is_rule = key.eq_ignore_ascii_case("allow") || key.eq_ignore_ascii_case("disallow");
            let value = value.split('#').next().unwrap_or_default().trim();
            let is_usable = value.starts_with(['/', '*'])
                && value.len() <= 300
                && value.bytes().all(|byte| byte.is_ascii_graphic());
            (is_rule && is_usable).then_some(value)
        })
}

/// A path that the pattern matches, if the pattern begins with `/`.
fn filled(pattern: &str, k: usize) -> String {
    let pattern = pattern.strip_suffix('$').unwrap_or(pattern);
    let mut path = String::new();
    for (nth, piece) in pattern.split('*').enumerate() {
        if nth > 0 {
            path.push_str(FILLINGS[(k + nth) % FILLINGS.len()]);
        }
        path.push_str(piece);
    }
    path
}

const FILLINGS: [&str; 4] = ["item", "x", "news/2026", "p-17"];

const FIXED: [&str; 20] = [
    "/",
    "/index.html",
    "/about",
    "/search?q=robots",
    "/admin/login",
    "/images/logo.png",
    "/a/b/c/d/e/f",
    "/wp-admin/admin-ajax.php",
    "/products/1234?color=red&size=m",
    "/user/jane/followers",
    "/cart/",
    "/news/2026/11/21/title-of-an-article-about-crawlers",
    "/sitemap.xml",
    "/en/help/contact",
    "/api/v1/items?page=2",
    "/caf%C3%A9/menu",
    "/assets/app.js?v=3",
    "/login?next=/account",
    "/robots.txt",
    "/archive/2019/08/30/a-long-title-that-goes-on-and-on-until-it-has-said-everything/comments/page-12?sort=newest&order=descending&highlight=crawler&session=0123456789abcdef",
];
