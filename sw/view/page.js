// SPDX-License-Identifier: Apache-2.0
// The page of `sluice run --view`. It reads what sw/cli/view.h describes, and draws rows of lanes, order queues and output lanes over
// time: each packet a bar where it is, as long as single packets can be seen; else how many wait.
'use strict';
(() => {
const started = performance.now();
const byId = (id) => document.getElementById(id);
window.addEventListener('error', (e) => { document.body.dataset.error = e.message; });

// ---- data ---------------------------------------------------------------------------------------
const run = JSON.parse(byId('run').textContent);
const count = run.packets;

function bytesOf(text) {
  const raw = atob(text.replace(/\s+/g, '')), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}
const bytes = bytesOf(byId('packets').textContent);
byId('packets').textContent = '';

let at = 0;  // where the next number is read
function num() {
  let value = 0, scale = 1, byte;
  do {
    byte = bytes[at++];
    value += (byte & 127) * scale;
    scale *= 128;
  } while (byte & 128);
  return value;
}
function signed() {
  const value = num();
  return value % 2 ? -(value + 1) / 2 : value / 2;
}

const LOST = 1, FIRST_REASON = 2;
const doubles = (n) => new Float64Array(n), words = (n) => new Int32Array(n);
/// Of packet i, i from 0 in the order of numbers. Cycles count from the start of the capture; -1: it did not come so far.
const P = {number: doubles(count), first: doubles(count), arrive: doubles(count), len: words(count), port: words(count), lane: words(count),
  module: words(count), fate: words(count), dropped: doubles(count), order: doubles(count), behind: doubles(count), held: words(count),
  access: words(count + 1), exit: doubles(count), full: words(count), copy: words(count + 1), text: words(count)};
/// Accesses to state, and copies that left, of all packets: those of packet i from P.access[i], P.copy[i] on.
const access = {stage: [], pipe: [], cycle: []}, copies = {port: [], first: [], last: []};

function skipText() {
  for (let lines = num(); lines > 0; lines--)
    for (const c of run.templates[num()]) {
      if (c === '\x01') num();
      if (c !== '\x02') continue;
      const digits = num();
      at += (digits + 1) >> 1;
    }
}

(function decode() {
  for (let i = 0, number = 0; i < count; i++) {
    P.number[i] = number += num();
    const arrive = P.arrive[i] = signed();
    P.first[i] = arrive - num();
    P.len[i] = num();
    P.port[i] = num();
    P.lane[i] = num();
    P.module[i] = num() - 1;
    P.fate[i] = num();
    P.dropped[i] = P.fate[i] >= FIRST_REASON ? arrive + signed() : -1;
    const order = num();
    P.order[i] = order ? arrive + order - 1 : -1;
    if (order) {
      signed();
      P.behind[i] = num();
      for (let c = 0; c < run.causes.length; c++) P.held[i] += num();
    }
    P.access[i] = access.stage.length;
    for (let n = num(); n > 0; n--) {
      access.stage.push(num());
      access.pipe.push(num());
      access.cycle.push(P.order[i] + signed());
    }
    const exit = num();
    P.exit[i] = exit ? arrive + exit - 1 : -1;
    if (exit) P.full[i] = num();
    P.copy[i] = copies.port.length;
    for (let n = num(); n > 0; n--) {
      copies.port.push(num());
      const first = P.exit[i] + num();
      copies.first.push(first);
      copies.last.push(first + num());
    }
    P.text[i] = at;
    skipText();
  }
  P.access[count] = access.stage.length;
  P.copy[count] = copies.port.length;
})();

/// What `sluice trace` prints for packet i.
function story(i) {
  let text = '';
  at = P.text[i];
  for (let lines = num(); lines > 0; lines--)
    text += run.templates[num()].replace(/[\x01\x02]/g, (place) => {
      if (place === '\x01') return String(num());
      const digits = num();
      let hex = '';
      for (let n = 0; n < digits; n += 2) hex += bytes[at++].toString(16).padStart(2, '0');
      return hex.slice(0, digits);
    }) + '\n';
  return text;
}

function indexOf(number) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (P.number[middle] < number) low = middle + 1; else high = middle;
  }
  return low < count && P.number[low] === number ? low : -1;
}

