// SPDX-License-Identifier: Apache-2.0
// Adds a route to a switch that runs a router, and prints all of them.
//
//     sluice serve --chip model:tables --port 0=udp:5000,vlan=5 --control /tmp/switch &
//     sluice compile sw/programs/tables/router.dom --chip tables -o router.json
//     cc -o route route.c -lsluice -ljansson
//     ./route control:/tmp/switch router.json 10.9.0.0/16 forward port=3 next=00:11:22:33:44:55
//     own=7
#include <sluice/sluice.h>
#include <stdio.h>

static enum sluice_status print(void *user, const char *const *words, unsigned num) {
  for (unsigned n = 0; n < num; n++) printf("%s%c", words[n], n + 1 < num ? ' ' : '\n');
  return user ? SLUICE_ERR_IO : SLUICE_OK;
}

int main(int argc, char **argv) {
  const char *const *words = (const char *const *)argv + 3;
  struct sluice_switch *sw = NULL;
  struct sluice_image *image = NULL;
  struct sluice_error e = {""};
  if (argc < 4 || sluice_switch_connect(&sw, argv[1], NULL, &e) ||
      sluice_image_open(&image, argv[2], NULL, &e) || sluice_switch_load(sw, 5, image, &e) ||
      sluice_switch_table_change(sw, 5, "route", SLUICE_TABLE_ADD, words, (unsigned)argc - 3, &e) ||
      sluice_switch_table_list(sw, 5, "route", print, NULL, &e))
    return fprintf(stderr, "route: %s\n", e.text), 1;
  sluice_image_close(image);
  sluice_switch_close(sw);
  return 0;
}
