//! Names the shared library for the loader, which cargo does not do.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // The number is `POLITE_ABI_MAJOR`; a test compares the two.
    match target.as_str() {
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libpolite_robots.so.0");
        }
        "macos" => {
            println!(
                "cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libpolite_robots.0.dylib"
            );
        }
        _ => {}
    }
}
