// What the console's pages do beyond links and forms. Everything here saves time only: each page works without it.
// One file, however long, so that a page asks once.

const PAUSE = 1000;
const WATCH_EVERY = 8000;

// The keyboard. Everything that a key does is a link or a button of the page, marked with `data-key`.

let typed = "";
let timer = 0;

function isTyping(target) {
  return target.closest("input:not([type='checkbox'], [type='radio']), textarea, select, [contenteditable]") !== null;
}

const FIELD = "input:not([type='hidden']), select, textarea";

// A form is opened and never sent: the key goes to its first field, or to its button.
function reveal(part) {
  if (part.matches("details")) {
    part.open = true;
  }
  const field = `:is(${FIELD}, button)`;
  const first = part.querySelector(`form ${field}`) ?? part.querySelector(field);
  (part.querySelector(`[name="${first?.name}"]:checked`) ?? first)?.focus();
}

// In a list a key is about the row with the focus, if the row has something for it.
function follow(key) {
  const name = CSS.escape(key);
  const target = row()?.querySelector(`[data-in-place="${name}"]`) ?? document.querySelector(`[data-key="${name}"]`);
  if (target?.matches("form, details")) {
    reveal(target);
  } else if (target?.matches("a[href^='#']")) {
    reveal(document.querySelector(target.hash).closest("section"));
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

function row() {
  return rows().find((it) => it.contains(document.activeElement));
}

function step(by) {
  const all = rows();
  const here = all.indexOf(row());
  const next = all[Math.min(Math.max(here + by, 0), all.length - 1)];
  next?.querySelector("a.t, a")?.focus();
  return next !== undefined;
}

function choose() {
  const box = row()?.querySelector("input[type='checkbox']");
  box?.click();
  return Boolean(box);
}

function clear() {
  const open = [...document.querySelectorAll("details.drop[open]")];
  const ticked = [...document.querySelectorAll("main .tbl.list input[type='checkbox']:checked")];
  open.find((menu) => menu.contains(document.activeElement))?.firstElementChild.focus();
  open.forEach((menu) => { menu.open = false; });
  if (open.length === 0) {
    ticked.forEach((box) => { box.checked = false; });
  }
  return open.length > 0 || ticked.length > 0;
}

// A digit chooses a level, 0 the tenth.
function rate(key) {
  const at = document.activeElement.closest("[data-next]") ?? document.querySelector("[data-next]");
  const level = at?.querySelector(`[value="${key === "0" ? 10 : CSS.escape(key)}"]`);
  level?.click();
  level && document.getElementById(at.dataset.next).focus();
  return Boolean(level);
}

// With Alt an arrow moves the task in whose row the focus is.
function moveTask({ key, target }) {
  const to = { ArrowUp: "up", ArrowDown: "down" }[key];
  const button = target.closest("li")?.querySelector(`button[name="move"][value="${to}"]`);
  button?.click();
  return Boolean(button);
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
  const dialog = document.querySelector("dialog[open]");
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && key === "k" && (dialog !== null || follow("ctrl k"))) {
    event.preventDefault();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && isTyping(event.target)) {
    event.target.form?.requestSubmit();
    return;
  }
  if (event.key === "Escape" && dialog !== null) {
    // Without this the first Esc would empty a field for a search.
    event.preventDefault();
    dialog.close();
    return;
  }
  if (event.key === "Escape" && clear()) {
    return;
  }
  // A field for a search is emptied first.
  if (event.key === "Escape" && isTyping(event.target) && !(event.target.type === "search" && event.target.value)) {
    event.target.blur();
    return;
  }
  if (event.key === "Enter" && event.target.matches(".place select")) {
    event.preventDefault();
    event.target.form.requestSubmit();
    return;
  }
  if (["ArrowDown", "ArrowUp"].includes(event.key) && event.target.matches("#q")) {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
    return;
  }
  if (event.altKey && moveTask(event)) {
    event.preventDefault();
    return;
  }
  const isOff = dialog !== null || document.documentElement.dataset.keys === "off";
  if (isOff || event.ctrlKey || event.metaKey || event.altKey || key.length !== 1 || isTyping(event.target)) {
    return;
  }
  clearTimeout(timer);
  const keys = `${typed} ${key}`.trim();
  const isDone = follow(keys) || (typed === "" && MOVES[key]?.() === true) || rate(key);
  if (isDone) {
    // A key that goes to a field is not typed into it.
    event.preventDefault();
  }
  typed = isDone || keys.length > 1 ? "" : keys;
  timer = setTimeout(() => { typed = ""; }, PAUSE);
});