// ---- what the rows show -------------------------------------------------------------------------
const KINDS = {
  wire: ['#9db7cc', 'arrives'], front: ['#5b8db8', 'parser and front stages'], behind: ['#f2b134', 'waits behind others of its lane'],
  held: ['#d1495b', 'held at the order point'], queue: ['#f2b134', 'waits in an order queue'], access: ['#2e7d5b', 'accesses state'],
  output: ['#c98bb9', 'waits in an output queue'], send: ['#2a9d8f', 'leaves']};
const SPECIES = {lane: ['wire', 'front', 'behind', 'held'], stage: ['queue', 'access'], out: ['output', 'send']};
const WAITS = {behind: true, held: true, queue: true, output: true};
const REASON_COLOURS = ['#d1495b', '#7d4fa8', '#3a6ea5', '#b3701a', '#4d7a2b', '#9c2f6b', '#2f8f8f', '#6b6b6b'];
const PALE = {lane: '#cfdde9', stage: '#bfdccd', out: '#cfe9e5'};
const DARK = '#16324a', LINE = '#d9e0e6', TEXT = '#46545f';

const pipes = run.pipes || 1 + Math.max(0, P.lane.reduce((a, b) => Math.max(a, b), 0), access.pipe.reduce((a, b) => Math.max(a, b), 0));
const ports = run.ports || pipes * Math.ceil((1 + copies.port.reduce((a, b) => Math.max(a, b), 0)) / pipes);

/// Bars of a row: packet, and the cycles where its parts begin and end, `parts` + 1 of them.
class Row {
  constructor(name, species) {
    this.name = name;
    this.kinds = SPECIES[species];
    this.width = this.kinds.length + 1;
    this.made = [];
    this.species = species;
  }
  add(packet, ...times) { this.made.push(packet, ...times); }
  finish() {
    const step = this.width + 1, num = this.num = this.made.length / step, made = this.made;
    const sorted = Array.from({length: num}, (_, i) => i * step).sort((a, b) => made[a + 1] - made[b + 1] || made[a] - made[b]);
    this.packet = words(num);
    this.times = doubles(num * this.width);
    this.slot = words(num);
    this.reach = doubles(num);  // the latest end of this bar and all before it
    const ends = [];
    let reach = -Infinity;
    sorted.forEach((from, i) => {
      this.packet[i] = made[from];
      for (let t = 0; t < this.width; t++) this.times[i * this.width + t] = made[from + 1 + t];
      const begin = this.begin(i), end = this.end(i);
      let slot = ends.findIndex((e) => e <= begin);
      if (slot < 0) slot = ends.length < 48 ? ends.length : i % 48;
      ends[slot] = Math.max(end, ends[slot] || 0);
      this.slot[i] = slot;
      this.reach[i] = reach = Math.max(reach, end);
    });
    this.slots = Math.max(1, ends.length);
    this.made = null;
    this.waiting();
  }
  begin(i) { return this.times[i * this.width]; }
  end(i) { return this.times[i * this.width + this.width - 1]; }
  /// How many wait, and how many are there: step functions, its cycles and heights.
  waiting() {
    const up = [], down = [];
    for (let i = 0; i < this.num; i++)
      for (let k = 0; k < this.kinds.length; k++) {
        const a = this.times[i * this.width + k], b = this.times[i * this.width + k + 1];
        if (WAITS[this.kinds[k]] && b > a) up.push(a), down.push(b);
      }
    this.depth = steps(up, down);
    this.inside = steps(Array.from({length: this.num}, (_, i) => this.begin(i)), Array.from({length: this.num}, (_, i) => this.end(i)));
  }
  /// The first and the last bar + 1 between two cycles.
  visible(from, to) {
    let low = 0, high = this.num;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.reach[middle] <= from) low = middle + 1; else high = middle;
    }
    let last = low;
    high = this.num;
    while (last < high) {
      const middle = (last + high) >> 1;
      if (this.begin(middle) < to) last = middle + 1; else high = middle;
    }
    return [low, last];
  }
}

