//! Answers of one crate about any file: `answers CRATE`, as `bindings/cases/peers/parsers.py` asks.
//! It prints an answer for each question: 1, 0, or `?` where the crate refuses the file.

use std::io::{self, Read, Write, stdin, stdout};

use url::Url;

fn main() -> io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    while let Ok(robots_txt) = read() {
        let (agent, url) = (text(read()?), text(read()?));
        let answer = match answer(&name, &robots_txt, &agent, &url) {
            Some(is_allowed) => u8::from(is_allowed) + b'0',
            None => b'?',
        };
        stdout().write_all(&[answer])?;
        stdout().flush()?;
    }
    Ok(())
}

fn answer(name: &str, robots_txt: &[u8], agent: &str, url: &str) -> Option<bool> {
    match name {
        "texting_robots" => {
            let robot = texting_robots::Robot::new(agent, robots_txt).ok()?;
            Some(robot.allowed(url))
        }
        "robotxt" => {
            let robots = robotxt::Robots::parse(robots_txt, agent);
            Some(Url::parse(url).map_or_else(
                |_| robots.is_allowed(url),
                |url| robots.is_url_allowed(&url),
            ))
        }
        _ => None,
    }
}

fn read() -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stdin().read_exact(&mut length)?;
    let mut bytes = vec![0; u32::from_le_bytes(length) as usize];
    stdin().read_exact(&mut bytes)?;
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}
