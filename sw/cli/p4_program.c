// SPDX-License-Identifier: Apache-2.0
// Reads a P4 program from a file.
#include <stdlib.h>
#include <string.h>

#include "p4.h"

enum { MAX_LEN = 16 << 20 };  // longest program text

// NAME, or NAME=TEXT; as a C compiler has it, NAME alone is 1.
static bool split_defines(struct cli_p4 *p) {
  for (unsigned i = 0; i < p->defines->count; i++) {
    const char *item = p->defines->items[i], *equals = strchr(item, '=');
    const size_t len = equals ? (size_t)(equals - item) : strlen(item);
    char *name = strndup(item, len);
    p->given[i] = (struct p4_define){name, equals ? equals + 1 : "1"};
    if (name && len) continue;
    cli_error(name ? "--define: '%s' has no name before '='" : "out of memory", item);
    return false;
  }
  return true;
}

int cli_p4_read(struct cli_p4 *p, const char *path) {
  if (!split_defines(p)) return CLI_USAGE;
  size_t len;
  p->text = cli_read_file(path, MAX_LEN, &len);
  if (!p->text) return CLI_WORLD;
  const struct p4_options options = {.num_folders = p->folders->count,
                                     .folders = p->folders->items,
                                     .num_defines = p->defines->count,
                                     .defines = p->given};
  p->program = p4_front(path, p->text, len, &options, &p->messages);
  if (!p->messages.out_of_memory) return p->program ? CLI_DONE : CLI_NO;
  cli_error("'%s' takes too much memory", path);
  return CLI_WORLD;
}

void cli_p4_release(struct cli_p4 *p) {
  p4_program_free(p->program);
  p4_messages_release(&p->messages);
  free(p->text);
  for (unsigned i = 0; i < CLI_MAX_ARGUMENTS; i++) free((char *)p->given[i].name);
}
