// SPDX-License-Identifier: Apache-2.0
// Transports by name, and their end.
#include <sluice/transport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "../base/status.h"

// Seconds, and the rate that is not said.
enum { PATIENCE = 2, PATIENCE_MAX = 3600, PATIENCE_SOCKET = 60, BAUD = 1000000 };

// "DEVICE,BAUD,SECONDS", the last two of which may be left out.
enum { MOST_BAUD = 100000000 };

static enum sluice_status open_serial(struct sluice_transport *to, const char *what,
                                      const struct sluice_alloc *alloc,
                                      struct sluice_error *error) {
  const char *comma = strchr(what, ',');
  char device[256];
  const size_t len = comma ? (size_t)(comma - what) : strlen(what);
  const char *at = comma ? comma + 1 : what;
  uint64_t baud = BAUD, patience = PATIENCE;
  if (comma && (!sluice_number_next(&at, 0, MOST_BAUD, &baud) || (*at && *at != ',')))
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'serial:%s': behind the comma stands no rate up to %d", what, MOST_BAUD);
  if (comma && *at && !sluice_number_in(at + 1, 1, PATIENCE_MAX, &patience))
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
