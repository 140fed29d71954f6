//! What is done about a risk.

crate::words! {
    "RiskTreatment"
    /// What is done about a risk.
    pub enum Treatment {
        /// Nothing has been decided.
        Undecided = "undecided",
        /// Controls make it less likely or less bad.
        Mitigate = "mitigate",
        /// It is taken as it is.
        Accept = "accept",
        /// Somebody else bears it, such as an insurer.
        Transfer = "transfer",
        /// What leads to it is no longer done.
        Avoid = "avoid",
    }
}
