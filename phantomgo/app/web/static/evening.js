// A page of an evening: fetched again every few seconds, unless somebody is filling in a form of it.
"use strict";

const place = document.getElementById("evening");
let shown = place.innerHTML;

// What an element that has the focus is found by in the next page.
const named = (node) => (node.form ? node.value + new URLSearchParams(new FormData(node.form)) : node.href || node.textContent);

async function refresh() {
  if (document.hidden && !notices() && !sounds()) return;
  let text;
  try {
    const answer = await fetch(location.pathname);
    if (answer.status === 404) location.reload(); // the link has become void, and the server says so
    if (!answer.ok) return;
    text = await answer.text();
  } catch { return; } // the server is away; the next time
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("evening");
  const focused = document.activeElement, within = place.contains(focused);
  if (!fresh || fresh.innerHTML === shown || (within && focused.matches("input, select"))) return;
  shown = fresh.innerHTML;
  const name = (details) => details.querySelector("summary").textContent;
  const open = new Map([...place.querySelectorAll("details")].map((details) => [name(details), details.open]));
  const heading = place.querySelector("h1"), focus = within && named(focused);
  place.replaceChildren(...fresh.childNodes);
  for (const details of place.querySelectorAll("details")) {
    if (open.has(name(details))) details.open = open.get(name(details));
  }
  // The live node stays, so that screen readers say what is new in it.
  const said = place.querySelector("h1");
  if (said.textContent !== heading.textContent) {
    document.title = `${said.textContent} - phantomgo`;
    play("turn");
    notify(said.textContent);
  }
  heading.textContent = said.textContent;
  said.replaceWith(heading);
  const same = focus && [...place.querySelectorAll("a, button, summary")].find((node) => named(node) === focus);
  if (same) same.focus({ preventScroll: true });
}

setInterval(refresh, 3000);
