// What the console's pages do beyond links and forms. Everything here saves time only: each page works without it.

const PAUSE = 1000;
const WATCH_EVERY = 8000;

// The keyboard. Everything that a key does is a link or a button of the page, marked with `data-key`.

let typed = "";
let timer = 0;

function isTyping(target) {
  return target.closest("input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable]") !== null;
}

// A form is opened and never sent: the key goes to its first field, or to its button.
function reveal(part) {
  if (part.matches("details")) {
    part.open = true;
  }
  const field = "input:not([type='hidden']), select, textarea, button";
  (part.querySelector(`form :is(${field})`) ?? part.querySelector(field))?.focus();
}

function follow(key) {
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (target?.matches("form, details")) {
    reveal(target);
  } else if (target?.matches("input")) {
    target.focus();
  } else {
    target?.click();
  }
  return target !== null;
}

// The rows of the list that is on the page: each has one link that is its name.
function rows() {
  return [...document.querySelectorAll("main .tbl.list tbody tr, main .needs > li")];
}

function step(by) {
  const all = rows();
  const here = all.findIndex((row) => row.contains(document.activeElement));
  const next = all[Math.min(Math.max(here + by, 0), all.length - 1)];
  next?.querySelector("a.t, a")?.focus();
  return next !== undefined;
}

function choose() {
  const box = rows().find((row) => row.contains(document.activeElement))?.querySelector("input[type='checkbox']");
  box?.click();
  return box !== undefined && box !== null;
}

function clear() {
  const open = [...document.querySelectorAll("details.drop[open]")];
  const ticked = [...document.querySelectorAll("main .tbl.list input[type='checkbox']:checked")];
  open.forEach((menu) => { menu.open = false; });
  if (open.length === 0) {
    ticked.forEach((box) => { box.checked = false; });
  }
  return open.length > 0 || ticked.length > 0;
}

// From the field of "Go to" into its lines, among them, and back.
function among(target, by) {
  const all = [...target.closest(".pal")?.querySelectorAll("input[type='search'], a") ?? []];
  const next = all[all.indexOf(target) + by];
  next?.focus();
  return next !== undefined;
}

// The key as shortcuts name it, with Caps Lock too. Where the layout has letters that are not Latin, its place decides.
function keyOf({ key, code }) {
  const isOfPlace = key.length === 1 && key > "\u007f" && code.startsWith("Key");
  return (isOfPlace ? code.slice("Key".length) : key).toLowerCase();
}

const MOVES = { j: () => step(1), k: () => step(-1), x: choose };

document.addEventListener("keydown", (event) => {
  if (event.isComposing) {
    // It belongs to the word that is being composed.
    return;
  }
  const key = keyOf(event);
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && key === "k" && follow("ctrl k")) {
    event.preventDefault();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && isTyping(event.target)) {
    event.target.form?.requestSubmit();
    return;
  }
  if (event.key === "Escape" && clear()) {
    return;
  }
  if (["ArrowDown", "ArrowUp"].includes(event.key) && among(event.target, event.key === "ArrowDown" ? 1 : -1)) {
    event.preventDefault();
    return;
  }
  const isOff = document.documentElement.dataset.keys === "off";
  if (isOff || event.ctrlKey || event.metaKey || event.altKey || key.length !== 1 || isTyping(event.target)) {
    return;
  }
  clearTimeout(timer);
  const keys = `${typed} ${key}`.trim();
  const isDone = follow(keys) || (typed === "" && MOVES[key]?.() === true);
  if (isDone) {
    // A key that goes to a field is not typed into it.
    event.preventDefault();
  }
  typed = isDone || keys.length > 1 ? "" : keys;
  timer = setTimeout(() => { typed = ""; }, PAUSE);
});

// A form is sent once, however often its button is pressed; the server makes it act once in any case.
function busy(button) {
  button?.setAttribute("aria-busy", "true");
  setTimeout(() => button?.removeAttribute("aria-busy"), PAUSE * 5);
}

// What a form leads to is shown in place: scroll and focus stay, and what was done is announced. A page of another kind,
// such as that for signing in, is left to the browser.
async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  const response = await fetch(action, { method: "POST", body });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (page.querySelector("main.page") === null) {
    return false;
  }
  const { pathname } = location;
  const isStep = response.ok && !response.redirected && new URL(action, location.href).pathname !== pathname;
  if (response.redirected) {
    // What was kept may show what has been changed.
    kept.clear();
  }
  if (isStep || (response.redirected && response.url !== location.href)) {
    remember(isStep ? location.href : response.url, isStep);
  }
  show(page, isStep || location.pathname !== pathname || !response.ok);
  return true;
}

// The history has an entry for each page that was shown in place. The page before a step of a form is kept as it was filled
// in; any other page is loaded again.
const kept = new Map();
let entry = history.state?.entry ?? 0;
let shownAt = location.pathname + location.search;

function remember(address, isStep) {
  if (isStep) {
    kept.set(entry, { main: document.querySelector("main.page"), title: document.title });
  }
  history.replaceState({ entry }, "");
  entry += 1;
  history.pushState({ entry }, "", address);
  shownAt = location.pathname + location.search;
}

addEventListener("popstate", ({ state }) => {
  const isSamePage = location.pathname + location.search === shownAt;
  if (isSamePage && (state === null || state.entry === entry)) {
    // A link to a part of this page was followed.
    return;
  }
  const before = kept.get(state?.entry);
  if (before === undefined) {
    location.reload();
    return;
  }
  kept.delete(state.entry);
  entry = state.entry;
  shownAt = location.pathname + location.search;
  document.querySelector("main.page").replaceWith(before.main);
  document.title = before.title;
  document.getElementById("main").focus({ preventScroll: true });
  prepare();
});

