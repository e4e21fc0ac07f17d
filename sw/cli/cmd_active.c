// SPDX-License-Identifier: Apache-2.0
// sluice active: programs of capsules. Here: the command line, and the action asm.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../active/mutate.h"
#include "active.h"

enum { MAX_LEN = 1 << 20 };

static const struct cli_usage usage = {
    "active", "asm|show|run FILE [OPTION...] | gen -o FILE [OPTION...]",
    "Assembles, shows and runs the programs of capsules",
    "  asm   assembles a text (.ap4), prints the listing, writes the bytes (.apo)\n"
    "  show  prints what is in a program (.apo), a capture with capsules, or a capsule in "
    "hexadecimal\n"
    "  run   runs a program, or every capsule of a capture, on the interpreter: one pipeline, no "
    "chip\n"
    "  gen   makes a capture of random capsules\n"
    "\n"
    "docs/active.md tells the language, the formats and the instructions.\n"};

bool active_is_capture(const uint8_t *bytes, size_t len) {
  static const uint8_t magics[][4] = {{0xa1, 0xb2, 0xc3, 0xd4},
                                      {0xd4, 0xc3, 0xb2, 0xa1},
                                      {0xa1, 0xb2, 0x3c, 0x4d},
                                      {0x4d, 0x3c, 0xb2, 0xa1},
                                      {0x0a, 0x0d, 0x0d, 0x0a}};
  for (unsigned i = 0; len >= 4 && i < sizeof magics / sizeof *magics; i++)
    if (memcmp(bytes, magics[i], 4) == 0) return true;
  return false;
}

const char *active_capture_path(const struct active_job *job, const char *bytes, size_t len,
                                struct cli_work *work, char *path, size_t size) {
  *work = (struct cli_work){.lock = -1};
  if (strcmp(job->path, "-") != 0) return job->path;
  if (!cli_work_open(work, NULL)) return NULL;
  snprintf(path, size, "%s/0-capture", work->path);
  return cli_write_file(path, bytes, len) ? path : NULL;
}

int active_load(const struct active_job *job, const char *bytes, size_t len,
                struct active_source *source) {
  struct sluice_error error;
  if (memchr(bytes, 0, len)) {
    memset(source, 0, sizeof *source);
    if (!active_from_apo(&source->program, (const uint8_t *)bytes, len, NULL, &error))
      return CLI_DONE;
    cli_error("'%s': %s", job->path, error.text);
    return CLI_NO;
  }
  const bool good = active_assemble(bytes, len, job->explicit_labels, job->shape, source);
  for (unsigned i = 0; i < source->num_notes; i++) {
    const struct active_note *n = &source->notes[i];
    fprintf(stderr, "%s:%u:%u: %s: %s\n", job->path, n->line, n->column,
            n->warning ? "warning" : "error", n->text);
  }
  const unsigned all = source->num_errors + source->num_warnings;
  if (all > source->num_notes) fprintf(stderr, "and %u more\n", all - source->num_notes);
  return good ? CLI_DONE : CLI_NO;
}

struct active_preload active_load_preload(const struct active_job *job,
                                          struct active_program *program) {
  struct active_preload preload = {0};
  if (!job->preload) return preload;
  preload = active_preload(program, job->shape);
  for (unsigned r = 0; r < 3; r++)
    if (preload.hazards >> r & 1)
      cli_warn(
          "%s is read before it is written: with PRELOAD it begins with argument %u, not with 0",
          r == 0   ? "MAR"
          : r == 1 ? "MBR"
                   : "MBR2",
          r);
  return preload;
}

int active_numbers(const char *option, const char *text, uint64_t most, unsigned room,
                   uint64_t *numbers) {
  int num = 0;
  for (const char *at = text;;) {
    const char *end = at;
    uint64_t value;
    if (!sluice_number_next(&end, 0, most, &value)) {
      cli_error("--%s: '%s': numbers from 0 to %llu, with commas between them%s", option, text,
                (unsigned long long)most, sluice_number_hint(at));
      return -1;
    }
    if ((unsigned)num == room) {
      cli_error("--%s: '%s' has more than %u numbers", option, text, room);
      return -1;
    }
    numbers[num++] = value;
    if (!*end) return num;
    if (*end != ',') {
      cli_error("--%s: '%s': '%s' is no comma", option, text, end);
      return -1;
    }
    at = end + 1;
  }
}

json_t *active_texts_json(const struct active_program *program) {
  json_t *list = json_array();
  for (unsigned i = 0; i < program->num; i++) {
    char line[ACTIVE_LINE];
    active_print(program, i, line);
    json_array_append_new(list, json_string(line));
  }
  return list;
}

json_t *active_args_json(const struct active_args *args) {
  json_t *list = json_array();
  for (unsigned i = 0; i < 4; i++) json_array_append_new(list, json_integer(args->data[i]));
  return list;
}

int active_print_json(json_t *all) {
  const bool good = json_dumpf(all, stdout, JSON_INDENT(1)) == 0 && putchar('\n') != EOF;
  json_decref(all);
  return good ? CLI_DONE : CLI_WORLD;
}

