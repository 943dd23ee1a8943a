//! The list of subcommands in `robots --help`, by who needs them, as the README has it.

use clap::Command;

use crate::terminal;
use crate::wrap::wrapped;

/// The command with that list. `completions` and `man` are found by `robots help`.
pub(crate) fn with_first_list(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    // As wide as clap prints the help of subcommands.
    let width = terminal::usual_width().min(100);
    let mut list = String::new();
    for (reader, names) in GROUPS {
        list += &format!("{header}{reader}:{header:#}\n");
        let found = names
            .iter()
            .filter_map(|name| command.find_subcommand(name));
        // A build without a feature has its subcommand, and hides it.
        for found in found.filter(|found| !found.is_hide_set()) {
            let about = found.get_about().map(ToString::to_string);
            let (name, about) = (found.get_name(), about.unwrap_or_default());
            let about = wrapped(&about, width.saturating_sub(10), 0).join("\n          ");
            list += &format!("  {literal}{name:<8}{literal:#}{about}\n");
        }
        list.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

/// The groups of readers, each with the subcommands to begin with. Each subcommand is in one group.
pub(crate) const GROUPS: [(&str, &[&str]); 4] = [
    ("You own a site", &["lint", "fmt", "edit", "agents"]),
    (
        "You work on SEO",
        &["check", "diff", "fetch", "page", "obeyed"],
    ),
    ("Your team has CI", &["test"]),
    ("You study many sites", &["survey"]),
];
