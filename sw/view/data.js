// SPDX-License-Identifier: Apache-2.0
// The data of the page of `sluice run --view`, which sw/cli/view.h describes, as arrays.
const byId = (id) => document.getElementById(id);
window.addEventListener('error', (e) => {
  document.body.dataset.error = e.message;
});

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
/// Of packet i, i from 0 in the order of numbers. Cycles count from the start of the capture; -1:
/// it did not come so far.
const P = {
  number: doubles(count),
  first: doubles(count),
  arrive: doubles(count),
  len: words(count),
  port: words(count),
  lane: words(count),
  module: words(count),
  fate: words(count),
  dropped: doubles(count),
  order: doubles(count),
  behind: doubles(count),
  held: words(count),
  access: words(count + 1),
  exit: doubles(count),
  full: words(count),
  copy: words(count + 1),
  text: words(count)
};
/// Accesses to state, and copies that left, of all packets: those of packet i from P.access[i],
/// P.copy[i] on.
const access = {
  stage: [],
  pipe: [],
  cycle: []
},
      copies = {
        port: [],
        first: [],
        last: []
      };

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
    const len = num();
    P.text[i] = at;
    at += len;
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
    if (P.number[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && P.number[low] === number ? low : -1;
}