// In a field with `data-mentions`, `@` at the beginning of a word offers the members of that list, by name or e-mail
// address. The one that is taken is written as the address, which the server understands.
const MOST_OFFERS = 8;

function mention(field) {
  const before = field.value.slice(0, field.selectionStart);
  const found = /(?:^|[\s(])@([^\s@]*)$/u.exec(before);
  const isComment = (field.form.elements.kind?.value ?? "comment") === "comment";
  return found === null || !isComment ? null : { typed: found[1].toLowerCase(), from: before.length - found[1].length };
}

function closeOffers(field) {
  document.getElementById("offers")?.remove();
  field.removeAttribute("aria-controls");
  field.removeAttribute("aria-activedescendant");
}

function markMember(field, option) {
  option.parentElement.querySelector("[aria-selected='true']")?.setAttribute("aria-selected", "false");
  option.setAttribute("aria-selected", "true");
  field.setAttribute("aria-activedescendant", option.id);
}

function takeMember(field, option) {
  const { from } = mention(field);
  field.setRangeText(`${option.dataset.email} `, from, field.selectionStart, "end");
  closeOffers(field);
}

function offerMembers(field) {
  closeOffers(field);
  const asked = mention(field);
  const members = [...document.getElementById(field.dataset.mentions)?.options ?? []];
  const begins = ({ value, text }) => [value, ...text.split(" ")].some((it) => it.toLowerCase().startsWith(asked.typed));
  const found = asked === null ? [] : members.filter(begins).slice(0, MOST_OFFERS);
  if (found.length === 0) {
    return;
  }
  const list = document.createElement("ul");
  Object.assign(list, { id: "offers", className: "offers", role: "listbox", ariaLabel: "Members" });
  found.forEach(({ value, text }, place) => {
    const [option, name, email] = ["li", "bdi", "span"].map((it) => document.createElement(it));
    Object.assign(option, { id: `offer-${place}`, role: "option", ariaSelected: "false" });
    option.dataset.email = value;
    name.textContent = text;
    Object.assign(email, { className: "n", textContent: value });
    option.append(name, email);
    // The focus stays in the field.
    option.addEventListener("mousedown", (event) => {
      event.preventDefault();
      takeMember(field, option);
    });
    list.append(option);
  });
  field.after(list);
  field.setAttribute("aria-controls", list.id);
  markMember(field, list.firstElementChild);
  list.scrollIntoView({ block: "nearest" });
}

document.addEventListener("focusout", ({ target }) => {
  if (target.matches("[data-mentions]")) {
    closeOffers(target);
  }
});

document.addEventListener("keydown", (event) => {
  const { target: field, key } = event;
  const isOffered = field.matches?.("[data-mentions][aria-activedescendant]");
  const chosen = isOffered ? document.getElementById(field.getAttribute("aria-activedescendant")) : null;
  if (chosen === null || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const { firstElementChild: first, lastElementChild: last } = chosen.parentElement;
  const keys = {
    ArrowDown: () => markMember(field, chosen.nextElementSibling ?? first),
    ArrowUp: () => markMember(field, chosen.previousElementSibling ?? last),
    Enter: () => takeMember(field, chosen),
    Tab: () => takeMember(field, chosen),
    Escape: () => closeOffers(field),
  };
  if (keys[key] !== undefined) {
    event.preventDefault();
    event.stopImmediatePropagation();
    keys[key]();
  }
}, true);

// A form is sent once, however often its button is pressed; the server makes it act once in any case.
function busy(button) {
  button?.setAttribute("aria-busy", "true");
  setTimeout(() => button?.removeAttribute("aria-busy"), PAUSE * 5);
}

async function load(address, options) {
  const response = await fetch(address, options);
  return { response, page: new DOMParser().parseFromString(await response.text(), "text/html") };
}

async function post(form, button) {
  const data = new FormData(form, button);
  const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  return { action, ...await load(action, { method: "POST", body }) };
}

// What a form leads to is shown in place: scroll and focus stay, and what was done is announced. A page of another kind,
// such as that for signing in, is left to the browser.
async function send(form, button) {
  const { action, response, page } = await post(form, button);
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
  show(page, isStep || location.pathname !== pathname || !response.ok, form);
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

// What has the focus, or another element, as a later state of the page has it.
function same(element, root) {
  const address = element.getAttribute("href");
  const found = element.id === "" ? address && `a[href="${CSS.escape(address)}"]` : `#${CSS.escape(element.id)}`;
  return found ? root.querySelector(found) : null;
}

// What was typed into other forms than the one that was sent stays.
function keepTyped(page, sent) {
  for (const field of document.querySelectorAll("main :is(input, textarea)[id]")) {
    const next = field.form !== sent && field.value !== field.defaultValue ? same(field, page) : null;
    if (next !== null) {
      next.value = field.value;
    }
  }
}

// What was done is announced, and its undo leads back to here.
function tell(page, here = page) {
  const back = page.querySelector(".toasts [name='back']");
  if (back !== null) {
    back.value = location.pathname + location.search;
  }
  const toasts = [...page.querySelectorAll(".toast:not(#news)"), ...here.querySelectorAll("#news")];
  document.querySelector(".toasts").replaceChildren(...toasts);
}

function replace(part, page) {
  const next = page.querySelector(part);
  if (next !== null) {
    document.querySelector(part)?.replaceWith(next);
  }
}

function show(page, isAnother, sent, told = page) {
  const active = document.activeElement;
  // What is chosen in a menu leaves the focus at the menu.
  const focused = active.id === "" ? (active.closest("details.drop")?.firstElementChild ?? active) : active;
  if (!isAnother) {
    keepTyped(page, sent);
  }
  document.title = page.title;
  const { dataset } = document.documentElement;
  for (const name of ["theme", "density", "keys"]) {
    delete dataset[name];
  }
  Object.assign(dataset, page.documentElement.dataset);
  tell(told, page);
  replace("main.page", page);
  replace(".side nav", page);
  const invalid = document.querySelector("main [aria-invalid]");
  const target = invalid ?? (isAnother ? document.querySelector("main [autofocus]") : same(focused, document));
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
  clearTimeout(waiting);
  running?.abort();
  busy(button);
  const method = button?.getAttribute("formmethod") ?? form.method;
  if (form === plain || method !== "post" || form.closest("main.page, .toasts, .place") === null) {
    return;
  }
  event.preventDefault();
  const sending = form.closest(".place") === null ? send(form, button) : change(form, button);
  sending.catch(() => false).then((isShown) => {
    if (!isShown) {
      // The browser shows the other page, or says what is wrong with the connection.
      plain = form;
      form.requestSubmit(button);
    }
  });
});

// A form with `data-live` shows beside it what its answers lead to, before it is sent: the parts of the page with these ids,
// as its button for a preview, or the same form sent by GET, would show them.
let running = null;
let waiting = 0;

async function preview(form) {
  const id = form.dataset.live;
  running?.abort();
  running = new AbortController();
  const button = form.querySelector("[name='preview']");
  const query = new URLSearchParams(new FormData(form, button));
  query.delete("once");
  query.set("live", "1");
  if (id === "places") {
    recent().filter((it) => it !== record()).forEach((it) => query.append("recent", it));
  }
  const sent = button && { method: "POST", body: query };
  const { response, page } = await load(sent ? form.action : `${form.action}?${query}`, { ...sent, signal: running.signal });
  if (!response.ok || response.redirected) {
    return;
  }
  for (const part of page.querySelectorAll(`#${id.replaceAll(" ", ",#")}`)) {
    const here = document.getElementById(part.id);
    if (here?.innerHTML !== part.innerHTML) {
      here?.replaceChildren(...part.childNodes);
    }
  }
  if (id === "places") {
    offer(query.get("q"));
  }
}

for (const type of ["input", "compositionend"]) {
  document.addEventListener(type, ({ target, isComposing }) => {
    if (isComposing) {
      return;
    }
    if (target.matches("[data-mentions]")) {
      offerMembers(target);
    }
    const form = target.closest("form[data-live]");
    if (form !== null) {
      clearTimeout(waiting);
      waiting = setTimeout(() => preview(form).catch(() => {}), 300);
    }
  });
}

// Formatted text that is pasted into a field with `data-paste` becomes Markdown, and what is not kept is told below it. It
// goes where it was pasted, unless the text was changed in the meantime.
document.addEventListener("paste", async (event) => {
  const { target: field, clipboardData: data } = event;
  const [html, text] = ["text/html", "text/plain"].map((type) => data.getData(type));
  if (!field.dataset.paste || html === "" || data.types.includes("vscode-editor-data")) {
    return;
  }
  event.preventDefault();
  const { selectionStart: from, selectionEnd: to, value } = field;
  const body = new FormData();
  body.append("file", new Blob([html]), "a");
  const sent = { method: "POST", body, signal: AbortSignal.timeout(10000) };
  const { page } = await load(field.dataset.paste, sent).catch(() => ({}));
  const made = page?.getElementById("pasted");
  const told = made ? [...page.getElementById("told").childNodes] : ["Pasted as plain text: the formatting is lost."];
  const say = (...lines) => document.getElementById(`${field.id}-told`).replaceChildren(...lines);
  if (!field.isConnected || field.value !== value) {
    field.isConnected && say("Not pasted, because the text was changed in the meantime. Paste it again.");
    return;
  }
  const [before, after] = [value.slice(0, from), value.slice(to)];
  const above = /(^|\n\n)$/.test(before) ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const below = /^\n?(\n|$)/.test(after) ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  const isBlock = made?.hasAttribute("data-block");
  field.focus();
  field.setSelectionRange(from, to);
  document.execCommand("insertText", false, isBlock ? above + made.value + below : made?.value ?? text);
  say(...told);
});

// "Go to" opens over the page. Its field keeps the focus, and one of the lines below it is marked. Which records were shown
// lately the browser knows by their numbers, in each organization.

const palette = document.getElementById("palette");
const places = () => [...document.querySelectorAll("#places a")];
let actions = [];
// The lines that are actions, each with what it does.
let targets = new Map();
// What the lines were found for.
let shownFor = null;

function recent() {
  try {
    return JSON.parse(localStorage.getItem(document.querySelector(".seek").href)) ?? [];
  } catch {
    return [];
  }
}

// The number of the record that the page shows.
function record() {
  return document.querySelector("main[data-watch]")?.dataset.watch.match(/\/watch\/(?:incident|risk)\/([^/]+)$/)?.[1];
}

function noteVisit() {
  const number = record();
  try {
    if (number !== undefined) {
      const numbers = [number, ...recent().filter((it) => it !== number)].slice(0, 7);
      localStorage.setItem(document.querySelector(".seek").href, JSON.stringify(numbers));
    }
  } catch {
    // The browser keeps nothing.
  }
}

// What can be done here: with the row that has the focus, or with what the page is about.
function actionsHere() {
  const chosen = row()?.querySelector("[data-in-place]") ? row() : null;
  const part = chosen ?? document.querySelector("main");
  const found = [".next form button", "[data-in-place]", "[data-do]", ".head .acts :is(a, button)"]
    .flatMap((it) => [...part.querySelectorAll(it)])
    .filter((it) => it.closest("tr, .needs > li") === chosen);
  const text = (it) => [...it.childNodes].map((node) => node.nodeType === Node.TEXT_NODE ? node.data : "").join("").trim();
  return found.map((target) => ({ target, name: target.dataset.do ?? (target.title || text(target)) }));
}

function openPalette() {
  const form = palette.querySelector("form");
  actions = actionsHere();
  form.reset();
  document.getElementById("places").replaceChildren();
  shownFor = null;
  palette.showModal();
  preview(form).catch(() => {});
}

// Adds what can be done to the places that were found, and marks the first line.
function offer(typed) {
  const list = document.getElementById("places");
  const asked = ` ${typed.trim().toLowerCase()}`;
  targets = new Map();
  const found = actions.filter(({ name }) => ` ${name.toLowerCase()}`.includes(asked));
  if (found.length > 0) {
    const group = document.createElement("template");
    group.innerHTML = "<h2>Actions</h2><ul></ul>";
    for (const { target, name } of found.slice(0, 6)) {
      const line = document.createElement("li");
      line.innerHTML = "<a><svg class='i' aria-hidden='true'><use href='#i-pulse'/></svg><span dir='auto'></span></a>";
      line.querySelector("span").textContent = name;
      targets.set(line.firstChild, target);
      group.content.lastChild.append(line);
    }
    const before = list.querySelector("#recent");
    before === null ? list.prepend(group.content) : before.after(group.content);
  }
  const field = document.getElementById("q");
  const roles = { role: "combobox", "aria-controls": "places", "aria-expanded": "true", "aria-autocomplete": "list" };
  Object.entries(roles).forEach(([name, value]) => field.setAttribute(name, value));
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", field.labels[0].textContent);
  list.querySelectorAll("h2, li, p").forEach((it) => it.setAttribute("role", "presentation"));
  for (const group of list.querySelectorAll("ul")) {
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", group.previousElementSibling.textContent);
  }
  places().forEach((line, at) => {
    line.id = `place-${at}`;
    line.tabIndex = -1;
    line.setAttribute("role", "option");
  });
  shownFor = typed;
  mark(places()[0]);
}

function marked() {
  return document.querySelector("#places [aria-selected='true']");
}

function mark(line) {
  marked()?.setAttribute("aria-selected", "false");
  line?.setAttribute("aria-selected", "true");
  line?.scrollIntoView({ block: "nearest" });
  document.getElementById("q").setAttribute("aria-activedescendant", line?.id ?? "");
}

function move(by) {
  const all = places();
  mark(all[(all.indexOf(marked()) + by + all.length) % all.length]);
}

// An action that asks for something is opened, and any other is done.
function act(target) {
  const form = target.form ?? target.closest("form");
  if (form?.querySelector(FIELD)) {
    for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) {
      part.open = true;
    }
    target.matches(FIELD) ? target.focus() : reveal(form);
  } else {
    target.click();
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.live === "places") {
    event.preventDefault();
    clearTimeout(waiting);
    const isShown = shownFor === form.querySelector("input").value;
    (isShown ? Promise.resolve() : preview(form).catch(() => {})).then(() => marked()?.click());
  }
});

