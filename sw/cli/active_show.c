// SPDX-License-Identifier: Apache-2.0
// sluice active show: what is in a program, in a capture with capsules, or in a capsule in
// hexadecimal.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../lib/capture.h"
#include "active.h"

enum { MAX_LEN = 1 << 26 };
static const char *const kinds[] = {
    [CAPSULE_IS_REQUEST] = "request", [CAPSULE_IS_WORDS] = "words",
    [CAPSULE_IS_ANSWER] = "answer",   [CAPSULE_IS_POLL] = "poll",
    [CAPSULE_IS_DONE] = "done",       [CAPSULE_IS_PROGRAM] = "program"};

// ---- one capsule --------------------------------------------------------------------------------

static json_t *capsule_json(const struct capsule *c, uint64_t number, size_t len) {
  json_t *flags = json_array(), *ranges = json_array(), *accesses = json_array();
  json_t *one = json_pack("{s:I s:s s:i s:i s:I s:I}", "packet", (json_int_t)number, "kind",
                          kinds[c->kind], "fid", (int)c->fid, "seq", (int)c->seq, "bytes",
                          (json_int_t)len, "inner", (json_int_t)c->inner);
  for (unsigned bit = 16; bit-- > 0;) {
    const uint16_t flag = (uint16_t)(1u << bit);
    if (c->flags & flag && *capsule_flag_name(flag))
      json_array_append_new(flags, json_string(capsule_flag_name(flag)));
  }
  json_object_set_new(one, "flags", flags);
  if (c->tagged) json_object_set_new(one, "vid", json_integer(c->tci & 0xfff));
  if (c->kind == CAPSULE_IS_PROGRAM || (c->kind == CAPSULE_IS_DONE && c->flags & CAPSULE_ARGS))
    json_object_set_new(one, "args", active_args_json(&c->args));
  if (c->kind == CAPSULE_IS_PROGRAM)
    json_object_set_new(one, "instructions", active_texts_json(&c->program));
  for (unsigned i = 0; i < c->request.num; i++)
    json_array_append_new(accesses, json_pack("{s:i s:i}", "position", (int)c->request.position[i],
                                              "demand", (int)c->request.demand[i]));
  for (unsigned s = 0; s < CAPSULE_STAGES; s++)
    if (c->ranges[s].first || c->ranges[s].last)
      json_array_append_new(
          ranges, json_pack("{s:i s:I s:I}", "stage", (int)s, "first",
                            (json_int_t)c->ranges[s].first, "last", (json_int_t)c->ranges[s].last));
  if (c->kind == CAPSULE_IS_REQUEST) {
    json_object_set_new(one, "length", json_integer(c->request.length));
    json_object_set_new(one, "ingress_limit", json_integer(c->request.ingress_limit));
    json_object_set(one, "accesses", accesses);
  }
  if (c->kind == CAPSULE_IS_ANSWER) json_object_set(one, "ranges", ranges);
  if (c->kind == CAPSULE_IS_WORDS)
    json_object_set_new(one, "words",
                        json_pack("{s:i s:I s:i s:I}", "stage", (int)c->words.stage, "first",
                                  (json_int_t)c->words.first, "num", (int)c->words.num, "total",
                                  (json_int_t)c->words.total));
  json_decref(accesses);
  json_decref(ranges);
  return one;
}

static void print_capsule(const struct capsule *c, uint64_t number, size_t len) {
  printf("%llu: %s, FID %u, seq %u, %zu bytes, IPv4 from byte %zu", (unsigned long long)number,
         kinds[c->kind], c->fid, c->seq, len, c->inner);
  if (c->tagged) printf(", VLAN %u", c->tci & 0xfffu);
  for (unsigned bit = 16; bit-- > 0;) {
    const uint16_t flag = (uint16_t)(1u << bit);
    if (c->flags & flag && *capsule_flag_name(flag)) printf(", %s", capsule_flag_name(flag));
  }
  putchar('\n');
  if (c->kind == CAPSULE_IS_PROGRAM || (c->kind == CAPSULE_IS_DONE && c->flags & CAPSULE_ARGS))
    printf("    arguments %08x %08x %08x %08x\n", c->args.data[0], c->args.data[1], c->args.data[2],
           c->args.data[3]);
  for (unsigned i = 0; c->kind == CAPSULE_IS_PROGRAM && i < c->program.num; i++) {
    char line[ACTIVE_LINE];
    active_print(&c->program, i, line);
    printf("    %3u %02x %02x  %s\n", i, c->program.instrs[i].flags, c->program.instrs[i].opcode,
           line);
  }
  if (c->kind == CAPSULE_IS_REQUEST && !c->request.num) printf("    a release\n");
  for (unsigned i = 0; i < c->request.num; i++)
    printf("    access at %u: %u block%s%s\n", c->request.position[i], c->request.demand[i],
           c->request.demand[i] == 1 ? ", or more" : "s",
           c->request.sharded[i] ? ", in all pipelines" : "");
  for (unsigned s = 0; s < CAPSULE_STAGES; s++)
    if (c->ranges[s].first || c->ranges[s].last)
      printf("    stage %u: words %u to %u%s\n", s, c->ranges[s].first, c->ranges[s].last,
             c->ranges[s].sharded ? ", in all pipelines" : "");
  if (c->kind == CAPSULE_IS_WORDS)
    printf("    stage %u: %u words from %u on, of %u\n", c->words.stage, c->words.num,
           c->words.first, c->words.total);
}

