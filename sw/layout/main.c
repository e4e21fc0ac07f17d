// SPDX-License-Identifier: Apache-2.0
// Build tool: writes the printed files into the tree, from its root. `sluice layout` prints them.
#include <string.h>

#include "print.h"

static int write_file(const char *path, int (*print)(FILE *)) {
  FILE *out = fopen(path, "w");
  if (!out) return perror(path), 1;
  int bad = print(out);
  if (fclose(out) != 0) bad = 1;
  return bad ? (fprintf(stderr, "cannot write '%s'\n", path), 1) : 0;
}

int main(void) {
  int bad = write_file("rtl/sluice_layout_pkg.sv", layout_print_sv);
  bad |= write_file("rtl/ctrl/sluice_csr_map.sv", layout_print_csr_map);
  bad |= write_file("rtl/sluice_cfg_check.sv", layout_print_config_check);
  bad |= write_file("docs/tables.md", layout_print_docs);
  bad |= write_file("docs/shapes.md", layout_print_shapes);
  bad |= write_file("docs/control.md", layout_print_control);
  bad |= write_file("docs/report.md", layout_print_report);
  for (unsigned i = 0; i < sluice_num_configs; i++) {
    char path[200], why[300];
    if (sluice_config_check(&sluice_configs[i], why, sizeof why)) {
      fprintf(stderr, "configs.def: %s\n", why);
      return 1;
    }
    snprintf(path, sizeof path, "rtl/configs/%s/sluice_cfg_pkg.sv", sluice_configs[i].name);
    FILE *out = fopen(path, "w");
    if (!out) return perror(path), 1;
    bad |= layout_print_config_sv(out, &sluice_configs[i]) != 0;
    if (fclose(out) != 0) bad = 1;
  }
  return bad;
}