function steps(up, down) {
  const a = Float64Array.from(up).sort(), b = Float64Array.from(down).sort(), cycle = [-Infinity], height = [0];
  for (let i = 0, j = 0, h = 0; i < a.length || j < b.length;) {
    const next = Math.min(i < a.length ? a[i] : Infinity, j < b.length ? b[j] : Infinity);
    while (i < a.length && a[i] === next) i++, h++;
    while (j < b.length && b[j] === next) j++, h--;
    cycle.push(next);
    height.push(h);
  }
  return {cycle: Float64Array.from(cycle), height: Int32Array.from(height), most: height.reduce((m, h) => Math.max(m, h), 0)};
}

// The way from one point to the next takes so many cycles at least: what it takes longer is waiting.
let laneLeast = Infinity;
const least = new Map(), way = (from, to) => from * 64 + to;
for (let i = 0; i < count; i++) {
  if (P.order[i] < 0) continue;
  laneLeast = Math.min(laneLeast, P.order[i] - P.arrive[i] - P.held[i]);
  for (let a = P.access[i], from = 63; a < P.access[i + 1]; from = access.stage[a++]) {
    const key = way(from, access.stage[a]), took = access.cycle[a] - (from === 63 ? P.order[i] : access.cycle[a - 1]);
    if (took < (least.has(key) ? least.get(key) : Infinity)) least.set(key, took);
  }
}

const rows = [];
(function build() {
  const lanes = [], stages = new Map(), outs = [], end = {};
  for (let l = 0; l < pipes; l++) {
    lanes.push(new Row(`lane ${l}`, 'lane'));
    outs.push(new Row(`output lane ${l}`, 'out'));
  }
  const stageRow = (stage, pipe) => {
    const key = stage * 64 + pipe;
    if (!stages.has(key)) stages.set(key, new Row(`stage ${stage}, pipeline ${pipe}`, 'stage'));
    return stages.get(key);
  };
  const used = new Set(access.stage);
  for (const s of [...used].sort((a, b) => a - b)) for (let p = 0; p < pipes; p++) stageRow(s, p);
  for (let i = 0; i < count; i++) {
    const arrive = P.arrive[i], order = P.order[i] >= 0 ? P.order[i] : Math.max(arrive, P.dropped[i]);
    const held = Math.max(arrive, order - P.held[i]), front = Math.min(held, P.order[i] >= 0 ? arrive + laneLeast : order);
    lanes[P.lane[i]].add(i, P.first[i], arrive + 1, Math.max(arrive + 1, front), Math.max(arrive + 1, held), Math.max(arrive + 1, order));
    let from = 63, before = P.order[i];
    for (let a = P.access[i]; a < P.access[i + 1]; a++) {
      const ready = Math.min(access.cycle[a], before + least.get(way(from, access.stage[a])));
      stageRow(access.stage[a], access.pipe[a]).add(i, ready, access.cycle[a], access.cycle[a] + 1);
      from = access.stage[a];
      before = access.cycle[a];
    }
    for (let c = P.copy[i]; c < P.copy[i + 1]; c++)
      outs[Math.floor(copies.port[c] / (ports / pipes))].add(i, P.exit[i], copies.first[c], copies.last[c] + 1);
  }
  rows.push(...lanes, ...stages.values(), ...outs);
  rows.forEach((r) => r.finish());
})();

let total = 1;
for (let i = 0; i < count; i++) total = Math.max(total, P.arrive[i] + 1, P.exit[i] + 1, P.order[i] + 1, P.dropped[i] + 1);
for (const c of copies.last) total = Math.max(total, c + 1);

/// Events as numbers for each of BINS parts of the run.
const BINS = 600, bin = Math.max(8, Math.ceil(total / BINS)), bins = Math.ceil(total / bin);
const made = () => doubles(bins), inBin = (cycle) => Math.min(bins - 1, Math.max(0, Math.floor(cycle / bin)));
const came = made(), left = made(), drops = run.reasons.map(made), lost = new Map();
for (let i = 0; i < count; i++) {
  came[inBin(P.arrive[i])]++;
  if (P.fate[i] >= FIRST_REASON) {
    drops[P.fate[i] - FIRST_REASON][inBin(P.dropped[i])]++;
    lost.set(run.reasons[P.fate[i] - FIRST_REASON], (lost.get(run.reasons[P.fate[i] - FIRST_REASON]) || 0) + 1);
  }
}
for (const c of copies.first) left[inBin(c)]++;

