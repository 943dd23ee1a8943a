//! Turns a compiled WebAssembly module into JavaScript that loads it: `pack MODULE.wasm FOLDER
//! NAME`.

use std::env;

use anyhow::{Context as _, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else {
        bail!("usage: pack MODULE.wasm FOLDER NAME");
    };
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)?
        // Types are written by hand, with documentation.
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(true)
        .generate(folder)
        .with_context(|| format!("cannot make {folder}/{name}.js from {module}"))
}