// A value that can be changed where it is shown is a link to its form: that opens beside it, alone. What is sent changes the
// row of the list, or the page of the record, and nothing else.

// The link whose form is open.
let changed = null;

// The form of a page with the part that has this id: all of it, a field with what belongs to it, or a section.
function partOf(page, id, address) {
  const part = page.getElementById(id);
  const form = part?.closest("form");
  const field = part?.closest(".field");
  if (form && field) {
    const hidden = [...form.querySelectorAll(":scope > input")];
    const kept = hidden.filter(({ name }) => !name.startsWith("was_") || name === `was_${id}`);
    const button = form.querySelector(".row > button");
    form.replaceChildren(...kept, field, button);
  }
  const found = form ?? part?.closest("section") ?? null;
  if (form) {
    form.className = "stack";
  }
  const forms = found === null ? [] : [found, ...found.querySelectorAll("form")].filter((it) => it.matches("form"));
  forms.filter((it) => !it.hasAttribute("action")).forEach((it) => it.setAttribute("action", address));
  return found;
}

async function openBeside(link) {
  const { page } = await load(link.href);
  const part = partOf(page, link.hash.slice(1), link.pathname);
  if (part === null) {
    location.assign(link.href);
    return;
  }
  if (link.closest("tr") === null) {
    link.focus({ preventScroll: true });
  }
  changed = link;
  const dialog = document.createElement("dialog");
  dialog.className = "place";
  dialog.setAttribute("aria-label", link.title);
  dialog.append(part);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const { left, bottom } = (link.checkVisibility() ? link : link.closest("tr")).getBoundingClientRect();
  const most = document.documentElement.clientWidth - dialog.offsetWidth - 8;
  dialog.style.left = `${Math.max(8, Math.min(left, most))}px`;
  const lowest = innerHeight - dialog.offsetHeight - 8;
  dialog.style.top = `${scrollY + Math.max(8, Math.min(bottom + 4, lowest))}px`;
  reveal(dialog.querySelector("[data-key='r']") ?? dialog);
}

