//! What is written in tokens: the claims of access tokens and of refresh tokens.

use domain::ids::{ClientId, FamilyId, OrgId};
use domain::scope::Scopes;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::grant::Grant;
use crate::public_url::PublicUrl;

/// The claims of a token.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Claims {
    pub(super) iss: String,
    /// The API; of a refresh token the issuer itself, because it is used at the token endpoint only.
    pub(super) aud: String,
    pub(super) sub: String,
    client_id: String,
    /// The organization; the token is valid for no other.
    org: Uuid,
    /// The family of refresh tokens it belongs to; when that ends, so does this token.
    fid: Uuid,
    /// The generation of a refresh token within its family, from 1.
    #[serde(rename = "gen", default, skip_serializing_if = "Option::is_none")]
    pub(super) generation: Option<i64>,
    /// The secret with which it was obtained; when that is deleted, the token ends.
    cred: Uuid,
    scope: String,
    pub(super) iat: i64,
    pub(super) exp: i64,
    pub(super) jti: Uuid,
}

impl Claims {
    /// The claims of an access token that is issued and expires at these times, in seconds since the epoch.
    pub(super) fn new(
        issuer: &PublicUrl,
        grant: &Grant,
        scopes: Scopes,
        (iat, exp): (i64, i64),
        jti: Uuid,
    ) -> Self {
        Self {
            iss: issuer.as_str().to_owned(),
            aud: issuer.api().to_owned(),
            // Without a person, the subject is the client itself (RFC 9068, section 2.2).
            sub: grant.client.as_str().to_owned(),
            client_id: grant.client.as_str().to_owned(),
            org: grant.organization.uuid(),
            fid: grant.family.uuid(),
            generation: None,
            cred: grant.credential,
            scope: scopes.to_string(),
            iat,
            exp,
            jti,
        }
    }

    /// The same of a refresh token of this generation.
    pub(super) fn of_refresh(self, generation: i64) -> Self {
        Self { aud: self.iss.clone(), generation: Some(generation), ..self }
    }

    /// Whether the client itself is the subject.
    pub(super) fn is_of_client(&self) -> bool {
        self.sub == self.client_id
    }

    /// To whom the token was issued.
    pub(super) fn grant(&self) -> Grant {
        Grant {
            organization: OrgId(self.org),
            client: ClientId(self.client_id.clone()),
            credential: self.cred,
            family: FamilyId(self.fid),
        }
    }

    /// The scopes. The error gives the reason for the log.
    pub(super) fn scopes(&self) -> Result<Scopes, &'static str> {
        Scopes::parse(&self.scope).map_err(|_| "unknown scope")
    }
}
