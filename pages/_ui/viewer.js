// A page image to read: fit to the width or zoomed, scrolled to the evidence when it opens.

const LEVELS = [
  ["Fit", 0],
  ["100 %", 1],
  ["150 %", 1.5],
  ["200 %", 2],
];
let chosen = 0; // kept from page to page, as long as the browser tab lives

const size = (image, level, data) => {
  image.style.width = level ? `${data.width * level * (96 / 72)}px` : "100%";
};

const reveal = (frame, image, data) => {
  if (data.focus === null) return;
  const top = data.focus[1] * image.clientHeight;
  const left = data.focus[0] * image.clientWidth;
  frame.scrollTo({ top: Math.max(0, top - frame.clientHeight / 4), left: Math.max(0, left - 40) });
};

export default function ({ data, parentElement }) {
  const image = document.createElement("img");
  image.alt = data.alt;
  image.src = `data:image/png;base64,${data.png}`;

  const frame = document.createElement("div");
  frame.className = "frame";
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", "Page image; scroll to read");
  frame.append(image);

  const bar = document.createElement("div");
  bar.className = "bar";
  for (const [label, level] of LEVELS) {
    const button = document.createElement("button");
    button.textContent = label;
    button.setAttribute("aria-pressed", String(level === chosen));
    button.onclick = () => {
      chosen = level;
      for (const other of bar.children) other.setAttribute("aria-pressed", String(other === button));
      size(image, chosen, data);
      reveal(frame, image, data);
    };
    bar.append(button);
  }

  size(image, chosen, data);
  image.onload = () => reveal(frame, image, data);
  for (const old of parentElement.querySelectorAll(".bar, .frame")) old.remove();
  parentElement.append(bar, frame);
}
