// SPDX-License-Identifier: Apache-2.0
// Rows of lanes, order queues and output lanes: each packet a bar where it is, and how many wait.
// What of a way is waiting is worked out here.
const KINDS = {
  wire: ['#9db7cc', 'arrives'],
  front: ['#5b8db8', 'parser and front stages'],
  behind: ['#f2b134', 'waits behind others of its lane'],
  held: ['#d1495b', 'held at the order point'],
  queue: ['#f2b134', 'waits in an order queue'],
  access: ['#2e7d5b', 'accesses state'],
  output: ['#c98bb9', 'waits in an output queue'],
  send: ['#2a9d8f', 'leaves']
};
const SPECIES = {
  lane: ['wire', 'front', 'behind', 'held'],
  stage: ['queue', 'access'],
  out: ['output', 'send']
};
const WAITS = {
  behind: true,
  held: true,
  queue: true,
  output: true
};
const REASON_COLOURS =
    ['#d1495b', '#7d4fa8', '#3a6ea5', '#b3701a', '#4d7a2b', '#9c2f6b', '#2f8f8f', '#6b6b6b'];
const PALE = {
  lane: '#cfdde9',
  stage: '#bfdccd',
  out: '#cfe9e5'
};
const DARK = '#16324a', LINE = '#d9e0e6', TEXT = '#46545f';

const pipes = run.pipes ||
    1 +
        Math.max(
            0, P.lane.reduce((a, b) => Math.max(a, b), 0),
            access.pipe.reduce((a, b) => Math.max(a, b), 0));
/// A fast port has several lanes, the first of them is told; of other ports the lanes take turns.
const ports = run.ports || pipes;
const outLane = (port) => ports < pipes ? port * pipes / ports : port % pipes;

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
    const sorted = Array.from({length: num}, (_, i) => i * step)
                       .sort((a, b) => made[a + 1] - made[b + 1] || made[a] - made[b]);
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
    this.inside = steps(
        Array.from({length: this.num}, (_, i) => this.begin(i)),
        Array.from({length: this.num}, (_, i) => this.end(i)));
  }
  /// The first and the last bar + 1 between two cycles.
  visible(from, to) {
    let low = 0, high = this.num;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.reach[middle] <= from)
        low = middle + 1;
      else
        high = middle;
    }
    let last = low;
    high = this.num;
    while (last < high) {
      const middle = (last + high) >> 1;
      if (this.begin(middle) < to)
        last = middle + 1;
      else
        high = middle;
    }
    return [low, last];
  }
}

function steps(up, down) {
  const a = Float64Array.from(up).sort(), b = Float64Array.from(down).sort(), cycle = [-Infinity],
        height = [0];
  for (let i = 0, j = 0, h = 0; i < a.length || j < b.length;) {
    const next = Math.min(i < a.length ? a[i] : Infinity, j < b.length ? b[j] : Infinity);
    while (i < a.length && a[i] === next) i++, h++;
    while (j < b.length && b[j] === next) j++, h--;
    cycle.push(next);
    height.push(h);
  }
  return {
    cycle: Float64Array.from(cycle),
    height: Int32Array.from(height),
    most: height.reduce((m, h) => Math.max(m, h), 0)
  };
}

// The way from one point to the next takes so many cycles at least: what it takes longer is
// waiting.
let laneLeast = Infinity;
const least = new Map(), way = (from, to) => from * 64 + to;
for (let i = 0; i < count; i++) {
  if (P.order[i] < 0) continue;
  laneLeast = Math.min(laneLeast, P.order[i] - P.arrive[i] - P.held[i]);
  for (let a = P.access[i], from = 63; a < P.access[i + 1]; from = access.stage[a++]) {
    const key = way(from, access.stage[a]),
          took = access.cycle[a] - (from === 63 ? P.order[i] : access.cycle[a - 1]);
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
  for (const s of [...used].sort((a, b) => a - b))
    for (let p = 0; p < pipes; p++) stageRow(s, p);
  for (let i = 0; i < count; i++) {
    const arrive = P.arrive[i],
          order = P.order[i] >= 0 ? P.order[i] : Math.max(arrive, P.dropped[i]);
    const held = Math.max(arrive, order - P.held[i]),
          front = Math.min(held, P.order[i] >= 0 ? arrive + laneLeast : order);
    lanes[P.lane[i]].add(
        i, P.first[i], arrive + 1, Math.max(arrive + 1, front), Math.max(arrive + 1, held),
        Math.max(arrive + 1, order));
    let from = 63, before = P.order[i];
    for (let a = P.access[i]; a < P.access[i + 1]; a++) {
      const ready = Math.min(access.cycle[a], before + least.get(way(from, access.stage[a])));
      stageRow(access.stage[a], access.pipe[a]).add(i, ready, access.cycle[a], access.cycle[a] + 1);
      from = access.stage[a];
      before = access.cycle[a];
    }
    for (let c = P.copy[i]; c < P.copy[i + 1]; c++)
      outs[outLane(copies.port[c])].add(
          i, P.exit[i], copies.first[c], copies.last[c] + 1);
  }
  rows.push(...lanes, ...stages.values(), ...outs);
  rows.forEach((r) => r.finish());
})();

let total = 1;
for (let i = 0; i < count; i++)
  total = Math.max(total, P.arrive[i] + 1, P.exit[i] + 1, P.order[i] + 1, P.dropped[i] + 1);
for (const c of copies.last) total = Math.max(total, c + 1);

/// Events as numbers for each of BINS parts of the run.
const BINS = 600, bin = Math.max(8, Math.ceil(total / BINS)), bins = Math.ceil(total / bin);
const made = () => doubles(bins),
      inBin = (cycle) => Math.min(bins - 1, Math.max(0, Math.floor(cycle / bin)));
const came = made(), left = made(), drops = run.reasons.map(made), lost = new Map();
for (let i = 0; i < count; i++) {
  came[inBin(P.arrive[i])]++;
  if (P.fate[i] >= FIRST_REASON) {
    drops[P.fate[i] - FIRST_REASON][inBin(P.dropped[i])]++;
    lost.set(
        run.reasons[P.fate[i] - FIRST_REASON],
        (lost.get(run.reasons[P.fate[i] - FIRST_REASON]) || 0) + 1);
  }
}
for (const c of copies.first) left[inBin(c)]++;
