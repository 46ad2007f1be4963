// What this device remembers: its tables, the lessons played there, and its settings.
"use strict";

function recall(key, usual) {
  try { return JSON.parse(localStorage.getItem(key)) ?? usual; } catch { return usual; }
}

function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* not allowed to */ }
}

// The tables of this device, latest first: the path of a seat, when it was taken, and what was
// last seen there.
const tables = () => recall("tables", []).map((table) => (table.path ? table : { path: table }));

// Who sits opposite, or both players.
function opponents(part) {
  const others = [...part.querySelectorAll(".side")].filter((side) => {
    const [, colour] = side.querySelector(".stone").classList;
    return !part.matches(`.waiting, .${colour}`);
  });
  return others.map((side) => side.querySelector("strong").textContent).join(", ");
}

// What the front page tells of a table.
const seen = (part) => ({
  against: opponents(part),
  heading: part.querySelector("h1").textContent,
  rules: part.querySelector(".rules").textContent,
  over: part.matches(".over"),
});

// Keep a seat, so that it is found again without its tab.
function keepTable(part) {
  const path = part.dataset.base, known = tables(), other = (table) => table.path !== path;
  const since = known.find((table) => !other(table))?.since ?? Date.now();
  keep("tables", [{ path, since, ...seen(part) }, ...known.filter(other)]);
}

// Mark the lessons that were played to their end, perhaps one on this page.
const playedHere = document.querySelector("[data-lesson]");
const played = recall("lessons", []);
if (playedHere) {
  played.push(playedHere.dataset.lesson);
  keep("lessons", played);
}
document.querySelectorAll(".lesson nav li").forEach((item, n) => {
  item.classList.toggle("played", played.includes(`${n + 1}`));
});

// Fill a row of the front page: whose turn it is or who won, against whom, on which board, when.
function describe(item, { path, since, against, heading, rules }) {
  const link = document.createElement("a");
  link.href = path;
  link.textContent = heading;
  const { lang } = document.documentElement;
  const day = since && new Date(since).toLocaleDateString(lang, { dateStyle: "medium" });
  item.replaceChildren(link, ` ${[against, rules, day].filter(Boolean).join(", ")}`);
  item.hidden = !heading;
}

// On the front page, list the tables that are still there. Those that are not over are asked for
// one after another, as the server limits what one address may ask at once.
async function listTables(section) {
  const rows = tables().map((table) => ({ table, item: document.createElement("li") }));
  const show = () => { section.hidden = !section.querySelector("li:not([hidden])"); };
  for (const { table, item } of rows) describe(item, table);
  section.querySelector("ul").append(...rows.map(({ item }) => item));
  show();
  for (const { table, item } of rows.filter((row) => !row.table.over)) {
    const asked = fetch(`${table.path}/part`, { headers: { "X-Part": "1" } });
    const answer = await asked.catch(() => ({}));
    const same = (other) => other.path === table.path;
    if (answer.status === 404) {
      item.remove();
      keep("tables", tables().filter((other) => !same(other)));
    } else if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      Object.assign(table, seen(page.querySelector(".table")));
      describe(item, table);
      keep("tables", tables().map((other) => (same(other) ? table : other)));
    }
    show();
  }
}

const ownTables = document.getElementById("tables");
if (ownTables) listTables(ownTables);

// Boards are one stop of Tab; the arrow keys walk over their points.

function oneStop(points, current) {
  points.forEach((button) => { button.tabIndex = button === current ? 0 : -1; });
}

// Go to the next point in the direction of a key; returns whether a point has the focus.
function walkPoints(points, event) {
  const n = points.indexOf(document.activeElement), size = Math.sqrt(points.length);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -size, ArrowDown: size };
  const step = steps[event.key];
  if (n < 0 || !step || event.altKey || event.ctrlKey || event.metaKey) return n >= 0;
  const next = n + step, row = (place) => Math.floor(place / size);
  const sideways = Math.abs(step) === 1;
  if (next < 0 || next >= points.length || (sideways && row(next) !== row(n))) return true;
  oneStop(points, points[next]);
  points[next].focus();
  event.preventDefault();
  return true;
}

// The board of a lesson; table.js walks over those of a table.
const taught = [...document.querySelectorAll(".points button")];
if (taught.length && !document.getElementById("part")) {
  const told = document.querySelector(".points").dataset.told;
  const middle = taught[Math.floor(taught.length / 2)];
  oneStop(taught, taught.find((button) => button.value === told) || middle);
  document.addEventListener("keydown", (event) => walkPoints(taught, event));
}

// A button that turns something on or off, where that can be done; returns whether it is on.
function switchable(key, turnOn, usual = false) {
  const button = document.getElementById(key);
  let on = recall(key, usual);
  const say = () => { button.textContent = on ? button.dataset.on : button.dataset.off; };
  button.hidden = false;
  say();
  button.addEventListener("click", async () => {
    on = !on && await turnOn();
    keep(key, on);
    say();
  });
  return () => on;
}

// Sounds, made here

// The frequency and the seconds of each sound.
const TONES = {
  turn: [900, 0.06],
  refused: [180, 0.18],
  capture: [520, 0.22],
  joined: [660, 0.3],
  end: [440, 0.5],
};
let audio = null;

function tone(name) {
  audio = audio || new AudioContext();
  const [frequency, seconds] = TONES[name];
  const source = audio.createOscillator(), volume = audio.createGain();
  const now = audio.currentTime, end = now + seconds;
  source.frequency.setValueAtTime(frequency, now);
  if (name === "turn") source.frequency.exponentialRampToValueAtTime(frequency / 5, end); // wood
  source.type = name === "refused" ? "square" : "sine";
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  source.connect(volume).connect(audio.destination);
  source.start();
  source.stop(end);
}

const sounds = switchable("sound", () => { tone("turn"); return true; }, true);

function play(name) { // browsers are silent before the first press on a page
  if (sounds() && name in TONES && navigator.userActivation?.hasBeenActive) tone(name);
}

// Notices, for somebody who looks at something else. Browsers allow them over https only.

let notices = () => false;
if ("Notification" in window && isSecureContext) {
  notices = switchable("notices", async () => await Notification.requestPermission() === "granted");
}

function notify(words) {
  if (!document.hidden || !notices() || Notification.permission !== "granted") return;
  try {
    const notice = new Notification(words, { icon: "/static/icon.svg", tag: location.pathname });
    notice.onclick = () => { window.focus(); notice.close(); };
  } catch { /* phones show none from a page: the title and the sound have to do */ }
}