async function change(form, button) {
  const dialog = form.closest("dialog");
  const { action, response, page } = await post(form, button);
  if (!response.ok) {
    const part = partOf(page, changed.hash.slice(1), action);
    if (part !== null) {
      // What is wrong with the field stands beside it.
      const told = part.querySelector("[aria-invalid]") ? [] : page.querySelectorAll("main [role='alert']");
      dialog.replaceChildren(...told, part);
      reveal(dialog);
    }
    return part !== null;
  }
  if (page.querySelector("main.page") === null) {
    return false;
  }
  kept.clear();
  const address = location.href.split("#")[0];
  const here = response.url === address ? page : (await load(address)).page;
  dialog.close();
  const before = changed.closest("tr");
  if (before === null) {
    show(here, false, form, page);
  } else {
    showRow(before, here, page);
  }
  return true;
}

// The row of the list as it is now; one that the list does not show any more goes.
function showRow(before, here, told) {
  const focused = document.activeElement;
  const after = same(changed, here)?.closest("tr");
  const near = after ?? before.nextElementSibling ?? before.previousElementSibling;
  if (near === null) {
    show(here, false, null, told);
    return;
  }
  const isTicked = before.querySelector("[name='ids']")?.checked;
  if (after && isTicked) {
    after.querySelector("[name='ids']").checked = true;
  }
  after ? before.replaceWith(after) : before.remove();
  tell(told, here);
  replace(".side nav", here);
  replace(".pager", here);
  (same(focused, near) ?? near.querySelector("a.t")).focus();
}

