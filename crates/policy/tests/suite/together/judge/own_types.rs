//! Checks the list at the end of each file of a judge. It names the items of these crates that the
//! file uses: settings and plain data only.

use std::collections::BTreeSet;

/// Checks the files of a judge, given by name and text. They may import each other, and from the
/// crates that they judge only the names of their lists.
pub(crate) fn assert_listed(files: &[(&str, &str)]) {
    let modules: BTreeSet<&str> = files.iter().map(|(module, _)| *module).collect();
    for (file, text) in files {
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code: Vec<&str> = text.lines().filter(is_code).collect();
        let (imports, rest) = imports(&code.join("\n"));
        let is_within = !rest.contains("polite_robots");
        assert!(is_within, "{file} names a crate outside of its imports");
        let mut used = BTreeSet::new();
        for import in &imports {
            let (root, _) = import.split_once("::").unwrap();
            // The modules on the path to a name are not in a list.
            let braced = import.split_once("::{");
            let (_, names) = braced.or_else(|| import.rsplit_once("::")).unwrap();
            let names = names.trim_matches(['{', '}']).split(',');
            let names = names.map(str::trim).filter(|name| !name.is_empty());
            if root.starts_with("polite_robots") {
                used.extend(names.map(str::to_owned));
            } else if matches!(root, "super" | "self" | "crate") {
                let path = import
                    .trim_start_matches("super::")
                    .trim_start_matches("self::");
                let module = path.split("::").next().unwrap();
                let is_own =
                    modules.contains(module) || !path.contains("::") || module.starts_with('{');
                assert!(is_own, "{file} imports {module}, which nobody checks");
            }
        }
        assert_eq!(
            used,
            listed(text),
            "{file}: the names of ours, and its list"
        );
        let deciding = used
            .iter()
            .find(|name| DECIDING.split(' ').any(|other| *name == other));
        assert_eq!(
            deciding, None,
            "{file} leaves its judgement to what it judges"
        );
    }
}

/// The `use` declarations without their keyword and line ends, and the rest of the code.
fn imports(code: &str) -> (Vec<String>, String) {
    let (mut imports, mut rest) = (Vec::new(), String::new());
    for statement in code.split("\nuse ").enumerate() {
        match statement {
            (0, head) => rest.push_str(head),
            (_, after) => {
                let (import, after) = after.split_once(';').unwrap();
                imports.push(import.split_whitespace().collect());
                rest.push_str(after);
            }
        }
    }
    (imports, rest)
}

/// The names after `// Types of ours:` at the end of a file.
fn listed(text: &str) -> BTreeSet<String> {
    let ends = text.rsplit_once("\n// Types of ours: ");
    let (_, list) = ends.expect("a list ends the file");
    let is_end = list.lines().skip(1).all(|line| line.starts_with("// "));
    assert!(is_end, "the list is not at the end");
    let list = list.split([';', '.']).next().unwrap();
    let names = list.split([',', ' ', '\n', '/']);
    let names = names.filter(|name| !matches!(*name, "" | "none"));
    names.map(str::to_owned).collect()
}

/// Names that answer the questions of a judge.
const DECIDING: &str = "Cache Diagnostic Entry Fetch HostRules Origin Pacer PoliteClient Robot \
    RobotsTxt Scheduler Verdict";

#[test]
fn a_list_is_held() {
    let own = |text: &str| std::panic::catch_unwind(|| assert_listed(&[("judge", text)])).is_ok();
    let two = "//! A judge.\n\nuse polite_robots_policy::{\n    Profile, RedirectPolicy,\n};\n";
    let module = "//! A judge.\n\nuse polite_robots_policy::settings::RedirectPolicy;\n";
    let file = |code: &str, list: &str| format!("{code}fn f() {{}}\n\n// Types of ours: {list}.\n");
    let built = "fn f() { polite_robots::Robot::new() }\n\n// Types of ours: none.\n";
    for (text, is_held) in [
        (file(two, "Profile, RedirectPolicy; settings only"), true),
        (file(module, "RedirectPolicy; settings only"), true),
        (
            file(
                "\nuse polite_robots_policy::fetch::Fetch;\n",
                "Fetch; settings only",
            ),
            false,
        ),
        (file("", "none"), true),
        // These files fail: a list with a name too few, a list with one too many, a path in the
        // code, a type that decides, a list in the middle, a file apart.
        (file(two, "Profile; settings only"), false),
        (file("", "Profile; settings only"), false),
        (built.to_owned(), false),
        (
            file("\nuse polite_robots::Robot;\n", "Robot; settings only"),
            false,
        ),
        ("\n// Types of ours: none.\nfn f() {}\n".to_owned(), false),
        (file("\nuse super::crawl::Crawl;\n", "none"), false),
    ] {
        assert_eq!(own(&text), is_held, "{text}");
    }
}
