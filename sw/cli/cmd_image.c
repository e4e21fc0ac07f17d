// SPDX-License-Identifier: Apache-2.0
// sluice image: images from and to Menshen's configuration files.
#include <stdlib.h>
#include <string.h>

#include "../base/files.h"
#include "../driver/menshen/menshen.h"
#include "cli.h"

enum { MAX_LEN = 16 << 20 };  // longest file

static const struct cli_usage usage = {
    "image", "FILE --from-menshen|--to-menshen -o FILE",
    "Makes images of Menshen's configuration files, or such files of images",
    "With --from-menshen: makes an image of the lines of one module. With --to-menshen: writes "
    "the\n"
    "lines of an image, or of a program, for the module --vid. What the format cannot say is "
    "refused\n"
    "with the place (docs/papers.md).\n"};

struct options {
  const char *chip, *out, *allocation;
  uint64_t vid;
  bool from, to;
  struct cli_list entries;
};

static int failed(enum sluice_status status, const struct sluice_error *error) {
  cli_error("%s", error->text);
  return status == SLUICE_ERR_IO || status == SLUICE_ERR_NOMEM ? CLI_WORLD : CLI_NO;
}

static int from_menshen(const char *path, const struct options *o,
                        const struct sluice_config *config) {
  struct sluice_menshen_file file = {0};
  struct sluice_image image = {.num_writes = 0};
  struct sluice_error error;
  size_t len;
  char *text = cli_read_file(path, MAX_LEN, &len);
  if (!text) return CLI_WORLD;
  enum sluice_status status = sluice_menshen_parse(&file, text, len, path, &error);
  if (!status)
    status = sluice_menshen_to_image(&image, &file, path, (unsigned)o->vid, config, &error);
  if (!status) status = sluice_image_save(&image, o->out, &error);
  sluice_image_release(&image);
  sluice_menshen_release(&file);
  free(text);
  return status ? failed(status, &error) : CLI_DONE;
}

static enum sluice_status allocation(const char *path, struct sluice_menshen_room *room,
                                     struct sluice_error *error) {
  size_t len;
  char *text = cli_read_file(path, MAX_LEN, &len);
  if (!text) {
    snprintf(error->text, sizeof error->text, "no allocation");
    return SLUICE_ERR_IO;
  }
  const enum sluice_status status = sluice_menshen_allocation(room, text, len, path, error);
  free(text);
  return status;
}

static int print(const struct sluice_menshen_file *file, const char *path) {
  struct sluice_out out;
  struct sluice_error error;
  enum sluice_status status = sluice_out_open(&out, path, &error);
  if (!status) {
    sluice_menshen_print(file, out.file);
    status = sluice_out_close(&out, true, &error);
  }
  if (status) cli_error("%s", error.text);
  return status ? CLI_WORLD : CLI_DONE;
}

static int to_menshen(const char *path, const struct options *o,
                      const struct sluice_config *config) {
  static struct cli_modules modules;
  struct cli_list files = {1, {path}}, none = {0};
  struct sluice_menshen_file file = {0};
  struct sluice_menshen_room room = sluice_menshen_whole((unsigned)o->vid);
  struct sluice_error error;
  modules.entries = o->entries;
  int code = cli_modules_load(&modules, &files, &none, config);
  if (code != CLI_DONE) return code;
  enum sluice_status status = o->allocation ? allocation(o->allocation, &room, &error) : SLUICE_OK;
  if (!status) status = sluice_menshen_from_image(&file, &modules.items[0].image, &room, &error);
  code = status ? failed(status, &error) : print(&file, o->out);
  sluice_menshen_release(&file);
  cli_modules_release(&modules);
  return code;
}

int cmd_image(int argc, char **argv) {
  struct options o = {.chip = NULL};
  struct cli_list rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_FLAG, 0, "from-menshen", NULL, &o.from, 0, 0, "FILE is a configuration file of Menshen"},
      {CLI_FLAG, 0, "to-menshen", NULL, &o.to, 0, 0, "FILE is an image, or a program"},
      {CLI_WRITE, 'o', "output", "FILE", &o.out, 0, 0, "file to write, - for standard output"},
      {CLI_WHOLE, 0, "vid", "N", &o.vid, 1, 255,
       "VLAN id of the module (to: 1; from: the only one of the file)"},
      {CLI_READ, 0, "allocation", "FILE", &o.allocation, 0, 0,
       "Menshen's allocation file: rows and words of the module (all)"},
      {CLI_TEXT, 'c', "chip", "NAME", &o.chip, 0, 0,
       "shape of the chip (from: menshen; to: tables)"},
      {CLI_ENTRIES, 0, "entries", "TABLE=FILE", &o.entries, 0, 0,
       "to: entries of a table behind those of the source, CSV or JSON"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  const enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  if (rest.count != 1 || o.from == o.to || !o.out || (o.from && o.allocation)) {
    cli_error(
        "image needs one file, --from-menshen or --to-menshen, and -o; see 'sluice help image'");
    return CLI_USAGE;
  }
  if (!o.chip) o.chip = o.from ? "menshen" : "tables";
  if (!o.vid && o.to) o.vid = 1;
  const struct sluice_config *config = cli_chip(o.chip);
  if (!config) return CLI_USAGE;
  return o.from ? from_menshen(rest.items[0], &o, config) : to_menshen(rest.items[0], &o, config);
}
