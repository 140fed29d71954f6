// Accepts the invitation whose token is in the address after "#". URLs are relative, because a proxy may serve the
// service under a path prefix.
"use strict";

const element = (id) => document.getElementById(id);
const form = element("form");
// Removes the token from the address bar and the history.
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

function show(id) {
  for (const part of ["form", "done", "invalid"]) {
    element(part).hidden = part !== id;
  }
}

function finish(id) {
  show(id);
  element(id).focus();
}

function showFault(name, text) {
  element(`${name}-fault`).textContent = text;
  const input = element(name);
  if (name !== "form") {
    input.setAttribute("aria-invalid", text ? "true" : "false");
  }
}

/** Shows the faults by field name and focuses the first faulty field. */
function showFaults(faults) {
  for (const name of ["password", "again", "name", "form"]) {
    showFault(name, faults[name] || "");
  }
  const first = ["password", "again", "name"].find((name) => faults[name]);
  if (first) {
    element(first).focus();
  }
}

/** The faults that can be found without a request. */
function faultsBeforeSending(password, again) {
  const faults = {};
  if ([...password].length < 12) {
    faults.password = "Use 12 characters or more.";
  } else if (password !== again) {
    faults.again = "The passwords are not the same.";
  }
  return faults;
}

/** The response of the service, as faults of the fields. */
function faultsOf(status, problem, retryAfter) {
  if (status === 401) {
    return { password: "You already have a password here, and this is a different one. If you forgot your password, ask the operator of this service." };
  }
  if (status === 429) {
    return { form: `Too many attempts. Try again in ${retryAfter || "a few"} seconds.` };
  }
  const faults = {};
  for (const fault of problem.errors || []) {
    const name = { "#/password": "password", "#/name": "name" }[fault.pointer] || "form";
    faults[name] = fault.detail;
  }
  if (Object.keys(faults).length === 0) {
    faults.form = `${problem.title || "The service responded unexpectedly."} Try again in a moment.`;
  }
  return faults;
}

async function accept(event) {
  event.preventDefault();
  const password = element("password").value;
  const faults = faultsBeforeSending(password, element("again").value);
  showFaults(faults);
  if (Object.keys(faults).length > 0) {
    return;
  }
  const body = { token, password };
  const name = element("name").value.trim();
  if (name) {
    body.name = name;
  }
  element("accept").disabled = true;
  try {
    const answer = await fetch("v1/invitations/accept", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const content = await answer.json().catch(() => ({}));
    if (answer.ok) {
      welcome(content);
    } else if (answer.status === 404) {
      finish("invalid");
    } else {
      showFaults(faultsOf(answer.status, content, answer.headers.get("Retry-After")));
    }
  } catch {
    showFaults({ form: "The service cannot be reached. Try again in a moment." });
  } finally {
    element("accept").disabled = false;
  }
}

function welcome(membership) {
  element("done-name").textContent = membership.user.name;
  element("done-organization").textContent = membership.organization.name;
  element("done-email").textContent = membership.user.email;
  element("done-role").textContent = membership.user.role;
  element("done-id").textContent = membership.organization.id;
  form.reset();
  finish("done");
}

form.addEventListener("submit", accept);
element("show").addEventListener("change", (event) => {
  for (const id of ["password", "again"]) {
    element(id).type = event.target.checked ? "text" : "password";
  }
});
show(token.startsWith("bwi_") ? "form" : "invalid");
if (!token) {
  element("invalid-reason").textContent = "The link is incomplete. Open the whole link of the invitation, including the part after #.";
}
