//! The reference for whole files: bytes to the rules of one agent, in the same steps as the
//! semantics. It is written without the crate's code, and slow: each step makes a copy.

use polite_robots::{Access, Dialect};

use super::naive;

/// The verdict of a file and the line of its rule, 0 without one. `agent` is a product token or
/// `*`.
pub(crate) fn verdict(file: &[u8], agent: &str, url: &str, dialect: Dialect) -> (bool, u32) {
    let groups = groups(file, dialect);
    let is_named = |group: &&Group| agent != "*" && group.names(agent, dialect);
    let mut applied: Vec<&Group> = groups.iter().filter(is_named).collect();
    if applied.is_empty() {
        applied = groups
            .iter()
            .filter(|group| group.is_for_everyone)
            .collect();
    }
    let rules: Vec<(Access, Vec<u8>, u32)> = applied
        .into_iter()
        .flat_map(|group| group.rules.clone())
        .collect();
    naive::verdict(&rules, url, dialect)
}

/// The verdict of the groups that name a use of content, without those of `*`, and the line of its
/// rule, 0 without one. `None` if no group names it.
pub(crate) fn policy(file: &[u8], token: &str, url: &str, dialect: Dialect) -> Option<(bool, u32)> {
    let groups = groups(file, dialect);
    let named: Vec<&Group> = groups
        .iter()
        .filter(|group| group.names(token, dialect))
        .collect();
    let rules: Vec<(Access, Vec<u8>, u32)> =
        named.iter().flat_map(|group| group.rules.clone()).collect();
    (!named.is_empty()).then(|| naive::verdict(&rules, url, dialect))
}

#[derive(Default)]
struct Group {
    is_for_everyone: bool,
    agents: Vec<Vec<u8>>,
    is_closed: bool,
    rules: Vec<(Access, Vec<u8>, u32)>,
}

impl Group {
    fn names(&self, agent: &str, dialect: Dialect) -> bool {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || b"_-".contains(byte);
        let is_wider = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
        let run = |value: &[u8], is_in: &dyn Fn(&u8) -> bool| {
            let len = value.iter().take_while(|byte| is_in(byte)).count();
            value[..len].to_ascii_lowercase()
        };
        let agent = agent.to_ascii_lowercase().into_bytes();
        self.agents.iter().any(|value| {
            run(value, &is_letter) == agent
                || dialect == Dialect::Rfc9309 && run(value, &is_wider) == agent
        })
    }
}

fn groups(file: &[u8], dialect: Dialect) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (number, line) in (1..).zip(lines(file)) {
        let Some((key, value)) = record(line, dialect) else {
            continue;
        };
        let field = match dialect {
            Dialect::Google => by_prefix(&key),
            Dialect::Rfc9309 => by_token(&key),
        };
        let access = match field {
            Some(Field::UserAgent) => {
                if groups.last().is_none_or(|group| group.is_closed) {
                    groups.push(Group::default());
                }
                let group = groups.last_mut().unwrap();
                let is_blank = |byte: &u8| matches!(byte, 0x09..=0x0d | 0x20);
                if value.first() == Some(&b'*') && value.get(1).is_none_or(is_blank) {
                    group.is_for_everyone = true;
                } else {
                    group.agents.push(value);
                }
                continue;
            }
            Some(Field::Rule(access)) => access,
            None => continue,
        };
        if let Some(group) = groups.last_mut() {
            group.is_closed = true;
            group.rules.push((access, value, number));
        }
    }
    groups
}

/// A field of RFC 9309.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Field {
    UserAgent,
    Rule(Access),
}

const NAMES: [(&str, Field); 10] = [
    ("user-agent", Field::UserAgent),
    ("useragent", Field::UserAgent),
    ("user agent", Field::UserAgent),
    ("allow", Field::Rule(Access::Allow)),
    ("disallow", Field::Rule(Access::Disallow)),
    ("dissallow", Field::Rule(Access::Disallow)),
    ("dissalow", Field::Rule(Access::Disallow)),
    ("disalow", Field::Rule(Access::Disallow)),
    ("diasllow", Field::Rule(Access::Disallow)),
    ("disallaw", Field::Rule(Access::Disallow)),
];

