//! Every operation through the whole service, on both engines. testkit validates each response against the OpenAPI
//! document.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod access;
mod checks;
mod clients;
mod compression;
mod connections;
mod cors;
mod docs;
mod documents;
mod idempotency;
mod incidents;
mod invitations;
mod journal;
mod limits;
mod me;
mod negotiation;
mod openapi;
mod openapi_complete;
mod organizations;
mod password;
mod peers;
mod performance;
mod rates;
mod refused_sign_ins;
mod risks;
mod robustness;
mod routes;
mod session;
mod session_limits;
mod tags;
mod trash;
mod undo;
mod undo_refused;
mod unread;
mod users;
