// The page of a table: it fetches its changing part anew when the server names a new version.
// Without this script the forms and links still work; the page is then loaded again while it waits.
"use strict";

const place = document.getElementById("part");
const table = () => place && place.querySelector(".table");
const pageTitle = document.title;
const BEAT = 500; // milliseconds between two heartbeats

// What only this page knows.
let socket = null;
let silent = 0; // heartbeats that the server has not answered
let requests = new AbortController(); // ends those that a dead network leaves waiting
let unsent = null; // the last press without an answer, and the version of the page it was made on
let clockBase = performance.now(); // when the server last told the clocks
let marking = false; // a press marks a guess
let enlarged = false; // the board, on a small screen
let unfolded = false; // the rarer actions, which a small screen hides
let chosen = null; // the point, or the button to pass, that a first touch has chosen
let kept = ""; // the point that is to be attempted in one's turn
let touched = false; // the last press was by a finger
let pointed = false; // the last press was not of a key
let shownMoment = ""; // after the game, the query of the moment and the board that are shown
let showing = false; // they are being fetched

// What is new

// The server's whole answer. Where there is none the socket has ended too, and the page says so.
async function ask(path, request) {
  try {
    const headers = { "X-Part": "1" };
    const answer = await fetch(path, { ...request, headers, signal: requests.signal });
    const onward = answer.headers.get("location");
    return { ok: answer.ok, status: answer.status, onward, text: await answer.text() };
  } catch { return { ok: false }; }
}

// The words by which an element that has the focus is found again in the next part.
const wordsOf = (node) => node && (node.value || (node.matches("a, summary") && node.textContent));

async function refresh() {
  const before = table().dataset;
  const answer = await ask(`${before.base}/part${shownMoment || `?heard=${before.heard}`}`);
  if (answer.status === 404) location.reload(); // the link has become void, and the server says so
  if (!answer.ok) return;
  const summary = (details) => details.querySelector("summary").textContent;
  const open = new Map();
  for (const details of place.querySelectorAll("details")) open.set(summary(details), details.open);
  const focus = wordsOf(document.activeElement);
  const { version, title, sound, heard } = before;
  const fresh = new DOMParser().parseFromString(answer.text, "text/html").querySelector(".table");
  addPoints(fresh);
  completeLog(fresh);
  replace(fresh);
  for (const details of place.querySelectorAll("details")) {
    if (open.has(summary(details))) details.open = open.get(summary(details));
  }
  prepare(focus);
  attemptKept();
  const now = table().dataset;
  if (version === now.version) return;
  if (heard !== now.heard || sound !== now.sound) play(now.sound); // a mark says nothing new
  if (title !== now.title && now.title) notify(now.title);
}

// Make the buttons of all points: the server sends the points of each state as a group.
function addPoints(part) {
  const points = part.querySelector(".points");
  if (!points) return;
  const size = Number(points.parentElement.className.match(/ n(\d+)/)[1]);
  const groups = new Map();
  for (const group of points.children) {
    for (const value of group.dataset.points.split(" ")) groups.set(value, group);
  }
  const buttons = Array.from({ length: size * size }, (_, n) => {
    const value = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[n % size] + (size - Math.floor(n / size));
    const button = Object.assign(document.createElement("button"), { name: "point", value });
    const group = groups.get(value);
    const label = group ? group.textContent : points.dataset.empty;
    button.setAttribute("aria-label", label.replace("{point}", value));
    if (group) button.className = group.className;
    return button;
  });
  points.replaceChildren(...buttons);
}

// Complete the log, of which the server sends only what may be new.
function completeLog(part) {
  const log = part.querySelector(".log ol");
  if (!log || log.start === 1) return;
  const known = [...place.querySelectorAll(".log li")];
  log.prepend(...known.slice(0, log.start - 1));
  log.start = 1;
}

// Put a new part in the place of the old one. Nodes that are read aloud stay in the page and get
// new text: many screen readers say nothing of a live node that is new itself.
function replace(fresh) {
  const old = table(), aside = old.querySelector("aside");
  for (const name of old.getAttributeNames()) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  const { scrollLeft, scrollTop } = old.querySelector(".row");
  old.querySelector(".boards").replaceWith(fresh.querySelector(".boards"));
  old.querySelector(".row").scrollTo(scrollLeft, scrollTop);
  const live = (node) => node.matches(".answer, .offer, .news");
  for (const node of [...aside.children]) if (!live(node)) node.remove();
  let next = aside.firstElementChild;
  for (const node of [...fresh.querySelector("aside").children]) {
    if (!live(node)) {
      aside.insertBefore(node, next);
    } else {
      if (next.textContent !== node.textContent) next.textContent = node.textContent;
      next = next.nextElementSibling;
    }
  }
}

