// SPDX-License-Identifier: Apache-2.0
// P4Info: of each program in sw/tests/p4/info the message as text, which stands beside it. Those
// texts were read against the rules of the specification; many names in them are names of public
// programs, so that their ids are those that other compilers have printed. Programs in
// sw/tests/p4/info_reject are refused with the errors that their comments tell. And the wire format
// and JSON, on bytes worked out by hand.
#include <dirent.h>

#include "tests/rig/test.h"
#include "p4info/info.h"

static char *slurp(const char *path) {
  FILE *in = fopen(path, "rb");
  if (!in) fail_msg("'%s' cannot be read", path);
  char *text = calloc(1, 1 << 20);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 20) - 1, in) > 0);
  fclose(in);
  return text;
}

struct outcome {
  char *text;
  struct p4_messages messages;
  struct p4_program *program;
  struct proto *info;
};

static void make(struct outcome *o, const char *path) {
  static const char *const folders[] = {"sw/tests/p4/info"};
  const struct p4_options options = {.num_folders = 1, .folders = folders};
  *o = (struct outcome){.text = slurp(path)};
  o->program = p4_front(path, o->text, strlen(o->text), &options, &o->messages);
  if (!o->program) p4_messages_print(&o->messages, 0, stderr);
  assert_non_null(o->program);
  o->info = p4info_make(o->program, &o->messages);
}

static void finish(struct outcome *o) {
  p4_program_free(o->program);
  p4_messages_release(&o->messages);
  free(o->text);
}

// Calls `check` of each program in a folder; how many there are.
static unsigned each(const char *folder, void (*check)(const char *path)) {
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  unsigned num = 0;
  for (struct dirent *e; (e = readdir(dir));) {
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".p4") != 0) continue;
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    check(path);
    num++;
  }
  closedir(dir);
  return num;
}

static char *printed(const struct proto *m, void (*print)(const struct proto *m, FILE *out)) {
  char *text = NULL;
  size_t len = 0;
  FILE *out = open_memstream(&text, &len);
  assert_non_null(out);
  print(m, out);
  fclose(out);
  return text;
}

// ---- programs ----------------------------------------------------------------------------------

static void is_as_written(const char *path) {
  struct outcome o;
  make(&o, path);
  if (!o.info) p4_messages_print(&o.messages, 0, stderr);
  assert_non_null(o.info);
  char beside[320];
  snprintf(beside, sizeof beside, "%.*s.txtpb", (int)(strlen(path) - 3), path);
  char *want = slurp(beside), *got = printed(o.info, proto_print_text);
  if (strcmp(want, got) != 0) {
    size_t i = 0;
    unsigned line = 1;
    for (; want[i] && want[i] == got[i]; i++) line += want[i] == '\n';
    fail_msg("%s:%u: the P4Info is not as written; compare: sluice p4 info %s", beside, line, path);
  }
  free(want);
  free(got);
  finish(&o);
}

TEST(programs) { assert_int_equal(each("sw/tests/p4/info", is_as_written), 8); }

static bool take(struct p4_messages *m, unsigned line, unsigned column, const char *text,
                 size_t len) {
  for (size_t i = 0; i < m->num; i++) {
    struct p4_message *d = &m->list[i];
    if (d->severity != P4_ERROR || d->place.line != line || d->place.column != column ||
        strncmp(d->text, text, len) != 0)
      continue;
    d->severity = P4_NOTE;
    return true;
  }
  return false;
}

static void is_refused(const char *path) {
  struct outcome o;
  make(&o, path);
  assert_null(o.info);
  unsigned told = 0;
  for (const char *at = o.text; (at = strstr(at, "// ERROR "));) {
    unsigned line, column;
    int used = 0;
    at += strlen("// ERROR ");
    assert_int_equal(sscanf(at, "%u:%u %n", &line, &column, &used), 2);
    at += used;
    if (!take(&o.messages, line, column, at, strcspn(at, "\n"))) {
      p4_messages_print(&o.messages, 0, stderr);
      fail_msg("%s: no such error: %u:%u %.*s", path, line, column, (int)strcspn(at, "\n"), at);
    }
    told++;
  }
  assert_true(told > 0);
  if (told != o.messages.num_errors) p4_messages_print(&o.messages, 0, stderr);
  assert_int_equal(told, o.messages.num_errors);
  finish(&o);
}

TEST(refused) { assert_int_equal(each("sw/tests/p4/info_reject", is_refused), 5); }

// ---- the wire format ---------------------------------------------------------------------------

static void check_bytes(const struct proto *m, const char *bytes, size_t len) {
  uint8_t got[256];
  assert_int_equal(proto_size(m), len);
  assert_ptr_equal(proto_write(m, got), got + len);
  assert_memory_equal(got, bytes, len);
}

