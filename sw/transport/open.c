// SPDX-License-Identifier: Apache-2.0
// Transports by name, and their end.
#include <sluice/transport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../driver/status.h"

// Seconds, and the rate that is not said.
enum { PATIENCE = 2, PATIENCE_MAX = 3600, PATIENCE_SOCKET = 60, BAUD = 1000000 };

// "DEVICE,BAUD,SECONDS", the last two of which may be left out.
static enum sluice_status open_serial(struct sluice_transport *to, const char *what,
                                      const struct sluice_alloc *alloc,
                                      struct sluice_error *error) {
  const char *comma = strchr(what, ',');
  char device[256], *end = NULL;
  const size_t len = comma ? (size_t)(comma - what) : strlen(what);
  const unsigned long baud = comma ? strtoul(comma + 1, &end, 10) : BAUD;
  if (comma && (comma[1] < '0' || comma[1] > '9' || (*end && *end != ',') || baud > 100000000))
    return sluice_fail(error, SLUICE_ERR_RANGE, "'serial:%s': behind the comma stands no rate",
                       what);
  const char *second = comma && *end ? end : NULL;
  const unsigned long patience = second ? strtoul(second + 1, &end, 10) : PATIENCE;
  if (second && (second[1] < '1' || second[1] > '9' || *end || patience > PATIENCE_MAX))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'serial:%s': behind the rate stand no seconds, 1 to %d", what,
                       PATIENCE_MAX);
  if (len == 0 || len >= sizeof device)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'serial:%s': no device, or a name of more than %zu bytes", what,
                       sizeof device - 1);
  memcpy(device, what, len);
  device[len] = 0;
  return sluice_transport_serial(to, device, (unsigned)baud, (double)patience, alloc, error);
}

enum sluice_status sluice_transport_open(struct sluice_transport *to, const char *where,
                                         const struct sluice_alloc *alloc,
                                         struct sluice_error *error) {
  *to = (struct sluice_transport){.ops = NULL};
  if (strncmp(where, "model:", 6) == 0) return sluice_transport_model(to, where + 6, alloc, error);
  if (strncmp(where, "unix:", 5) == 0)
    return sluice_transport_unix(to, where + 5, PATIENCE_SOCKET, alloc, error);
  if (strncmp(where, "serial:", 7) == 0) return open_serial(to, where + 7, alloc, error);
  return sluice_fail(error, SLUICE_ERR_RANGE,
                     "'%s' is none of model:CHIP, unix:PATH, serial:DEVICE,BAUD", where);
}

void sluice_transport_close(struct sluice_transport *to) {
  if (to->ops) to->ops->close(to->self);
  *to = (struct sluice_transport){.ops = NULL};
}
