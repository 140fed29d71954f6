// A day's work with the types of openapi-typescript and the client of openapi-fetch; e2e/openapi/test_generated_typescript.py
// makes the types, compiles this strictly and runs it.

import assert from "node:assert/strict";
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./bailiwick.ts";

type Problem = components["schemas"]["Problem"];

function variable(name: string): string {
  const value = process.env[name];
  assert(value, `${name} is not set`);
  return value;
}

const client = createClient<paths>({ baseUrl: variable("BASE_URL") });

const token = await client.POST("/v1/oauth/token", {
  body: {
    grant_type: "client_credentials",
    client_id: variable("CLIENT_ID"),
    client_secret: variable("CLIENT_SECRET"),
  },
});
assert(token.data);
const bearer = `Bearer ${token.data.access_token}`;
const signIn: Middleware = {
  onRequest({ request }) {
    request.headers.set("Authorization", bearer);
    return request;
  },
};
client.use(signIn);

// Incidents: declare, page through, change on condition.
for (const title of ["Phishing mail", "Lost laptop", "Open door"]) {
  const made = await client.POST("/v1/incidents", { body: { title, description: "" } });
  assert.equal(made.data?.title, title);
}
const seen: string[] = [];
let cursor: string | undefined;
do {
  const page = await client.GET("/v1/incidents", { params: { query: cursor ? { limit: 2, cursor } : { limit: 2 } } });
  assert(page.data);
  seen.push(...page.data.data.map((incident) => incident.id));
  cursor = page.data.next_cursor;
} while (cursor);
assert.deepEqual(seen, ["INC-0003", "INC-0002", "INC-0001"]);

const path = { id: "INC-0001" };
const read = await client.GET("/v1/incidents/{id}", { params: { path } });
const etag = read.response.headers.get("ETag");
assert(etag);
const change = (title: string) =>
  client.PATCH("/v1/incidents/{id}", { params: { path, header: { "If-Match": etag } }, body: { title } });
const changed = await change("Phishing mail to finance");
assert.equal(changed.data?.version, 2);
const late = await change("Too late");
assert.equal(late.response.status, 412);
assert.equal(late.error?.code, "precondition_failed");

// Members that have a default can be left out of a request.
const many = await client.POST("/v1/incidents/bulk", {
  body: { ids: [2, "INC-0003"], operation: { type: "delete" } },
});
assert.equal(many.data?.changed_count, 2);

// A risk with a tag, its evaluation and the figure.
const risk = await client.POST("/v1/risks", {
  body: {
    title: "One data centre",
    inherent: { likelihood: 4, impact: 5 },
    target: { likelihood: 1, impact: 2 },
  },
});
const tag = await client.POST("/v1/tags", { body: { name: "continuity" } });
assert(risk.data && tag.data);
const on = { path: { risk_id: risk.data.id } };
const tagged = await client.POST("/v1/risks/{risk_id}/tags", { params: on, body: { tag_id: tag.data.id } });
assert.equal(tagged.data?.message, "Tag added to risk");
await client.POST("/v1/risks/{risk_id}/evaluations", { params: on, body: { likelihood: 2, impact: 5 } });
const figure = await client.GET("/v1/organizations/{id}/risk-performance", {
  params: { path: { id: variable("ORGANIZATION_ID") }, query: { period_days: 30 } },
});
assert.equal(figure.data?.average_performance_percentage, 56);

// A problem, with its type known at compile time.
const refused = await client.POST("/v1/incidents", { body: { title: " ", description: "" } });
const problem: Problem | undefined = refused.error;
assert.equal(problem?.code, "validation_failed");
assert.deepEqual(
  problem?.errors?.map((fault) => [fault.pointer, fault.code]),
  [["#/title", "blank"]],
);
