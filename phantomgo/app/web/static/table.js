// The page of a table: it fetches its changing part anew when the server names a new version.
// Without this script the forms and links still work; the page is then loaded again while it waits.
"use strict";

const place = document.getElementById("part");
const table = () => place && place.querySelector(".table");
let chosenMoment = ""; // after the game, the query of the moment and the board that are shown
const pageTitle = document.title;
let marking = false;
let enlarged = false;
let chosen = null; // the point that a first touch has chosen
let socket = null;
let silent = 0; // heartbeats that the server has not answered
let unsent = null; // the last press without an answer, and the version of the page it was made on
let requests = new AbortController(); // ends those that a dead network leaves waiting

// What is new

// The server's whole answer. Where there is none the socket has ended too, and the page says so.
async function asked(path, request) {
  try {
    const answer = await fetch(path, { ...request, headers: { "X-Part": "1" }, signal: requests.signal });
    return { ok: answer.ok, status: answer.status, onward: answer.headers.get("location"), text: await answer.text() };
  } catch { return { ok: false }; }
}

// What an element that has the focus is found by in the next part.
const named = (node) => node && (node.value || (node.matches("a, summary") && node.textContent));

async function refresh() {
  const before = table().dataset;
  const answer = await asked(`${before.base}/part${chosenMoment}`);
  if (answer.status === 404) location.reload(); // the link has become void, and the server says so
  if (!answer.ok) return;
  const name = (details) => details.querySelector("summary").textContent;
  const open = new Map([...place.querySelectorAll("details")].map((details) => [name(details), details.open]));
  const focus = named(document.activeElement);
  const { version, title, sound, heard } = before;
  replace(filled(new DOMParser().parseFromString(answer.text, "text/html").querySelector(".table")));
  for (const details of place.querySelectorAll("details")) {
    if (open.has(name(details))) details.open = open.get(name(details));
  }
  prepare(focus);
  attemptKept();
  if (version === table().dataset.version) return;
  const now = table().dataset; // a mark changes the page, and says nothing new
  if (heard !== now.heard || sound !== now.sound) play(now.sound);
  if (title !== table().dataset.title && table().dataset.title) notify(table().dataset.title);
}