// ---- asm ----------------------------------------------------------------------------------------

int active_load_move(const struct active_job *job, struct active_program *program) {
  if (!job->move) return CLI_DONE;
  uint64_t numbers[ACTIVE_MAX_INSTRS];
  unsigned stages[ACTIVE_MAX_INSTRS];
  struct active_mutation mutation;
  struct sluice_error error;
  const int num =
      active_numbers("to", job->move, job->shape.stages - 1, ACTIVE_MAX_INSTRS, numbers);
  if (num < 0) return CLI_USAGE;
  for (int i = 0; i < num; i++) stages[i] = (unsigned)numbers[i];
  if (active_mutate_stages(program, job->shape, stages, (unsigned)num, program, &mutation,
                           &error)) {
    cli_error("--to %s: %s", job->move, error.text);
    return CLI_NO;
  }
  if (mutation.hashes)
    cli_warn("%u HASH moved to a position with another polynomial: --explicit and HASH,#N fix it",
             mutation.hashes);
  return CLI_DONE;
}

static void print_listing(const struct active_job *job, const struct active_program *program) {
  const struct active_memidx memidx = active_memidx(program);
  printf("pos pass stage bytes  instruction\n");
  for (unsigned i = 0; i < program->num; i++) {
    char line[ACTIVE_LINE];
    active_print(program, i, line);
    printf("%3u %4u %5u %02x %02x  %s\n", i, active_pass(job->shape, i),
           active_stage(job->shape, i), program->instrs[i].flags, program->instrs[i].opcode, line);
  }
  printf("accesses at");
  for (unsigned i = 0; i < memidx.num; i++) printf("%s %u", i ? "," : "", memidx.positions[i]);
  printf("%s; ", memidx.num ? "" : " none");
  if (memidx.ingress_limit < 0) printf("no ingress limit\n");
  else printf("ingress limit %d\n", memidx.ingress_limit);
}

static json_t *listing_json(const struct active_job *job, const struct active_program *program,
                            const struct active_preload *preload) {
  const struct active_memidx memidx = active_memidx(program);
  json_t *all = json_object(), *instructions = json_array(), *accesses = json_array();
  for (unsigned i = 0; i < program->num; i++) {
    char line[ACTIVE_LINE];
    active_print(program, i, line);
    json_array_append_new(instructions, json_pack("{s:i s:i s:i s:i s:i s:s}", "position", (int)i,
                                                  "pass", (int)active_pass(job->shape, i), "stage",
                                                  (int)active_stage(job->shape, i), "flags",
                                                  (int)program->instrs[i].flags, "opcode",
                                                  (int)program->instrs[i].opcode, "text", line));
  }
  for (unsigned i = 0; i < memidx.num; i++)
    json_array_append_new(accesses, json_integer(memidx.positions[i]));
  json_object_set_new(all, "instructions", instructions);
  json_object_set_new(all, "accesses", accesses);
  json_object_set_new(all, "ingress_limit", json_integer(memidx.ingress_limit));
  json_object_set_new(all, "preload", json_boolean(preload->preload));
  return all;
}

static int active_asm_action(const struct active_job *job) {
  struct active_source source;
  size_t len;
  char *bytes = cli_read_file(job->path, MAX_LEN, &len);
  if (!bytes) return CLI_WORLD;
  int code = active_load(job, bytes, len, &source);
  free(bytes);
  if (code) return code;
  struct active_program *program = &source.program;
  const struct active_preload preload = active_load_preload(job, program);
  if ((code = active_load_move(job, program)) != CLI_DONE) return code;
  uint8_t apo[2 * (ACTIVE_MAX_INSTRS + 1)];
  const unsigned apo_len = active_to_apo(program, apo);
  char text[8 * ACTIVE_MAX_INSTRS];
  const struct active_memidx memidx = active_memidx(program);
  const int text_len = active_memidx_print(&memidx, text, sizeof text);
  if (job->output && active_names_capture(job->output))
    code = active_write_packet(job, program, preload.preload);
  else if (job->output && !cli_write_file(job->output, apo, apo_len)) code = CLI_WORLD;
  if (code) return code;
  if (job->memidx && !cli_write_file(job->memidx, text, (size_t)text_len)) return CLI_WORLD;
  if (job->json) return active_print_json(listing_json(job, program, &preload));
  if (cli_output_taken()) return CLI_DONE;
  print_listing(job, program);
  if (preload.preload) printf("send it with PRELOAD\n");
  return CLI_DONE;
}

// ---- the verb -----------------------------------------------------------------------------------