// Prepare a new part; the element with these words, a point if there is one, gets the focus.
function prepare(focus) {
  const { title } = table().dataset;
  document.title = title ? `${title} - phantomgo` : pageTitle;
  chosen = null;
  place.classList.toggle("marking", marking);
  showKept();
  const log = place.querySelector(".log ol");
  if (log) log.scrollTop = log.scrollHeight;
  const points = [...place.querySelectorAll(".points button")];
  const middle = points[Math.floor(points.length / 2)];
  const focused = points.find((button) => button.value === focus);
  oneStop(points, focused || middle);
  const others = [...place.querySelectorAll("button, input, a, summary")];
  const same = focused || others.find((node) => wordsOf(node) === focus);
  if (focus && same) same.focus({ preventScroll: true });
  const mark = place.querySelector("button[value=mark]");
  if (mark) mark.setAttribute("aria-pressed", marking);
  for (const button of place.querySelectorAll(".copy")) button.hidden = false;
  for (const button of place.querySelectorAll(".share")) button.hidden = !navigator.share;
  unfold(unfolded);
  const zoom = place.querySelector(".zoom");
  if (zoom) {
    zoom.hidden = !enlarged && middle.getBoundingClientRect().width >= 30;
    zoom.setAttribute("aria-pressed", enlarged);
  }
  clockBase = performance.now();
}

// Make the points of a large board as large as a finger, from its middle on.
function enlarge() {
  enlarged = !enlarged;
  place.classList.toggle("enlarged", enlarged);
  const row = place.querySelector(".row");
  row.scrollTo((row.scrollWidth - row.clientWidth) / 2, (row.scrollHeight - row.clientHeight) / 2);
  prepare(null);
}

function unfold(on) {
  unfolded = on;
  const others = place.querySelector(".others");
  if (!others) return;
  others.hidden = false;
  others.setAttribute("aria-expanded", on);
}

// The link that a button beside it is about.
const linked = (button) => button.closest("details").querySelector(".invite");

// Hand a link to another program of this device, where the browser can.
function share(button) {
  const { href } = linked(button);
  const title = button.closest("details").querySelector("summary").textContent;
  navigator.share({ title, url: href }).catch(() => {}); // whoever thinks better of it has said so
}

// Copy a link. This needs neither https nor a permission; where it fails the link stays selected.
function copy(button) {
  getSelection().selectAllChildren(linked(button));
  const { copied, selected } = button.dataset;
  button.textContent = document.execCommand("copy") ? copied : selected;
}

function listen() {
  const { base, final } = table().dataset;
  if (final !== undefined) return; // nothing will change
  const protocol = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${protocol}://${location.host}${base}/live`);
  socket.onclose = lost;
  socket.onmessage = async (message) => {
    silent = 0;
    document.body.classList.remove("offline");
    if (message.data !== table().dataset.version) await refresh();
    sendAgain();
  };
}

// Repeat the last press if it had no answer and has done nothing yet; whatever else is new, such as
// a review, doesn't matter.
function sendAgain() {
  const press = unsent;
  unsent = null;
  if (!press) return;
  const { form, button, version } = press;
  const guess = button.name === "point" && (marking || form.matches(".mark"));
  const known = place.querySelector("[name=known]");
  const undone = guess
    ? version === table().dataset.version
    : known && known.value === form.elements.known.value;
  if (undone) send(form, button);
}

// The network may be gone without a word: then heartbeats have no answer, and the fourth beat, two
// seconds after the last answer at most, says so. Once that is said, a new connection has time to
// open.
function beat() {
  if (!socket || document.hidden) return;
  if (silent === (document.body.classList.contains("offline") ? 6 : 3)) return lost();
  silent += 1;
  if (socket.readyState === 1) socket.send("");
}

function lost() {
  document.body.classList.add("offline");
  socket.onclose = socket.onmessage = null;
  socket.close();
  socket = null;
  silent = 0;
  requests.abort();
  requests = new AbortController();
  refresh();
  setTimeout(listen, 1000);
}

// Clocks run here between two looks

function tick() {
  for (const clock of place.querySelectorAll(".clock")) {
    const gone = clock.hasAttribute("data-running") ? (performance.now() - clockBase) / 1000 : 0;
    const left = Math.max(0, Math.floor(Number(clock.dataset.left) - gone));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.classList.toggle("short", left < 30);
  }
}

// What is pressed

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button));
  const { version } = table().dataset;
  if (button.name === "point" && marking) body.set("do", "mark");
  if (button.name === "do") unfold(false);
  for (const other of place.querySelectorAll(".pending")) other.classList.remove("pending");
  button.classList.add("pending");
  const answer = await ask(form.action, { method: "POST", body });
  if (!answer.status) {
    unsent = { version, form, button };
    return;
  }
  setTimeout(() => button.classList.remove("pending"), 1000); // where nothing changes
  if (answer.onward) location.assign(answer.onward); // the rematch
  if (!answer.ok || !socket || socket.readyState !== 1) await refresh();
  if (answer.ok) return;
  const page = new DOMParser().parseFromString(answer.text, "text/html");
  const why = page.querySelector("main h1"); // a proxy's page has none
  if (why) place.querySelector(".answer").textContent = why.textContent;
}

