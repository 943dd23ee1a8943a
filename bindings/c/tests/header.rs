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
    let machines = as_declarations(&made);
    for (name, made) in [
        ("polite_robots.h", &made),
        ("polite_robots_ffi.h", &machines),
    ] {
        let path = folder().join("include").join(name);
        if std::env::var_os("POLITE_ROBOTS_UPDATE").is_some() {
            std::fs::write(&path, made).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap() == *made,
            "include/{name} is not the one that the crate makes; POLITE_ROBOTS_UPDATE=1 writes it anew"
        );
    }
    let committed = made;
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

/// The header as a preprocessor of C89 leaves it, without comments: readers of declarations, such
/// as PHP's FFI, have no preprocessor.
fn as_declarations(header: &str) -> String {
    let mut lines = vec![String::from(
        "/* Made from polite_robots.h, which says what all this is, for programs that read declarations: FFI of PHP, LuaJIT, cffi,\n\
         \x20* jextract. uint8_t, uint16_t, uint32_t, uint64_t, size_t and bool are those of C. */",
    )];
    let (mut branches, mut is_comment) = (Vec::new(), false);
    for line in header.lines() {
        let line = line.trim_end();
        let words = line.trim_start();
        is_comment |= words.starts_with("/*");
        if is_comment {
            is_comment = !words.ends_with("*/");
            continue;
        }
        if let Some(directive) = words.strip_prefix('#') {
            match directive.split_whitespace().next().unwrap() {
                "ifndef" => branches.push(true),
                "if" | "ifdef" => branches.push(false),
                "else" => *branches.last_mut().unwrap() ^= true,
                "endif" => drop(branches.pop().unwrap()),
                _ => {}
            }
        } else if branches.iter().all(|is_read| *is_read) && !line.is_empty() {
            match line {
                " {" => lines.last_mut().unwrap().push_str(line),
                line => lines.push(line.to_owned()),
            }
        }
    }
    assert!(branches.is_empty());
    lines.join("\n") + "\n"
}

/// The header without the two features that C89 does not have: comments to the end of a line, and a
/// comma after the last value of an enum.
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
    let machines = "include/polite_robots_ffi.h";
    for (compiler, language, standard, headers) in [
        ("cc", "c", "c11", &[c][..]),
        ("cc", "c", "c11", &[machines]),
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
                .args([
                    "-include",
                    "stdbool.h",
                    "-include",
                    "stddef.h",
                    "-include",
                    "stdint.h",
                ])
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