function show(page, isAnother) {
  const focused = document.activeElement?.id;
  document.title = page.title;
  const { dataset } = document.documentElement;
  for (const name of ["theme", "density", "keys"]) {
    delete dataset[name];
  }
  Object.assign(dataset, page.documentElement.dataset);
  for (const part of ["main.page", ".toasts", ".side nav"]) {
    const next = page.querySelector(part);
    if (next !== null) {
      document.querySelector(part)?.replaceWith(document.adoptNode(next));
    }
  }
  const first = document.querySelector("main [aria-invalid], main [autofocus]");
  const target = isAnother ? first : document.getElementById(focused);
  if (isAnother) {
    scrollTo(0, 0);
  }
  (target ?? document.getElementById("main")).focus({ preventScroll: true });
  // What is typed on stays in sight, clear of what was announced.
  target?.scrollIntoView({ block: "nearest" });
  prepare();
}

let plain = null;

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  busy(button);
  const method = button?.getAttribute("formmethod") ?? form.method;
  if (form === plain || method !== "post" || form.closest("main.page, .toasts") === null) {
    return;
  }
  event.preventDefault();
  send(form, button).catch(() => false).then((isShown) => {
    if (!isShown) {
      // The browser shows the other page, or says what is wrong with the connection.
      plain = form;
      form.requestSubmit(button);
    }
  });
});

// A form with `data-live` shows beside it what its answers lead to, before it is sent: the part of the page with that id,
// as the same form sent by GET would show it.
let running = null;
let waiting = 0;

async function preview(form) {
  const id = form.dataset.live;
  running?.abort();
  running = new AbortController();
  const query = new URLSearchParams(new FormData(form));
  query.delete("once");
  query.set("live", "1");
  const response = await fetch(`${form.action}?${query}`, { signal: running.signal });
  if (!response.ok || response.redirected) {
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const part = page.getElementById(id);
  if (part !== null) {
    document.getElementById(id)?.replaceChildren(...part.childNodes);
  }
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("form[data-live]");
  if (form !== null) {
    clearTimeout(waiting);
    waiting = setTimeout(() => preview(form).catch(() => {}), 200);
  }
});

// The first line of "Go to" is where Enter leads.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("[role='search'][data-live]") && form.querySelector("input").value.trim() !== "") {
    event.preventDefault();
    clearTimeout(waiting);
    preview(form).catch(() => {}).then(() => document.querySelector(`#${form.dataset.live} a`)?.click());
  }
});

// A menu is closed by a click beside it.
document.addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll("details.drop[open]")) {
    menu.open = menu.contains(target);
  }
});

// The box in the head of a list ticks all of its page, and with Shift a box ticks those from the last one on.
let last = null;

document.addEventListener("click", ({ target, shiftKey }) => {
  if (!target.matches(".tbl.list input[type='checkbox']")) {
    return;
  }
  const boxes = [...target.closest("table").querySelectorAll("[name='ids']")];
  if (target.matches("[data-all]")) {
    boxes.forEach((box) => { box.checked = target.checked; });
  } else if (shiftKey && boxes.includes(last)) {
    const [from, to] = [boxes.indexOf(last), boxes.indexOf(target)].sort((a, b) => a - b);
    boxes.slice(from, to + 1).forEach((box) => { box.checked = target.checked; });
  }
  last = target;
  const head = target.closest("table").querySelector("[data-all]");
  head.checked = boxes.every((box) => box.checked);
});

// A page of one record asks whether the record has changed, and a list how many of it are new, and offers to show it. It
// overwrites nothing.
async function watch(main) {
  const known = `"${main.dataset.version}"`;
  const response = await fetch(main.dataset.watch, { headers: { "If-None-Match": known }, cache: "no-store" });
  if (response.status === 200 && response.headers.get("ETag") !== known && main.isConnected) {
    const news = document.getElementById("news");
    const count = news.querySelector("[data-count]");
    if (count !== null) {
      count.textContent = response.headers.get("ETag").replaceAll("\"", "");
    }
    news.hidden = false;
  }
}

setInterval(() => {
  const main = document.querySelector("main[data-watch]");
  if (main !== null && document.visibilityState === "visible") {
    watch(main).catch(() => {});
  }
}, WATCH_EVERY);

// What is shown once can be copied.
function offerCopies() {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = navigator.clipboard === undefined;
  }
}

// On a narrow screen the tabs scroll, and the present one is to be seen.
function showTab() {
  const tab = document.querySelector(".tabs [aria-current]");
  const tabs = tab?.closest(".tabs");
  if (tabs !== undefined) {
    tabs.scrollLeft = tab.offsetLeft + tab.offsetWidth - tabs.offsetLeft - tabs.clientWidth;
  }
}

function prepare() {
  offerCopies();
  document.querySelectorAll("label:has([data-all])").forEach((label) => { label.hidden = false; });
  showTab();
}

prepare();

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button !== null) {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = "Copied";
  }
});

// The time zone of the device is proposed.
for (const field of document.querySelectorAll("[data-zone]")) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

// The code of a link is its fragment, which no server sees: it fills its field, and leaves the address bar.
const fragment = document.querySelector("[data-fragment]");
const code = location.hash.slice(1);

if (fragment !== null && code !== "") {
  history.replaceState(null, "", location.pathname);
  const field = fragment.querySelector("input");
  field.value = code;
  if (fragment.dataset.fragment === "send") {
    field.form.requestSubmit();
  } else {
    fragment.hidden = true;
  }
}
