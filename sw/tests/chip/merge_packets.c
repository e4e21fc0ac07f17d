// SPDX-License-Identifier: Apache-2.0
// Sorted streams, one a port, for sw/programs/coflow/merge.dom, and what must become of them, from
// a sort.
//
//   merge_packets make DIR BLOCKS BYTES SEED     DIR/in.pcapng: streams side by side
//                                                DIR/sorted.pcapng: the same packets, sorted
//   merge_packets check DIR BLOCKS BYTES SEED    compares DIR/out.pcapng
//
// In a block of 32 numbers each stream has 8 packets with any of them, in rising order: some
// numbers come again, in one stream or in several, and some do not come. So no stream is far ahead.
#include <inttypes.h>
#include <stdio.h>

#include "lib/capture.h"
#include "tests/rig/coflow_jobs.h"

enum { STREAMS = 4, BLOCK = 8, NUMBERS = 32, OUT = 3, MOST_BYTES = 1518 };
enum { KEY = 46, PLACE = 50, MISSING = 54, NAME = 60 };  // where they stand in a frame
struct packet {
  uint32_t key, number;  // its number in the stream
  unsigned stream;
};
struct streams {
  struct packet *sorted;
  unsigned num, bytes;
};

static int failed(const char *what, const char *why) {
  fprintf(stderr, "merge_packets: %s: %s\n", what, why);
  return 3;
}

static int by_key(const void *a, const void *b) {
  const struct packet *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  if (x->stream != y->stream) return x->stream < y->stream ? -1 : 1;
  return x->number < y->number ? -1 : 1;
}

static void make_streams(struct streams *s, unsigned blocks, uint64_t seed) {
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed, "merge");
  s->sorted = calloc((size_t)blocks * STREAMS * BLOCK, sizeof *s->sorted);
  if (!s->sorted) abort();
  for (unsigned b = 0; b < blocks; b++)
    for (unsigned l = 0; l < STREAMS; l++) {
      uint32_t keys[BLOCK];
      for (unsigned n = 0; n < BLOCK; n++) {
        const uint32_t key = b * NUMBERS + 1 + (uint32_t)sluice_rng_below(&rng, NUMBERS);
        unsigned at = n;
        for (; at && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
      }
      for (unsigned n = 0; n < BLOCK; n++)
        s->sorted[s->num++] = (struct packet){keys[n], b * BLOCK + n, l};
    }
  qsort(s->sorted, s->num, sizeof *s->sorted, by_key);
}

static void frame_of(const struct streams *s, const struct packet *p, uint8_t *bytes) {
  memset(bytes, 0, s->bytes);
  sluice_put(bytes, 6, UINT64_C(0x020000000001));
  sluice_put(bytes + 6, 6, UINT64_C(0x020000000002));
  sluice_put(bytes + 12, 6, UINT64_C(0x8100) << 32 | JOB_VID << 16 | 0x88b5);
  sluice_put(bytes + KEY, 4, p->key);
  sluice_put(bytes + NAME, 4, p->stream << 24 | p->number);
}

// Streams side by side: one packet of each in turn.
static const struct packet *next_of(const struct streams *s, unsigned stream, unsigned *from) {
  while (*from < s->num && s->sorted[*from].stream != stream) ++*from;
  return *from < s->num ? &s->sorted[(*from)++] : NULL;
}

static int write_file(const struct streams *s, const char *folder, const char *name, bool sorted) {
  char path[500];
  uint8_t bytes[MOST_BYTES];
  unsigned from[STREAMS] = {0};
  struct sluice_capture_writer *out;
  struct sluice_error error;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (sluice_capture_create_ports(&out, path, STREAMS, &error)) return failed(path, error.text);
  for (unsigned n = 0; n < s->num; n++) {
    const struct packet *p = sorted ? &s->sorted[n] : next_of(s, n % STREAMS, &from[n % STREAMS]);
    frame_of(s, p, bytes);
    // Streams begin in one cycle: nobody waits for a lane that had no packet yet.
    sluice_capture_write_at(out, bytes, s->bytes, n / STREAMS * 400, p->stream, NULL);
  }
  return sluice_capture_finish(out, &error) ? failed(path, error.text) : 0;
}

static int check(const struct streams *s, const char *folder) {
  char path[500];
  uint8_t wanted[MOST_BYTES];
  struct sluice_capture *in;
  struct sluice_packet got;
  struct sluice_error error;
  uint32_t last = 0, place = 0;
  unsigned next = 0;
  snprintf(path, sizeof path, "%s/out.pcapng", folder);
  if (sluice_capture_open(&in, path, &error)) return failed(path, error.text);
  while (sluice_capture_next(in, &got, &error) == SLUICE_OK && got.bytes) {
    while (next < s->num && s->sorted[next].key == last) next++;  // dropped
    if (next == s->num) {
      fprintf(stderr, "more than %u packets came\n", place);
      return 1;
    }
    const struct packet *p = &s->sorted[next];
    last = p->key;
    frame_of(s, p, wanted);
    sluice_put(wanted + PLACE, 4, ++place);
    sluice_put(wanted + MISSING, 4, last - place);
    if (got.len == s->bytes && got.interface == OUT && memcmp(got.bytes, wanted, s->bytes) == 0)
      continue;
    fprintf(stderr,
            "packet %u: number %u of stream %u is wanted, place %u; %" PRIu64
            " of stream %u came at port %d, place %" PRIu64 "\n",
            place, last, p->stream, place, sluice_get(got.bytes + KEY, 4), got.bytes[NAME],
            got.interface, sluice_get(got.bytes + PLACE, 4));
    return 1;
  }
  sluice_capture_close(in);
  while (next < s->num && s->sorted[next].key == last) next++;
  if (next < s->num || !place) {
    fprintf(stderr, "only %u packets came\n", place);
    return 1;
  }
  printf("%u packets of %d streams: %u came out, sorted, %u dropped, %u numbers are missing\n",
         s->num, STREAMS, place, s->num - place, last - place);
  return 0;
}

int main(int argc, char **argv) {
  struct streams s = {.bytes = argc == 6 ? (unsigned)atoi(argv[4]) : 0};
  int code = 2;
  if (s.bytes < 64 || s.bytes > MOST_BYTES)
    return failed("usage", "make|check DIR BLOCKS BYTES SEED");
  make_streams(&s, (unsigned)atoi(argv[3]), strtoull(argv[5], NULL, 10));
  if (strcmp(argv[1], "make") == 0) {
    code = write_file(&s, argv[2], "in.pcapng", false);
    if (!code) code = write_file(&s, argv[2], "sorted.pcapng", true);
  } else if (strcmp(argv[1], "check") == 0) {
    code = check(&s, argv[2]);
  }
  free(s.sorted);
  return code;
}
