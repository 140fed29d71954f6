//! Passwords of people: hashed with Argon2id at the minimum cost that OWASP recommends.

use domain::json::{FromJson, Json, Pointer};
use domain::password::{LEAST_CHARACTERS, MOST_CHARACTERS, normalized};
use domain::schema::{Described, Schema, TextSchema};
use domain::{FaultCode, Faults, text};
use std::fmt;

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::Error;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const SALT_BYTES: usize = 16;
const HASH_BYTES: usize = 32;

/// A password in the form that is checked and hashed. It does not print and is wiped when dropped.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes the text that was sent.
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(normalized(&Zeroizing::new(text))))
    }

    /// The text, for the checks of `domain::password`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl FromJson for Password {
    fn from_json(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Self> {
        String::from_json(value, at, faults).map(Self::new)
    }
}

/// A password that is chosen; whether it is good is checked with what is known about its person.
impl Described for Password {
    const SCHEMA: Schema = described(LEAST_CHARACTERS);
}

/// A password that should be one already.
pub(super) const KNOWN: Schema = described(0);

const fn described(least: usize) -> Schema {
    let pattern = if least > 0 { text::FILLED } else { text::ANY };
    Schema::Text(TextSchema { format: "password", ..TextSchema::of(least, MOST_CHARACTERS, pattern) })
}

/// Checks the maximum length only: a password that is too short is just wrong, but one that is too long would waste
/// processing time.
pub(super) fn read_known(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Password> {
    let password = Password::from_json(value, at, faults)?;
    if password.expose().chars().count() > MOST_CHARACTERS {
        faults.add(at, FaultCode::TooLong, format_args!("must have at most {MOST_CHARACTERS} characters"));
    }
    Some(password)
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// The cost of a hash. The default is the minimum in OWASP's Password Storage Cheat Sheet for Argon2id, with one lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordCost {
    /// Memory in KiB.
    pub memory_kib: u32,
    /// Passes over the memory.
    pub iterations: u32,
}

impl Default for PasswordCost {
    fn default() -> Self {
        Self { memory_kib: 19 * 1024, iterations: 2 }
    }
}

impl PasswordCost {
    fn hash(self, password: &Password, salt: &[u8]) -> Result<[u8; HASH_BYTES], Error> {
        let fault = |error: argon2::Error| Error::Internal(format!("argon2: {error}"));
        let params = Params::new(self.memory_kib, self.iterations, 1, Some(HASH_BYTES)).map_err(fault)?;
        let mut hash = [0; HASH_BYTES];
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        argon2.hash_password_into(password.expose().as_bytes(), salt, &mut hash).map_err(fault)?;
        Ok(hash)
    }

    /// Hashes the password for storage, in the PHC string format. Takes as long as a check: call it from a blocking
    /// thread.
    pub fn store(self, password: &Password, random: &dyn Fn(&mut [u8])) -> Result<String, Error> {
        let mut salt = [0; SALT_BYTES];
        random(&mut salt);
        let hash = self.hash(password, &salt)?;
        let Self { memory_kib, iterations } = self;
        let (salt, hash) = (STANDARD_NO_PAD.encode(salt), STANDARD_NO_PAD.encode(hash));
        Ok(format!("$argon2id$v=19$m={memory_kib},t={iterations},p=1${salt}${hash}"))
    }

    /// Whether hashing at this cost is cheaper than at another.
    pub(super) fn is_below(self, other: Self) -> bool {
        self.memory_kib < other.memory_kib || self.iterations < other.iterations
    }
}

/// A parsed stored password.
pub(super) struct StoredPassword {
    pub(super) cost: PasswordCost,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

impl StoredPassword {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.strip_prefix("$argon2id$v=19$m=")?.split('$');
        let (memory, rest) = parts.next()?.split_once(",t=")?;
        let iterations = rest.strip_suffix(",p=1")?;
        let cost = PasswordCost { memory_kib: memory.parse().ok()?, iterations: iterations.parse().ok()? };
        let salt = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
        let hash = STANDARD_NO_PAD.decode(parts.next()?).ok()?;
        parts.next().is_none().then_some(Self { cost, salt, hash })
    }

    /// A hash that no password matches, at the cost of a real one: refusing a person without a password takes as long
    /// as refusing a wrong one.
    pub(super) fn matching_nothing(cost: PasswordCost) -> Self {
        Self { cost, salt: vec![0; SALT_BYTES], hash: Vec::new() }
    }

    /// Whether this is the password.
    pub(super) fn is(&self, password: &Password) -> Result<bool, Error> {
        let hash = self.cost.hash(password, &self.salt)?;
        Ok(hash.as_slice().ct_eq(&self.hash).into())
    }
}
