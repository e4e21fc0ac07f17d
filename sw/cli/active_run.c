// SPDX-License-Identifier: Apache-2.0
// sluice active run: a program, or the capsules of a capture, on the interpreter.
#include <stdlib.h>
#include <string.h>

#include "../lib/capture.h"
#include "active.h"

enum { MAX_LEN = 1 << 26, MAX_FRAME = 65536, NUM_FIDS = 65536 };

struct runner {
  const struct active_job *job;
  struct active_machine machine;
  struct active_packet packet;
  const struct active_program *program;  // that runs
  json_t *steps;                         // of the trace, if it is JSON
  uint32_t *counts;                      // packets of each FID
};

// ---- the trace ----------------------------------------------------------------------------------

static void step_text(const struct runner *r, const struct active_step *s, char line[ACTIVE_LINE]) {
  if (s->position < r->program->num) active_print(r->program, s->position, line);
  else snprintf(line, ACTIVE_LINE, "EOF");
}

static void trace_json(struct runner *r, const struct active_step *s) {
  char line[ACTIVE_LINE];
  step_text(r, s, line);
  json_t *hash = json_array();
  for (unsigned i = 0; i < ACTIVE_NUM_HASH; i++)
    json_array_append_new(hash, json_integer(s->registers.h[i]));
  json_t *one = json_pack(
      "{s:i s:i s:i s:i s:i s:s s:b s:b s:I s:I s:I s:o s:o}", "position", (int)s->position, "pass",
      (int)s->pass, "stage", (int)s->stage, "flags", (int)s->instr.flags, "opcode",
      (int)s->instr.opcode, "text", line, "skipped", s->skipped, "fault", s->fault, "mar",
      (json_int_t)s->registers.mar, "mbr", (json_int_t)s->registers.mbr, "mbr2",
      (json_int_t)s->registers.mbr2, "h", hash, "args", active_args_json(&s->args));
  if (s->access)
    json_object_set_new(one, "access",
                        json_pack("{s:I s:I s:I}", "word", (json_int_t)s->word, "before",
                                  (json_int_t)s->before, "after", (json_int_t)s->after));
  json_array_append_new(r->steps, one);
}

static void trace(const struct active_step *s, void *user) {
  struct runner *r = user;
  char line[ACTIVE_LINE];
  if (r->steps) {
    trace_json(r, s);
    return;
  }
  step_text(r, s, line);
  printf("%3u %4u %5u  %-22s %08x %08x %08x", s->position, s->pass, s->stage, line,
         s->registers.mar, s->registers.mbr, s->registers.mbr2);
  if (s->skipped) printf("  skipped");
  if (s->fault) printf("  out of bounds");
  if (s->access && s->before == s->after) printf("  [%u] %08x", s->word, s->before);
  if (s->access && s->before != s->after)
    printf("  [%u] %08x -> %08x", s->word, s->before, s->after);
  putchar('\n');
}

static void print_trace_head(void) {
  printf("pos pass stage  instruction            MAR      MBR      MBR2      memory\n");
}

// ---- one run ------------------------------------------------------------------------------------

static void run_one(struct runner *r, const struct active_capsule *capsule,
                    struct active_result *result) {
  const bool wanted = r->job->trace;
  r->program = &capsule->program;
  if (wanted && !r->steps) print_trace_head();
  active_run(&r->machine, capsule, &r->packet, result, wanted ? trace : NULL, r);
}

static void print_result(const struct active_result *result) {
  for (unsigned i = 0; i < result->num_leaving; i++) {
    const struct active_leaving *l = &result->leaving[i];
    printf("%s: %s", active_end_name(l->end),
           l->dropped ? "dropped"
           : l->done  ? "leaves, DONE"
                      : "leaves");
    if (l->has_port) printf(", port %u", l->port);
    if (l->swapped) printf(", addresses swapped");
    if (l->fault) printf(", FAULT");
    printf("; arguments %08x %08x %08x %08x\n", l->args.data[0], l->args.data[1], l->args.data[2],
           l->args.data[3]);
  }
  printf("%u executed, %u skipped, %u pass%s, %u access%s, %u out of bounds\n", result->executed,
         result->skipped, result->passes, result->passes == 1 ? "" : "es", result->accesses,
         result->accesses == 1 ? "" : "es", result->faults);
}

