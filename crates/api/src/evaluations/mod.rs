//! Evaluations: dated assessments of a risk.

pub(crate) mod create;
pub(crate) mod export;
pub(crate) mod list;
pub(crate) mod many;
pub(crate) mod read;
mod view;

use view::EvaluationView;