// ---- heading ------------------------------------------------------------------------------------
const group = (n) => Number.isFinite(n) ? Math.round(n).toLocaleString('en-US') : '-';
function heading() {
  const r = run.report, title = run.chip ? `${run.programs.join(', ')} on ${run.chip}` : 'Stories of an earlier run';
  byId('title').textContent = title;
  document.title = `${title} - Sluice`;
  if (!r) return figures([[group(count), 'packets'], [group(total), 'cycles']]);
  const verdict = byId('verdict');
  verdict.hidden = false;
  verdict.textContent = r.verdict;
  verdict.className = r.verdict === 'EQUIVALENT' ? 'good' : 'bad';
  verdict.title = run.verdict;
  document.title = `${title}: ${r.verdict} - Sluice`;
  byId('said').textContent = run.said;
  figures([[group(r.packets), 'packets in'], [group(r.delivered), 'left the ports'], [group(r.lost), 'lost'], [group(r.cycles), 'cycles'],
    [`${(100 * r.share_of_line_rate).toFixed(1)} %`, 'of line rate'], [group(r.latency && r.latency.median), 'cycles latency, median'],
    [group(r.deepest_order_queue), 'deepest order queue']]);
}
function figures(list) {
  for (const [value, name] of list) {
    const one = document.createElement('div'), b = document.createElement('b'), span = document.createElement('span');
    b.textContent = value;
    span.textContent = name;
    one.append(b, span);
    byId('figures').append(one);
  }
}
const colourOf = (reason) => REASON_COLOURS[Math.max(0, run.reasons.indexOf(reason)) % REASON_COLOURS.length];
function legend() {
  for (const [colour, says] of [...new Map(Object.values(KINDS).map((k) => [k[1], k])).values()].concat([['#fff', 'dropped: a cross']])) {
    const one = document.createElement('span'), swatch = document.createElement('i');
    swatch.style.background = colour;
    if (colour === '#fff') swatch.style.border = '2px solid #d1495b';
    one.append(swatch, says);
    byId('legend').append(one);
  }
  const whole = (run.report && run.report.drops) || Object.fromEntries(lost), names = Object.keys(whole);
  for (const reason of names) {
    const row = byId('drops').insertRow(), cell = row.insertCell(), swatch = document.createElement('i');
    swatch.style.background = run.reasons.includes(reason) ? colourOf(reason) : '#b5c0ca';
    cell.append(swatch, reason + (reason === 'OUTPUT_FULL' ? ' (copies)' : ''));
    row.insertCell().textContent = group(whole[reason]);
  }
  if (!names.length) byId('drops').insertRow().insertCell().textContent = 'none';
}

// ---- time on the canvas -------------------------------------------------------------------------
const GUTTER = 150, RIGHT = 12;
let from = 0, to = total, selected = -1, hovered = -1, pending = false;
const ways = byId('ways'), charts = byId('charts'), overview = byId('overview');
const redraw = () => { if (!pending) { pending = true; requestAnimationFrame(() => { pending = false; draw(); }); } };

const saySpan = () => { byId('where').textContent = `cycles ${group(from)} to ${group(to)}`; };
function show(a, b) {
  const span = Math.min(total, Math.max(8, b - a)), begin = Math.min(total - span, Math.max(0, a));
  from = begin;
  to = begin + span;
  saySpan();
  redraw();
}
function zoom(factor, around) {
  const centre = around === undefined ? (from + to) / 2 : around;
  show(centre - (centre - from) * factor, centre + (to - centre) * factor);
}

function prepare(canvas, height) {
  const scale = window.devicePixelRatio || 1, width = canvas.clientWidth;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
  }
  const g = canvas.getContext('2d');
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = '11px system-ui, "DejaVu Sans", Arial, sans-serif';
  g.textBaseline = 'middle';
  return g;
}
const inner = (canvas) => canvas.clientWidth - GUTTER - RIGHT;
const xOf = (canvas, cycle, a = from, b = to) => GUTTER + (cycle - a) / (b - a) * inner(canvas);
const cycleAt = (canvas, x, a = from, b = to) => a + (x - GUTTER) / inner(canvas) * (b - a);

