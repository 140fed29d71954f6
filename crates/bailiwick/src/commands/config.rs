//! `bailiwick config check` and `example`.

use serde::Serialize;
use serde_json::json;

use crate::cli;
use crate::config::{Effective, Fault, Layers, SETTINGS, effective, environment, example};
use crate::failure::{Failure, Result};
use crate::output;

pub(crate) fn run(command: cli::Config, json: bool) -> Result<()> {
    match command {
        cli::Config::Check { settings } => check(&settings, json),
        cli::Config::Example if json => output::json(&json!({ "settings": SETTINGS })),
        cli::Config::Example => output::raw(example().trim_end()),
    }
}

#[derive(Serialize)]
struct View {
    file: Option<String>,
    settings: Vec<Effective>,
    warnings: Vec<String>,
    faults: Vec<Fault>,
}

fn check(settings: &cli::Settings, json: bool) -> Result<()> {
    let layers = Layers::read(&settings.0, &environment(), false);
    let mut warnings = layers.warnings.clone();
    let faults = match layers.config() {
        Ok(config) => {
            warnings.append(&mut config.warnings());
            config.refusal(false).map(|refusal| Fault::new("serve", refusal)).into_iter().collect()
        }
        Err(faults) => faults,
    };
    let file = layers.file.as_ref().map(|path| path.display().to_string());
    let view = View { file, settings: effective(&layers), warnings, faults };
    if json {
        output::json(&view)?;
    } else {
        tell(&view)?;
    }
    match view.faults.len() {
        0 => Ok(()),
        1 => Err(Failure::new("the settings have a fault").coded("settings")),
        count => Err(Failure::new(format!("the settings have {count} faults")).coded("settings")),
    }
}

fn tell(view: &View) -> Result<()> {
    output::line(&format!("# file: {}", view.file.as_deref().unwrap_or("none")))?;
    view.settings.iter().try_for_each(|setting| output::line(&setting.line()))?;
    view.warnings.iter().try_for_each(|warning| output::line(&format!("# warning: {warning}")))?;
    view.faults.iter().try_for_each(|fault| output::line(&format!("# fault: {fault}")))
}