TEST(wire) {
  struct arena arena = {0};
  if (setjmp(arena.escape)) fail();
  struct proto *m = proto_new(&arena, PROTO_MESSAGE(Preamble));
  check_bytes(m, "", 0);
  proto_text(m, PROTO(Preamble, name), "testing");
  proto_number(m, PROTO(Preamble, id), 150);
  check_bytes(m, "\x08\x96\x01\x12\x07testing", 12);
  // packed numbers, and a field number of two bytes
  struct proto *p = proto_new(&arena, PROTO_MESSAGE(ActionProfile));
  proto_number(p, PROTO(ActionProfile, table_ids), 3);
  proto_number(p, PROTO(ActionProfile, table_ids), 270);
  proto_number(p, PROTO(ActionProfile, table_ids), 86942);
  proto_number(p, PROTO(ActionProfile, with_selector), 0);
  proto_add(p, PROTO(ActionProfile, sum_of_weights));
  proto_number(p, PROTO(ActionProfile, with_selector), 1);
  check_bytes(p, "\x12\x06\x03\x8e\x02\x9e\xa7\x05\x18\x01\x32\x00", 12);
  struct proto *i = proto_new(&arena, PROTO_MESSAGE(P4Info));
  proto_add(i, PROTO(P4Info, type_info));
  check_bytes(i, "\xc2\x0c\x00", 3);
  // a negative number has ten bytes; a choice is there although it is 0
  struct proto *e = proto_new(&arena, PROTO_MESSAGE(Expression));
  proto_number(e, PROTO(Expression, int64_value), UINT64_MAX);
  check_bytes(e, "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
  struct proto *f = proto_new(&arena, PROTO_MESSAGE(Expression));
  proto_number(f, PROTO(Expression, bool_value), 0);
  check_bytes(f, "\x18\x00", 2);
  arena_release(&arena);
}

TEST(map) {
  struct arena arena = {0};
  if (setjmp(arena.escape)) fail();
  bool fresh;
  struct proto *m = proto_new(&arena, PROTO_MESSAGE(P4TypeInfo));
  proto_add(m, PROTO(P4TypeInfo, error));
  proto_entry(m, PROTO(P4TypeInfo, enums), "b", &fresh);
  assert_true(fresh);
  struct proto *a = proto_entry(m, PROTO(P4TypeInfo, enums), "a", &fresh);
  assert_true(fresh);
  proto_text(proto_add(a, PROTO(P4EnumTypeSpec, members)), PROTO(P4EnumTypeSpec_Member, name), "x");
  assert_ptr_equal(proto_entry(m, PROTO(P4TypeInfo, enums), "a", &fresh), a);
  assert_false(fresh);
  check_bytes(m,
              "\x22\x0a\x0a\x01"
              "a\x12\x05\x0a\x03\x0a\x01x"
              "\x22\x05\x0a\x01"
              "b\x12\x00\x2a\x00",
              21);
  char *json = printed(m, proto_print_json);
  assert_string_equal(json, "{\n"
                            "  \"enums\": {\n"
                            "    \"a\": {\n"
                            "      \"members\": [\n"
                            "        {\n"
                            "          \"name\": \"x\"\n"
                            "        }\n"
                            "      ]\n"
                            "    },\n"
                            "    \"b\": {}\n"
                            "  },\n"
                            "  \"error\": {}\n"
                            "}\n");
  free(json);
  arena_release(&arena);
}

// Texts and bytes that printers have to write in other words.
TEST(printers) {
  struct arena arena = {0};
  if (setjmp(arena.escape)) fail();
  struct proto *m = proto_new(&arena, PROTO_MESSAGE(P4SerializableEnumTypeSpec_Member));
  proto_text(m, PROTO(P4SerializableEnumTypeSpec_Member, name), "a\"\\\n\x01\xc3\xbc'");
  proto_bytes(m, PROTO(P4SerializableEnumTypeSpec_Member, value), (const uint8_t *)"\x00\xff?a", 4);
  char *text = printed(m, proto_print_text), *json = printed(m, proto_print_json);
  assert_string_equal(text, "name: \"a\\\"\\\\\\n\\001\\303\\274\\'\"\nvalue: \"\\000\\377?a\"\n");
  assert_string_equal(json, "{\n  \"name\": \"a\\\"\\\\\\u000a\\u0001\xc3\xbc'\",\n"
                            "  \"value\": \"AP8/YQ==\"\n}\n");
  free(text);
  free(json);
  struct proto *t = proto_new(&arena, PROTO_MESSAGE(Table));
  proto_number(t, PROTO(Table, size), 1024);
  proto_number(t, PROTO(Table, idle_timeout_behavior),
               PROTO_VALUE(Table_IdleTimeoutBehavior, NOTIFY_CONTROL));
  json = printed(t, proto_print_json);
  assert_string_equal(
      json, "{\n  \"size\": \"1024\",\n  \"idleTimeoutBehavior\": \"NOTIFY_CONTROL\"\n}\n");
  free(json);
  arena_release(&arena);
}
