//! `bailiwick init`.

use clap::Args;

use super::NewRegisterFlags;

#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    pub(crate) register: NewRegisterFlags,
    /// The name of the organization.
    #[arg(long, value_name = "NAME")]
    pub(crate) organization: String,
    /// The name of its first admin.
    #[arg(long)]
    pub(crate) name: String,
    /// The admin's e-mail address.
    #[arg(long)]
    pub(crate) email: String,
    /// The public URL of the service, if it differs from the setting.
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
}
