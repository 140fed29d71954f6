//! The settings as flags of the command line.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use super::layer::Flags;
use super::setting::{ALL, Kind, Setting};

/// Only where the data is, for commands that do not serve.
#[derive(Debug, Clone)]
pub(crate) struct RegisterFlags(pub(crate) Flags);

/// The same for commands that make a register where there is none.
#[derive(Debug, Clone)]
pub(crate) struct NewRegisterFlags(pub(crate) Flags);

/// Every setting.
#[derive(Debug, Clone)]
pub(crate) struct Settings(pub(crate) Flags);

/// The key of `--config`, which no setting has.
const FILE: &str = "config";

fn of_register() -> impl Iterator<Item = &'static Setting> {
    ALL.iter().filter(|setting| ["data", "database"].contains(&setting.name))
}

fn of_new_register() -> impl Iterator<Item = &'static Setting> {
    ALL.iter().filter(|setting| ["data", "database", "shared_database"].contains(&setting.name))
}

fn augment(command: Command, settings: impl Iterator<Item = &'static Setting>) -> Command {
    let help = format!(
        "A file with settings [env: {}] [default: bailiwick.toml in the data folder]",
        super::FILE_VARIABLE
    );
    let file = Arg::new(FILE).long("config").value_name("FILE").help(help);
    let command = command.arg(file.value_parser(clap::value_parser!(PathBuf)));
    settings.filter_map(flag).fold(command, Command::arg)
}

fn flag(setting: &'static Setting) -> Option<Arg> {
    if setting.flag.is_empty() {
        return None;
    }
    let mut help = format!("{} [env: {}]", setting.help, setting.variable);
    if !setting.default.is_empty() {
        help.push_str(&format!(" [default: {}]", setting.default));
    }
    let arg = Arg::new(setting.name).long(setting.flag).value_name(setting.value).help(help);
    Some(match setting.kind {
        Kind::Yes => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        Kind::List => arg.action(ArgAction::Append),
        _ => arg,
    })
}

fn given(matches: &mut ArgMatches, settings: impl Iterator<Item = &'static Setting>) -> Flags {
    let file = matches.remove_one::<PathBuf>(FILE);
    let flags = settings.filter(|setting| !setting.flag.is_empty());
    let values = flags
        .filter_map(|setting| Some((setting, matches.remove_many::<String>(setting.name)?.collect())))
        .collect();
    Flags { file, values }
}

macro_rules! flags_of {
    ($name:ident, $settings:expr) => {
        impl Args for $name {
            fn augment_args(command: Command) -> Command {
                augment(command, $settings)
            }

            fn augment_args_for_update(command: Command) -> Command {
                augment(command, $settings)
            }
        }

        impl FromArgMatches for $name {
            fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
                Self::from_arg_matches_mut(&mut matches.clone())
            }

            fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
                Ok(Self(given(matches, $settings)))
            }

            fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }
    };
}

flags_of!(RegisterFlags, of_register());
flags_of!(NewRegisterFlags, of_new_register());
flags_of!(Settings, ALL.iter());