int cmd_active(int argc, char **argv) {
  struct active_job job = {.fid = 1,
                           .vid = 1,
                           .words = 1024,
                           .stages = 20,
                           .budget = 10,
                           .packets = 100,
                           .fids = 4,
                           .length = 30,
                           .seed = 1};
  struct cli_list rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_WRITE, 'o', "output", "FILE", &job.output, 0, 0,
       "asm: the bytes (.apo), or a packet that carries them (.pcap, .pcapng); run: what leaves, "
       "of a capture"},
      {CLI_FLAG, 0, "explicit", NULL, &job.explicit_labels, 0, 0,
       "our form of labels, with numbers; HASH,#N chooses the polynomial"},
      {CLI_FLAG, 0, "preload", NULL, &job.preload, 0, 0,
       "take out first loads: flag PRELOAD does their work"},
      {CLI_TEXT, 0, "to", "STAGES", &job.move, 0, 0,
       "move the memory accesses to these stages, as 1,4,9"},
      {CLI_WHOLE, 0, "stages", "N", &job.stages, 1, ACTIVE_ADDR_STAGES, "stages of a pass (20)"},
      {CLI_FLAG, 0, "published", NULL, &job.published, 0, 0,
       "the rules of the published switch; further passes begin at half of the stages"},
      {CLI_TEXT, 0, "args", "NUMBERS", &job.args, 0, 0, "arguments 0 to 3, as 13,0xaaaa (0)"},
      {CLI_WHOLE, 0, "fid", "N", &job.fid, 0, 65535, "number of the program (1)"},
      {CLI_TEXT, 0, "tuple", "SRC:PORT,DST:PORT", &job.tuple, 0, 0,
       "addresses and ports of the packet, as 10.0.0.1:1234,10.0.0.2:80 (0)"},
      {CLI_FLAG, 0, "json", NULL, &job.json, 0, 0, "print it as JSON"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "asm"},
      {CLI_WHOLE, 0, "vid", "N", &job.vid, 0, 4094, "VLAN id of the packet; 0: no tag (1)"},
      {CLI_WRITE, 0, "memidx", "FILE", &job.memidx, 0, 0,
       "write access positions and ingress limit there (.memidx.csv)"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "run"},
      {CLI_READ, 0, "memory", "FILE", &job.memory, 0, 0,
       "regions and words before the run, JSON (without: all words of all stages)"},
      {CLI_WRITE, 0, "memory-out", "FILE", &job.memory_out, 0, 0, "write them there behind it"},
      {CLI_WHOLE, 0, "words", "N", &job.words, 1, 1048576, "words of a stage (1024)"},
      {CLI_WHOLE, 0, "budget", "N", &job.budget, 1, ACTIVE_MAX_PASSES,
       "passes that a capsule may have (10)"},
      {CLI_WHOLE, 0, "port", "N", &job.port, 0, 511, "port of arrival (0)"},
      {CLI_WHOLE, 0, "count", "N", &job.count, 0, 4294967295.0,
       "what LOAD_PKTCOUNT loads; of a capture it is counted (0)"},
      {CLI_WHOLE, 0, "queue-delay", "N", &job.delay, 0, 4294967295.0, "what LOAD_QDELAY loads (0)"},
      {CLI_WHOLE, 0, "queue-depth", "N", &job.depth, 0, 4294967295.0, "what LOAD_QUEUE loads (0)"},
      {CLI_FLAG, 0, "trace", NULL, &job.trace, 0, 0,
       "print every instruction, and the registers behind it"},
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "gen"},
      {CLI_WHOLE, 'n', "packets", "N", &job.packets, 1, 1e9, "packets (100)"},
      {CLI_WHOLE, 0, "fids", "N", &job.fids, 1, 65535,
       "programs 1 to N; a few packets have another number (4)"},
      {CLI_WHOLE, 0, "length", "N", &job.length, 0, ACTIVE_MAX_INSTRS, "most instructions (30)"},
      {CLI_WHOLE, 0, "seed", "N", &job.seed, 0, 9e15, "seed (1)"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  static const struct {
    const char *word;
    int (*act)(const struct active_job *job);
  } actions[] = {{"asm", active_asm_action},
                 {"show", active_show_action},
                 {"run", active_run_action},
                 {"gen", active_gen_action}};
  const char *what = rest.count ? rest.items[0] : "";
  const bool gen = strcmp(what, "gen") == 0;
  if (rest.count != (gen ? 1 : 2)) {
    cli_error("active needs asm, show or run, and one file; or gen");
    return CLI_USAGE;
  }
  job.path = gen ? "" : rest.items[1];
  job.shape = (struct active_shape){(unsigned)job.stages, 0, 0, ACTIVE_RULES_CHIP};
  if (job.published) {
    const unsigned ingress = (unsigned)job.stages / 2;
    job.shape =
        (struct active_shape){(unsigned)job.stages, ingress, ingress, ACTIVE_RULES_PUBLISHED};
  }
  if (job.json && cli_output_taken()) {
    cli_error("--json and a file that is -: both want standard output");
    return CLI_USAGE;
  }
  if (strcmp(job.path, "-") == 0 && !cli_take_input(job.path)) return CLI_USAGE;
  for (unsigned i = 0; i < sizeof actions / sizeof *actions; i++)
    if (strcmp(what, actions[i].word) == 0) return actions[i].act(&job);
  cli_error("active: '%s' is none of asm, show, run, gen", what);
  return CLI_USAGE;
}
