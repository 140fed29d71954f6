//! Rules for every operation, including future ones: the tests iterate over the OpenAPI document and the table of
//! example requests in `world.rs`, and fail for an operation that is missing from the table.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

// Its macros are for the modules after it.
#[macro_use]
mod by_noun;

mod answers_are_never_5xx;
mod bad_tokens_open_nothing;
mod checks_come_in_order;
mod deleted_incidents_are_absent;
mod filters;
mod inputs_are_read_strictly;
mod lists_are_filtered_and_sorted;
mod lists_cost_the_same_number_of_statements;
mod lists_link_and_count;
mod methods;
mod next_release;
mod only_approvals_publish;
mod operations;
mod operations_cost;
mod reads_are_conditional;
mod reads_stay_in_the_organization;
pub(crate) mod register;
mod restricted_incidents_are_absent;
mod roles_are_sets_of_scopes;
mod routes_need_a_token;
mod stored_responses_show_what_is_seen;
mod the_past_stays;
mod world;
mod writes_are_conditional;
mod writes_are_idempotent_with_a_key;
mod writes_are_journaled;