function ticks(span) {
  const rough = span / 8, power = 10 ** Math.floor(Math.log10(rough));
  return Math.max(1, [1, 2, 5, 10].map((f) => f * power).find((step) => step >= rough));
}
function axis(g, canvas, top, bottom) {
  const step = ticks(to - from);
  g.textAlign = 'center';
  for (let c = Math.ceil(from / step) * step; c <= to; c += step) {
    const x = Math.round(xOf(canvas, c)) + .5;
    g.strokeStyle = '#eef1f4';
    g.beginPath();
    g.moveTo(x, top);
    g.lineTo(x, bottom);
    g.stroke();
    g.fillStyle = TEXT;
    g.fillText(group(c), x, top - 8);
  }
}

// ---- rows ---------------------------------------------------------------------------------------
const HEAD = 22, GAP = 7;
function place() {
  let y = HEAD;
  let species = '';
  for (const r of rows) {
    if (species && species !== r.species) y += 10;
    species = r.species;
    r.height = Math.max(28, Math.min(72, r.slots * 6));
    r.top = y;
    y += r.height + GAP;
  }
  return y + 4;
}
const rowsHeight = place();
const FEW = 2500;
const yOf = (r, slot) => r.top + (slot + .5) * r.height / r.slots;

function drawBars(g, r, first, last) {
  const thick = Math.max(1, r.height / r.slots - (r.height / r.slots > 4 ? 1 : 0));
  for (let i = first; i < last; i++) {
    if (r.end(i) <= from) continue;
    const y = yOf(r, r.slot[i]) - thick / 2;
    for (let k = 0; k < r.kinds.length; k++) {
      const a = Math.max(from, r.times[i * r.width + k]), b = Math.min(to, r.times[i * r.width + k + 1]);
      if (b <= a) continue;
      const x = xOf(ways, a);
      g.fillStyle = KINDS[r.kinds[k]][0];
      g.fillRect(x, y, Math.max(1, xOf(ways, b) - x - .3), thick);
    }
    const p = r.packet[i];
    if (r.species === 'lane' && P.fate[p] >= FIRST_REASON && P.exit[p] < 0) drawCross(g, xOf(ways, P.dropped[p]), yOf(r, r.slot[i]), p);
    if (r.end(i) > from && thick >= 9 && xOf(ways, r.end(i)) - xOf(ways, r.begin(i)) > 34) {
      g.fillStyle = '#10202d';
      g.textAlign = 'left';
      g.fillText(group(P.number[p]), Math.max(GUTTER, xOf(ways, r.begin(i))) + 3, y + thick / 2);
    }
  }
}
function drawCross(g, x, y, p) {
  if (x < GUTTER || x > GUTTER + inner(ways)) return;
  g.strokeStyle = colourOf(run.reasons[P.fate[p] - FIRST_REASON]);
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(x - 4, y - 4); g.lineTo(x + 4, y + 4);
  g.moveTo(x + 4, y - 4); g.lineTo(x - 4, y + 4);
  g.stroke();
  g.lineWidth = 1;
}
/// The most that wait, for each column of pixels.
function profile(depth, width) {
  const heights = words(width), {cycle, height} = depth, num = cycle.length, columns = (to - from) / width;
  let i = 0, high = num - 1;
  while (i < high) {
    const middle = (i + high + 1) >> 1;
    if (cycle[middle] <= from) i = middle; else high = middle - 1;
  }
  for (let x = 0; x < width; x++) {
    const end = from + (x + 1) * columns;
    let most = height[i];
    while (i + 1 < num && cycle[i + 1] < end) most = Math.max(most, height[++i]);
    heights[x] = most;
  }
  return heights;
}
function drawProfile(g, r) {
  const width = Math.floor(inner(ways)), most = Math.max(1, r.inside.most), bottom = r.top + r.height;
  const draw = (depth, colour) => {
    const heights = profile(depth, width);
    g.fillStyle = colour;
    for (let x = 0; x < width; x++) {
      const h = heights[x] / most * (r.height - 2);
      if (h) g.fillRect(GUTTER + x, bottom - h, 1, h);
    }
  };
  draw(r.inside, PALE[r.species]);
  draw(r.depth, r.species === 'out' ? KINDS.output[0] : KINDS.behind[0]);
}

