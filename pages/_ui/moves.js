// Two lists with lines between them. Text is set as text only.

const ROW = 34;

const make = (name, className, ...children) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

const drawList = (title, items, open) => make("div", "list", make("h3", "", title), ...items.map((item) => {
  const press = make("button", "citation", item.citation);
  press.type = "button";
  press.title = item.title;
  press.onclick = () => open(item.id);
  const kind = item.change.startsWith("▲") ? "up" : item.change.startsWith("▼") ? "down" : item.change === "=" ? "same" : item.change;
  const row = make("div", "row", make("b", "rank", `${item.rank}`), press, make("span", `change ${kind}`, item.change));
  row.dataset.passage = item.id;
  return row;
}));

const drawLines = (before, after) => {
  const height = Math.max(before.length, after.length) * ROW;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 100 ${height}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  svg.style.height = `${height}px`;
  for (const { id, rank } of after) {
    const old = before.find((item) => item.id === id);
    if (!old) continue;
    const [a, b] = [(old.rank - 0.5) * ROW, (rank - 0.5) * ROW];
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", `M0,${a} C45,${a} 55,${b} 100,${b}`);
    line.setAttribute("class", rank < old.rank ? "up" : rank > old.rank ? "down" : "same");
    line.dataset.passage = id;
    svg.append(line);
  }
  return make("div", "lines", svg);
};

export default function ({ data, parentElement, setTriggerValue }) {
  const open = (id) => setTriggerValue("open", id);
  const root = make("div", "moves", drawList("Before", data.before, open), drawLines(data.before, data.after), drawList("Now", data.after, open));
  const mark = (id) => {
    for (const node of root.querySelectorAll("[data-passage]")) node.classList.toggle("lit", Boolean(id) && node.dataset.passage === id);
  };
  root.onmouseover = (event) => mark(event.target.closest("[data-passage]")?.dataset.passage);
  root.onmouseleave = () => mark(null);
  const all = make("div", "all", make("p", "summary", data.summary, data.note ? ` ${data.note}` : ""), root);
  const old = parentElement.querySelector(".all");
  if (old) old.replaceWith(all); else parentElement.append(all);
}
