// SPDX-License-Identifier: Apache-2.0
#include <sluice/chip.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/number.h"
#include "../compiler/compiler.h"
#include "../driver/image/param.h"
#include "../driver/plan/plan.h"
#include "../driver/plan/policy.h"
#include "../lib/initial.h"
#include "../session/job.h"
#include "cli.h"
#include "p4.h"

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

// Compiles the text of a program; `p4`: it was made of one in P4, or NULL.
static int compile(struct cli_p4_source *p4, const struct cli_modules *modules, const char *path,
                   const char *text, size_t len, const struct sluice_config *config,
                   struct sluice_image *image) {
  const struct sluice_compile_options options = {.pin = modules->pin,
                                                 .keep_index = modules->keep_index};
  struct sluice_diags diags = {0};
  const struct sluice_text own = {path, text, len},
                           system = {modules->system, modules->system_text, modules->system_len};
  struct sluice_program *program = modules->system
                                       ? sluice_program_parse_under(&own, &system, &diags)
                                       : sluice_program_parse(path, text, len, &diags);
  int code = CLI_NO;
  if (program && sluice_compile(program, config, &options, image, &diags) == SLUICE_OK) {
    code = CLI_DONE;
  } else if (!diags.num_errors) {
    cli_error("'%s': out of memory", path);
    code = CLI_WORLD;
  } else if (program) {
    sluice_compile_advise(program, config, &options, &diags);
  }
  // `replay` writes the program that plays a trace: the user cannot change it, so its warnings are
  // not shown.
  const bool ours = path == modules->trusted_path && code == CLI_DONE;
  if (p4) cli_p4_tell(p4, &diags);
  else if (!ours) sluice_diags_print(&diags, stderr);
  if (p4 && code == CLI_DONE) cli_p4_lines(p4, image);
  sluice_program_free(program);
  sluice_diags_release(&diags);
  return code;
}

// An image must have been compiled under the module that --system names, if it names one.
static int check_system(const struct cli_modules *modules, const char *path,
                        const struct sluice_image *image) {
  const struct sluice_text system = {modules->system, modules->system_text, modules->system_len};
  char name[SLUICE_NAME_LEN];
  if (!modules->system) return CLI_DONE;
  sluice_system_name(&system, name);
  if (strcmp(image->system, name) == 0) return CLI_DONE;
  cli_error("'%s' was not compiled under the system-level module '%s', but under %s%s%s: compile "
            "it with --system",
            path, name, *image->system ? "'" : "", *image->system ? image->system : "none",
            *image->system ? "'" : "");
  return CLI_NO;
}

// A program in P4.
static int compile_p4(const struct cli_modules *modules, const char *path,
                      const struct sluice_config *config, struct sluice_image *image) {
  struct cli_p4_source source = {0};
  int code = cli_p4_lower(&source, path, config);
  if (code == CLI_DONE)
    code = compile(&source, modules, path, source.result.ir, source.result.len, config, image);
  cli_p4_source_release(&source);
  return code;
}

// Program or image: by the name, else by the first character that is no space.
static int load_file(const struct cli_modules *modules, const char *path,
                     const struct sluice_config *config, struct sluice_image *image,
                     bool *foreign) {
  enum { MOST_PROGRAM = 1 << 20, MOST_IMAGE = 64 << 20 };
  const bool standard = strcmp(path, "-") == 0, named = ends_with(path, ".dom");
  size_t len;
  struct sluice_error error;
  *foreign = false;
  if (cli_is_p4(path)) return compile_p4(modules, path, config, image);
  char *text = cli_read_text(path, named ? MOST_PROGRAM : MOST_IMAGE, &len);
  if (!text) return CLI_WORLD;
  int code = CLI_WORLD;
  const char first = text[strspn(text, " \t\r\n")];
  if (named || (standard && first != '{' && len <= MOST_PROGRAM))
    code = compile(NULL, modules, path, text, len, config, image);
  else if (first != '{' && !ends_with(path, ".json"))
    cli_error("'%s' is no program (*.dom, *.p4), and no configuration image (JSON, as 'sluice "
              "compile' writes it)",
              path);
  else if (sluice_image_read(image, text, len, path, config, &error)) cli_error("%s", error.text);
  else {
    code = check_system(modules, path, image);
    *foreign = true;
  }
  free(text);
  return code;
}

