// Sentences with citations. Everything is drawn as text nodes, so nothing from a document can
// become markup; a click on a citation reports its passage.

const make = (name, className, ...children) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

const drawMark = (mark, open) => {
  if (!mark.passage) {
    const lost = make("span", "cite lost", mark.label);
    lost.title = mark.title;
    return lost;
  }
  const button = make("button", "cite", mark.label);
  button.title = mark.title;
  button.setAttribute("aria-label", `Open ${mark.title}`);
  button.onclick = () => open(mark.passage);
  return button;
};

const drawSentence = (said, open) => {
  const marks = said.marks.map((mark) => drawMark(mark, open));
  const flags = said.flags.map((flag) => make("span", "flag", `⚑ ${flag}`));
  return make("span", said.flags.length ? "said flagged" : "said", make("span", "text", said.text), ...marks, ...flags, " ");
};

export default function ({ parentElement, data, setTriggerValue }) {
  const root = make("div", "cited");
  const open = (passage) => setTriggerValue("open", passage);
  let block = null;
  let number = null;
  for (const said of data.said) {
    if (!block || said.block !== number) {
      block = make("p", said.bullet ? "bullet" : "");
      number = said.block;
      root.append(block);
    }
    block.append(drawSentence(said, open));
  }
  parentElement.querySelector(".cited")?.remove();
  parentElement.append(root);
}
