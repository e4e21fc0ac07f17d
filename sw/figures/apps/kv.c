// SPDX-License-Identifier: Apache-2.0
#include "kv.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/bytes.h"

enum { IPV4 = 20, UDP = 8, PROTOCOL_UDP = 17 };

void kv_write(const struct kv_message *m, uint8_t b[KV_BYTES]) {
  b[0] = 'K';
  b[1] = 'V';
  b[2] = m->what;
  b[3] = 0;
  sluice_put32(b + 4, m->id);
  sluice_put32(b + 8, m->key[0]);
  sluice_put32(b + 12, m->key[1]);
  sluice_put32(b + 16, m->value);
}

bool kv_read(struct kv_message *m, const uint8_t *b, size_t len) {
  if (len < KV_BYTES || b[0] != 'K' || b[1] != 'V') return false;
  *m = (struct kv_message){
      b[2], sluice_get32(b + 4), {sluice_get32(b + 8), sluice_get32(b + 12)}, sluice_get32(b + 16)};
  return true;
}

void kv_write_ip(const struct kv_message *m, const struct kv_ends *e, uint8_t ip[KV_IP]) {
  memset(ip, 0, KV_IP);
  ip[0] = 0x45;
  ip[8] = 64;
  ip[9] = PROTOCOL_UDP;
  sluice_put32(ip + 12, e->source);
  sluice_put32(ip + 16, e->dest);
  sluice_put16(ip + IPV4, e->sport);
  sluice_put16(ip + IPV4 + 2, e->dport);
  kv_write(m, ip + IPV4 + UDP);
  sluice_finish_udp(ip, KV_IP);
}

bool kv_read_ip(struct kv_message *m, struct kv_ends *e, const uint8_t *ip, size_t len) {
  if (len < KV_IP || ip[0] != 0x45 || ip[9] != PROTOCOL_UDP) return false;
  *e = (struct kv_ends){sluice_get32(ip + 12), sluice_get32(ip + 16),
                        (uint16_t)sluice_get16(ip + IPV4), (uint16_t)sluice_get16(ip + IPV4 + 2)};
  return kv_read(m, ip + IPV4 + UDP, len - IPV4 - UDP);
}

void kv_key(uint32_t n, uint32_t key[2]) {
  key[0] = n + 1;
  key[1] = (n + 1) * UINT32_C(2654435761) | 1;
}

uint32_t kv_value(const uint32_t key[2]) { return (key[0] * UINT32_C(2246822519)) ^ key[1]; }

// ---- what was put -------------------------------------------------------------------------------

struct entry {
  bool used;
  uint32_t key[2], value;
};
struct kv_store {
  struct entry *entries;
  size_t size, num;  // a power of two
  uint64_t served;
};

struct kv_store *kv_store_new(void) {
  struct kv_store *s = calloc(1, sizeof *s);
  if (s) s->entries = calloc(s->size = 64, sizeof *s->entries);
  if (s && s->entries) return s;
  free(s);
  return NULL;
}
void kv_store_free(struct kv_store *s) {
  if (s) free(s->entries);
  free(s);
}
uint64_t kv_served(const struct kv_store *s) { return s->served; }

// The entry of a key, or the free one where it would be.
static struct entry *find(const struct kv_store *s, const uint32_t key[2]) {
  size_t at = (key[0] * UINT32_C(2654435761)) ^ key[1];
  for (;; at++) {
    struct entry *e = &s->entries[at & (s->size - 1)];
    if (!e->used || (e->key[0] == key[0] && e->key[1] == key[1])) return e;
  }
}

static bool grow(struct kv_store *s) {
  const struct kv_store old = *s;
  struct entry *more = calloc(old.size * 2, sizeof *more);
  if (!more) return false;
  s->entries = more;
  s->size = old.size * 2;
  for (size_t i = 0; i < old.size; i++)
    if (old.entries[i].used) *find(s, old.entries[i].key) = old.entries[i];
  free(old.entries);
  return true;
}

bool kv_serve(struct kv_store *s, const struct kv_message *q, struct kv_message *a) {
  if (q->what != KV_GET && q->what != KV_PUT) return false;
  struct entry *e = find(s, q->key);
  *a = *q;
  a->what = q->what | KV_ANSWER;
  s->served++;
  if (q->what == KV_GET) {
    a->value = e->used ? e->value : kv_value(q->key);
    return true;
  }
  if (!e->used && 2 * s->num >= s->size) {
    if (!grow(s)) return false;
    e = find(s, q->key);
  }
  s->num += !e->used;
  *e = (struct entry){true, {q->key[0], q->key[1]}, q->value};
  return true;
}