static bool vid_taken(const struct cli_modules *modules, unsigned vid, unsigned rows) {
  for (unsigned i = 0; i < modules->count; i++)
    if (modules->items[i].vid % rows == vid % rows) return true;
  return false;
}

static int load(struct cli_modules *modules, const char *path, unsigned vid, unsigned set,
                const struct sluice_config *config) {
  if (modules->count == CLI_MAX_MODULES) {
    cli_error("more than %d modules", CLI_MAX_MODULES);
    return CLI_USAGE;
  }
  struct cli_module *m = &modules->items[modules->count];
  memset(m, 0, sizeof *m);
  m->vid = vid;
  m->set = set;
  m->rate = -1;
  m->number = -1;
  m->trusted = path == modules->trusted_path;
  m->p4 = cli_is_p4(path);
  int code = load_file(modules, path, config, &m->image, &m->foreign);
  if (code == CLI_DONE) modules->count++;
  return code;
}

static int load_with_vid(struct cli_modules *modules, const char *item,
                         const struct sluice_config *config) {
  const char *colon = strrchr(item, ':');
  const char *at = colon ? colon + 1 : item;
  char path[4096];
  uint64_t vid, set = 0;
  bool good = colon && colon != item && sluice_number_next(&at, 1, 4094, &vid);
  if (good && *at == '@') good = (at++, sluice_number_next(&at, 0, UINT32_MAX, &set));
  if (!good || *at) {
    cli_error("--module: '%s' is not FILE:VID or FILE:VID@SET with a VLAN id from 1 to 4094%s",
              item, colon ? sluice_number_hint(colon + 1) : "");
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
  return load(modules, path, (unsigned)vid, (unsigned)set, config);
}

// The text of --system, which all programs are compiled under.
static int load_system(struct cli_modules *modules) {
  enum { MOST_SYSTEM = 1 << 20 };
  if (!modules->system) return CLI_DONE;
  free(modules->system_text);
  modules->system_text = cli_read_text(modules->system, MOST_SYSTEM, &modules->system_len);
  return modules->system_text ? CLI_DONE : CLI_WORLD;
}

int cli_modules_load(struct cli_modules *modules, const struct cli_list *rest,
                     const struct cli_list *with_vid, const struct sluice_config *config) {
  modules->count = 0;
  modules->moves = -1;
  int code = load_system(modules);
  for (unsigned i = 0; i < with_vid->count; i++)
    if (strncmp(with_vid->items[i], "-:", 2) == 0 && !cli_take_input("-")) return CLI_USAGE;
  for (unsigned i = 0; i < rest->count; i++)
    if (!cli_take_input(rest->items[i])) return CLI_USAGE;
  for (unsigned i = 0; code == CLI_DONE && i < with_vid->count; i++)
    code = load_with_vid(modules, with_vid->items[i], config);
  unsigned vid = 1;
  for (unsigned i = 0; code == CLI_DONE && i < rest->count; i++) {
    while (vid_taken(modules, vid, config->NumModules) && vid < config->NumModules) vid++;
    code = load(modules, rest->items[i], vid, modules->sets ? i % modules->sets : 0, config);
  }
  if (code == CLI_DONE) code = cli_modules_options(modules, config);
  if (code != CLI_DONE) return code;
  struct sluice_plan plan;
  struct sluice_error error;
  sluice_plan_init(&plan, config);
  if (modules->pin) sluice_plan_pin(&plan, modules->pin_pipe);
  if (cli_modules_plan(modules, &plan, &error)) {
    cli_error("%s", error.text);
    code = CLI_WORLD;
  }
  sluice_plan_release(&plan);
  return code;
}

struct job_module cli_module_job(const struct cli_module *m) {
  struct job_module job = job_module_fresh();
  job.image = m->path;
  job.vid = m->vid;
  job.set = m->set;
  job.trusted = m->trusted;
  job.active = m->active;
  if (m->rate >= 0) {
    job.rate = m->rate;
    job.burst = m->burst;
  }
  job.class = m->number;
  if (m->limited) {
    job.lane_packets = (int)m->lane.packets;
    job.lane_packet_burst = (int)m->lane.packet_burst;
    job.lane_beats = (int)m->lane.beats;
    job.lane_beat_burst = (int)m->lane.beat_burst;
  }
  if (m->some_ports) job.ports = m->ports;
  if (m->passes) {
    job.passes = m->passes;
    job.pass_rate = m->pass_rate;
    job.pass_burst = m->pass_burst;
  }
  return job;
}

enum sluice_status cli_modules_plan(const struct cli_modules *modules, struct sluice_plan *plan,
                                    struct sluice_error *error) {
  for (unsigned i = 0; i < modules->count; i++) {
    const struct job_module module = cli_module_job(&modules->items[i]);
    SLUICE_TRY(job_module_plan(&module, &modules->items[i].image, modules->sets, plan, error));
  }
  return SLUICE_OK;
}

enum sluice_status cli_modules_apply(const struct cli_modules *modules,
                                     const struct sluice_config *config, struct sluice_chip *chip,
                                     struct sluice_error *error) {
  struct sluice_plan plan;
  sluice_plan_init(&plan, config);
  if (modules->pin) sluice_plan_pin(&plan, modules->pin_pipe);
  enum sluice_status status = cli_modules_plan(modules, &plan, error);
  if (!status) status = sluice_chip_apply(chip, &plan, error);
  sluice_plan_release(&plan);
  return status ? status : cli_modules_registers(modules, chip, error);
}

enum sluice_status cli_modules_registers(const struct cli_modules *modules,
                                         struct sluice_chip *chip, struct sluice_error *error) {
  enum sluice_status status = SLUICE_OK;
  if (modules->classed)
    status = sluice_chip_write(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_CLASS_COSTS,
                               modules->class_costs, error);
  if (modules->classed && !status)
    status = sluice_chip_write(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_CLASS_STRICT,
                               modules->class_set, error);
  for (unsigned c = 0; c < modules->num_class_ecn && !status; c++)
    status = sluice_chip_write(chip, SLUICE_CHIP_BASE + SLUICE_CHIP_CLASS_ECN + 4 * c,
                               modules->class_ecn[c], error);
  if (modules->merge.lanes && !status) status = sluice_chip_merge(chip, &modules->merge, error);
  if (modules->contents && !status) status = sluice_initial_write(modules->contents, chip, error);
  return status;
}

int cli_modules_save(struct cli_modules *modules, const char *dir) {
  for (unsigned i = 0; i < modules->count; i++) {
    struct cli_module *m = &modules->items[i];
    struct sluice_error error;
    if ((size_t)snprintf(m->path, sizeof m->path, "%s/%ld-vlan%u.json", dir, (long)getpid(),
                         m->vid) >= sizeof m->path) {
      cli_error("the path is too long: '%s'", dir);
      return CLI_WORLD;
    }
    if (sluice_image_save(&m->image, m->path, &error)) {
      cli_error("%s", error.text);
      return CLI_WORLD;
    }
  }
  return CLI_DONE;
}

void cli_modules_release(struct cli_modules *modules) {
  for (unsigned i = 0; i < modules->count; i++) sluice_image_release(&modules->items[i].image);
  modules->count = 0;
  sluice_initial_free(modules->contents);
  modules->contents = NULL;
  free(modules->system_text);
  modules->system_text = NULL;
}