/// Google's rule for field names: the key begins with the name.
pub(crate) fn by_prefix(key: &[u8]) -> Option<Field> {
    let key = key.to_ascii_lowercase();
    let mut names = NAMES.iter();
    names
        .find(|(name, _)| key.starts_with(name.as_bytes()))
        .map(|(_, field)| *field)
}

/// The RFC dialect's rule for field names: the key begins with one of the forms of a name. The word
/// ends there, and no other word follows.
pub(crate) fn by_token(key: &[u8]) -> Option<Field> {
    let key = key.to_ascii_lowercase();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric();
    let is_blank = |byte: &u8| b"\t\x0b\x0c\r ".contains(byte);
    for (name, field) in NAMES {
        let endings: &[&str] = match field {
            Field::UserAgent => &["", "s"],
            Field::Rule(_) => &["", "s", "ed"],
        };
        for ending in endings {
            let form = format!("{name}{ending}").into_bytes();
            let Some(after_form) = key.strip_prefix(&form[..]) else {
                continue;
            };
            let mut tails = vec![after_form];
            let blanks = after_form.iter().take_while(|byte| is_blank(byte)).count();
            if blanks > 0 && field != Field::UserAgent {
                tails.extend(after_form[blanks..].strip_prefix(b"all"));
            }
            for tail in tails {
                let hyphens = tail.iter().take_while(|byte| b"-_".contains(byte)).count();
                let noise = &tail[hyphens..];
                let first_of_word = noise.iter().find(|byte| !is_blank(byte));
                if !first_of_word.is_some_and(is_word) {
                    return Some(field);
                }
            }
        }
    }
    None
}

/// The lines without their line ends, which are LF, CR, or CR LF. The last line may be empty.
fn lines(file: &[u8]) -> Vec<&[u8]> {
    let mut rest = file;
    for byte in [0xef, 0xbb, 0xbf] {
        match rest.split_first() {
            Some((first, others)) if *first == byte => rest = others,
            _ => break,
        }
    }
    let mut lines = Vec::new();
    while let Some(end) = rest.iter().position(|byte| b"\r\n".contains(byte)) {
        lines.push(&rest[..end]);
        let len = if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + len..];
    }
    lines.push(rest);
    lines
}

/// Key and value, if the line has both; the value may be empty.
fn record(line: &[u8], dialect: Dialect) -> Option<(Vec<u8>, Vec<u8>)> {
    let text_read = match dialect {
        Dialect::Google => &line[..line.len().min(16_663)],
        Dialect::Rfc9309 => line,
    };
    let until = |text: &[u8], byte: u8| text.split(|other| *other == byte).next().unwrap().to_vec();
    let text = trim(&until(&until(text_read, 0), b'#'));
    let (key, value) = match text.iter().position(|byte| *byte == b':') {
        Some(colon) => (trim(&text[..colon]), trim(&text[colon + 1..])),
        None => {
            let words: Vec<&[u8]> = text
                .split(|byte| b" \t".contains(byte))
                .filter(|word| !word.is_empty())
                .collect();
            let [key, value] = words[..] else {
                return None;
            };
            (trim(key), trim(value))
        }
    };
    (!key.is_empty()).then_some((key, value))
}

fn trim(text: &[u8]) -> Vec<u8> {
    let is_blank = |byte: &u8| matches!(byte, 0x09 | 0x0b | 0x0c | 0x0d | 0x20);
    let mut text = text;
    while text.first().is_some_and(is_blank) {
        text = &text[1..];
    }
    while text.last().is_some_and(is_blank) {
        text = &text[..text.len() - 1];
    }
    text.to_vec()
}
