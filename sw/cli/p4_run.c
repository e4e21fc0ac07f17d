// SPDX-License-Identifier: Apache-2.0
// sluice p4 run: a P4-16 program on the interpreter, with STF tests or captures.
#include <stdlib.h>
#include <string.h>

#include "../lib/capture.h"
#include "../p4run/runtime.h"
#include "../p4run/stf.h"
#include "../p4run/switch.h"
#include "cli.h"
#include "p4.h"

enum { MAX_LEN = 16 << 20 };  // longest test, longest entries

static const struct cli_usage usage = {
    "p4", "run PROGRAM [OPTION...]", "Runs a P4-16 program of v1model, one packet after the other",
    "The interpreter is the reference for what a program means: it shares nothing with compiler, "
    "model\n"
    "and chip. With --stf the exit code is 0 if all packets are as expected, and 1 if not.\n"};

struct job {
  struct cli_list folders, defines, stf;
  const char *pcap, *output, *entries;
  uint64_t seed, port;
  bool trace, json, quiet;
  char why[600];
};

static struct p4r_switch *open_switch(struct job *job, const struct p4_program *program,
                                      const struct p4_messages *messages) {
  const struct p4r_options options = {
      .seed = job->seed,
      .messages = messages,
      .trace = {job->trace || job->json ? stdout : NULL, job->json}};
  struct p4r_switch *sw = p4r_open(program, &options, job->why, sizeof job->why);
  if (!sw) cli_error("%s", job->why);
  return sw;
}

static int load_entries(struct job *job, struct p4r_switch *sw) {
  size_t len;
  if (!job->entries) return CLI_DONE;
  char *text = cli_read_file(job->entries, MAX_LEN, &len);
  if (!text) return CLI_WORLD;
  const bool good = p4r_runtime_load(sw, job->why, sizeof job->why, text, len);
  if (!good) cli_error("%s: %s", job->entries, job->why);
  free(text);
  return good ? CLI_DONE : CLI_NO;
}

// Each test begins with a new switch.
static int run_stf(struct job *job, const struct p4_program *program,
                   const struct p4_messages *messages, const char *path) {
  size_t len;
  char *text = cli_read_file(path, MAX_LEN, &len);
  if (!text) return CLI_WORLD;
  struct p4r_switch *sw = open_switch(job, program, messages);
  int code = sw ? load_entries(job, sw) : CLI_NO;
  if (code == CLI_DONE) {
    struct p4r_stf report = {.out = stderr};
    if (!p4r_stf_run(&report, sw, job->why, path, text)) code = CLI_NO;
    if (!job->quiet)
      fprintf(job->json ? stderr : stdout, "%s: %u packets, %u expected, %s\n", path,
              report.packets, report.expects,
              code == CLI_DONE ? "all as expected" : "not as expected");
  }
  p4r_close(sw);
  free(text);
  return code;
}

// ---- captures -----------------------------------------------------------------------------------

static bool write_out(struct sluice_capture_writer *writer, const struct p4r_output *o,
                      uint64_t time_ns) {
  for (; o; o = o->next)
    if (writer) sluice_capture_write_at(writer, o->bytes, o->len, time_ns, o->port, NULL);
  return true;
}

static int play(struct job *job, struct p4r_switch *sw, struct sluice_capture *in,
                struct sluice_capture_writer *out) {
  struct sluice_packet p;
  struct sluice_error error;
  uint64_t in_count = 0, out_count = 0, start = 0;
  for (;;) {
    if (sluice_capture_next(in, &p, &error)) return cli_error("%s", error.text), CLI_WORLD;
    if (!p.bytes) break;
    if (in_count++ == 0) start = p.time_ns;
    p4r_set_time(sw, p.time_ns < start ? 0 : (p.time_ns - start) / 1000);
    struct p4r_output *o;
    const unsigned port = p.interface >= 0 ? (unsigned)p.interface : (unsigned)job->port;
    if (!p4r_send(sw, port, p.bytes, p.len, &o)) {
      cli_error("packet %llu: %s", (unsigned long long)in_count, job->why);
      return CLI_NO;
    }
    write_out(out, o, p.time_ns);
    for (; o; o = o->next) out_count++;
  }
  if (!job->quiet)
    fprintf(cli_output_taken() || job->json ? stderr : stdout, "%llu packets in, %llu out\n",
            (unsigned long long)in_count, (unsigned long long)out_count);
  return CLI_DONE;
}