static json_t *result_json(struct runner *r, const struct active_result *result) {
  json_t *leaving = json_array();
  for (unsigned i = 0; i < result->num_leaving; i++) {
    const struct active_leaving *l = &result->leaving[i];
    json_t *one = json_pack("{s:s s:b s:b s:b s:b s:i s:o}", "end", active_end_name(l->end),
                            "dropped", l->dropped, "done", l->done, "swapped", l->swapped, "fault",
                            l->fault, "consumed", (int)l->consumed, "args",
                            active_args_json(&l->args));
    if (l->has_port) json_object_set_new(one, "port", json_integer(l->port));
    json_array_append_new(leaving, one);
  }
  json_t *all = json_pack("{s:o s:i s:i s:i s:i s:i}", "leaving", leaving, "executed",
                          (int)result->executed, "skipped", (int)result->skipped, "passes",
                          (int)result->passes, "accesses", (int)result->accesses, "faults",
                          (int)result->faults);
  if (r->steps) json_object_set_new(all, "trace", r->steps);
  return all;
}

static int run_program(struct runner *r, const char *bytes, size_t len) {
  const struct active_job *job = r->job;
  struct active_source source;
  struct active_result result;
  uint64_t args[4] = {0};
  int code = active_load(job, bytes, len, &source);
  if (code) return code;
  if (job->args && active_numbers("args", job->args, 0xffffffff, 4, args) < 0) return CLI_USAGE;
  struct active_capsule capsule = {.fid = (unsigned)job->fid, .program = source.program};
  capsule.preload = active_load_preload(job, &capsule.program).preload;
  if ((code = active_load_move(job, &capsule.program)) != CLI_DONE) return code;
  for (unsigned i = 0; i < 4; i++) capsule.args.data[i] = (uint32_t)args[i];
  if (job->json && job->trace) r->steps = json_array();
  run_one(r, &capsule, &result);
  if (job->json) return active_print_json(result_json(r, &result));
  if (!cli_output_taken()) print_result(&result);
  return CLI_DONE;
}

// ---- a capture ----------------------------------------------------------------------------------

struct sums {
  uint64_t packets, capsules, others, damaged, left, dropped, done, faults, executed, passes;
};

// Runs a capsule and writes what leaves. Only capsules with a program are executed, the rest leave
// as they came.
static enum sluice_status run_frame(struct runner *r, struct sums *sums,
                                    const struct sluice_packet *p,
                                    struct sluice_capture_writer *out, struct sluice_error *error) {
  static uint8_t frame[MAX_FRAME + 64];
  struct capsule c;
  struct sluice_error why;
  struct active_capsule capsule;
  struct active_result result;
  size_t len;
  sums->packets++;
  const bool is = capsule_is(p->bytes, p->len);
  const bool bad = is && capsule_read(&c, p->bytes, p->len, &why);
  if (bad) cli_warn("packet %llu: %s", (unsigned long long)sums->packets, why.text);
  if (!is || bad || c.kind != CAPSULE_IS_PROGRAM) {
    if (bad) sums->damaged++;
    else sums->others++;
    sums->left++;
    if (out) sluice_capture_write(out, p->bytes, p->len, p->time_ns);
    return SLUICE_OK;
  }
  sums->capsules++;
  const size_t reach = r->job->published ? CAPSULE_REACH_ALL : CAPSULE_REACH;
  capsule_to_run(&c, p->bytes, p->len, reach, &capsule, &r->packet);
  r->packet.count = ++r->counts[c.fid];
  if (r->job->trace) printf("packet %llu, FID %u\n", (unsigned long long)sums->packets, c.fid);
  run_one(r, &capsule, &result);
  sums->executed += result.executed;
  sums->passes += result.passes;
  sums->faults += result.faults;
  for (unsigned i = 0; i < result.num_leaving; i++) {
    const struct active_leaving *l = &result.leaving[i];
    sums->dropped += l->dropped;
    sums->done += l->done;
    if (l->dropped) continue;
    sums->left++;
    SLUICE_TRY(capsule_leave(&c, p->bytes, p->len, reach, l, frame, sizeof frame, &len, error));
    if (out) sluice_capture_write(out, frame, len, p->time_ns);
  }
  return SLUICE_OK;
}

