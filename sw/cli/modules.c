// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../compiler/compiler.h"
#include "../lib/place.h"
#include "cli.h"

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

// The text of a program; ends in a 0 that `len` does not count. NULL after a message.
static char *read_text(const char *path, size_t *len) {
  enum { MOST = 1 << 20 };
  FILE *in = fopen(path, "rb");
  if (!in) {
    cli_error("cannot open '%s': %s", path, strerror(errno));
    return NULL;
  }
  char *text = malloc(MOST + 1);
  errno = 0;
  *len = text ? fread(text, 1, MOST, in) : 0;
  bool bad = ferror(in) != 0, large = text && *len == MOST && getc(in) != EOF;
  int why = errno;
  fclose(in);
  if (text && !bad && !large) {
    text[*len] = 0;
    return text;
  }
  if (bad)
    cli_error("cannot read '%s': %s", path, strerror(why));
  else
    cli_error("'%s': %s", path, large ? "larger than any program" : "out of memory");
  free(text);
  return NULL;
}

// The one place that needs the compiler: makes the image of a program.
static int compile(const struct cli_modules *modules, const char *path,
                   const struct sluice_config *config, const char *image_path) {
  const struct sluice_compile_options options = {.pin = modules->pin,
                                                 .keep_index = modules->keep_index};
  size_t len;
  char *text = read_text(path, &len);
  if (!text) return CLI_WORLD;
  struct sluice_diags diags = {0};
  struct sluice_image image = {0};
  struct sluice_error error;
  struct sluice_program *program = sluice_program_parse(path, text, len, &diags);
  free(text);
  int code = CLI_NO;
  if (program && sluice_compile(program, config, &options, &image, &diags) == SLUICE_OK) {
    code = CLI_DONE;
    if (sluice_image_save(&image, image_path, &error)) {
      cli_error("%s", error.text);
      code = CLI_WORLD;
    }
    sluice_image_release(&image);
  } else if (!diags.num_errors) {
    cli_error("'%s': out of memory", path);
    code = CLI_WORLD;
  }
  sluice_diags_print(&diags, stderr);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return code;
}

static bool vid_taken(const struct cli_modules *modules, unsigned vid, unsigned rows) {
  for (unsigned i = 0; i < modules->count; i++)
    if (modules->items[i].vid % rows == vid % rows) return true;
  return false;
}

static int load(struct cli_modules *modules, const char *path, unsigned vid, unsigned set,
                const struct sluice_config *config, const char *dir) {
  if (modules->count == CLI_MAX_MODULES) {
    cli_error("more than %d modules", CLI_MAX_MODULES);
    return CLI_USAGE;
  }
  struct cli_module *m = &modules->items[modules->count];
  memset(m, 0, sizeof *m);
  m->vid = vid;
  m->set = set;
  m->rate = -1;
  bool program = ends_with(path, ".dom");
  int n = program
              ? snprintf(m->path, sizeof m->path, "%s/%ld-vlan%u.json", dir, (long)getpid(), vid)
              : snprintf(m->path, sizeof m->path, "%s", path);
  if (n < 0 || (size_t)n >= sizeof m->path) {
    cli_error("'%s': the path is too long", path);
    return CLI_USAGE;
  }
  if (program) {
    int code = compile(modules, path, config, m->path);
    if (code != CLI_DONE) return code;
  }
  modules->count++;
  struct sluice_error error;
  if (sluice_image_load(&m->image, m->path, config, &error) == SLUICE_OK) return CLI_DONE;
  cli_error("%s", error.text);
  return CLI_WORLD;
}

