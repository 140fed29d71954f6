//! `bailiwick keys …`.

use clap::Subcommand;

use super::RegisterFlags;

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// List the next, active and retired keys of each purpose.
    List {
        #[command(flatten)]
        register: RegisterFlags,
    },
    /// Start signing with the next keys. Tokens signed with the old keys stay valid until they expire.
    Rotate {
        #[command(flatten)]
        register: RegisterFlags,
        /// The algorithm for access tokens: ES256, RS256 or Ed25519. By default it does not change.
        #[arg(long, value_name = "NAME")]
        algorithm: Option<String>,
        /// Replace all keys and revoke every token: when keys may be compromised or the master key is lost.
        #[arg(long)]
        end_tokens: bool,
    },
}
