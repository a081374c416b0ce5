"use strict";
/*
 * The page around a drawing: panning, search, details.
 *
 * Names from the model only ever become text (textContent).  Fast with tens of thousands of
 * boxes: the drawing moves by the transform of one element, only cells near the window are in
 * the document, and search scans one string per box.
 */
(() => {
const SVG = "http://www.w3.org/2000/svg";
const NEAREST = 8;
const READABLE = 0.7; /* minimum scale after a jump to a box */
const FAR = 0.09;     /* below, text is unreadable: draw plans */
const MARGIN = 60;    /* pixels of the drawing that always stay visible */

const by = id => document.getElementById(id);
const stage = by("stage"), panel = by("panel"), query = by("query");
const svg = stage.querySelector("svg"), graph = svg.querySelector("g.graph");
const data = JSON.parse(by("data").textContent);
const size = svg.viewBox.baseVal;
const view = {x: 0, y: 0, scale: 1}; /* pixel = drawing * scale + (x, y) */

/* ---- positions, in drawing coordinates ---- */

const boxes = new Map(); /* item -> {x, y, width, height} */
const edges = [];        /* {from, to, path: its d} */
const wires = new Map(); /* item -> its edges */

function cornersOf(rect) {
	const [x, y, width, height] = ["x", "y", "width", "height"].map(name => Number(rect.getAttribute(name)));

	return [x, y, x + width, y + height];
}

/* Parsed from the shapes: getBBox would make the browser lay out everything. */
function boundsOf(group) {
	let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;

	for (const shape of group.querySelectorAll("rect, polygon, polyline, path")) {
		const numbers = shape.localName === "rect" ? cornersOf(shape)
			: (shape.getAttribute("points") || shape.getAttribute("d") || "").match(/-?[\d.]+/g) || [];

		for (let i = 0; i + 1 < numbers.length; i += 2) {
			const x = Number(numbers[i]), y = Number(numbers[i + 1]);

			left = Math.min(left, x);
			right = Math.max(right, x);
			top = Math.min(top, y);
			bottom = Math.max(bottom, y);
		}
	}
	return left <= right ? {x: left, y: top, width: right - left, height: bottom - top} : null;
}

/* Of a box its item, of a line those at its ends.  In Graphviz's drawings they are in the <title>, which is no name for a person. */
function idsOf(group) {
	const title = group.querySelector("title");
	let text = group.dataset.item || group.dataset.ends;

	if (!text && title) {
		text = title.textContent;
		title.remove();
	}
	return (text ? text.match(/\d+/g) || [] : []).map(Number);
}

/* The offset from drawing coordinates to pixels at scale 1. */
const moves = graph.transform.baseVal.consolidate();
const origin = moves ? {x: moves.matrix.e - size.x, y: moves.matrix.f - size.y} : {x: -size.x, y: -size.y};

/* ---- cells: only visible ones are in the document ---- */

/*
 * Cells form one grid per size; an element is in the cell of its size that contains its centre.
 * When zoomed out, each cell shows a plan: one path for its boxes, one for its edges.  Hiding a
 * part is not enough: browsers lay out hidden groups too.
 */
const SMALLEST = 2048;
const layers = {}, cells = new Map();

const layerOf = {cluster: "cluster", edge: "edge", node: "node", lines: "plan", boxes: "plan", found: "found"};

function makeElement(name, className, parent) {
	const made = document.createElementNS(SVG, name);

	made.setAttribute("class", className);
	if (parent)
		parent.append(made);
	return made;
}

for (const kind of ["cluster", "edge", "node", "plan", "found"])
	layers[kind] = makeElement("g", "layer", graph);
for (const kind of ["wire", "current", "chosen"])
	layers[kind] = makeElement("path", kind, graph);

function cellOf(box) {
	let side = SMALLEST;

	while (side < Math.max(box.width, box.height))
		side *= 2;
	const key = [side, Math.floor((box.x + box.width / 2) / side), Math.floor((box.y + box.height / 2) / side)].join(" ");

	if (!cells.has(key))
		cells.set(key, {left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity,
			parts: {}, items: [], edges: [], planned: false});
	const cell = cells.get(key);

	cell.left = Math.min(cell.left, box.x);
	cell.top = Math.min(cell.top, box.y);
	cell.right = Math.max(cell.right, box.x + box.width);
	cell.bottom = Math.max(cell.bottom, box.y + box.height);
	return cell;
}

function partOf(cell, kind, name = "g") {
	if (!cell.parts[kind])
		cell.parts[kind] = makeElement(name, name === "g" ? "cell" : kind);
	return cell.parts[kind];
}

function sortAway() {
	for (const kind of ["cluster", "edge", "node"]) {
		for (const group of graph.querySelectorAll(`g.${kind}`)) {
			const box = boundsOf(group), numbers = idsOf(group);

			if (!box)
				continue;
			const cell = cellOf(box);

			partOf(cell, kind).append(group);
			if (kind === "node") {
				boxes.set(numbers[0], box);
				cell.items.push(numbers[0]);
			} else if (kind === "edge") {
				const line = group.querySelector("path");

				edges.push({from: numbers[0], to: numbers[1], path: line ? line.getAttribute("d") : ""});
				cell.edges.push(edges.length - 1);
			}
		}
	}
	for (const edge of edges) {
		for (const end of new Set([edge.from, edge.to])) {
			if (!wires.has(end))
				wires.set(end, []);
			wires.get(end).push(edge);
		}
	}
}

const rectangle = (b, room) =>
	`M${b.x - room} ${b.y - room}h${b.width + 2 * room}v${b.height + 2 * room}h${-b.width - 2 * room}z`;

function makePlan(cell) {
	cell.planned = true;
	if (cell.edges.length)
		partOf(cell, "lines", "path").setAttribute("d", cell.edges.map(i => {
			const numbers = edges[i].path.match(/-?[\d.]+/g) || [0, 0];

			return `M${numbers[0]} ${numbers[1]}L${numbers[numbers.length - 2]} ${numbers[numbers.length - 1]}`;
		}).join(""));
	if (cell.items.length)
		partOf(cell, "boxes", "path").setAttribute("d", cell.items.map(item => rectangle(boxes.get(item), 0)).join(""));
}

function placeParts(cell, away, far) {
	if (far && !away && !cell.planned)
		makePlan(cell);
	for (const [kind, part] of Object.entries(cell.parts)) {
		const layer = layerOf[kind], wanted = !away && (layer === "found" || far === (layer === "plan"));

		if (wanted && !part.parentNode)
			layers[layer].append(part);
		else if (!wanted && part.parentNode)
			part.remove();
	}
}

/* Includes half a screen on each side, ready for panning. */
function showCells() {
	const width = stage.clientWidth / view.scale, height = stage.clientHeight / view.scale;
	const left = -view.x / view.scale - origin.x - width / 2, top = -view.y / view.scale - origin.y - height / 2;

	for (const cell of cells.values())
		placeParts(cell, cell.right < left || cell.left > left + 2 * width || cell.bottom < top || cell.top > top + 2 * height,
			view.scale < FAR);
}

/* ---- panning and zooming ---- */

let due = false;

const fitting = () => Math.min(stage.clientWidth / size.width, stage.clientHeight / size.height);
const farthest = () => Math.min(fitting() * 0.9, 1);

function show() {
	due = false;
	showCells();
	svg.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
	by("scale").textContent = `${(view.scale * 100).toFixed(view.scale < 0.1 ? 1 : 0)}\u00a0%`;
}

function moved() {
	const width = size.width * view.scale, height = size.height * view.scale;

	view.x = Math.min(Math.max(view.x, MARGIN - width), stage.clientWidth - MARGIN);
	view.y = Math.min(Math.max(view.y, MARGIN - height), stage.clientHeight - MARGIN);
	if (!due) {
		due = true;
		requestAnimationFrame(show);
	}
}

function pan(dx, dy) {
	view.x += dx;
	view.y += dy;
	moved();
}

/* Keeps this pixel fixed. */
function zoom(factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
	const scale = Math.min(Math.max(view.scale * factor, farthest()), NEAREST);

	view.x = x - (x - view.x) * scale / view.scale;
	view.y = y - (y - view.y) * scale / view.scale;
	view.scale = scale;
	moved();
}

/* Keeps the centre fixed when the stage changes its size. */
const room = {width: 0, height: 0};

function resized() {
	view.x += (stage.clientWidth - room.width) / 2;
	view.y += (stage.clientHeight - room.height) / 2;
	room.width = stage.clientWidth;
	room.height = stage.clientHeight;
	moved();
}

function fit() {
	view.scale = Math.min(fitting(), NEAREST);
	view.x = (stage.clientWidth - size.width * view.scale) / 2;
	view.y = (stage.clientHeight - size.height * view.scale) / 2;
	moved();
}

/* The whole drawing if readable; else its top, at the first box. */
function start() {
	let first = null;

	fit();
	if (view.scale >= READABLE) {
		view.scale = Math.min(view.scale, 1.25);
		view.x = (stage.clientWidth - size.width * view.scale) / 2;
		view.y = (stage.clientHeight - size.height * view.scale) / 2;
		return moved();
	}
	for (const box of boxes.values()) {
		if (!first || box.y < first.y)
			first = box;
	}
	view.scale = Math.min(Math.max(stage.clientWidth / size.width, READABLE), 1);
	view.x = (stage.clientWidth - size.width * view.scale) / 2;
	view.y = 8;
	if (first && size.width * view.scale > stage.clientWidth)
		view.x = stage.clientWidth / 2 - (first.x + first.width / 2 + origin.x) * view.scale;
	moved();
}

function goTo(item) {
	const box = boxes.get(item);

	if (!box)
		return;
	view.scale = Math.max(view.scale, READABLE);
	view.x = stage.clientWidth / 2 - (box.x + box.width / 2 + origin.x) * view.scale;
	view.y = stage.clientHeight / 2 - (box.y + box.height / 2 + origin.y) * view.scale;
	moved();
}

/* ---- search ---- */

const texts = data.items.map(item => [
	item.title, item.name, ...item.in.flatMap(v => [v[0], v[1]]), ...item.out.flatMap(v => [v[0], v[1]]),
	...(item.inside || []).flat(),
].join("\n").toLowerCase());
let found = [], current = -1, sought = "";

function tellFound() {
	by("count").textContent = !sought ? "" : found.length === 0 ? "no match" :
		current < 0 ? `${found.length} found` : `${current + 1} of ${found.length}`;
	by("next").disabled = by("previous").disabled = found.length === 0;
}

function markFound(wanted) {
	for (const cell of cells.values()) {
		const hits = wanted.size ? cell.items.filter(item => wanted.has(item)) : [];

		if (hits.length || cell.parts.found)
			partOf(cell, "found", "path").setAttribute("d", hits.map(item => rectangle(boxes.get(item), 4)).join(""));
	}
	moved();
}

function search() {
	sought = query.value.trim().toLowerCase();
	found = [];
	if (sought) {
		texts.forEach((text, item) => {
			if (text.includes(sought))
				found.push(item);
		});
	}
	current = -1;
	markFound(new Set(found));
	layers.current.setAttribute("d", "");
	tellFound();
}

function walk(step) {
	if (query.value.trim().toLowerCase() !== sought)
		search();
	if (found.length === 0)
		return;
	current = current < 0 ? (step > 0 ? 0 : found.length - 1) : (current + step + found.length) % found.length;
	if (boxes.has(found[current]))
		layers.current.setAttribute("d", rectangle(boxes.get(found[current]), 4));
	choose(found[current]);
	goTo(found[current]);
	tellFound();
}

/* ---- details ---- */

function element(name, className, ...children) {
	const made = document.createElement(name);

	made.className = className;
	made.append(...children);
	return made;
}

function link(text, item) {
	const made = element("button", "go", text);

	made.type = "button";
	made.addEventListener("click", () => {
		choose(item);
		goTo(item);
	});
	return made;
}

function section(title, rows, most = 200) {
	if (rows.length === 0)
		return;
	panel.append(element("h3", "", title));
	panel.append(element("ul", "", ...rows.slice(0, most).map(row => row())));
	if (rows.length > most)
		panel.append(element("p", "name", `and ${rows.length - most} more`));
}

const tensorRows = (values, chosen) => values.map(([name, type, giver]) => () =>
	element("li", "", giver >= 0 && giver !== chosen ? link(name || "(no name)", giver) : name || "(no name)",
		element("span", "type", type)));

const insideRow = ([op, name, type], className) => () =>
	element("li", className, element("span", "op", op), ` ${name}`, element("span", "type", type));

const kinds = {input: "input", outer: "from the outer graph", output: "output", node: "", scope: "folded"};

function details(item) {
	const about = data.items[item];
	const isHit = row => sought && row.join("\n").toLowerCase().includes(sought);
	const inside = about.inside || [];
	const counts = new Map();
	const close = element("button", "close", "\u00d7");

	close.type = "button";
	close.title = "Close (Esc)";
	close.addEventListener("click", () => choose(-1));
	panel.replaceChildren(close, element("h2", "", about.title || "(no operator)"),
		element("p", "name", [kinds[about.kind], about.graph, about.domain, about.name].filter(Boolean).join(" \u00b7 ")));
	section("Problems", (about.findings || []).map(([level, sentence, steps]) => () =>
		element("li", "bad", element("span", "op", level), ` ${sentence}`,
			element("pre", "steps", steps.join("\n")))));
	section("Found inside", inside.filter(isHit).map(row => insideRow(row, "hit")));
	section("Inputs", tensorRows(about.in, item));
	section("Outputs", tensorRows(about.out, item));
	section("Attributes", (about.attributes || []).map(([name, value]) => () =>
		element("li", "", element("span", "op", name), ` = ${value}`)));
	const readers = [...new Set((wires.get(item) || []).filter(edge => edge.from === item).map(edge => edge.to))];

	section("Read by", readers.map(to => () => element("li", "",
		link(`${data.items[to].title}${data.items[to].kind === "node" ? ` ${data.items[to].name}` : ""}`, to))), 50);
	for (const [op] of inside)
		counts.set(op, (counts.get(op) || 0) + 1);
	section("Operators inside", [...counts].sort((a, b) => b[1] - a[1]).map(([op, n]) => () =>
		element("li", "", element("span", "op", op), ` ${n}`)), 12);
	section("Inside", inside.map(row => insideRow(row, "")));
	panel.scrollTop = 0;
}


function choose(item) {
	layers.chosen.setAttribute("d", boxes.has(item) ? rectangle(boxes.get(item), 1) : "");
	layers.wire.setAttribute("d", (wires.get(item) || []).map(edge => edge.path).join(""));
	if (item >= 0)
		details(item);
	panel.hidden = item < 0;
	resized();
}

/* ---- mouse, touch, keyboard ---- */

const held = new Map(); /* pointer -> its last position */
let dragged = false, pressed = null;

const placeOf = event => {
	const frame = stage.getBoundingClientRect();

	return {x: event.clientX - frame.left, y: event.clientY - frame.top};
};

function itemAt(place) {
	const x = (place.x - view.x) / view.scale - origin.x, y = (place.y - view.y) / view.scale - origin.y;

	for (const [item, b] of boxes) {
		if (x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height)
			return item;
	}
	return -1;
}

stage.addEventListener("pointerdown", event => {
	if (event.pointerType === "mouse" && event.button !== 0)
		return;
	if (held.size === 0) {
		dragged = false;
		pressed = placeOf(event);
	}
	held.set(event.pointerId, placeOf(event));
	if (document.activeElement !== document.body)
		document.activeElement.blur();
	event.preventDefault();
});

function pinch(event, from, to) {
	const [id] = [...held.keys()].filter(other => other !== event.pointerId);
	const other = held.get(id);
	const before = Math.hypot(from.x - other.x, from.y - other.y), after = Math.hypot(to.x - other.x, to.y - other.y);

	pan((to.x - from.x) / 2, (to.y - from.y) / 2);
	if (before > 0)
		zoom(after / before, (to.x + other.x) / 2, (to.y + other.y) / 2);
}

stage.addEventListener("pointermove", event => {
	const from = held.get(event.pointerId), to = placeOf(event);

	if (!from)
		return;
	if (!dragged && Math.hypot(to.x - pressed.x, to.y - pressed.y) < 4 && held.size === 1)
		return;
	if (!dragged) {
		dragged = true;
		stage.classList.add("held");
		stage.setPointerCapture(event.pointerId);
	}
	if (held.size === 1)
		pan(to.x - from.x, to.y - from.y);
	else
		pinch(event, from, to);
	held.set(event.pointerId, to);
});

function released(event) {
	if (!held.delete(event.pointerId) || held.size > 0)
		return;
	stage.classList.remove("held");
	if (!dragged && event.type === "pointerup")
		choose(itemAt(pressed));
}

addEventListener("pointerup", released);
addEventListener("pointercancel", released);

stage.addEventListener("wheel", event => {
	const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? stage.clientHeight : 1;
	const {x, y} = placeOf(event);

	/* A pinch on a touchpad arrives as small steps with Ctrl. */
	zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
	event.preventDefault();
}, {passive: false});

const STEP = 80;
const keys = {
	"+": () => zoom(1.25),
	"=": () => zoom(1.25),
	"-": () => zoom(0.8),
	"0": start,
	"f": fit,
	"n": () => walk(1),
	"N": () => walk(-1),
	"/": () => query.select(),
	"Escape": () => choose(-1),
	"ArrowLeft": () => pan(STEP, 0),
	"ArrowRight": () => pan(-STEP, 0),
	"ArrowUp": () => pan(0, STEP),
	"ArrowDown": () => pan(0, -STEP),
	"PageUp": () => pan(0, stage.clientHeight * 0.9),
	"PageDown": () => pan(0, -stage.clientHeight * 0.9),
};

addEventListener("keydown", event => {
	if (event.target === query || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys))
		return;
	if (panel.contains(event.target) && event.key.startsWith("Page"))
		return;
	keys[event.key]();
	event.preventDefault();
});

query.addEventListener("keydown", event => {
	if (event.key === "Enter")
		walk(event.shiftKey ? -1 : 1);
	else if (event.key === "Escape" && query.value === "")
		query.blur();
	else if (event.key === "Escape")
		query.value = "", search();
	else
		return;
	event.preventDefault();
});
query.addEventListener("input", search);
by("next").addEventListener("click", () => walk(1));
by("previous").addEventListener("click", () => walk(-1));
by("nearer").addEventListener("click", () => zoom(1.25));
by("farther").addEventListener("click", () => zoom(0.8));
by("scale").addEventListener("click", start);
by("whole").addEventListener("click", fit);

/* ---- start ---- */

const boxCount = data.items.filter(item => item.kind === "node" || item.kind === "scope").length;

by("model").textContent = document.title;
by("facts").textContent = `${data.nodes.toLocaleString("en")} node${data.nodes === 1 ? "" : "s"}` +
	(boxCount < data.nodes ? `, drawn as ${boxCount.toLocaleString("en")} boxes` : "");
svg.style.width = `${size.width}px`;
svg.style.height = `${size.height}px`;
sortAway();
stage.classList.add("live");
resized();
addEventListener("resize", resized);
/* Print the whole drawing. */
addEventListener("beforeprint", () => cells.forEach(cell => placeParts(cell, false, false)));
addEventListener("afterprint", moved);
start();
})();
