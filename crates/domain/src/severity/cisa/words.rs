//! The values of the eight factors. The meaning of each is a noun phrase, which the reasoning repeats.

crate::words! {
    "CisaFunctionalImpact"
    /// The impact on the services of the organization.
    pub enum FunctionalImpact {
        /// No impact.
        None = "none",
        /// An impact that does not reach services.
        NoImpactToServices = "no_impact_to_services",
        /// A minimal impact on non-critical services.
        MinimalNonCritical = "minimal_non_critical",
        /// A minimal impact on critical services.
        MinimalCritical = "minimal_critical",
        /// A significant impact on non-critical services.
        SignificantNonCritical = "significant_non_critical",
        /// The denial of non-critical services.
        DenialNonCritical = "denial_non_critical",
        /// A significant impact on critical services.
        SignificantCritical = "significant_critical",
        /// The denial of critical services or the loss of control.
        DenialCritical = "denial_critical",
    }
}

crate::words! {
    "CisaObservedActivity"
    /// What an attacker was observed to do.
    pub enum ObservedActivity {
        /// No activity of an attacker.
        None = "none",
        /// The preparation of an attack.
        Prepare = "prepare",
        /// An attempt to get in.
        Engage = "engage",
        /// The presence of an attacker in the network.
        Presence = "presence",
        /// The damage that an attacker does.
        Effect = "effect",
    }
}

crate::words! {
    "CisaLocation"
    /// Where in the network the activity was observed.
    pub enum Location {
        /// Activity in the DMZ of the business network.
        BusinessDmz = "business_dmz",
        /// Activity in the business network.
        BusinessNetwork = "business_network",
        /// Activity at an unknown place.
        Unknown = "unknown",
        /// Activity in the management of the business network.
        BusinessNetworkManagement = "business_network_management",
        /// Activity in the DMZ of a critical system.
        CriticalSystemDmz = "critical_system_dmz",
        /// Activity in the management of a critical system.
        CriticalSystemManagement = "critical_system_management",
        /// Activity in critical systems.
        CriticalSystems = "critical_systems",
        /// Activity in safety systems.
        SafetySystems = "safety_systems",
    }
}

crate::words! {
    "CisaActor"
    /// Who is behind the incident.
    pub enum Actor {
        /// A hacktivist.
        Hacktivist = "hacktivist",
        /// An insider without intent.
        UnwittingInsider = "unwitting_insider",
        /// A criminal.
        Criminal = "criminal",
        /// An unknown actor.
        Unknown = "unknown",
        /// An insider with intent.
        WittingInsider = "witting_insider",
        /// An advanced persistent threat.
        Apt = "apt",
        /// An advanced persistent threat that targets the organization.
        AptTargeted = "apt_targeted",
    }
}

crate::words! {
    "CisaInformationImpact"
    /// What happened to information.
    pub enum InformationImpact {
        /// No impact on information.
        None = "none",
        /// A suspected but not identified loss of information.
        Suspected = "suspected",
        /// The loss of personal data.
        PrivacyDataLoss = "privacy_data_loss",
        /// The loss of proprietary information.
        ProprietaryLoss = "proprietary_loss",
        /// The destruction of non-critical systems.
        DestructionNonCritical = "destruction_non_critical",
        /// A data breach of critical systems.
        CriticalDataBreach = "critical_data_breach",
        /// The compromise of core credentials.
        CoreCredentialCompromise = "core_credential_compromise",
        /// The destruction of a critical system.
        DestructionCritical = "destruction_critical",
    }
}

crate::words! {
    "CisaRecoverability"
    /// What recovery takes.
    pub enum Recoverability {
        /// A recovery with the resources at hand.
        Regular = "regular",
        /// A recovery that needs additional resources.
        Supplemented = "supplemented",
        /// A recovery of unknown length, with outside help.
        Extended = "extended",
        /// The impossibility of recovery.
        NotRecoverable = "not_recoverable",
    }
}

crate::words! {
    "CisaSector"
    /// The sector of the organization, by how much other sectors depend on it.
    pub enum Sector {
        /// The dependency of other sectors on nuclear plants.
        Nuclear = "nuclear",
        /// The dependency of other sectors on agriculture.
        Agriculture = "agriculture",
        /// The dependency of other sectors on chemical plants.
        Chemical = "chemical",
        /// The dependency of other sectors on dams.
        Dams = "dams",
        /// The dependency of other sectors on emergency services.
        Emergency = "emergency",
        /// The dependency of other sectors on commercial facilities.
        Commercial = "commercial",
        /// The dependency of other sectors on healthcare.
        Healthcare = "healthcare",
        /// The dependency of other sectors on banking.
        Banking = "banking",
        /// The dependency of other sectors on defense.
        Defense = "defense",
        /// The dependency of other sectors on government.
        Government = "government",
        /// The dependency of other sectors on critical manufacturing.
        CriticalManufacturing = "critical_manufacturing",
        /// The dependency of other sectors on water.
        Water = "water",
        /// The dependency of other sectors on communications.
        Communications = "communications",
        /// The dependency of other sectors on transportation.
        Transportation = "transportation",
        /// The dependency of other sectors on information technology.
        It = "it",
        /// The dependency of other sectors on energy.
        Energy = "energy",
    }
}

crate::words! {
    "CisaPotentialImpact"
    /// The impact that the incident could have on the public if nothing is done.
    pub enum PotentialImpact {
        /// A minimal potential impact.
        Minimal = "minimal",
        /// A low potential impact.
        Low = "low",
        /// A moderate potential impact.
        Moderate = "moderate",
        /// A high potential impact.
        High = "high",
        /// A severe potential impact.
        Severe = "severe",
    }
}