static int load_with_vid(struct cli_modules *modules, const char *item,
                         const struct sluice_config *config, const char *dir) {
  const char *colon = strrchr(item, ':');
  char path[4096], *end = NULL;
  unsigned long vid = colon ? strtoul(colon + 1, &end, 10) : 0, set = 0;
  if (colon && end != colon + 1 && *end == '@' && end[1] >= '0' && end[1] <= '9')
    set = strtoul(end + 1, &end, 10);
  if (!colon || colon == item || end == colon + 1 || *end || vid < 1 || vid > 4094) {
    cli_error("--module: '%s' is not FILE:VID or FILE:VID@SET with a VLAN id from 1 to 4094", item);
    return CLI_USAGE;
  }
  if ((size_t)snprintf(path, sizeof path, "%.*s", (int)(colon - item), item) >= sizeof path) {
    cli_error("--module: the path is too long");
    return CLI_USAGE;
  }
  if (set >= (modules->sets ? modules->sets : 1)) {
    cli_error("--module: '%s': there is no such set; see --sets", item);
    return CLI_USAGE;
  }
  return load(modules, path, (unsigned)vid, (unsigned)set, config, dir);
}

int cli_modules_load(struct cli_modules *modules, const struct cli_list *rest,
                     const struct cli_list *with_vid, const struct sluice_config *config,
                     const char *dir) {
  modules->count = 0;
  int code = CLI_DONE;
  for (unsigned i = 0; code == CLI_DONE && i < with_vid->count; i++)
    code = load_with_vid(modules, with_vid->items[i], config, dir);
  unsigned vid = 1;
  for (unsigned i = 0; code == CLI_DONE && i < rest->count; i++) {
    while (vid_taken(modules, vid, config->NumModules) && vid < config->NumModules) vid++;
    code = load(modules, rest->items[i], vid, modules->sets ? i % modules->sets : 0, config, dir);
  }
  if (code != CLI_DONE) return code;
  struct sluice_plan plan;
  struct sluice_error error;
  sluice_plan_init(&plan, config);
  if (modules->pin) sluice_plan_pin(&plan, modules->pin_pipe);
  for (unsigned i = 0; i < modules->count && code == CLI_DONE; i++) {
    if ((modules->sets && sluice_plan_set(&plan, modules->sets, modules->items[i].set, &error)) ||
        sluice_plan_add(&plan, &modules->items[i].image, modules->items[i].vid, &error)) {
      cli_error("%s", error.text);
      code = CLI_WORLD;
    }
  }
  sluice_plan_release(&plan);
  return code;
}

static bool give_share(struct cli_modules *modules, const char *item) {
  char *end;
  unsigned long vid = strtoul(item, &end, 10), rate, burst = SLUICE_SHARE_BURST;
  bool good = end != item && *end == '=' && end[1] >= '0' && end[1] <= '9';
  rate = good ? strtoul(end + 1, &end, 10) : 0;
  if (good && *end == ':') {
    good = end[1] >= '0' && end[1] <= '9';
    burst = strtoul(end + 1, &end, 10);
  }
  if (!good || *end || rate > SLUICE_SHARE_RATE_MAX || burst > SLUICE_SHARE_BURST_MAX) {
    cli_error("--share: '%s' is not VID=RATE or VID=RATE:BURST with a rate from 0 to %d and a burst from 0 to %d",
              item, SLUICE_SHARE_RATE_MAX, SLUICE_SHARE_BURST_MAX);
    return false;
  }
  for (unsigned i = 0; i < modules->count; i++)
    if (modules->items[i].vid == vid) {
      modules->items[i].rate = (int)rate;
      modules->items[i].burst = (int)burst;
      return true;
    }
  cli_error("--share: no module has the VLAN id of '%s'", item);
  return false;
}

int cli_modules_share(struct cli_modules *modules, const struct cli_list *shares) {
  for (unsigned i = 0; i < shares->count; i++)
    if (!give_share(modules, shares->items[i])) return CLI_USAGE;
  return CLI_DONE;
}

void cli_modules_release(struct cli_modules *modules, const char *dir) {
  size_t len = dir ? strlen(dir) : 0;
  for (unsigned i = 0; i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    sluice_image_release(&m->image);
    if (!dir) continue;
    char mine[64];
    snprintf(mine, sizeof mine, "/%ld-vlan%u.json", (long)getpid(), m->vid);
    if (strncmp(m->path, dir, len) == 0 && strcmp(m->path + len, mine) == 0) unlink(m->path);
  }
  modules->count = 0;
}
