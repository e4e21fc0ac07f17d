// SPDX-License-Identifier: Apache-2.0
// Random P4 programs of the kind that the machine takes: fields of headers at fixed places,
// metadata, choices, a table, a register. Those that fit a chip do the same on the interpreter of
// P4 and on the reference model. SLUICE_SEED and SLUICE_PROGRAMS choose the programs, SLUICE_CHIP
// names one chip for all. SLUICE_WRITE names a folder where the texts of those that were taken go,
// with a capture of packets for them as modules 1 to MODULES (sw/tests/chip/p4_random.sh).
#include "tests/rig/test.h"
#include "tests/rig/environment.h"
#include "tests/rig/p4c_both.h"

enum { PACKETS = 40, TRIES = 30, MODULES = 5 };

struct gen {
  struct sluice_rng rng;
  FILE *out;
  bool few;  // statements, so that a small chip takes the program
};

static unsigned below(struct gen *g, unsigned n) { return (unsigned)sluice_rng_below(&g->rng, n); }

// ---- texts -------------------------------------------------------------------------------------

// Of 8, 16 and 32 bits; the last ones are only read.
static const char *const fields[3][6] = {
    {"hdr.ip.ttl", "meta.a", "hdr.ip.protocol"},
    {"hdr.ip.id", "meta.b", "hdr.ip.len", "hdr.udp.sport", "hdr.udp.len", "hdr.eth.type"},
    {"hdr.ip.src", "meta.c", "hdr.ip.dst", "hdr.tcp.seq"}};
static const unsigned num_fields[3] = {3, 6, 4}, num_written[3] = {2, 3, 3};

static void condition(struct gen *g, unsigned depth);

static void number(struct gen *g, unsigned size) {
  static const char *const numbers[] = {"0", "1", "0x7f", "0x80", "0xff", "5", "64", "17"};
  fprintf(g->out, "%uw%s", 8u << size, numbers[below(g, 8)]);
}

static void value(struct gen *g, unsigned size, unsigned depth) {
  static const char *const operators[] = {"+", "-", "&", "|", "^", "+", "-"};
  if (!depth || below(g, 3) == 0) {
    if (below(g, 3)) fputs(fields[size][below(g, num_fields[size])], g->out);
    else number(g, size);
    return;
  }
  fputc('(', g->out);
  const unsigned kind = below(g, 8);
  if (kind == 0) {
    condition(g, depth - 1);
    fputs(" ? ", g->out);
    value(g, size, depth - 1);
    fputs(" : ", g->out);
    value(g, size, depth - 1);
  } else if (kind == 1) {
    fprintf(g->out, "(bit<%u>)", 8u << size);
    value(g, below(g, 3), depth - 1);
  } else if (kind == 2) {
    fputc('~', g->out);
    value(g, size, depth - 1);
  } else if (kind == 3 && size < 2) {
    fputs(fields[size + 1][below(g, num_fields[size + 1])], g->out);
    const unsigned low = below(g, (8u << size) + 1);
    fprintf(g->out, "[%u:%u]", low + (8u << size) - 1, low);
  } else {
    value(g, size, depth - 1);
    fprintf(g->out, " %s ", operators[below(g, 7)]);
    value(g, size, depth - 1);
  }
  fputc(')', g->out);
}

static void condition(struct gen *g, unsigned depth) {
  static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
  static const char *const headers[] = {"ip", "udp", "tcp"};
  const unsigned kind = below(g, 6);
  if (kind == 0) {
    fprintf(g->out, "hdr.%s.isValid()", headers[below(g, 3)]);
  } else if (kind == 1 && depth) {
    fputs(below(g, 2) ? "(" : "!(", g->out);
    condition(g, depth - 1);
    fputs(below(g, 2) ? " && " : " || ", g->out);
    condition(g, depth - 1);
    fputc(')', g->out);
  } else {
    const unsigned size = below(g, 3);
    value(g, size, depth);
    fprintf(g->out, " %s ", compares[below(g, 6)]);
    value(g, size, 0);
  }
}

static void statements(struct gen *g, unsigned num, unsigned depth);

