// The evidence of a ranking: its paths as sentences beside the graph. Pointing at a hit or a sentence
// lights up its way in the graph; a click on a passage opens its page, on a name its entity.
// Text is set as text only, so nothing from a document can become markup.

const make = (name, className, ...children) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

// Whether the ground is dark, now and whenever that changes: a canvas has no colours in pairs.
const watchGround = (element, changed) => {
  const probe = make("i", "probe");
  element.append(probe);
  const dark = () => getComputedStyle(probe).color !== "rgb(0, 0, 0)";
  probe.ontransitionend = () => changed(dark());
  return dark();
};

const button = (className, text, title, press) => {
  const node = make("button", className, text);
  node.type = "button";
  if (title) node.title = title;
  node.onclick = (event) => { event.stopPropagation(); press(); };
  return node;
};

// A button element never breaks over lines; a sentence has to.
const inline = (className, text, title, press) => {
  const node = make("span", className, text);
  node.setAttribute("role", "button");
  node.tabIndex = 0;
  if (title) node.title = title;
  node.onclick = (event) => { event.stopPropagation(); press(); };
  node.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    press();
  };
  return node;
};

const station = (item, act) => {
  if (item.kind === "arrow") return make("span", "arrow", "→");
  if (item.kind === "text") return make("span", "quiet", item.text);
  const press = item.kind === "passage" || item.kind === "here" ? () => act.open(item.id) : () => act.entity(item.id);
  const node = inline(`station ${item.kind}`, item.text, item.title, press);
  node.dataset.id = item.id;
  return item.more ? make("span", "", node, make("span", "quiet", ` ${item.more}`)) : node;
};

const drawPath = (path, light, act) => {
  const bar = make("span", "bar");
  bar.style.setProperty("--share", `${path.share * 100}%`);
  const row = make("li", "path",
    make("span", "share", make("b", "num", path.percent), make("span", "track", bar)),
    make("span", "sentence", ...path.stations.flatMap((item) => [station(item, act), " "])),
  );
  row.onmouseenter = () => light([path.nodes]);
  row.onmouseleave = () => light(null);
  return row;
};

const drawPart = (part, light, act) => {
  const list = make("ol", "", ...part.paths.map((path) => drawPath(path, light, act)));
  return make("section", "part", part.head ? make("div", "part-head", part.head, make("span", "quiet", ` ${part.note}`)) : null,
    part.paths.length ? list : null,
    part.rest ? make("div", "quiet rest", part.rest) : null);
};

const drawHit = (hit, light, act) => {
  const bar = make("span", "bar");
  bar.style.setProperty("--share", `${hit.share * 100}%`);
  const head = make("header", "",
    make("span", "rank", `${hit.rank}`),
    button("citation", hit.citation, "Open the page", () => act.open(hit.id)),
    make("span", "score", make("span", "num", hit.score), make("span", "track", bar)),
  );
  const more = hit.more.length
    ? make("details", "", make("summary", "", hit.more_label), ...hit.more.map((part) => drawPart(part, light, act)))
    : null;
  const card = make("article", "hit", head, ...hit.parts.map((part) => drawPart(part, light, act)), more);
  card.tabIndex = 0;
  card.dataset.passage = hit.id;
  card.setAttribute("aria-label", `Rank ${hit.rank}: ${hit.citation}`);
  card.onkeydown = (event) => { if (event.target === card && event.key === "Enter") act.open(hit.id); };
  return card;
};

const drawLegend = (legend) => make("div", "legend", ...legend.map(([role, text]) => {
  const sign = make("i", `sign ${role}`);
  if (role === "hit") sign.textContent = "1";
  return make("span", "", sign, text);
}));

const toolbar = (graph, legend) => {
  const found = make("span", "quiet num", "");
  const search = make("input", "");
  search.type = "search";
  search.placeholder = "Find in the graph";
  search.setAttribute("aria-label", "Find a node");
  search.oninput = () => {
    const count = graph().find(search.value);
    found.textContent = search.value.trim() ? `${count} found` : "";
  };
  return make("div", "toolbar", legend, search, found,
    make("span", "tools",
      button("tool", "Fit", "Show all", () => graph().fit()),
      button("tool", "+", "Zoom in (or Ctrl and the wheel)", () => graph().zoom(1.25)),
      button("tool", "−", "Zoom out", () => graph().zoom(0.8))));
};

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const act = {
    open: (id) => setTriggerValue("open", id),
    entity: (id) => setTriggerValue("entity", id),
  };
  const key = JSON.stringify(data);
  const shown = parentElement.aethelShown;
  if (shown && shown.key === key) { Object.assign(shown.act, act); return; }
  const root = make("div", "evidence");
  const old = parentElement.querySelector(".evidence");
  if (shown) shown.close();
  if (old) old.replaceWith(root); else parentElement.append(root);

  const canvas = make("div", "canvas");
  canvas.style.setProperty("--height", `${data.height}px`);
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", data.graph_label);
  const passages = new Set(data.passages);
  let graph = null;
  const redraw = (dark) => {
    if (graph) graph.destroy();
    graph = aethelGraph.draw(canvas, data.graph, data.palettes[dark ? "dark" : "light"], {
      open: (id) => (passages.has(id) ? act.open(id) : act.entity(id)),
      pick: () => choose(null),
    });
    graph.fit();
    root.aethelGraph = graph; // for tests: a canvas has no elements to find
  };

  let chosen = null;
  const ways = (hit) => data.routes.filter((route) => route.hit === hit).map((route) => route.nodes);
  const rest = () => graph.light(chosen ? ways(chosen) : null);
  const light = (routes) => (routes ? graph.light(routes) : rest());
  const list = make("div", "list", ...data.hits.map((hit) => drawHit(hit, light, act)));
  const choose = (hit) => {
    chosen = chosen === hit ? null : hit;
    for (const card of list.children) card.classList.toggle("chosen", card.dataset.passage === chosen);
    rest();
  };
  for (const card of list.querySelectorAll(".hit")) card.onclick = () => choose(card.dataset.passage);
  root.append(make("div", "side", toolbar(() => graph, drawLegend(data.legend)), canvas), list);
  redraw(watchGround(root, redraw));
  const asked = [...list.children].find((card) => card.dataset.passage === data.chosen);
  if (asked) {
    choose(data.chosen);
    asked.scrollIntoView({ block: "center" });
  }

  // As high as the graph needs at this width, within limits.
  const resize = () => {
    const needed = graph.box.height * Math.min(1.15, canvas.clientWidth / graph.box.width);
    canvas.style.setProperty("--height", `${Math.round(Math.max(220, Math.min(data.height, needed)))}px`);
    graph.fit();
  };
  const resized = new ResizeObserver(resize);
  resized.observe(canvas);
  const close = () => { resized.disconnect(); graph.destroy(); };
  parentElement.aethelShown = { key, act, close };
}