/// The way of a packet: points of the bars that it has, in the order of time.
function wayOf(packet) {
  const points = [];
  for (const r of rows) {
    const begin = P.first[packet], end = Math.max(P.order[packet], P.exit[packet], P.dropped[packet], ...copies.last.slice(P.copy[packet], P.copy[packet + 1])) + 2;
    const [low, high] = r.visible(begin - 1, end);
    for (let i = low; i < high; i++)
      if (r.packet[i] === packet) points.push({row: r, bar: i, a: r.begin(i), b: r.end(i), y: yOf(r, r.slot[i])});
  }
  return points.sort((p, q) => p.a - q.a);
}
function drawWay(g, packet, colour, width) {
  const points = wayOf(packet);
  g.save();
  g.beginPath();
  g.rect(GUTTER, 0, inner(ways), rowsHeight);
  g.clip();
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.lineJoin = 'round';
  g.beginPath();
  points.forEach((p, n) => {
    if (n) g.lineTo(xOf(ways, p.a), p.y); else g.moveTo(xOf(ways, p.a), p.y);
    g.lineTo(xOf(ways, p.b), p.y);
  });
  g.stroke();
  for (const p of points) {
    g.fillStyle = colour;
    g.beginPath();
    g.arc(xOf(ways, p.a), p.y, width + 1, 0, 7);
    g.fill();
  }
  const last = points[points.length - 1];
  if (last && P.fate[packet] >= FIRST_REASON && P.exit[packet] >= 0) drawCross(g, xOf(ways, P.dropped[packet]), last.y, packet);
  g.restore();
  g.lineWidth = 1;
}

function drawWays() {
  const g = prepare(ways, rowsHeight);
  axis(g, ways, HEAD, rowsHeight);
  for (const r of rows) {
    g.fillStyle = '#f8fafb';
    g.fillRect(GUTTER, r.top, inner(ways), r.height);
    g.fillStyle = DARK;
    g.textAlign = 'left';
    g.fillText(r.name, 10, r.top + r.height / 2 - 6);
    g.fillStyle = '#8a96a1';
    g.fillText(r.depth.most ? `up to ${r.depth.most} wait` : 'none waits', 10, r.top + r.height / 2 + 7);
    const [first, last] = r.visible(from, to);
    r.single = last - first <= FEW;
    if (r.single) drawBars(g, r, first, last); else drawProfile(g, r);
  }
  if (hovered >= 0 && hovered !== selected) drawWay(g, hovered, 'rgba(22,50,74,.45)', 1.5);
  if (selected >= 0) drawWay(g, selected, DARK, 2);
}

