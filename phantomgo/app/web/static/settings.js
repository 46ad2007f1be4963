// What this device remembers: its tables, the lessons played there, and its settings.
"use strict";

function recall(key, usual) {
  try { return JSON.parse(localStorage.getItem(key)) ?? usual; } catch { return usual; }
}

function keep(key, value) {
  try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* not allowed to */ }
}

// Keep the path of a seat, so that it is found again without its tab.
function keepTable(path) {
  keep("tables", [path, ...recall("tables", []).filter((other) => other !== path)].slice(0, 10));
}

// Mark the lessons that were played to their end.
const ended = document.querySelector("[data-lesson]");
const played = recall("lessons", []);
if (ended) keep("lessons", [...played, ended.dataset.lesson]);
document.querySelectorAll(".lesson nav li").forEach((item, n) => item.classList.toggle("played", recall("lessons", []).includes(`${n + 1}`)));

// On the front page, list the tables that are still there, with whose turn it is.
async function listTables(section) {
  const asked = recall("tables", []).map(async (path) => {
    const answer = await fetch(`${path}/part`, { headers: { "X-Part": "1" } });
    if (!answer.ok) return [];
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    const link = document.createElement("a"), item = document.createElement("li");
    link.href = path;
    link.textContent = part.querySelector("h1").textContent;
    item.append(link, ` ${part.querySelector(".rules").textContent}`);
    return [item];
  });
  section.querySelector("ul").append(...(await Promise.all(asked)).flat());
  section.hidden = !section.querySelector("li");
}

const ownTables = document.getElementById("tables");
if (ownTables) listTables(ownTables);

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

const TONES = { turn: [900, 0.06], refused: [180, 0.18], capture: [520, 0.22], joined: [660, 0.3], end: [440, 0.5] };
let audio = null;

function tone(name) {
  audio = audio || new AudioContext();
  const [frequency, seconds] = TONES[name];
  const source = audio.createOscillator(), volume = audio.createGain();
  source.frequency.setValueAtTime(frequency, audio.currentTime);
  if (name === "turn") source.frequency.exponentialRampToValueAtTime(frequency / 5, audio.currentTime + seconds); // wood
  source.type = name === "refused" ? "square" : "sine";
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + seconds);
  source.connect(volume).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + seconds);
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
