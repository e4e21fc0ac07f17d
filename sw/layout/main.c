// SPDX-License-Identifier: Apache-2.0
// Build tool, which `sluice layout` is for people: without words it writes the printed files into
// the tree, from its root; with the name of a shape, and parameters with other values, its package
// to standard output.

#include "print.h"

static int write_file(const char *path, int (*print)(FILE *)) {
  FILE *out = fopen(path, "w");
  if (!out) return perror(path), 1;
  int bad = print(out);
  if (fclose(out) != 0) bad = 1;
  return bad ? (fprintf(stderr, "cannot write '%s'\n", path), 1) : 0;
}

// Shapes whose packages are in the tree, as examples; the others are printed where they are needed.
static const char *const examples[] = {"tiny", "k4", "s4", "small"};

static int write_example(const char *name) {
  char path[200], why[300];
  snprintf(path, sizeof path, "rtl/configs/%s/sluice_cfg_pkg.sv", name);
  FILE *out = fopen(path, "w");
  if (!out) return perror(path), 1;
  int bad = layout_print_config(out, &name, 1, why, sizeof why);
  if (bad) fprintf(stderr, "%s\n", why);
  if (fclose(out) != 0) bad = 1;
  return bad != 0;
}

int main(int argc, char **argv) {
  char why[300];
  if (argc > 1) {
    if (!layout_print_config(stdout, (const char *const *)argv + 1, (unsigned)argc - 1, why,
                             sizeof why))
      return 0;
    fprintf(stderr, "%s\n", why);
    return 2;
  }
  for (unsigned i = 0; i < sluice_num_configs; i++)
    if (sluice_config_check(&sluice_configs[i], why, sizeof why))
      return fprintf(stderr, "%s\n", why), 1;
  int bad = write_file("rtl/sluice_layout_pkg.sv", layout_print_sv);
  bad |= write_file("rtl/ctrl/sluice_csr_map.sv", layout_print_csr_map);
  bad |= write_file("rtl/sluice_cfg_check.sv", layout_print_config_check);
  bad |= write_file("docs/tables.md", layout_print_docs);
  bad |= write_file("docs/shapes.md", layout_print_shapes);
  bad |= write_file("docs/control.md", layout_print_control);
  bad |= write_file("docs/report.md", layout_print_report);
  for (unsigned i = 0; i < sizeof examples / sizeof *examples; i++)
    bad |= write_example(examples[i]);
  return bad;
}
