// SPDX-License-Identifier: Apache-2.0
// What the user does: zoom, move, search, hover, click.
// Of a packet that goes through the chip again each pass stands for itself on the page; its story is
// told as one.
function wholeStory(i) {
  let first = i, text = '';
  while (first > 0 && P.number[first - 1] === P.number[i]) first--;
  for (; first < count && P.number[first] === P.number[i]; first++) text += story(first);
  return text;
}
function tell(i) {
  const pre = byId('story');
  pre.textContent = '';
  // Other packets that the story names can be followed.
  for (const part of wholeStory(i).split(/(\bpacket \d+(?= of its lane))/)) {
    const named = /^packet (\d+)$/.exec(part), other = named ? indexOf(Number(named[1])) : -1;
    if (other < 0) {
      pre.append(part);
      continue;
    }
    const link = document.createElement('a');
    link.textContent = part;
    link.onclick = () => select(other, true);
    pre.append(link);
  }
}
function select(i, move) {
  selected = i;
  byId('number').value = P.number[i];
  tell(i);
  const end = Math.max(
      P.arrive[i], P.order[i], P.exit[i], P.dropped[i],
      ...copies.last.slice(P.copy[i], P.copy[i + 1]));
  if (move && (P.first[i] < from || end > to || (end - P.first[i]) * 15 < to - from)) {
    const span = Math.max(60, (end - P.first[i]) * 1.6), centre = (P.first[i] + end) / 2;
    show(centre - span / 2, centre + span / 2);
  }
  history.replaceState(null, '', `#packet=${P.number[i]}`);
  redraw();
}
function nearest(x, y) {
  const row = rows.find((r) => y >= r.top && y < r.top + r.height);
  if (!row || x < GUTTER) return {row, packet: -1};
  if (!row.single) return {row, packet: -1};
  const slack = (to - from) / inner(ways) * 4, cycle = cycleAt(ways, x),
        slot = Math.floor((y - row.top) / row.height * row.slots);
  const [first, last] = row.visible(cycle - slack, cycle + slack);
  for (let i = first; i < last; i++)
    if (row.slot[i] === slot && row.end(i) >= cycle - slack) return {row, packet: row.packet[i]};
  return {row, packet: -1};
}
function hint(e) {
  const box = ways.getBoundingClientRect(), y = e.clientY - box.top,
        {row, packet} = nearest(e.clientX - box.left, y), tip = byId('tip');
  if (packet !== hovered) hovered = packet, redraw();
  tip.hidden = !row;
  if (!row) return;
  const cycle = cycleAt(ways, e.clientX - box.left);
  if (packet >= 0) {
    const lines = story(packet).trimEnd().split('\n');
    tip.textContent =
        lines.length > 18 ? lines.slice(0, 18).join('\n') + '\n...' : lines.join('\n');
    tip.style.whiteSpace = 'pre';
  } else {
    tip.style.whiteSpace = 'pre-line';
    tip.textContent = `${row.name}, cycle ${group(cycle)}\n${
        row.single ? '' : 'zoom in to see single packets\n'}at most ${
        row.depth.most} waited here at a time; ${group(row.num)} packets in all`;
  }
  tip.style.left = `${Math.min(e.clientX + 14, window.innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top =
      `${Math.max(4, Math.min(e.clientY + 14, window.innerHeight - tip.offsetHeight - 8))}px`;
}

function drags(canvas, moved, clicked) {
  let start = null;
  canvas.addEventListener('pointerdown', (e) => {
    start = {x: e.offsetX, from, to, far: false};
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', (e) => {
    if (!start) return;
    if (Math.abs(e.offsetX - start.x) > 3) start.far = true;
    if (start.far) moved(e, start);
  });
  canvas.addEventListener('pointerup', (e) => {
    if (start && !start.far && clicked) clicked(e);
    start = null;
  });
}
const shift = (canvas) => (e, s) => {
  const by = (e.offsetX - s.x) / inner(canvas) * (s.to - s.from);
  show(s.from - by, s.to - by);
};
drags(ways, shift(ways), (e) => {
  const {packet} = nearest(e.offsetX, e.offsetY);
  if (packet >= 0) select(packet, false);
});
drags(charts, shift(charts), null);
const jump = (e) => {
  const c = cycleAt(overview, e.offsetX, 0, total), half = (to - from) / 2;
  show(c - half, c + half);
};
drags(overview, jump, jump);
for (const canvas of [ways, charts])
  canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : .8, cycleAt(canvas, e.offsetX));
  }, {passive: false});
ways.addEventListener('mousemove', hint);
ways.addEventListener('mouseleave', () => {
  byId('tip').hidden = true;
  hovered = -1;
  redraw();
});
ways.addEventListener('dblclick', (e) => zoom(.4, cycleAt(ways, e.offsetX)));

/// The packet that was longest inside; and the next one from the selected on that was dropped.
function slowest() {
  let best = 0, longest = -1;
  for (let i = 0; i < count; i++) {
    const took = (P.copy[i] < P.copy[i + 1] ? copies.first[P.copy[i]] : P.exit[i]) - P.arrive[i];
    if (took > longest) best = i, longest = took;
  }
  if (count) select(best, true);
}
function nextDropped() {
  for (let n = 1; n <= count; n++) {
    const i = (Math.max(0, selected) + n) % count;
    if (P.fate[i] || P.full[i]) return select(i, true);
  }
  byId('story').textContent = 'No packet on this page was dropped.';
}
const move = (by) => {
  const i = selected < 0 ? 0 : selected + by;
  if (i >= 0 && i < count) select(i, true);
};
function find(number) {
  const i = indexOf(number);
  if (i >= 0)
    select(i, true);
  else
    byId('story').textContent = `Packet ${number} is not on this page.`;
}
byId('search').onsubmit = (e) => {
  e.preventDefault();
  find(Number(byId('number').value));
};
byId('previous').onclick = () => move(-1);
byId('next').onclick = () => move(1);
byId('slowest').onclick = slowest;
byId('dropped').onclick = nextDropped;
byId('in').onclick = () => zoom(.5);
byId('out').onclick = () => zoom(2);
byId('all').onclick = () => show(0, total);
window.addEventListener('resize', redraw);
window.addEventListener('keydown', (e) => {
  if (e.target.tagName === 'INPUT' || e.ctrlKey || e.metaKey || e.altKey) return;
  const step = (to - from) / 10;
  const keys = {
    n: () => move(1),
    p: () => move(-1),
    '+': () => zoom(.5),
    '-': () => zoom(2),
    0: () => show(0, total),
    ArrowLeft: () => show(from - step, to - step),
    ArrowRight: () => show(from + step, to + step)
  };
  if (keys[e.key]) keys[e.key]();
});

// #packet=41 shows a packet, #cycles=100-900 a part of the run.
function follow() {
  const packet = /packet=(\d+)/.exec(location.hash),
        cycles = /cycles=(\d+)-(\d+)/.exec(location.hash);
  if (packet) find(Number(packet[1]));
  if (cycles) show(Number(cycles[1]), Number(cycles[2]));
}
window.addEventListener('hashchange', follow);

/// For tests, #check: how many pixels of the rows have the colour of each kind.
function pixels() {
  const scale = window.devicePixelRatio || 1, found = {},
        seen = ways.getContext('2d').getImageData(0, 0, ways.width, rowsHeight * scale).data;
  const kindAt = new Map(
      Object.entries(KINDS).map(([kind, [colour]]) => [parseInt(colour.slice(1), 16), kind]));
  for (let i = 0; i < seen.length; i += 4) {
    const kind = kindAt.get(seen[i] << 16 | seen[i + 1] << 8 | seen[i + 2]);
    if (kind) found[kind] = (found[kind] || 0) + 1;
  }
  return JSON.stringify(found);
}

const checked = /check/.test(location.hash);
saySpan();
heading();
legend();
follow();
draw();
if (checked) document.body.dataset.pixels = pixels();
document.body.dataset.packets = count;
document.body.dataset.bars = rows.reduce((n, r) => n + r.num, 0);
// Milliseconds since the page was opened.
document.body.dataset.ready = Math.round(performance.now());
