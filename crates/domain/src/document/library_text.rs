//! Texts of the library.

/// The text of a policy of the library at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryText {
    /// The slug of the policy.
    pub policy: String,
    /// Its template and its items, as a file.
    pub text: String,
    /// The hash of that.
    pub sha256: String,
    /// Counts the texts of the policy: a newer one has a greater number.
    pub release: i64,
}
