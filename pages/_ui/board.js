// The columns of the Compare screen. It draws what Python gives it, always as text nodes, so
// nothing from a document can become markup, and reports back: a hit to open, a "why" to explain,
// a retriever to switch, a mark to set or take back. Keys: "/" question, "j"/"k" hits, Enter opens,
// "w" why, "r" relevant, "p" partly, "n" not, "u" undo, 1 to 9 retrievers.

const make = (name, className, ...children) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

const tinted = (node, look) => {
  node.style.setProperty("--tint", `light-dark(${look.colour}, ${look.colour_dark})`);
  return node;
};

const chip = (look, rank) => {
  const node = tinted(make("span", "chip", make("i", "", look.marker), ` ${look.label} `, make("b", "", `${rank}`)), look);
  node.title = `${look.label} ranks this passage ${rank}`;
  return node;
};

const text = (runs) =>
  runs.map(([words, matched]) => (matched ? make("mark", "", words) : document.createTextNode(words)));

const drawTable = (table) => {
  const head = make("tr", "", make("th", "", ""), ...table.columns.map((name) => make("th", "num", name)));
  const rows = table.rows.map(([name, ...cells]) =>
    make("tr", "", make("th", "", ...text(name)), ...cells.map((cell) => make("td", "num", cell))),
  );
  return make(
    "div",
    "table",
    make("div", "table-title", ...text(table.title), table.unit ? make("span", "quiet", ` ${table.unit}`) : null),
    make("table", "", make("thead", "", head), make("tbody", "", ...rows)),
    table.more ? make("div", "quiet more", table.more) : null,
  );
};

const drawWhy = (why, follow) => {
  if (!why) return make("div", "why quiet", "Working out why …");
  const bars = why.bars.map(([label, value, share, note]) => {
    const bar = make("span", share < 0 ? "bar minus" : "bar");
    bar.style.setProperty("--share", `${Math.abs(share) * 100}%`);
    return make(
      "div",
      "why-row",
      make("span", "why-label", label, note ? make("span", "quiet", ` ${note}`) : null),
      make("span", "num", value),
      make("span", "why-bar", bar),
    );
  });
  return make(
    "div",
    "why",
    make("div", "quiet", why.title),
    why.quote ? make("blockquote", "", why.quote) : null,
    ...bars,
    why.paths ? pathsLink(follow) : null,
  );
};

const pathsLink = (follow) => {
  const link = make("button", "link paths", "See the paths to it in Evidence");
  link.title = "The same question, retriever and hit";
  link.onclick = follow;
  return link;
};

const GRADES = [
  [2, "relevant", "r"],
  [1, "partly", "p"],
  [0, "not", "n"],
];

// Setting the mark that is set takes it back.
const toggled = (hit, data, grade) => (data.marks[hit.id] === grade ? null : grade);

const drawMarks = (hit, data, act) => {
  const buttons = GRADES.map(([grade, name, key]) => {
    const button = make("button", "mark", name);
    const set = data.marks[hit.id] === grade;
    button.setAttribute("aria-pressed", String(set));
    button.title = set ? `Marked ${name}; click to take it back (u)` : `Mark as ${name} for this question (${key})`;
    button.onclick = () => act.mark(hit, toggled(hit, data, grade));
    return button;
  });
  const group = make("span", "marks", ...buttons);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "How relevant is it?");
  return group;
};

