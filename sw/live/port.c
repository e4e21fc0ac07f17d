// SPDX-License-Identifier: Apache-2.0
// What all kinds of ports share, and the two that are no interface: captures and UDP.
#include "port.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../lib/capture.h"

enum live_received live_nothing_or_gone(struct live_port *port, const char *call) {
  // An interface that is down says so once, and may come up again.
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENETDOWN ||
      errno == ECONNREFUSED)
    return LIVE_NOTHING;
  snprintf(port->error, sizeof port->error, "%s: %s", call, strerror(errno));
  return LIVE_GONE;
}

// ---- captures -----------------------------------------------------------------------------------

static enum live_received receive_capture(struct live_port *port, uint8_t *bytes, size_t room,
                                          size_t *len) {
  struct sluice_packet packet;
  struct sluice_error error;
  *len = 0;
  if (!port->in) return LIVE_NOTHING;
  if (sluice_capture_next(port->in, &packet, &error)) {
    snprintf(port->error, sizeof port->error, "%.199s", error.text);
    return LIVE_GONE;
  }
  if (!packet.bytes) {
    sluice_capture_close(port->in);
    port->in = NULL;
    return LIVE_END;
  }
  *len = packet.len;
  if (packet.len > room) return LIVE_TOO_LONG;
  memcpy(bytes, packet.bytes, packet.len);
  return LIVE_FRAME;
}

static bool send_capture(struct live_port *port, const uint8_t *bytes, size_t len,
                         uint64_t time_ns) {
  if (port->out) sluice_capture_write(port->out, bytes, len, time_ns);
  return port->out != NULL;
}

static enum sluice_status live_open_capture(struct live_port *port, const struct live_spec *spec,
                                            struct sluice_error *error) {
  static const struct live_port_ops ops = {receive_capture, send_capture};
  enum sluice_status status = SLUICE_OK;
  port->ops = &ops;
  if (spec->in[0]) status = sluice_capture_open(&port->in, spec->in, error);
  if (!status && spec->out[0]) status = sluice_capture_create(&port->out, spec->out, error);
  return status;
}

// ---- UDP ----------------------------------------------------------------------------------------

static enum live_received receive_udp(struct live_port *port, uint8_t *bytes, size_t room,
                                      size_t *len) {
  struct sockaddr_in from = {.sin_family = AF_UNSPEC};
  socklen_t size = sizeof from;
  const ssize_t got =
      recvfrom(port->fd, bytes, room, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&from, &size);
  *len = got > 0 ? (size_t)got : 0;
  if (got < 0) return live_nothing_or_gone(port, "recv");
  if (port->learns) port->peer = from;
  return *len > room ? LIVE_TOO_LONG : LIVE_FRAME;
}

// Bytes of a UDP port that may wait in the system: some 5,000 small frames.
enum { UDP_ROOM = 4 << 20 };

static bool send_udp(struct live_port *port, const uint8_t *bytes, size_t len, uint64_t time_ns) {
  (void)time_ns;
  if (!port->peer.sin_port) return false;
  return sendto(port->fd, bytes, len, MSG_DONTWAIT, (const struct sockaddr *)&port->peer,
                sizeof port->peer) == (ssize_t)len;
}

static enum sluice_status live_open_udp(struct live_port *port, const struct live_spec *spec,
                                        struct sluice_error *error) {
  static const struct live_port_ops ops = {receive_udp, send_udp};
  port->ops = &ops;
  port->peer = spec->to;
  port->learns = spec->to.sin_port == 0;
  port->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (port->fd < 0) return sluice_fail(error, SLUICE_ERR_IO, "no UDP socket: %s", strerror(errno));
  // Frames wait here while a program is replaced. Who may not have more than the system's limit has
  // as much as that.
  const int room = UDP_ROOM;
  if (setsockopt(port->fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room))
    (void)setsockopt(port->fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (bind(port->fd, (const struct sockaddr *)&spec->here, sizeof spec->here) == 0)
    return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot receive on UDP port %u: %s",
                     ntohs(spec->here.sin_port), strerror(errno));
}

// ---- all ----------------------------------------------------------------------------------------

enum sluice_status live_port_open(struct live_port *port, const struct live_spec *spec,
                                  struct sluice_error *error) {
  static enum sluice_status (*const open[])(struct live_port *, const struct live_spec *,
                                            struct sluice_error *) = {
      [LIVE_TAP] = live_open_tap,
      [LIVE_INTERFACE] = live_open_interface,
      [LIVE_CAPTURE] = live_open_capture,
      [LIVE_UDP] = live_open_udp};
  *port = (struct live_port){.fd = -1, .link = {.fd = -1}};
  const enum sluice_status status = open[spec->kind](port, spec, error);
  if (status) live_port_close(port, NULL);
  return status;
}

enum sluice_status live_port_close(struct live_port *port, struct sluice_error *error) {
  if (!port->ops) return SLUICE_OK;
  if (port->fd >= 0) close(port->fd);
  live_link_close(&port->link);
  sluice_capture_close(port->in);
  const enum sluice_status status = sluice_capture_finish(port->out, error);
  *port = (struct live_port){.fd = -1, .link = {.fd = -1}};
  return status;
}
