//! `bailiwick manual`: shell completions and manual pages, for packages.

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;
use serde_json::json;

use crate::cli::{Cli, Manual};
use crate::disk;
use crate::failure::Result;
use crate::output;

const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

pub(crate) fn run(command: &Manual, json: bool) -> Result<()> {
    let folder = &command.to;
    std::fs::create_dir_all(folder).map_err(disk::at(folder))?;
    write(folder).map_err(disk::at(folder))?;
    match json {
        true => output::json(&json!({ "folder": folder })),
        false => output::line(&folder.display().to_string()),
    }
}

/// `bailiwick.bash`, `_bailiwick`, `bailiwick.fish`, and a page for each command.
fn write(folder: &Path) -> std::io::Result<()> {
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut Cli::command(), "bailiwick", folder)?;
    }
    // Without the commands that only packages use.
    clap_mangen::generate_to(Cli::command(), folder)
}
