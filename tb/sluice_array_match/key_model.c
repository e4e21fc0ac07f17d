// SPDX-License-Identifier: Apache-2.0
// Array match as docs/machine.md says, with the past of the table: an entry is what it was at a
// version. The hash is made bit by bit, as a long division.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 65536, PAST = 4096 };
struct entry {
  uint32_t tag;  // the 16 bits above the key: VALID, NOT_BANK, reserved, VID
  uint32_t key, data;
};
static int words, entries;
static struct entry table[MOST];
static struct {
  int version, index;
  struct entry before;
} past[PAST];
static int version;

void km_open(int number_of_words, int number_of_entries) {
  words = number_of_words;
  entries = number_of_entries;
  version = 0;
  memset(table, 0, sizeof table);
}

static uint64_t mixed(int vid, uint32_t key) {
  const uint64_t message = (uint64_t)(vid & 255) << 32 | key;
  uint64_t rest = 0;
  for (int i = 39; i >= 0; i--) {
    const bool top = (rest >> 63 ^ message >> i) & 1;
    rest = rest << 1 ^ (top ? UINT64_C(0x42f0e1eba9ea3693) : 0);
  }
  return rest ^ (~(rest << 21 | rest >> 43) & (rest << 42 | rest >> 22));
}

// The number of the entry where a key of the module is looked for in a way.
int km_place(int vid, int key, int way) {
  const uint64_t hash = mixed(vid, (uint32_t)key);
  int banks = 2 * words, rows = entries / (4 * banks), bank = 0;
  for (int b = banks, from = 63; b > 1; b /= 2, from--) bank = bank << 1 | (int)(hash >> from & 1);
  return way * (entries / 4) + bank * rows + (int)((hash >> 16 * way & 0xffff) % (unsigned)rows);
}

int km_version(void) { return version; }

void km_write(int index, int tag, int key, int data) {
  version++;
  past[version % PAST].version = version;
  past[version % PAST].index = index;
  past[version % PAST].before = table[index];
  table[index] = (struct entry){(uint32_t)tag, (uint32_t)key, (uint32_t)data};
}

static struct entry entry_at(int index, int when) {
  struct entry e = table[index];
  for (int v = version; v > when; v--)
    if (past[v % PAST].index == index) e = past[v % PAST].before;
  return e;
}

// Whether the key has an entry at a version, and its data.
static bool look_up(int vid, int bank, uint32_t key, int when, uint32_t *data) {
  for (int way = 0; way < 4; way++) {
    const struct entry e = entry_at(km_place(vid, (int)key, way), when);
    if (!(e.tag >> 15 & 1) || (e.tag >> (13 + bank) & 1)) continue;
    if ((e.tag & 255) != (uint32_t)(vid & 255) || e.key != key) continue;
    *data = e.data;
    return true;
  }
  return false;
}

// Whether the words and bits of a packet are right that came at version `from`: each key as at one
// version since. Returns the number of the first wrong word, or -1.
int km_check(int keys, int count, int dropped, int vid, int bank, int from, const uint32_t *in,
             const uint32_t *out, int found) {
  for (int i = 0; i < words; i++) {
    const bool is_key = !dropped && keys >> 31 & 1 && keys >> i & 1 && i < count;
    bool right = false;
    if (!is_key) {
      if (out[i] != in[i] || (found >> i & 1)) return i;
      continue;
    }
    for (int v = from; v <= version && !right; v++) {
      uint32_t data = keys >> 30 & 1 ? in[i] : 0;
      const bool is = look_up(vid, bank, in[i], v, &data);
      right = out[i] == data && (found >> i & 1) == is;
    }
    if (!right) return i;
  }
  return -1;
}