// ---- charts -------------------------------------------------------------------------------------
function curve(g, canvas, top, height, most, values, cycles, colour, fill) {
  g.save();
  g.beginPath();
  g.rect(GUTTER, top, inner(canvas), height);
  g.clip();
  g.strokeStyle = g.fillStyle = colour;
  g.beginPath();
  let drawn = false, lastX = 0;
  for (let i = 0; i < values.length; i++) {
    const a = cycles(i), b = cycles(i + 1);
    if (b < from || a > to) continue;
    const y = top + height - values[i] / most * (height - 4), x = xOf(canvas, a);
    if (drawn) g.lineTo(x, y); else g.moveTo(x, fill ? top + height : y), drawn = true, fill && g.lineTo(x, y);
    g.lineTo(lastX = xOf(canvas, b), y);
  }
  if (fill) g.lineTo(lastX, top + height), g.globalAlpha = .75, g.fill();
  else g.stroke();
  g.restore();
}
const CHART = 74;
function chartList() {
  const rate = (list) => Array.from(list, (v) => v / bin), binStart = (i) => i * bin, list = [];
  list.push({name: 'packets per cycle', curves: [[rate(came), binStart, '#5b8db8', 'come in'], [rate(left), binStart, '#2a9d8f', 'leave']],
    line: run.line_rate});
  if (run.timeline && run.timeline.cycle.length) {
    const t = run.timeline, start = (i) => i < t.cycle.length ? t.cycle[i] : t.cycle[t.cycle.length - 1] + 64;
    list.push({name: 'order queues', curves: [[t.deepest, start, '#d95f02', 'deepest'], [t.mean, start, '#1b9e77', 'mean of the deepest']]});
    list.push({name: 'waiting in lanes', curves: [[t.lanes, start, '#b3701a', 'packets']]});
  }
  if (drops.length) {
    const sums = drops.map(() => made());
    for (let b = 0; b < bins; b++) for (let r = 0, sum = 0; r < drops.length; r++) sums[r][b] = sum += drops[r][b] / bin;
    list.push({name: 'drops per cycle', curves: sums.map((s, r) => [s, binStart, colourOf(run.reasons[r]), run.reasons[r]]).reverse(), filled: true});
  }
  for (const c of list) c.most = c.curves.reduce((m, [v]) => v.reduce((a, b) => Math.max(a, b), m), c.line || 0) * 1.1 || 1;
  return list;
}
const chartsShown = chartList();
function drawCharts() {
  const height = HEAD + chartsShown.length * (CHART + 24), g = prepare(charts, height);
  axis(g, charts, HEAD, height);
  chartsShown.forEach((c, n) => {
    const top = HEAD + n * (CHART + 24) + 18;
    g.strokeStyle = LINE;
    g.strokeRect(GUTTER + .5, top + .5, inner(charts) - 1, CHART);
    g.fillStyle = DARK;
    g.textAlign = 'left';
    g.fillText(c.name, 10, top + CHART / 2);
    g.fillStyle = TEXT;
    g.textAlign = 'right';
    g.fillText(c.most < 10 ? c.most.toFixed(2) : group(c.most), GUTTER - 6, top + 7);
    g.fillText('0', GUTTER - 6, top + CHART - 5);
    let x = GUTTER + 4;
    g.textAlign = 'left';
    for (const [values, cycles, colour, name] of c.curves) {
      curve(g, charts, top, CHART, c.most, values, cycles, colour, c.filled);
      g.fillStyle = colour;
      g.fillRect(x, top - 12, 10, 8);
      g.fillStyle = TEXT;
      g.fillText(name, x + 14, top - 8);
      x += g.measureText(name).width + 30;
    }
    if (!c.line) return;
    const y = top + CHART - c.line / c.most * (CHART - 4);
    g.strokeStyle = '#8a96a1';
    g.setLineDash([5, 4]);
    g.beginPath();
    g.moveTo(GUTTER, y);
    g.lineTo(GUTTER + inner(charts), y);
    g.stroke();
    g.setLineDash([]);
    g.fillStyle = TEXT;
    g.fillText(`- - line rate ${c.line.toFixed(3)}`, x, top - 8);
  });
}

// The whole run, and the part of it that is shown.
function drawOverview() {
  const g = prepare(overview, 54), width = Math.floor(inner(overview)), saved = [from, to];
  const most = Math.max(1e-9, came.reduce((a, b) => Math.max(a, b), 0));
  [from, to] = [0, total];
  curve(g, overview, 4, 46, most / bin, Array.from(came, (v) => v / bin), (i) => i * bin, '#c3d3e0', true);
  for (const r of rows) {
    if (!r.depth.most) continue;
    g.fillStyle = 'rgba(242,177,52,.25)';
    const heights = profile(r.depth, width);
    for (let x = 0; x < width; x++) if (heights[x]) g.fillRect(GUTTER + x, 50 - heights[x] / r.depth.most * 24, 1, heights[x] / r.depth.most * 24);
  }
  [from, to] = saved;
  g.fillStyle = DARK;
  g.textAlign = 'left';
  g.fillText('the whole run', 10, 18);
  g.fillStyle = TEXT;
  g.fillText(`${group(total)} cycles`, 10, 36);
  const a = xOf(overview, from, 0, total), b = Math.max(a + 3, xOf(overview, to, 0, total));
  g.strokeStyle = DARK;
  g.lineWidth = 2;
  g.fillStyle = 'rgba(22,50,74,.08)';
  g.fillRect(a, 2, b - a, 50);
  g.strokeRect(a, 2, b - a, 50);
  g.lineWidth = 1;
}
function draw() {
  drawOverview();
  drawWays();
  drawCharts();
}