// Where the button of the mouse went down: a text that is selected may end beside the dialog.
let pressed = null;

document.addEventListener("pointerdown", ({ target }) => { pressed = target; });

document.addEventListener("click", (event) => {
  const { target } = event;
  if (target.matches("dialog") && pressed === target) {
    target.close();
    return;
  }
  const link = target.closest("a");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
    return;
  }
  if (targets.has(link)) {
    palette.close();
    act(targets.get(link));
  } else if (link.hasAttribute("data-in-place")) {
    event.preventDefault();
    openBeside(link).catch(() => location.assign(link.href));
  } else if (palette !== null && link.href === palette.querySelector("form").action) {
    event.preventDefault();
    openPalette();
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
  if (main && document.visibilityState === "visible") {
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
  if (tabs) {
    tabs.scrollLeft = tab.offsetLeft + tab.offsetWidth - tabs.offsetLeft - tabs.clientWidth;
  }
}

function prepare() {
  offerCopies();
  document.querySelectorAll("label:has([data-all])").forEach((label) => { label.hidden = false; });
  showTab();
  noteVisit();
  const finder = document.querySelector("main form[data-live='places'] input");
  if (finder) {
    offer(finder.value);
  }
}

prepare();
document.querySelector("[aria-invalid]")?.focus();

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

if (fragment && code) {
  history.replaceState(null, "", location.pathname);
  const field = fragment.querySelector("input");
  field.value = code;
  if (fragment.dataset.fragment === "send") {
    field.form.requestSubmit();
  } else {
    fragment.hidden = true;
  }
}
