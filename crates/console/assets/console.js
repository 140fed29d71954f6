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