static int tell_sums(const struct active_job *job, const struct sums *s) {
  if (job->json)
    return active_print_json(json_pack(
        "{s:I s:I s:I s:I s:I s:I s:I s:I s:I s:I}", "packets", (json_int_t)s->packets, "capsules",
        (json_int_t)s->capsules, "others", (json_int_t)s->others, "damaged", (json_int_t)s->damaged,
        "left", (json_int_t)s->left, "dropped", (json_int_t)s->dropped, "done", (json_int_t)s->done,
        "faults", (json_int_t)s->faults, "executed", (json_int_t)s->executed, "passes",
        (json_int_t)s->passes));
  FILE *to = cli_output_taken() ? stderr : stdout;
  fprintf(to,
          "packets %llu, left %llu; capsules with a program %llu: done %llu, dropped %llu\n"
          "instructions executed %llu, passes %llu, accesses out of bounds %llu\n",
          (unsigned long long)s->packets, (unsigned long long)s->left,
          (unsigned long long)s->capsules, (unsigned long long)s->done,
          (unsigned long long)s->dropped, (unsigned long long)s->executed,
          (unsigned long long)s->passes, (unsigned long long)s->faults);
  return CLI_DONE;
}

static int run_capture(struct runner *r, const char *path) {
  const struct active_job *job = r->job;
  struct sluice_capture *in = NULL;
  struct sluice_capture_writer *out = NULL;
  struct sluice_packet packet;
  struct sluice_error error;
  struct sums sums = {0};
  if (job->json && job->trace)
    return cli_error("--trace of a capture is text: without --json"), CLI_USAGE;
  r->counts = calloc(NUM_FIDS, sizeof *r->counts);
  if (!r->counts) return cli_error("out of memory"), CLI_WORLD;
  enum sluice_status status = sluice_capture_open(&in, path, &error);
  if (!status && job->output) status = sluice_capture_create(&out, job->output, &error);
  while (!status && (status = sluice_capture_next(in, &packet, &error)) == SLUICE_OK &&
         packet.bytes)
    status = run_frame(r, &sums, &packet, out, &error);
  sluice_capture_close(in);
  struct sluice_error last;
  const enum sluice_status written = sluice_capture_finish(out, &last);
  free(r->counts);
  if (status || written) {
    cli_error("%s", status ? error.text : last.text);
    return CLI_WORLD;
  }
  return tell_sums(job, &sums);
}

static int run_found(struct runner *r, const char *bytes, size_t len) {
  struct cli_work work;
  char room[4000];
  const char *path = active_capture_path(r->job, bytes, len, &work, room, sizeof room);
  const int code = path ? run_capture(r, path) : CLI_WORLD;
  cli_work_close(&work);
  return code;
}

// ---- the action ---------------------------------------------------------------------------------

static int prepare(struct runner *r) {
  const struct active_job *job = r->job;
  struct sluice_error error;
  r->packet = (struct active_packet){.port = (unsigned)job->port,
                                     .count = (uint32_t)job->count,
                                     .queue_delay = (uint32_t)job->delay,
                                     .queue_depth = (uint32_t)job->depth,
                                     .budget = (unsigned)job->budget};
  if (!active_read_tuple(job->tuple, &r->packet)) return CLI_USAGE;
  if (active_machine_init(&r->machine, job->shape, (uint32_t)job->words, NUM_FIDS, &error))
    return cli_error("%s", error.text), CLI_WORLD;
  if (job->memory) return active_memory_read(&r->machine, job->memory) ? CLI_DONE : CLI_WORLD;
  r->machine.tenants[job->fid].report = true;
  for (unsigned s = 0; s < job->shape.stages; s++)
    *active_machine_region(&r->machine, (unsigned)job->fid, s) =
        active_region_physical(0, (uint32_t)job->words - 1);
  return CLI_DONE;
}

int active_run_action(const struct active_job *job) {
  struct runner r = {.job = job};
  size_t len;
  char *bytes = NULL;
  int code = prepare(&r);
  if (!code && !(bytes = cli_read_file(job->path, MAX_LEN, &len))) code = CLI_WORLD;
  if (!code) {
    const bool capture = active_is_capture((const uint8_t *)bytes, len);
    if (capture) code = run_found(&r, bytes, len);
    else if (job->output) code = (cli_error("-o is for the packets of a capture"), CLI_USAGE);
    else code = run_program(&r, bytes, len);
  }
  if (!code && job->memory_out && !active_memory_write(&r.machine, job->memory_out))
    code = CLI_WORLD;
  free(bytes);
  active_machine_release(&r.machine);
  return code;
}
