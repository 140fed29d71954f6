//! `bailiwick openapi`.

use crate::failure::Result;
use crate::output;

pub(crate) fn run() -> Result<()> {
    output::raw(web::openapi_text(&web::document()).trim_end())
}