// ---- what the user does -------------------------------------------------------------------------
function tell(i) {
  const pre = byId('story');
  pre.textContent = '';
  // Other packets that the story names can be followed.
  for (const part of story(i).split(/(\bpacket \d+(?= of its lane))/)) {
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
  const end = Math.max(P.arrive[i], P.order[i], P.exit[i], P.dropped[i], ...copies.last.slice(P.copy[i], P.copy[i + 1]));
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
  const slack = (to - from) / inner(ways) * 4, cycle = cycleAt(ways, x), slot = Math.floor((y - row.top) / row.height * row.slots);
  const [first, last] = row.visible(cycle - slack, cycle + slack);
  for (let i = first; i < last; i++)
    if (row.slot[i] === slot && row.end(i) >= cycle - slack) return {row, packet: row.packet[i]};
  return {row, packet: -1};
}
function hint(e) {
  const box = ways.getBoundingClientRect(), y = e.clientY - box.top, {row, packet} = nearest(e.clientX - box.left, y), tip = byId('tip');
  if (packet !== hovered) hovered = packet, redraw();
  tip.hidden = !row;
  if (!row) return;
  const cycle = cycleAt(ways, e.clientX - box.left);
  if (packet >= 0) {
    const lines = story(packet).trimEnd().split('\n');
    tip.textContent = lines.length > 18 ? lines.slice(0, 18).join('\n') + '\n...' : lines.join('\n');
    tip.style.whiteSpace = 'pre';
  } else {
    tip.style.whiteSpace = 'pre-line';
    tip.textContent = `${row.name}, cycle ${group(cycle)}\n${row.single ? '' : 'zoom in to see single packets\n'}at most ${row.depth.most} waited here at a time; ${group(row.num)} packets in all`;
  }
  tip.style.left = `${Math.min(e.clientX + 14, window.innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${Math.max(4, Math.min(e.clientY + 14, window.innerHeight - tip.offsetHeight - 8))}px`;
}

function drags(canvas, moved, clicked) {
  let start = null;
  canvas.addEventListener('pointerdown', (e) => { start = {x: e.offsetX, from, to, far: false}; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener('pointermove', (e) => {
    if (!start) return;
    if (Math.abs(e.offsetX - start.x) > 3) start.far = true;
    if (start.far) moved(e, start);
  });
  canvas.addEventListener('pointerup', (e) => { if (start && !start.far && clicked) clicked(e); start = null; });
}
const shift = (canvas) => (e, s) => { const by = (e.offsetX - s.x) / inner(canvas) * (s.to - s.from); show(s.from - by, s.to - by); };
drags(ways, shift(ways), (e) => { const {packet} = nearest(e.offsetX, e.offsetY); if (packet >= 0) select(packet, false); });
drags(charts, shift(charts), null);
const jump = (e) => { const c = cycleAt(overview, e.offsetX, 0, total), half = (to - from) / 2; show(c - half, c + half); };
drags(overview, jump, jump);
for (const canvas of [ways, charts])
  canvas.addEventListener('wheel', (e) => { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : .8, cycleAt(canvas, e.offsetX)); }, {passive: false});
ways.addEventListener('mousemove', hint);
ways.addEventListener('mouseleave', () => { byId('tip').hidden = true; hovered = -1; redraw(); });
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
const move = (by) => { const i = selected < 0 ? 0 : selected + by; if (i >= 0 && i < count) select(i, true); };
function find(number) {
  const i = indexOf(number);
  if (i >= 0) select(i, true);
  else byId('story').textContent = `Packet ${number} is not on this page.`;
}
byId('search').onsubmit = (e) => { e.preventDefault(); find(Number(byId('number').value)); };
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
  const keys = {n: () => move(1), p: () => move(-1), '+': () => zoom(.5), '-': () => zoom(2), 0: () => show(0, total),
    ArrowLeft: () => show(from - step, to - step), ArrowRight: () => show(from + step, to + step)};
  if (keys[e.key]) keys[e.key]();
});

// #packet=41 shows a packet, #cycles=100-900 a part of the run.
function follow() {
  const packet = /packet=(\d+)/.exec(location.hash), cycles = /cycles=(\d+)-(\d+)/.exec(location.hash);
  if (packet) find(Number(packet[1]));
  if (cycles) show(Number(cycles[1]), Number(cycles[2]));
}
window.addEventListener('hashchange', follow);

/// For tests, #check: how many pixels of the rows have the colour of each kind.
function pixels() {
  const scale = window.devicePixelRatio || 1, found = {}, seen = ways.getContext('2d').getImageData(0, 0, ways.width, rowsHeight * scale).data;
  const kindAt = new Map(Object.entries(KINDS).map(([kind, [colour]]) => [parseInt(colour.slice(1), 16), kind]));
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
document.body.dataset.ready = Math.round(performance.now() - started);
})();
