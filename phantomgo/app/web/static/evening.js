// A page of an evening: fetched again every few seconds, unless somebody is filling in a form of it.
"use strict";

const place = document.getElementById("evening");
let shown = place.innerHTML;

async function refresh() {
  const focused = document.activeElement;
  if (document.hidden || (place.contains(focused) && focused.matches("input, select"))) return;
  let text;
  try {
    const answer = await fetch(location.pathname);
    if (!answer.ok) return;
    text = await answer.text();
  } catch { return; } // the server is away; the next time
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("evening");
  if (!fresh || fresh.innerHTML === shown) return;
  shown = fresh.innerHTML;
  const name = (details) => details.querySelector("summary").textContent;
  const open = new Map([...place.querySelectorAll("details")].map((details) => [name(details), details.open]));
  const heading = place.querySelector("h1");
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
}

setInterval(refresh, 3000);
