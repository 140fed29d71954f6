//! What was learned from severe incidents.

use super::super::people::Who;

/// A review that was published.
#[derive(Debug)]
pub(in super::super) struct DemoReview {
    /// What happened, in short.
    pub(in super::super) summary: &'static str,
    /// Why it happened.
    pub(in super::super) root_cause: &'static str,
    /// What made it worse or likelier.
    pub(in super::super) factors: &'static str,
    /// Whom it hit, and how.
    pub(in super::super) impact: &'static str,
    /// What worked.
    pub(in super::super) went_well: &'static str,
    /// What is done differently now.
    pub(in super::super) lessons: &'static str,
    /// What is to be done, and by whom.
    pub(in super::super) actions: &'static [(&'static str, Who)],
}

pub(super) const PHISHING: DemoReview = DemoReview {
    summary: "214 mails, 19 clicks, four passwords; a second wave from another domain two days later. Nobody's account \
        was used before its password was reset, but one: see the mailbox of purchasing.",
    root_cause: "Passwords alone opened the mail service from anywhere.",
    factors: "- the page was a good copy\n- purchase orders by mail are normal for nine hospitals",
    impact: "Four colleagues, twelve suppliers written to. No delivery was late.",
    went_well: "The first report came after 29 minutes, and the mails were out of all mailboxes 90 minutes later.",
    lessons: "Thank people who report, also those who clicked.",
    actions: &[
        ("Second factor for mail from outside", Who::Jonas),
        ("Orders by mail only as an exception", Who::Samuel),
    ],
};

pub(super) const STORAGE_FULL: DemoReview = DemoReview {
    summary: "Debug logging of a release filled the volume; the warehouse system went read-only for 45 minutes.",
    root_cause: "Nothing ends debug logging, and the alarm of the volume was set at 98 %.",
    factors: "The release was on a Friday afternoon.",
    impact: "Picking stood from 05:20 to 06:05; four runs left late.",
    went_well: "The shift had somebody on the telephone within nine minutes.",
    lessons: "What is switched on for a day needs an end in the same command.",
    actions: &[("Debug logging ends by itself after a day", Who::Tom)],
};

pub(super) const COMPRESSOR: DemoReview = DemoReview {
    summary: "Cold room 1 rose to 7.6 °C after its compressor failed and the standby tripped.",
    root_cause: "The breaker of the standby had been left in the service position seven weeks before.",
    factors: "The monthly test starts the standby without load, which works in that position too.",
    impact: "63 pallets moved at night; no product above 8 °C.",
    went_well: "The shift moved the pallets without waiting for anybody.",
    lessons: "A test that cannot fail tests nothing.",
    actions: &[("Weekly test under load", Who::Helen), ("Positions of breakers on the round", Who::Samuel)],
};

pub(super) const CERTIFICATE: DemoReview = DemoReview {
    summary: "The certificate of the order gateway expired at 23:59; nine hospitals could not order until 06:50.",
    root_cause: "It was renewed by hand, by a colleague who has left.",
    factors: "The reminder went to that colleague's mailbox.",
    impact: "Nine hospitals for seven hours; two ordered by telephone.",
    went_well: "The emergency line held.",
    lessons: "Nothing that ends by date may depend on one person.",
    actions: &[("All certificates renew themselves", Who::Jonas)],
};
