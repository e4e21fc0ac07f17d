// SPDX-License-Identifier: Apache-2.0
// Draws heading, rows and charts over time: bars as long as single packets can be seen, else how
// many wait.

// ---- heading ------------------------------------------------------------------------------------
const group = (n) => Number.isFinite(n) ? Math.round(n).toLocaleString('en-US') : '-';
function heading() {
  const r = run.report,
        title =
            run.chip ? `${run.programs.join(', ')} on ${run.chip}` : 'Stories of an earlier run';
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
  figures([
    [group(r.packets), 'packets in'], [group(r.delivered), 'left the ports'],
    [group(r.lost), 'lost'], [group(r.cycles), 'cycles'],
    [`${(100 * r.share_of_line_rate).toFixed(1)} %`, 'of line rate'],
    [group(r.latency && r.latency.median), 'cycles latency, median'],
    [group(r.deepest_order_queue), 'deepest order queue']
  ]);
}
function figures(list) {
  for (const [value, name] of list) {
    const one = document.createElement('div'), b = document.createElement('b'),
          span = document.createElement('span');
    b.textContent = value;
    span.textContent = name;
    one.append(b, span);
    byId('figures').append(one);
  }
}
const colourOf = (reason) =>
    REASON_COLOURS[Math.max(0, run.reasons.indexOf(reason)) % REASON_COLOURS.length];
function legend() {
  for (const [colour, says] of [...new Map(Object.values(KINDS).map((k) => [k[1], k])).values()]
           .concat([['#fff', 'dropped: a cross']])) {
    const one = document.createElement('span'), swatch = document.createElement('i');
    swatch.style.background = colour;
    if (colour === '#fff') swatch.style.border = '2px solid #d1495b';
    one.append(swatch, says);
    byId('legend').append(one);
  }
  const whole = (run.report && run.report.drops) || Object.fromEntries(lost),
        names = Object.keys(whole);
  for (const reason of names) {
    const row = byId('drops').insertRow(), cell = row.insertCell(),
          swatch = document.createElement('i');
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
const redraw = () => {
  if (!pending) {
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      draw();
    });
  }
};

const saySpan = () => {
  byId('where').textContent = `cycles ${group(from)} to ${group(to)}`;
};
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
      const a = Math.max(from, r.times[i * r.width + k]),
            b = Math.min(to, r.times[i * r.width + k + 1]);
      if (b <= a) continue;
      const x = xOf(ways, a);
      g.fillStyle = KINDS[r.kinds[k]][0];
      g.fillRect(x, y, Math.max(1, xOf(ways, b) - x - .3), thick);
    }
    const p = r.packet[i];
    if (r.species === 'lane' && P.fate[p] >= FIRST_REASON && P.exit[p] < 0)
      drawCross(g, xOf(ways, P.dropped[p]), yOf(r, r.slot[i]), p);
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
  g.moveTo(x - 4, y - 4);
  g.lineTo(x + 4, y + 4);
  g.moveTo(x + 4, y - 4);
  g.lineTo(x - 4, y + 4);
  g.stroke();
  g.lineWidth = 1;
}
/// The most that wait, for each column of pixels.
function profile(depth, width) {
  const heights = words(width), {cycle, height} = depth, num = cycle.length,
        columns = (to - from) / width;
  let i = 0, high = num - 1;
  while (i < high) {
    const middle = (i + high + 1) >> 1;
    if (cycle[middle] <= from)
      i = middle;
    else
      high = middle - 1;
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
  const width = Math.floor(inner(ways)), most = Math.max(1, r.inside.most),
        bottom = r.top + r.height;
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
    const begin = P.first[packet],
          end = Math.max(
                    P.order[packet], P.exit[packet], P.dropped[packet],
                    ...copies.last.slice(P.copy[packet], P.copy[packet + 1])) +
        2;
    const [low, high] = r.visible(begin - 1, end);
    for (let i = low; i < high; i++)
      if (r.packet[i] === packet)
        points.push({row: r, bar: i, a: r.begin(i), b: r.end(i), y: yOf(r, r.slot[i])});
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
    if (n)
      g.lineTo(xOf(ways, p.a), p.y);
    else
      g.moveTo(xOf(ways, p.a), p.y);
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
  if (last && P.fate[packet] >= FIRST_REASON && P.exit[packet] >= 0)
    drawCross(g, xOf(ways, P.dropped[packet]), last.y, packet);
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
    g.fillText(
        r.depth.most ? `up to ${r.depth.most} wait` : 'none waits', 10, r.top + r.height / 2 + 7);
    const [first, last] = r.visible(from, to);
    r.single = last - first <= FEW;
    if (r.single)
      drawBars(g, r, first, last);
    else
      drawProfile(g, r);
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
    if (drawn)
      g.lineTo(x, y);
    else
      g.moveTo(x, fill ? top + height : y), drawn = true, fill && g.lineTo(x, y);
    g.lineTo(lastX = xOf(canvas, b), y);
  }
  if (fill)
    g.lineTo(lastX, top + height), g.globalAlpha = .75, g.fill();
  else
    g.stroke();
  g.restore();
}
const CHART = 74;
function chartList() {
  const rate = (list) => Array.from(list, (v) => v / bin), binStart = (i) => i * bin, list = [];
  list.push({
    name: 'packets per cycle',
    curves:
        [[rate(came), binStart, '#5b8db8', 'come in'], [rate(left), binStart, '#2a9d8f', 'leave']],
    line: run.line_rate
  });
  if (run.timeline && run.timeline.cycle.length) {
    const t = run.timeline,
          start = (i) => i < t.cycle.length ? t.cycle[i] : t.cycle[t.cycle.length - 1] + 64;
    list.push({
      name: 'order queues',
      curves: [
        [t.deepest, start, '#d95f02', 'deepest'], [t.mean, start, '#1b9e77', 'mean of the deepest']
      ]
    });
    list.push({name: 'waiting in lanes', curves: [[t.lanes, start, '#b3701a', 'packets']]});
  }
  if (drops.length) {
    const sums = drops.map(() => made());
    for (let b = 0; b < bins; b++)
      for (let r = 0, sum = 0; r < drops.length; r++) sums[r][b] = sum += drops[r][b] / bin;
    list.push({
      name: 'drops per cycle',
      curves: sums.map((s, r) => [s, binStart, colourOf(run.reasons[r]), run.reasons[r]]).reverse(),
      filled: true
    });
  }
  for (const c of list)
    c.most =
        c.curves.reduce((m, [v]) => v.reduce((a, b) => Math.max(a, b), m), c.line || 0) * 1.1 || 1;
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
  curve(
      g, overview, 4, 46, most / bin, Array.from(came, (v) => v / bin), (i) => i * bin, '#c3d3e0',
      true);
  for (const r of rows) {
    if (!r.depth.most) continue;
    g.fillStyle = 'rgba(242,177,52,.25)';
    const heights = profile(r.depth, width);
    for (let x = 0; x < width; x++)
      if (heights[x])
        g.fillRect(
            GUTTER + x, 50 - heights[x] / r.depth.most * 24, 1, heights[x] / r.depth.most * 24);
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