static void statement(struct gen *g, unsigned depth) {
  const unsigned size = below(g, 3), kind = below(g, 8);
  if (kind == 0 && below(g, 4) == 0) {
    fprintf(g->out, "sm.egress_spec = %s[8:0];\n", fields[1 + below(g, 2)][below(g, 3)]);
  } else if (kind == 0) {
    fprintf(g->out, "sm.egress_spec = %u;\n", below(g, 8) ? below(g, 5) : 256 + below(g, 256));
  } else if (kind == 1 && depth) {
    fputs("mark_to_drop(sm);\n", g->out);
  } else if (kind < 4 && depth) {
    fputs("if (", g->out);
    condition(g, 1);
    fputs(") {\n", g->out);
    statements(g, 1 + below(g, 2), depth - 1);
    fputs(below(g, 2) ? "} else {\n" : "}\n{\n", g->out);
    statements(g, 1, depth - 1);
    fputs("}\n", g->out);
  } else {
    fprintf(g->out, "%s = ", fields[size][below(g, num_written[size])]);
    value(g, size, 2);
    fputs(";\n", g->out);
  }
}

static void statements(struct gen *g, unsigned num, unsigned depth) {
  for (unsigned i = 0; i < num; i++) statement(g, depth);
}

static void table(struct gen *g) {
  static const char *const kinds[] = {"exact", "ternary", "lpm"};
  const unsigned kind = below(g, 3), size = below(g, 3);
  fputs("action put(bit<16> x, bit<8> y) {\nhdr.ip.id = x;\n", g->out);
  if (below(g, 2)) fputs("hdr.ip.ttl = hdr.ip.ttl - y;\n", g->out);
  fputs("}\naction go(bit<9> port) {\nsm.egress_spec = port;\n}\naction drop() "
        "{\nmark_to_drop(sm);\n}\n",
        g->out);
  fprintf(g->out, "table t {\nkey = { %s : %s; }\nactions = { put; go; drop; NoAction; }\n",
          fields[size][below(g, num_fields[size])], kinds[kind]);
  fprintf(g->out, "default_action = %s();\nconst entries = {\n", below(g, 2) ? "drop" : "NoAction");
  for (unsigned i = 0, at = 0; i < 4; i++) {
    at += 1 + below(g, 60);
    if (kind == 0) fprintf(g->out, "%u", at);
    else if (kind == 1) fprintf(g->out, "%u &&& 0x%x", at, below(g, 256));
    else
      fprintf(g->out, "%u &&& 0x%x", at << 2, (unsigned)(0xfffffffcu >> (32 - (8u << size))) & ~3u);
    if (below(g, 2)) fprintf(g->out, " : put(%u, %u);\n", below(g, 65536), below(g, 3));
    else fprintf(g->out, " : go(%u);\n", below(g, 5));
  }
  fputs("}\n}\n", g->out);
}

// Half of those that ask at all ask for their queue, and are done behind it.
static void egress(struct gen *g) {
  static const char *const asked[] = {"sm.enq_qdepth", "sm.deq_qdepth", "sm.packet_length",
                                      "sm.egress_port"};
  if (below(g, 3)) {
    fputs("NO_EGRESS\n", g->out);
    return;
  }
  fputs("control MyEgress(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {\n"
        "apply {\n",
        g->out);
  const unsigned what = below(g, 4);
  fprintf(g->out, "if (%s %s %u", asked[what], below(g, 2) ? "<" : ">=",
          what == 2   ? 60 + below(g, 90)
          : what == 3 ? below(g, 4)
                      : below(g, 20));
  fputs(below(g, 2) ? " && hdr.ip.isValid()) {\n" : " || hdr.udp.isValid()) {\n", g->out);
  fputs(below(g, 3) ? "hdr.ip.ecn = 3;\n" : "mark_to_drop(sm);\n", g->out);
  fputs(below(g, 2) ? "hdr.ip.id = hdr.ip.id + 1;\n}\n}\n}\n" : "}\n}\n}\n", g->out);
}

static char *program(struct gen *g) {
  char *text = NULL;
  size_t len;
  g->out = open_memstream(&text, &len);
  assert_non_null(g->out);
  const bool has_table = below(g, 2), has_register = below(g, 3) == 0;
  fprintf(g->out, "// CHIP %s\n#include <v1model.p4>\n#include \"frame.h\"\n",
          has_table ? "s4" : "k4");
  fputs("struct metadata { bit<8> a; bit<16> b; bit<32> c; }\nPARSER\ncontrol MyIngress(inout "
        "headers "
        "hdr, inout metadata meta, inout standard_metadata_t sm) {\n",
        g->out);
  if (has_table) table(g);
  if (has_register) fputs("register<bit<32>>(8) seen;\n", g->out);
  fputs("apply {\nsm.egress_spec = 1;\nbit<32> at = (bit<32>)(hdr.ip.src & 7);\n", g->out);
  statements(g, 1 + below(g, g->few ? 1 : 3), g->few ? 1 : 2);
  if (has_register) {
    fputs("bit<32> was;\nseen.read(was, at);\nmeta.c = was;\nseen.write(at, was + ", g->out);
    number(g, 2);
    fputs(");\n", g->out);
  }
  if (has_table) fputs(below(g, 2) ? "t.apply();\n" : "if (hdr.ip.isValid()) t.apply();\n", g->out);
  statements(g, 1 + below(g, g->few ? 1 : 3), g->few ? 1 : 2);
  fputs("}\n}\n", g->out);
  egress(g);
  fputs("#define SUM ;\nSWITCH\n", g->out);
  fclose(g->out);
  return text;
}

