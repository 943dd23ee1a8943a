//! The committed header is the one that the crate makes, and C and C++ compilers take it without a
//! warning.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// `POLITE_ROBOTS_UPDATE=1 cargo test -p polite-robots-c --test header` writes the header anew.
#[test]
fn the_header_is_that_of_the_crate() {
    let config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new()
        .with_crate(folder())
        .with_config(config)
        .generate()
        .unwrap();
    let mut made = Vec::new();
    bindings.write(&mut made);
    let made = as_c89(&String::from_utf8(made).unwrap());
    let path = folder().join("include/polite_robots.h");
    if std::env::var_os("POLITE_ROBOTS_UPDATE").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed == made,
        "include/polite_robots.h is not the one that the crate makes; POLITE_ROBOTS_UPDATE=1 writes it anew"
    );
    // Each function that the library exports is declared, and nothing else.
    let mut exported = 0;
    for file in std::fs::read_dir(folder().join("src")).unwrap() {
        let source = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            if line == "#[unsafe(no_mangle)]" {
                let line = lines.next().unwrap();
                let (_, name) = line.split_once("extern \"C\" fn ").unwrap();
                let (name, _) = name.split_once('(').unwrap();
                assert!(committed.contains(&format!("{name}(")), "{name}");
                exported += 1;
            }
        }
    }
    assert_eq!(committed.matches(");\n").count() - 1, exported);
}

/// The header without the two things that C89 has not: comments to the end of a line, and a comma
/// after the last value of an enum.
fn as_c89(made: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in made.lines() {
        if line.trim_start().starts_with('}') {
            let last = lines.pop().unwrap();
            lines.push(last.strip_suffix(',').unwrap_or(&last).to_owned());
        }
        lines.push(match line.split_once(" // ") {
            Some((code, comment)) if code.starts_with('#') => format!("{code} /* {comment} */"),
            _ => line.to_owned(),
        });
    }
    lines.join("\n") + "\n"
}

#[test]
fn the_shared_library_is_named_after_the_abi() {
    let build = std::fs::read_to_string(folder().join("build.rs")).unwrap();
    let soname = format!("libpolite_robots.so.{}", polite_robots::POLITE_ABI_MAJOR);
    assert!(build.contains(&format!("-soname,{soname}\"")));
    let makefile = std::fs::read_to_string(folder().join("Makefile")).unwrap();
    assert!(makefile.contains(&format!("ABI = {}\n", polite_robots::POLITE_ABI_MAJOR)));
    let symbols = std::fs::read_to_string(folder().join("polite-robots.map")).unwrap();
    assert!(symbols.contains(&format!("POLITE_{} {{", polite_robots::POLITE_ABI_MAJOR)));
}

#[test]
fn compilers_take_the_headers_without_a_warning() {
    const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"];
    let c = "include/polite_robots.h";
    let cpp = "include/polite_robots.hpp";
    let google = "include/googlebot/robots.h";
    for (compiler, language, standard, headers) in [
        ("cc", "c", "c11", &[c][..]),
        ("cc", "c", "c89", &[c]),
        ("gcc", "c", "c99", &[c]),
        ("clang", "c", "c11", &[c]),
        ("c++", "c++", "c++11", &[c]),
        ("c++", "c++", "c++17", &[c, cpp, google]),
        ("c++", "c++", "c++20", &[c, cpp, google]),
        ("clang++", "c++", "c++17", &[c, cpp, google]),
    ] {
        if Command::new(compiler).arg("--version").output().is_err() {
            eprintln!("{compiler} is not installed; it does not look at the headers");
            continue;
        }
        for header in headers {
            let output = Command::new(compiler)
                .args(WARNINGS)
                .args(["-fsyntax-only", "-x", language])
                .arg(format!("-std={standard}"))
                .arg("-include")
                .arg(folder().join(header))
                .arg(empty_file())
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{compiler} -std={standard} {header}:\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

/// A unit to compile that has only the header; an empty one is no C.
fn empty_file() -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty.c");
    std::fs::write(&file, "extern int nothing_else;\n").unwrap();
    file
}
