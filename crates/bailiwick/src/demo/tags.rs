//! The tags of the register.

/// What a tag is called in the other tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Tag {
    /// Access control and authentication.
    Access,
    /// Goods that must stay between 2 and 8 °C.
    ColdChain,
    /// Going on when something is gone.
    Continuity,
    /// Vans, drivers and what they carry.
    Fleet,
    /// Sorters, cranes, compressors and what steers them.
    Machinery,
    /// Data about persons.
    PersonalData,
    /// Lies by mail, telephone or text message.
    Phishing,
    /// Firms that we depend on.
    Supplier,
}

/// A tag.
#[derive(Debug)]
pub(super) struct DemoTag {
    /// Which it is in the other tables.
    pub(super) tag: Tag,
    /// 1 to 50 characters, unique in the organization.
    pub(super) name: &'static str,
    /// `#rrggbb`.
    pub(super) color: &'static str,
    /// What belongs under it.
    pub(super) description: &'static str,
}

/// The tags, by name.
pub(super) const TAGS: &[DemoTag] = &[
    DemoTag {
        tag: Tag::Access,
        name: "access",
        color: "#7c3aed",
        description: "Accounts, rights, keys and doors.",
    },
    DemoTag {
        tag: Tag::ColdChain,
        name: "cold chain",
        color: "#0891b2",
        description: "Anything that can take medicines outside 2 to 8 °C.",
    },
    DemoTag {
        tag: Tag::Continuity,
        name: "continuity",
        color: "#ca8a04",
        description: "Power, lines, backups, spare parts and the plans for the day without them.",
    },
    DemoTag {
        tag: Tag::Fleet,
        name: "fleet",
        color: "#65a30d",
        description: "Vans, drivers, handhelds and goods on the road.",
    },
    DemoTag {
        tag: Tag::Machinery,
        name: "machinery",
        color: "#64748b",
        description: "Sorters, cranes, compressors and the controllers that steer them.",
    },
    DemoTag {
        tag: Tag::PersonalData,
        name: "personal data",
        color: "#db2777",
        description: "Data about patients, staff or drivers. The data protection officer reads along.",
    },
    DemoTag {
        tag: Tag::Phishing,
        name: "phishing",
        color: "#dc2626",
        description: "Deception by mail, telephone or text message.",
    },
    DemoTag {
        tag: Tag::Supplier,
        name: "supplier",
        color: "#ea580c",
        description: "Depends on a firm that is not ours.",
    },
];