function submit(event) {
  const form = event.target, button = event.submitter, guess = form.matches(".mark");
  if (!form.matches(".attempt, .mark, .actions, .try") || !button) return;
  event.preventDefault();
  if (form.matches(".try")) {
    if (pointed) button.blur(); // the arrow keys go on stepping through the game
    const line = [form.elements.line.value, button.value].filter(Boolean).join(".");
    show(place.querySelector(".slider").value, "", line);
  } else if (button.value === "mark") {
    marking = !marking;
    unfolded = false;
    prepare(button.value);
  } else if (touched && button.dataset.again && button !== chosen) {
    choose(button, button.dataset.again);
  } else if (button.name === "do" || marking) {
    send(form, button);
  } else if (touched && button !== chosen && !guess) {
    choose(button, recall("tapped", false) ? "" : table().dataset.chosen); // said once
    keep("tapped", true);
  } else if (!guess) {
    send(form, button);
  } else if (table().dataset.chosen && !button.matches(".taken")) {
    keepAttempt(button.value);
  }
}

// A misclick would give information away: the first touch chooses, the second attempts.
function choose(button, words) {
  if (chosen) chosen.classList.remove("chosen");
  chosen = button;
  chosen.classList.add("chosen");
  place.querySelector(".answer").textContent = words;
}

// One attempt may be chosen while the opponent is to move. Only this page knows of it until then.

function keepAttempt(point) {
  kept = kept === point ? "" : point;
  showKept();
  place.querySelector(".answer").textContent = kept && table().dataset.chosen;
}

function showKept() {
  for (const button of place.querySelectorAll(".mark .points button")) {
    if (button.value === kept) button.setAttribute("aria-pressed", "true");
    else button.removeAttribute("aria-pressed");
  }
}

function attemptKept() {
  const due = kept && place.querySelector(`.attempt .points button[value=${kept}]`);
  if (!due) return;
  kept = "";
  send(due.form, due);
}

function walk(event) {
  if (walkPoints([...place.querySelectorAll(".points button")], event)) return;
  const slider = place.querySelector(".slider"), step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  if (slider && document.activeElement !== slider) show(Number(slider.value) + step);
}

// After the game

async function show(number, side, line) {
  const slider = place.querySelector(".slider");
  const at = Math.max(0, Math.min(Number(number), Number(slider.max)));
  const shown = place.querySelector(".switch [aria-current]").dataset.side;
  shownMoment = `?at=${at}&side=${side || shown}${line ? `&line=${line}` : ""}`;
  history.replaceState(null, "", table().dataset.base + shownMoment);
  if (showing) return;
  showing = true;
  let done = null;
  while (done !== shownMoment) {
    done = shownMoment;
    await refresh();
  }
  showing = false;
}

// On the graph, write Black's chance where the pointer is, and show the moment of a click.
function pointAtGraph(event) {
  const graph = event.target.closest(".graph svg");
  if (!graph || event.target.matches(".dot")) return;
  const { left, width } = graph.getBoundingClientRect();
  const n = Math.round((event.clientX - left) / width * place.querySelector(".slider").max);
  const [, height] = graph.querySelector(".area").getAttribute("d").split("L")[n + 1].split(" ");
  const middle = place.querySelector(".numbers span:nth-child(2)");
  middle.textContent = `${n}: ${Math.round(100 - height / .8)} %`;
  if (event.type === "click") show(n);
}

if (table()) {
  if (!table().matches(".watch")) keepTable(table());
  if (place.querySelector(".slider")) shownMoment = location.search;
  prepare(null);
  listen();
  setInterval(tick, 250);
  setInterval(beat, BEAT);
  place.addEventListener("submit", submit);
  document.addEventListener("keydown", walk);
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    pointed = true;
  }, true);
  document.addEventListener("keydown", () => { touched = pointed = false; }, true);
  place.addEventListener("click", (event) => {
    if (event.target.matches(".copy")) copy(event.target);
    if (event.target.matches(".share")) share(event.target);
    if (event.target.matches(".others")) unfold(!unfolded);
    if (event.target.matches(".zoom")) enlarge();
    pointAtGraph(event);
    const link = event.target.closest("[data-at]");
    if (!link) return;
    event.preventDefault();
    show(link.dataset.at, link.dataset.side, link.dataset.line);
    // On a phone the lists lie below the board.
    place.querySelector(".row").scrollIntoView({ block: "nearest" });
  });
  place.addEventListener("pointermove", pointAtGraph);
  place.addEventListener("input", (event) => {
    if (event.target.matches(".slider")) show(event.target.value);
  });
}
