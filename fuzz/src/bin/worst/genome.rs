//! [`Genome`]: a short recipe for a large file and a long URL, which mutation changes as a whole.

use std::fmt;

use crate::random::Random;

/// The recipe for a file of patterns and for a text to ask about.
#[derive(Debug, Clone)]
pub struct Genome {
    /// The patterns of the file, repeated in turn until the file is full.
    patterns: Vec<Vec<Token>>,
    /// The parts of the text, each with the number of its repetitions; the last part fills the
    /// text.
    text: Vec<(Vec<Token>, usize)>,
}

/// A part of a pattern or of the text. Each repetition has its own number.
#[derive(Debug, Clone, Copy)]
enum Token {
    Byte(u8),
    /// The number of the repetition in `letters` letters of an alphabet, with a `*` before each
    /// `piece` letters. The rules cannot look up pieces of fewer than four letters.
    Number {
        alphabet: usize,
        letters: usize,
        piece: usize,
    },
    /// A byte, repeated as often as the number of the repetition says, up to a limit.
    Run(u8, usize),
}

const ALPHABETS: [&[u8]; 6] = [
    b"0123456789",
    b"ab",
    b"Q~",
    b"abcdefghijklmnopqrstuvwxyz",
    b"Qabc",
    b"$\"",
];

/// The `piece` of a number without `*`.
const WHOLE: usize = 99;

/// Bytes that mean something to a matcher, or that the shapes of the seeds repeat.
const BYTES: &[u8] = b"***QQ~aab0/?=&%$;x.2F";

impl Genome {
    /// Reads the notation of [`Genome`]'s `Display`: patterns, two blanks, the parts of the text.
    pub fn new(notation: &str) -> Genome {
        let (patterns, text) = notation.split_once("  ").unwrap_or((notation, "a"));
        let part = |part: &str| match part.rsplit_once('^') {
            Some((tokens, times)) => (tokens_of(tokens), times.parse().unwrap_or(1)),
            None => (tokens_of(part), 1),
        };
        Genome {
            patterns: patterns.split(' ').map(tokens_of).collect(),
            text: text.split(' ').map(part).collect(),
        }
    }

    /// Makes a file of at most `bytes` from a line for each pattern.
    pub fn file(&self, bytes: usize, line: impl Fn(&str) -> String) -> String {
        let mut file = String::with_capacity(bytes);
        for number in 0.. {
            let mut pattern = Vec::new();
            let tokens = &self.patterns[number % self.patterns.len()];
            expand(tokens, number / self.patterns.len(), &mut pattern);
            let line = line(&String::from_utf8_lossy(&pattern));
            if file.len() + line.len() > bytes {
                break;
            }
            file += &line;
        }
        file
    }

    /// Makes a text of `bytes` bytes.
    pub fn text(&self, bytes: usize) -> String {
        let mut text = Vec::with_capacity(bytes);
        let last = self.text.len() - 1;
        for (at, (tokens, times)) in self.text.iter().enumerate() {
            let times = if at == last { usize::MAX } else { *times };
            for number in 0..times {
                let before = text.len();
                expand(tokens, number, &mut text);
                if text.len() >= bytes || text.len() == before && number > 0 {
                    break;
                }
            }
        }
        text.resize(bytes, b'a');
        String::from_utf8_lossy(&text).into_owned()
    }

    /// A genome with some changes, some of which are parts of `other`.
    pub fn mutated(&self, other: &Genome, random: &mut Random) -> Genome {
        let mut new = self.clone();
        for _ in 0..=random.below(4) {
            match random.below(10) {
                0 => new.patterns.push(random_of(&other.patterns, random)),
                1 if new.patterns.len() > 1 => {
                    new.patterns.remove(random.below(new.patterns.len()));
                }
                2 => {
                    let at = random.below(new.text.len() + 1);
                    let part = random_of(&other.text, random);
                    new.text.insert(at, part);
                }
                3 if new.text.len() > 1 => {
                    new.text.remove(random.below(new.text.len()));
                }
                4 => {
                    let at = random.below(new.text.len());
                    new.text[at].1 = 1 << random.below(17);
                }
                // A piece of the text becomes one of the pattern, or the other way round.
                5 => {
                    let piece = random_of(&new.text, random).0;
                    let at = random.below(new.patterns.len());
                    new.patterns[at].extend(piece);
                }
                6 => {
                    let mut pattern = random_of(&new.patterns, random);
                    pattern.retain(|token| !matches!(token, Token::Byte(b'*' | b'$')));
                    new.text.push((pattern, 1 << random.below(17)));
                }
                7 | 8 => {
                    let at = random.below(new.patterns.len());
                    mutate(&mut new.patterns[at], random);
                }
                _ => {
                    let at = random.below(new.text.len());
                    mutate(&mut new.text[at].0, random);
                }
            }
        }
        new.patterns.truncate(40);
        new.text.truncate(40);
        new
    }
}