// The part with a button on every empty point, which the server leaves out: most points are empty.
function filled(part) {
  const points = part.querySelector(".points");
  if (!points) return part;
  const size = Number(points.parentElement.className.match(/ n(\d+)/)[1]), { empty } = points.dataset;
  let next = points.firstElementChild;
  for (let n = 0; n < size * size; n += 1) {
    const value = "ABCDEFGHJKLMNOPQRSTUVWXYZ"[n % size] + (size - Math.floor(n / size));
    if (next && next.value === value) {
      next = next.nextElementSibling;
    } else {
      const button = Object.assign(document.createElement("button"), { name: "point", value });
      button.setAttribute("aria-label", empty.replace("{point}", value));
      points.insertBefore(button, next);
    }
  }
  return part;
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
  const current = points.find((button) => button.value === focus) || middle;
  oneStop(points, current);
  const same = focus && (points.find((b) => b.value === focus) || [...place.querySelectorAll("button, input, a, summary")].find((b) => named(b) === focus));
  if (same) same.focus({ preventScroll: true });
  const mark = place.querySelector("button[value=mark]");
  if (mark) mark.setAttribute("aria-pressed", marking);
  for (const button of place.querySelectorAll(".copy")) button.hidden = false;
  for (const button of place.querySelectorAll(".share")) button.hidden = !navigator.share;
  unfold(unfolded);
  const zoom = place.querySelector(".zoom");
  if (zoom) {
    zoom.hidden = !enlarged && middle.getBoundingClientRect().width >= 40;
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

let unfolded = false; // the rarer actions, which a small screen hides

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
  const { href } = linked(button), title = button.closest("details").querySelector("summary").textContent;
  navigator.share({ title, url: href }).catch(() => {}); // whoever thinks better of it has said so
}

// Copy a link. This needs neither https nor a permission; where it fails the link stays selected.
function copy(button) {
  getSelection().selectAllChildren(linked(button));
  button.textContent = document.execCommand("copy") ? button.dataset.copied : button.dataset.selected;
}

function listen() {
  const { base, final } = table().dataset;
  if (final !== undefined) return; // nothing will change
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${base}/live`);
  socket.onclose = lost;
  socket.onmessage = async (message) => {
    silent = 0;
    document.body.classList.remove("offline");
    if (message.data !== table().dataset.version) await refresh();
    const press = unsent, known = place.querySelector("[name=known]");
    unsent = null;
    if (!press) return;
    const [form, button] = press.sent, guess = button.name === "point" && (marking || form.matches(".mark"));
    const same = guess ? press.version === table().dataset.version : known && known.value === form.elements.known.value;
    if (same) send(form, button); // it did nothing yet; whatever else is new, as a review, doesn't matter
  };
}

const BEAT = 500; // milliseconds

// The network may be gone without a word: then heartbeats have no answer, and the fourth beat, two seconds
// after the last answer at most, says so. Once that is said, a new connection has time to open.
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

let clockBase = performance.now();

function tick() {
  for (const clock of place.querySelectorAll(".clock")) {
    const gone = clock.hasAttribute("data-running") ? (performance.now() - clockBase) / 1000 : 0;
    const left = Math.max(0, Math.floor(Number(clock.dataset.left) - gone));
    const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    clock.textContent = clock.dataset.words.replace("{clock}", shown);
    clock.classList.toggle("short", left < 30);
  }
}

// What is pressed

async function send(form, button) {
  const body = new URLSearchParams(new FormData(form, button)), { version } = table().dataset;
  if (button.name === "point" && marking) body.set("do", "mark");
  if (button.name === "do") unfold(false);
  for (const other of place.querySelectorAll(".pending")) other.classList.remove("pending");
  button.classList.add("pending");
  const answer = await asked(form.action, { method: "POST", body });
  if (!answer.status) {
    unsent = { version, sent: [form, button] };
    return;
  }
  setTimeout(() => button.classList.remove("pending"), 1000); // where nothing changes
  if (answer.onward) location.assign(answer.onward); // the rematch
  if (!answer.ok || !socket || socket.readyState !== 1) await refresh();
  if (answer.ok) return;
  const why = new DOMParser().parseFromString(answer.text, "text/html").querySelector("main h1"); // a proxy's page has none
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
  } else if (button.name === "do" || marking) {
    send(form, button);
  } else if (touched && chosen !== button && !guess) {
    // A misclick would give information away: the first touch chooses, the second attempts.
    if (chosen) chosen.classList.remove("chosen");
    chosen = button;
    chosen.classList.add("chosen");
    if (!recall("tapped", false)) place.querySelector(".answer").textContent = table().dataset.chosen; // said once
    keep("tapped", true);
  } else if (!guess) {
    send(form, button);
  } else if (table().dataset.chosen && !button.matches(".taken")) {
    keepAttempt(button.value);
  }
}

// One attempt may be chosen while the opponent is to move. Only this page knows of it until then.

let kept = ""; // its point

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

let touched = false;
let pointed = false; // the last press was not of a key

function walk(event) {
  if (walkPoints([...place.querySelectorAll(".points button")], event)) return;
  const slider = place.querySelector(".slider"), step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
  if (slider && document.activeElement !== slider) show(Number(slider.value) + step);
}

// After the game

let showing = false;

async function show(number, side, line) {
  const slider = place.querySelector(".slider");
  const at = Math.max(0, Math.min(Number(number), Number(slider.max)));
  const shown = place.querySelector(".switch [aria-current]").dataset.side;
  chosenMoment = `?at=${at}&side=${side || shown}${line ? `&line=${line}` : ""}`;
  history.replaceState(null, "", table().dataset.base + chosenMoment);
  if (showing) return;
  showing = true;
  let done = null;
  while (done !== chosenMoment) {
    done = chosenMoment;
    await refresh();
  }
  showing = false;
}

// On the graph, write Black's chance where the pointer is, and show the moment of a click.
function graphed(event) {
  const graph = event.target.closest(".graph svg");
  if (!graph || event.target.matches(".dot")) return;
  const { left, width } = graph.getBoundingClientRect();
  const n = Math.round((event.clientX - left) / width * place.querySelector(".slider").max);
  const [, height] = graph.querySelector(".area").getAttribute("d").split("L")[n + 1].split(" ");
  place.querySelector(".numbers span:nth-child(2)").textContent = `${n}: ${Math.round(100 - height / .8)} %`;
  if (event.type === "click") show(n);
}

if (table()) {
  if (!table().matches(".watch")) keepTable(table());
  if (place.querySelector(".slider")) chosenMoment = location.search;
  prepare(null);
  listen();
  setInterval(tick, 250);
  setInterval(beat, BEAT);
  place.addEventListener("submit", submit);
  document.addEventListener("keydown", walk);
  document.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; pointed = true; }, true);
  document.addEventListener("keydown", () => { touched = pointed = false; }, true);
  place.addEventListener("click", (event) => {
    if (event.target.matches(".copy")) copy(event.target);
    if (event.target.matches(".share")) share(event.target);
    if (event.target.matches(".others")) unfold(!unfolded);
    if (event.target.matches(".zoom")) enlarge();
    graphed(event);
    const link = event.target.closest("[data-at]");
    if (!link) return;
    event.preventDefault();
    show(link.dataset.at, link.dataset.side, link.dataset.line);
    place.querySelector(".row").scrollIntoView({ block: "nearest" }); // on a phone the lists lie below the board
  });
  place.addEventListener("pointermove", graphed);
  place.addEventListener("input", (event) => { if (event.target.matches(".slider")) show(event.target.value); });
}
