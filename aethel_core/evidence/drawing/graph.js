// Draws the evidence graph with vis-network, on the screen and in exported pages alike. Everything
// that comes from a document is drawn on the canvas or set as text, never as markup.

const aethelGraph = (() => {
  const POINT = 11, FOLD = 9, BADGE = 22;

  const font = (size, bold) => `${bold ? "600 " : ""}${size}px -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif`;

  const measured = (ctx, node) => {
    const small = node.font - 2;
    ctx.font = font(small, false);
    let width = ctx.measureText(node.lines[0]).width;
    ctx.font = font(node.font, true);
    for (const line of node.lines.slice(1)) width = Math.max(width, ctx.measureText(line).width);
    const room = { seed: 20, bridge: 20, passage: 20 + FOLD, hit: 20 + FOLD + BADGE }[node.role];
    return { width: Math.max(width, 40) + room, height: small * 1.25 + (node.lines.length - 1) * node.font * 1.25 + 10 };
  };

  const outline = (ctx, role, left, top, width, height) => {
    const right = left + width, bottom = top + height, middle = top + height / 2;
    ctx.beginPath();
    if (role === "seed") {
      ctx.moveTo(left, top); ctx.lineTo(right - 2, top); ctx.lineTo(right + POINT, middle);
      ctx.lineTo(right - 2, bottom); ctx.lineTo(left, bottom); ctx.closePath();
    } else if (role === "bridge") {
      ctx.roundRect(left, top, width, height, Math.min(height / 2, 16));
    } else {
      ctx.moveTo(left, top); ctx.lineTo(right - FOLD, top); ctx.lineTo(right, top + FOLD);
      ctx.lineTo(right, bottom); ctx.lineTo(left, bottom); ctx.closePath();
    }
  };

  const paint = (ctx, node, look, x, y, size, strong, marked, dim, ground) => {
    const left = x - size.width / 2, top = y - size.height / 2;
    if (dim) { // edges end at the middle of a node and must not show through
      outline(ctx, node.role, left, top, size.width, size.height);
      ctx.fillStyle = ground; ctx.fill();
      ctx.globalAlpha = 0.2;
    }
    outline(ctx, node.role, left, top, size.width, size.height);
    ctx.fillStyle = look.fill;
    ctx.fill();
    ctx.lineWidth = marked ? look.line + 1.5 : look.line;
    ctx.strokeStyle = marked ? strong : look.border;
    ctx.stroke();
    if (node.role === "passage" || node.role === "hit") {
      const right = left + size.width;
      ctx.beginPath(); ctx.moveTo(right - FOLD, top); ctx.lineTo(right - FOLD, top + FOLD); ctx.lineTo(right, top + FOLD);
      ctx.lineWidth = 1; ctx.stroke();
    }
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    let shift = 0;
    if (node.role === "hit") {
      shift = BADGE / 2;
      ctx.beginPath(); ctx.arc(left + 15, y, 10, 0, 2 * Math.PI);
      ctx.fillStyle = look.border; ctx.fill();
      ctx.font = font(11, true); ctx.fillStyle = look.fill; ctx.fillText(String(node.rank), left + 15, y + 4);
    }
    const small = node.font - 2;
    let line = top + 5 + small;
    ctx.font = font(small, false); ctx.fillStyle = look.quiet; ctx.fillText(node.lines[0], x + shift, line);
    ctx.font = font(node.font, node.role !== "passage"); ctx.fillStyle = look.ink;
    for (const words of node.lines.slice(1)) {
      line += node.font * 1.25;
      ctx.fillText(words, x + shift, line);
    }
  };

  const hover = (title) => {
    const node = document.createElement("div");
    node.textContent = title;
    return node;
  };

  // container: where it is drawn. data: {nodes, edges, options} as pyvis gives them, each node with its
  // own words under `aethel`. palette: the colours. act: {open(node), pick(node or null)}.
  const draw = (container, data, palette, act) => {
    const lit = { nodes: null, found: new Set(), picked: null };
    const renderer = (node) => ({ ctx, x, y, state }) => {
      const size = measured(ctx, node);
      return {
        drawNode() {
          ctx.save();
          const marked = state.hover || lit.found.has(node.id) || lit.picked === node.id;
          const dim = Boolean(lit.nodes) && !lit.nodes.has(node.id) && !marked;
          paint(ctx, node, palette[node.role], x, y, size, palette.strong, marked, dim, palette.ground);
          ctx.restore();
        },
        nodeDimensions: size,
      };
    };
    const nodes = new vis.DataSet(data.nodes.map(({ id, x, y, title, aethel }) => ({
      id, x, y, shape: "custom", physics: false, title: hover(title), ctxRenderer: renderer({ id, ...aethel }),
    })));
    const plain = () => ({ color: { color: palette.edge, hover: palette.strong, highlight: palette.edge, opacity: 0.85 } });
    const edges = new vis.DataSet(data.edges.map((edge, number) => ({
      id: number, from: edge.from, to: edge.to, width: edge.width, title: hover(edge.title), ...plain(),
    })));
    const network = new vis.Network(container, { nodes, edges }, data.options);
    // vis-network does not know how wide nodes of our own drawing are, so it cannot fit them itself.
    const box = (() => {
      const ctx = document.createElement("canvas").getContext("2d");
      const boxes = data.nodes.map(({ x, y, aethel }) => ({ x, y, ...measured(ctx, aethel) }));
      const [left, right] = [Math.min(...boxes.map((b) => b.x - b.width / 2)) - 14, Math.max(...boxes.map((b) => b.x + b.width / 2)) + 14];
      const [top, bottom] = [Math.min(...boxes.map((b) => b.y - b.height / 2)) - 14, Math.max(...boxes.map((b) => b.y + b.height / 2)) + 14];
      return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
    })();
    const fit = () => {
      if (!data.nodes.length || !container.clientWidth) return;
      const scale = Math.min(1.15, container.clientWidth / box.width, container.clientHeight / box.height);
      network.moveTo({ position: { x: box.x, y: box.y }, scale, animation: false });
    };

    // The wheel scrolls the page; with Ctrl it zooms, as in maps.
    container.addEventListener("wheel", (event) => { if (!event.ctrlKey) event.stopPropagation(); }, true);
    network.on("click", ({ nodes: [id] }) => {
      lit.picked = id ?? null;
      if (id !== undefined) act.open(id);
      else act.pick(null);
      network.unselectAll();
      network.redraw();
    });
    network.on("hoverNode", () => { container.style.cursor = "pointer"; });
    network.on("blurNode", () => { container.style.cursor = "default"; });

    // Light up nodes and the edges along `routes` (lists of node ids); null shows everything.
    const light = (routes) => {
      lit.nodes = routes && new Set(routes.flat());
      const along = new Set((routes || []).flatMap((route) => route.slice(1).map((to, i) => `${route[i]}\n${to}`)));
      edges.update(data.edges.map((edge, id) => {
        if (!routes) return { id, width: edge.width, ...plain() };
        const on = along.has(`${edge.from}\n${edge.to}`);
        return { id, width: on ? Math.max(edge.width, 2.5) : edge.width, color: { color: on ? palette.strong : palette.edge, hover: palette.strong, highlight: palette.strong, opacity: on ? 1 : 0.14 } };
      }));
      network.redraw();
    };

    // Mark the nodes whose words hold `text`; gives their number and moves to the first.
    const find = (text) => {
      const wanted = text.trim().toLocaleLowerCase();
      const hits = wanted ? data.nodes.filter(({ title, aethel }) => `${aethel.lines.join(" ")} ${title.split("\n")[0]}`.toLocaleLowerCase().includes(wanted)) : [];
      lit.found = new Set(hits.map(({ id }) => id));
      if (hits.length) network.moveTo({ position: { x: hits[0].x, y: hits[0].y }, animation: false });
      network.redraw();
      return hits.length;
    };

    const zoom = (factor) => network.moveTo({ scale: network.getScale() * factor, animation: false });
    // Where a node is on the page: for tests and for keyboards.
    const place = (id) => network.canvasToDOM(network.getPosition(id));
    return { box, fit, light, find, zoom, place, destroy: () => network.destroy() };
  };
  return { draw };
})();
