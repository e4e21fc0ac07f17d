// SPDX-License-Identifier: Apache-2.0
#include "link.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../live/port.h"

struct app_link {
  struct active_link link;
  struct live_port port;
  bool ended;
  uint64_t frames;  // that were sent: their time in a capture, in microseconds
};

static bool link_send(void *self, const uint8_t *frame, size_t len) {
  struct app_link *l = self;
  return l->port.ops->send(&l->port, frame, len, l->frames++ * 1000);
}

static size_t link_receive(void *self, uint8_t *frame, size_t room) {
  struct app_link *l = self;
  size_t len = 0;
  while (!l->ended) {
    switch (l->port.ops->receive(&l->port, frame, room, &len)) {
      case LIVE_FRAME: return len;
      case LIVE_TOO_LONG:
      case LIVE_SEVERAL: break;  // it is not for a client
      case LIVE_NOTHING: return 0;
      case LIVE_END:
      case LIVE_GONE: l->ended = true; break;
    }
  }
  return 0;
}

enum sluice_status app_link_open(struct app_link **out, const char *where,
                                 struct sluice_error *error) {
  char text[LIVE_PATH_LEN + 16];
  struct live_spec spec;
  const int len = snprintf(text, sizeof text, "0=%s", where);
  if (len < 0 || (size_t)len >= sizeof text)
    return sluice_fail(error, SLUICE_ERR_RANGE, "the name of a link is too long");
  enum sluice_status status = live_spec_parse(&spec, text, 1, error);
  if (status) return status;
  struct app_link *l = calloc(1, sizeof *l);
  if (!l) return sluice_no_memory(error);
  status = live_port_open(&l->port, &spec, error);
  if (status) {
    free(l);
    return status;
  }
  l->link = (struct active_link){l, link_send, link_receive};
  *out = l;
  return SLUICE_OK;
}

struct active_link *app_link_of(struct app_link *l) {
  return &l->link;
}
int app_link_fd(const struct app_link *l) { return l->port.fd; }
bool app_link_ended(const struct app_link *l) { return l->ended; }

enum sluice_status app_link_close(struct app_link *l, struct sluice_error *error) {
  if (!l) return SLUICE_OK;
  const enum sluice_status status = live_port_close(&l->port, error);
  free(l);
  return status;
}