// ---- files -------------------------------------------------------------------------------------

static FILE *new_file(const char *folder, const char *name) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "wb");
  if (!out) fail_msg("'%s' cannot be written", path);
  return out;
}

static void write_program(const char *folder, uint64_t seed, const char *text) {
  char name[60];
  snprintf(name, sizeof name, "random-%llu.p4", (unsigned long long)seed);
  FILE *out = new_file(folder, name);
  assert_true(fputs(text, out) >= 0 && fclose(out) == 0);
}

// A capture in pcap's own form: a header, and one of four words in front of each frame.
static void write_packets(const char *folder, uint64_t seed) {
  static const uint32_t start[] = {0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1};
  FILE *out = new_file(folder, "packets.pcap");
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed, "p4c capture");
  assert_int_equal(fwrite(start, sizeof start, 1, out), 1);
  for (uint32_t n = 0; n < PACKETS * MODULES; n++) {
    uint8_t plain[MOST], frame[MOST + TAG];
    const unsigned len = with_tag(frame, plain, make_packet(plain, &rng));
    const uint32_t before[] = {0, n, len, len};
    put(frame, TAG_AT, 4, 0x81000000u | (1 + n % MODULES));
    assert_int_equal(fwrite(before, sizeof before, 1, out), 1);
    assert_int_equal(fwrite(frame, len, 1, out), 1);
  }
  assert_int_equal(fclose(out), 0);
}

// ---- runs --------------------------------------------------------------------------------------

// False: the machine does not take it.
static bool runs_alike(struct both *b, uint64_t seed, bool in_keys) {
  struct p4c_result ir;
  const bool taken = in_keys ? p4c_lower_in_keys(b->program, b->config, &b->messages, &ir)
                             : p4c_lower(b->program, b->config, &b->messages, &ir);
  if (!taken || !load(b, &ir, NULL, false)) return false;
  const struct p4r_options options = {.seed = 1, .messages = &b->messages};
  b->interpreter = p4r_open(b->program, &options, b->why, sizeof b->why);
  assert_non_null(b->interpreter);
  struct sluice_rng rng;
  sluice_rng_init(&rng, seed, "p4c packets");
  for (unsigned n = 0; n < PACKETS; n++) one_packet(b, &rng, n);
  for (size_t i = 0; i < b->image.num_arrays; i++)
    for (unsigned w = 0; w < 2; w++) compare_array(b, &b->image.arrays[i], w);
  return true;
}

// `in_keys`: conditions stand in a table; many programs have none on the packet, or too many.
static void run_programs(bool in_keys) {
  const uint64_t wanted = from_environment("SLUICE_PROGRAMS", 100),
                 seed = from_environment("SLUICE_SEED", 1);
  const char *chip = getenv("SLUICE_CHIP"), *folder = getenv("SLUICE_WRITE");
  uint64_t taken = 0, tried = 0;
  if (folder && in_keys) return;
  if (folder) write_packets(folder, seed);
  for (; taken < wanted && tried < TRIES * wanted; tried++) {
    struct gen g;
    struct both b = {0};
    sluice_rng_init(&g.rng, seed + tried, "p4c programs");
    g.few = chip && (seed + tried) % 4;
    snprintf(b.path, sizeof b.path, "SLUICE_SEED=%llu SLUICE_PROGRAMS=1",
             (unsigned long long)(seed + tried));
    b.text = program(&g);
    if (getenv("SLUICE_SHOW")) print_message("%s", b.text);
    check_program(&b, chip ? chip : in_keys ? "s4" : NULL);
    const bool is_taken = runs_alike(&b, seed + tried, in_keys);
    if (is_taken && folder) write_program(folder, seed + tried, b.text);
    taken += is_taken;
    release(&b);
  }
  print_message("%llu of %llu programs were taken\n", (unsigned long long)taken,
                (unsigned long long)tried);
  assert_true(taken == wanted || wanted == 1 || chip);
}

TEST(interpreter_is_model) { run_programs(false); }

TEST(with_conditions_in_keys) { run_programs(true); }
