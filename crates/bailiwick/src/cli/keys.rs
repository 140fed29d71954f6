//! `bailiwick keys …`.

use clap::Subcommand;

use super::RegisterFlags;

#[derive(Debug, Subcommand)]
pub(crate) enum Keys {
    /// List the keys: the next, the active and the retired one of each purpose.
    List {
        #[command(flatten)]
        register: RegisterFlags,
    },
    /// Let the next keys sign from now on. Tokens signed by the old ones stay valid until they expire.
    Rotate {
        #[command(flatten)]
        register: RegisterFlags,
        /// Sign access tokens with ES256, RS256 or Ed25519; without it, as before.
        #[arg(long, value_name = "NAME")]
        algorithm: Option<String>,
        /// Replace all keys and end every token that was signed so far: for keys that may be compromised, and when the
        /// master key is lost.
        #[arg(long)]
        end_tokens: bool,
    },
}
