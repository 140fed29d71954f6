//! `bailiwick openapi`.

use crate::failure::Result;
use crate::output;

pub(crate) fn run() -> Result<()> {
    output::raw(api::openapi_text(&api::document()).trim_end())
}