const drawHit = (hit, column, data, act) => {
  const [where, ...section] = hit.citation;
  const open = make("button", "citation", where, ...section.map((part) => make("span", "section", ` · ${part}`)));
  open.title = "Open the page";
  open.onclick = () => act.open(column, hit);
  const bar = make("span", "bar");
  bar.style.setProperty("--share", `${hit.share * 100}%`);
  const score = make("div", "score", make("span", "num", hit.score), make("span", "track", bar));
  score.title = data.score_note;
  const key = `${column.name}|${hit.id}`;
  const shown = key in data.why;
  const why = make("button", "link", shown ? "Hide why" : "Why");
  why.onclick = () => act.why(column, hit);
  const also = hit.also.length
    ? [make("span", "quiet", "also"), ...hit.also.map(([look, rank]) => chip(data.looks[look], rank))]
    : [make("span", "quiet", data.columns.length > 1 ? "only here" : "")];
  const card = make(
    "article",
    "hit",
    make("div", "rank", `${hit.rank}`),
    make(
      "div",
      "body",
      make("div", "head", open, hit.kind ? make("span", "kind", hit.kind) : null),
      score,
      hit.table ? drawTable(hit.table) : make("p", "snippet", ...text(hit.snippet)),
      make("div", "foot", ...also, make("span", "acts", drawMarks(hit, data, act), why)),
      shown ? drawWhy(data.why[key], () => act.evidence(column, hit)) : null,
    ),
  );
  card.tabIndex = 0;
  card.dataset.passage = hit.id;
  card.setAttribute("aria-label", `${column.label}, rank ${hit.rank}: ${hit.citation.join(" · ")}`);
  card.onkeydown = (event) => {
    if (event.target !== card || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") act.open(column, hit);
    else if (event.key === "w") act.why(column, hit);
    else if (event.key === "u") act.undo();
    const grade = GRADES.find(([, , key]) => key === event.key);
    if (grade) act.mark(hit, toggled(hit, data, grade[0]));
  };
  return card;
};

const drawColumn = (column, data, act) => {
  const head = make(
    "header",
    "",
    make("i", "", column.marker),
    make("h3", "", column.label),
    make("span", "quiet num", column.summary),
  );
  head.title = column.about;
  const section = tinted(make("section", "column", head), column);
  section.dataset.retriever = column.name;
  if (column.note) section.append(make("p", "note", column.note));
  section.append(...column.hits.map((hit) => drawHit(hit, column, data, act)));
  if (!column.hits.length && !column.note) section.append(make("p", "note", "No passage qualifies."));
  return section;
};

// The same passage lights up in every column while it is pointed at or focused.
const echo = (board, passage) => {
  for (const card of board.querySelectorAll(".hit")) {
    card.classList.toggle("echo", Boolean(passage) && card.dataset.passage === passage);
  }
};

const walk = (board, step) => {
  const root = board.getRootNode();
  const current = root.activeElement && root.activeElement.closest(".hit");
  const cards = [...(current ? current.closest(".column") : board).querySelectorAll(".hit")];
  const next = cards[current ? cards.indexOf(current) + step : 0];
  if (next) {
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  }
};

const keys = (board, act) => (event) => {
  const typing = event.composedPath()[0];
  if (typing.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(typing.tagName)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('[role="dialog"]')) return;
  if (event.key === "/") document.querySelector('input[aria-label="Question"]')?.focus();
  else if (event.key === "j") walk(board, 1);
  else if (event.key === "k") walk(board, -1);
  else if (/^[1-9]$/.test(event.key)) act.toggle(Number(event.key));
  else return;
  event.preventDefault();
};

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const act = {
    open: (column, hit) => setTriggerValue("open", [column.name, hit.id]),
    why: (column, hit) => setTriggerValue("why", [column.name, hit.id]),
    evidence: (column, hit) => setTriggerValue("evidence", [column.name, hit.id]),
    toggle: (number) => setTriggerValue("toggle", number),
    mark: (hit, grade) => setTriggerValue("mark", [hit.id, grade]),
    undo: () => setTriggerValue("mark", ["", null]),
  };
  const board = make("div", "board", ...data.columns.map((column) => drawColumn(column, data, act)));
  board.style.setProperty("--columns", `${data.columns.length}`);
  board.onmouseover = (event) => echo(board, event.target.closest(".hit")?.dataset.passage);
  board.onmouseleave = () => echo(board, null);
  board.onfocusin = (event) => echo(board, event.target.closest(".hit")?.dataset.passage);

  const old = parentElement.querySelector(".board");
  const focused = old && old.getRootNode().activeElement?.closest(".hit");
  const place = focused && [focused.closest(".column").dataset.retriever, focused.dataset.passage];
  const scrolled = old ? old.scrollLeft : 0;
  if (old) old.replaceWith(board);
  else parentElement.append(board);
  board.scrollLeft = scrolled;
  if (place) {
    const column = [...board.children].find((node) => node.dataset.retriever === place[0]);
    [...(column?.querySelectorAll(".hit") ?? [])].find((node) => node.dataset.passage === place[1])?.focus();
  }

  const listener = keys(board, act);
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
