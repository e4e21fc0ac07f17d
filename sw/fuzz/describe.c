// SPDX-License-Identifier: Apache-2.0
// A case as text for people.
#include "../driver/wire/wire.h"
#include "capsule.h"

enum { TEXT = 4096, SHOWN_PACKETS = 32, SHOWN_BYTES = 128 };

static void describe_control(const struct fuzz_frame *frame, size_t number, FILE *out) {
  static char text[TEXT];
  struct sluice_reconfig packet;
  struct sluice_error error;
  fprintf(out, "%4zu  ", number);
  if (sluice_reconfig_decode(&packet, frame->bytes, frame->len, &error)) {
    fprintf(out, "%s\n", error.text);
    return;
  }
  sluice_reconfig_describe(&packet, text, sizeof text);
  fprintf(out, "%s\n", text);
  if (packet.op != SLUICE_CHAIN_WRITE) return;
  for (unsigned i = 0; i < packet.num_entries; i++) {
    sluice_entry_describe(packet.table, sluice_reconfig_entry(&packet, i), text, sizeof text);
    fprintf(out, "        %u: %s\n", packet.index + i, text);
  }
}

static void describe_capsule(const struct fuzz_frame *frame, FILE *out) {
  const uint8_t *b = frame->bytes;
  if (!is_capsule(frame)) return;
  fprintf(out, "        capsule of id %u, flags 0x%04x, data", sluice_get16(b + CAPSULE_FID_AT),
          sluice_get16(b + CAPSULE_FLAGS_AT));
  for (unsigned at = CAPSULE_DATA_AT; at < CAPSULE_LIST_AT; at += 4)
    fprintf(out, " 0x%08x", sluice_get32(b + at));
  fprintf(out, "\n       ");
  for (unsigned at = CAPSULE_LIST_AT; has_instruction(frame, at); at += 2) {
    const char *name = sluice_value_name("OPCODE", b[at + 1]);
    fprintf(out, " %s", name);
    if (*name == '?') fprintf(out, "%u", b[at + 1]);
    if (b[at] & 2) fprintf(out, ".%u", b[at] >> 2);
    if (b[at] & 1) fprintf(out, ":");
    if (b[at + 1] == SLUICE_OPCODE_EOF) break;
  }
  fprintf(out, "\n");
}

static void describe_packet(const struct fuzz_frame *frame, size_t number, FILE *out) {
  size_t shown = frame->len < SHOWN_BYTES ? frame->len : SHOWN_BYTES;
  fprintf(out, "%4zu  %zu bytes, time %llu\n", number, frame->len,
          (unsigned long long)frame->time_ns);
  describe_capsule(frame, out);
  for (size_t i = 0; i < shown; i++)
    fprintf(out, "%s%02x%s", i % 32 ? " " : "        ", frame->bytes[i],
            i % 32 == 31 || i + 1 == shown ? "\n" : "");
}

void fuzz_describe(const struct fuzz_case *c, FILE *out) {
  const struct fuzz_play *p = &c->play;
  fprintf(out, "chip %s, seed %llu\nload %g, stall %g, malformed %g, pace by %s, lanes %s\n",
          c->config->name, (unsigned long long)c->seed, p->load, p->stall, p->malformed,
          p->by_time ? "time" : "line", p->hash_lanes ? "hash" : "spread");
  job_settings_describe(&p->set, out);
  for (unsigned i = 0; i < p->num_class_ecn; i++)
    fprintf(out, "class %u: marks from %u packets on (0: never)\n", i, p->class_ecn[i]);
  if (p->idle > 0) fprintf(out, "idle %g\n", p->idle);
  if (c->sets > 1) fprintf(out, "%u sets of pipelines\n", c->sets);
  if (c->fault) fprintf(out, "fault %s\n", c->fault);
  fprintf(out, "\nControl packets: %zu\n", c->control.num);
  for (size_t i = 0; i < c->control.num; i++) describe_control(&c->control.items[i], i, out);
  size_t frame = 0;
  for (unsigned i = 0; i < c->num_updates; i++) {
    const struct job_update *u = &c->updates[i];
    const struct {
      const char *what;
      unsigned num;
    } parts[] = {{"before the flip", u->before},
                 {"at once behind it", u->early},
                 {"when the old bank is empty", u->after}};
    fprintf(out, "\nUpdate %u at cycle %llu: rows 0x%x flip%s, and %u times more%s\n", i,
            (unsigned long long)u->at, u->flip,
            u->hasty ? " before the last frame has taken effect" : "", u->bounces,
            u->bounces ? ", back and forth" : "");
    for (unsigned k = 0; k < 3; k++) {
      fprintf(out, "  %s: %u frames\n", parts[k].what, parts[k].num);
      for (unsigned n = 0; n < parts[k].num && frame < c->updating.num; n++, frame++)
        describe_control(&c->updating.items[frame], frame, out);
    }
  }
  if (c->num_cuts) fprintf(out, "\nWrites of CHIP.CUT: %u\n", c->num_cuts);
  for (unsigned i = 0; i < c->num_cuts; i++) {
    const struct job_cut *u = &c->cuts[i];
    fprintf(out, "  at cycle %llu: 0x%x%s%s%s%s\n", (unsigned long long)u->at, u->rows,
            u->wait ? ", when it is allowed" : "", u->home ? ", with indices at home" : "",
            u->read ? ", all is read" : "", u->fill ? ", and filled" : "");
  }
  if (c->marking.num) fprintf(out, "\nControl packets while packets come: %zu\n", c->marking.num);
  for (size_t i = 0; i < c->marking.num; i++) {
    fprintf(out, "  at cycle %llu\n", (unsigned long long)c->marking.items[i].time_ns);
    describe_control(&c->marking.items[i], i, out);
  }
  fprintf(out, "\nPackets: %zu\n", c->packets.num);
  for (size_t i = 0; i < c->packets.num && i < SHOWN_PACKETS; i++)
    describe_packet(&c->packets.items[i], i, out);
  if (c->packets.num > SHOWN_PACKETS) fprintf(out, "      ... see capture.pcap\n");
}