struct shown {
  json_t *list;  // NULL: text
  uint64_t number, others, bad;
};

static void show_frame(struct shown *shown, const uint8_t *bytes, size_t len) {
  struct capsule c;
  struct sluice_error error;
  shown->number++;
  if (!capsule_is(bytes, len)) {
    shown->others++;
  } else if (capsule_read(&c, bytes, len, &error)) {
    cli_error("packet %llu: %s", (unsigned long long)shown->number, error.text);
    shown->bad++;
  } else if (shown->list) {
    json_array_append_new(shown->list, capsule_json(&c, shown->number, len));
  } else {
    print_capsule(&c, shown->number, len);
  }
}

static int finish(struct shown *shown, int code) {
  if (shown->list) {
    json_t *all = json_pack("{s:o s:I s:I}", "capsules", shown->list, "others",
                            (json_int_t)shown->others, "damaged", (json_int_t)shown->bad);
    if (active_print_json(all)) code = CLI_WORLD;
  } else if (shown->others) {
    printf("%llu other packet%s\n", (unsigned long long)shown->others,
           shown->others == 1 ? "" : "s");
  }
  return code ? code : shown->bad ? CLI_NO : CLI_DONE;
}

static int show_capture(const struct active_job *job, const char *bytes, size_t bytes_len) {
  struct cli_work work;
  char room[4000];
  const char *path = active_capture_path(job, bytes, bytes_len, &work, room, sizeof room);
  if (!path) return cli_work_close(&work), CLI_WORLD;
  struct shown shown = {.list = job->json ? json_array() : NULL};
  struct sluice_capture *capture;
  struct sluice_packet packet;
  struct sluice_error error;
  enum sluice_status status = sluice_capture_open(&capture, path, &error);
  if (!status) {
    while ((status = sluice_capture_next(capture, &packet, &error)) == SLUICE_OK && packet.bytes)
      show_frame(&shown, packet.bytes, packet.len);
    sluice_capture_close(capture);
  }
  cli_work_close(&work);
  if (status) cli_error("%s", error.text);
  return finish(&shown, status ? CLI_WORLD : CLI_DONE);
}

// ---- hexadecimal --------------------------------------------------------------------------------

// Bytes of a text of hexadecimal digits, in place; false: there is something else in it.
static bool from_hexadecimal(char *text, size_t *len) {
  size_t digits = 0;
  for (size_t i = 0; i < *len; i++) {
    if (isspace((unsigned char)text[i]) || text[i] == ':') continue;
    uint64_t value = 0;
    if (!sluice_hex_digits(&text[i], 1, &value)) return false;
    text[digits / 2] = (char)(digits % 2 ? (unsigned char)text[digits / 2] | value : value << 4);
    digits++;
  }
  *len = digits / 2;
  return digits && digits % 2 == 0;
}

static int show_program(const struct active_job *job, const struct active_program *program) {
  static char text[ACTIVE_TEXT];
  if (job->json)
    return active_print_json(json_pack("{s:o}", "instructions", active_texts_json(program)));
  active_disassemble(program, text);
  fputs(text, stdout);
  return CLI_DONE;
}

int active_show_action(const struct active_job *job) {
  size_t len;
  char *bytes = cli_read_file(job->path, MAX_LEN, &len);
  if (!bytes) return CLI_WORLD;
  int code;
  if (active_is_capture((const uint8_t *)bytes, len)) {
    code = show_capture(job, bytes, len);
  } else if (from_hexadecimal(bytes, &len)) {
    struct shown shown = {.list = job->json ? json_array() : NULL};
    show_frame(&shown, (const uint8_t *)bytes, len);
    if (shown.others)
      cli_error("'%s': no capsule: no EtherType 83b2 in bytes 12-13, or 16-17", job->path);
    shown.bad += shown.others;
    shown.others = 0;
    code = finish(&shown, CLI_DONE);
  } else {
    struct active_source *source = malloc(sizeof *source);
    code = CLI_WORLD;
    if (source) code = active_load(job, bytes, len, source);
    else cli_error("out of memory");
    if (source && !code) code = show_program(job, &source->program);
    free(source);
  }
  free(bytes);
  return code;
}
