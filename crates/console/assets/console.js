// The keyboard of the console. Everything that a key does is a link or a button of the page, marked with `data-key`.

const PAUSE = 1000;
let typed = "";
let timer = 0;

function isTyping(target) {
  return target.closest("input, textarea, select, [contenteditable]") !== null;
}

function follow(key) {
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  target?.click();
  return target !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || isTyping(event.target)) {
    return;
  }
  clearTimeout(timer);
  const keys = `${typed} ${event.key.toLowerCase()}`.trim();
  typed = follow(keys) || keys.length > 1 ? "" : keys;
  timer = setTimeout(() => { typed = ""; }, PAUSE);
});

// A form is sent once, however often its button is pressed; the server makes it act once in any case.
document.addEventListener("submit", (event) => {
  const button = event.submitter;
  button?.setAttribute("aria-busy", "true");
  setTimeout(() => button?.removeAttribute("aria-busy"), PAUSE * 5);
});

// A form with `data-live` shows beside it what its answers lead to, before it is sent: the part of the page with that id,
// as the same form sent by GET would show it.
let running = null;

async function preview(form) {
  const id = form.dataset.live;
  running?.abort();
  running = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  query.delete("once");
  const response = await fetch(`${form.action}?${query}`, { signal: running.signal });
  if (!response.ok) {
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const part = page.getElementById(id);
  if (part !== null) {
    document.getElementById(id)?.replaceChildren(...part.childNodes);
  }
}

for (const form of document.querySelectorAll("form[data-live]")) {
  form.addEventListener("change", () => preview(form).catch(() => {}));
}