static int run_capture(struct job *job, const struct p4_program *program,
                       const struct p4_messages *messages) {
  struct sluice_error error;
  struct sluice_capture *in = NULL;
  struct sluice_capture_writer *out = NULL;
  struct p4r_switch *sw = open_switch(job, program, messages);
  int code = sw ? load_entries(job, sw) : CLI_NO;
  if (code == CLI_DONE && sluice_capture_open(&in, job->pcap, &error))
    code = (cli_error("%s", error.text), CLI_WORLD);
  if (code == CLI_DONE && job->output &&
      (sluice_capture_is_pcapng(job->output)
           ? sluice_capture_create_ports(&out, job->output, 512, &error)
           : sluice_capture_create(&out, job->output, &error)))
    code = (cli_error("%s", error.text), CLI_WORLD);
  if (code == CLI_DONE) code = play(job, sw, in, out);
  sluice_capture_close(in);
  if (sluice_capture_finish(out, &error) && code == CLI_DONE)
    code = (cli_error("%s", error.text), CLI_WORLD);
  p4r_close(sw);
  return code;
}

static int run_program(struct job *job, const char *path) {
  struct cli_p4 p = {.folders = &job->folders, .defines = &job->defines};
  int code = cli_p4_read(&p, path);
  if (code == CLI_NO) p4_messages_print(&p.messages, 0, stderr);
  for (unsigned i = 0; p.program && i < job->stf.count; i++) {
    const int one = run_stf(job, p.program, &p.messages, job->stf.items[i]);
    if (one > code) code = one;
  }
  if (p.program && job->pcap) {
    const int one = run_capture(job, p.program, &p.messages);
    if (one > code) code = one;
  }
  cli_p4_release(&p);
  return code;
}

int cli_p4_run(int argc, char **argv) {
  struct job job = {.seed = 1};
  struct cli_list rest = {0};
  const struct cli_option options[] = {
      {CLI_LIST, 0, "stf", "TEST", &job.stf, 0, 0, "run this packet test; may be repeated"},
      {CLI_READ, 0, "pcap", "FILE", &job.pcap, 0, 0,
       "give the packets of a capture to the program"},
      {CLI_WRITE, 'o', "output", "FILE", &job.output, 0, 0,
       "capture of what comes out; with ports if it ends in .pcapng"},
      {CLI_WHOLE, 0, "port", "N", &job.port, 0, 510,
       "where packets of a capture without interfaces come in (0)"},
      {CLI_READ, 0, "entries", "FILE", &job.entries, 0, 0,
       "table entries, groups and clone sessions, a runtime.json of the P4 tutorials"},
      {CLI_FLAG, 0, "trace", NULL, &job.trace, 0, 0,
       "print every parser state, table and statement by its line"},
      {CLI_FLAG, 0, "json", NULL, &job.json, 0, 0, "the same as a JSON object a line"},
      {CLI_WHOLE, 0, "seed", "N", &job.seed, 0, 9e15, "of random() (1)"},
      {CLI_LIST, 'I', "include", "FOLDER", &job.folders, 0, 0,
       "a folder in which #include looks, behind that of the file"},
      {CLI_LIST, 'D', "define", "NAME[=TEXT]", &job.defines, 0, 0,
       "a macro, as if the program began with its #define"},
      {CLI_FLAG, 'q', "quiet", NULL, &job.quiet, 0, 0, "print only what is not as expected"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count != 2 || (!job.stf.count && !job.pcap)) {
    cli_error("p4 run takes a program, and --stf or --pcap; see 'sluice p4 run --help'");
    return CLI_USAGE;
  }
  if (job.output && !job.pcap) {
    cli_error("--output is for the packets of --pcap");
    return CLI_USAGE;
  }
  if (!cli_take_input(rest.items[1])) return CLI_USAGE;
  return run_program(&job, rest.items[1]);
}