fn random_of<T: Clone>(from: &[T], random: &mut Random) -> T {
    from[random.below(from.len())].clone()
}

fn mutate(tokens: &mut Vec<Token>, random: &mut Random) {
    let token = match random.below(8) {
        0 => Token::Run(random.pick(BYTES), 1 << random.below(11)),
        1 => Token::Number {
            alphabet: random.below(ALPHABETS.len()),
            letters: 1 + random.below(12),
            piece: random.pick(&[1, 2, 3, 5, WHOLE, WHOLE]),
        },
        _ => Token::Byte(random.pick(BYTES)),
    };
    let at = random.below(tokens.len() + 1);
    match random.below(4) {
        0 if at < tokens.len() => {
            tokens.remove(at);
        }
        1 if at < tokens.len() => tokens[at] = token,
        // Some of the tokens come twice.
        2 => {
            let some = tokens[at..].iter().take(1 + random.below(8));
            let some: Vec<Token> = some.copied().collect();
            tokens.splice(at..at, some);
        }
        _ => tokens.insert(at, token),
    }
    tokens.truncate(600);
}

fn expand(tokens: &[Token], number: usize, out: &mut Vec<u8>) {
    for token in tokens {
        match *token {
            Token::Byte(byte) => out.push(byte),
            Token::Run(byte, most) => out.extend(std::iter::repeat_n(byte, number % most + 1)),
            Token::Number {
                alphabet,
                letters,
                piece,
            } => {
                let alphabet = ALPHABETS[alphabet];
                let mut rest = number;
                for letter in 0..letters {
                    if piece < WHOLE && letter % piece == 0 {
                        out.push(b'*');
                    }
                    out.push(alphabet[rest % alphabet.len()]);
                    rest /= alphabet.len();
                }
            }
        }
    }
}

/// Reads `{#3:6}` as a number of six letters of the third alphabet, `{#3:6*2}` as one in pieces of
/// two, `{Q:1024}` as a run of `Q`, and any other byte as itself.
fn tokens_of(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.bytes().next() {
        let token = rest.strip_prefix('{').and_then(|rest| {
            let (token, rest) = rest.split_once('}')?;
            let (kind, count) = token.rsplit_once(':')?;
            let (count, piece) = count.split_once('*').unwrap_or((count, "99"));
            let (count, piece) = (count.parse().ok()?, piece.parse().ok()?);
            let token = match kind.strip_prefix('#') {
                Some(alphabet) => Token::Number {
                    alphabet: alphabet.parse().ok()?,
                    letters: count,
                    piece,
                },
                None => Token::Run(*kind.as_bytes().first()?, count),
            };
            Some((token, rest))
        });
        (tokens, rest) = match token {
            Some((token, rest)) => ([tokens, vec![token]].concat(), rest),
            None => ([tokens, vec![Token::Byte(first)]].concat(), &rest[1..]),
        };
    }
    tokens
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Byte(byte) => write!(f, "{}", char::from(*byte)),
            Token::Run(byte, most) => write!(f, "{{{}:{most}}}", char::from(*byte)),
            Token::Number {
                alphabet,
                letters,
                piece,
            } => write!(f, "{{#{alphabet}:{letters}*{piece}}}"),
        }
    }
}

impl fmt::Display for Genome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tokens = |tokens: &[Token]| tokens.iter().map(Token::to_string).collect::<String>();
        let patterns: Vec<String> = self
            .patterns
            .iter()
            .map(|pattern| tokens(pattern))
            .collect();
        let parts = self.text.iter();
        let parts: Vec<String> = parts
            .map(|(part, times)| format!("{}^{times}", tokens(part)))
            .collect();
        write!(f, "{}  {}", patterns.join(" "), parts.join(" "))
    }
}
