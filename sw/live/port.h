// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "link.h"
#include "spec.h"

/// The outer end of a data port: a Linux interface, a capture file or a UDP socket, as a row of
/// functions. None of them waits.
///
///     struct live_port port;
///     status = live_port_open(&port, &spec, &error);
///     while (port.ops->receive(&port, bytes, sizeof bytes, &len) == LIVE_FRAME) ...
///     port.ops->send(&port, bytes, len, time_ns);
///     status = live_port_close(&port, &error);
enum live_received {
  LIVE_NOTHING,  // no frame is there
  LIVE_FRAME,
  // there was one, but it is longer than `room`: it is lost
  LIVE_TOO_LONG,
  LIVE_SEVERAL,  // there was one, of several segments (TSO, GRO): it is lost
  LIVE_END,      // nothing will come any more: the end of a capture
  LIVE_GONE,     // the interface is not there any more; error[] says why
};

struct live_port {
  const struct live_port_ops *ops;  // NULL: not open
  int fd;                           // readable when there may be a frame; -1: none (captures)
  char error[200];                  // of LIVE_GONE
  struct sockaddr_in peer;          // UDP: where frames go; port 0: nobody is known yet
  bool learns;                      // UDP: peer is whoever sent last
  struct live_link link;            // of an interface
  struct sluice_capture *in;
  struct sluice_capture_writer *out;
};

struct live_port_ops {
  enum live_received (*receive)(struct live_port *port, uint8_t *bytes, size_t room, size_t *len);
  /// False: the other end does not take it (its queue is full, the interface is down, nobody is
  /// known). `time_ns` is what a capture file says.
  bool (*send)(struct live_port *port, const uint8_t *bytes, size_t len, uint64_t time_ns);
};

/// Opens what `spec` names. SLUICE_ERR_IO with a sentence.
SLUICE_MUST_CHECK enum sluice_status live_port_open(struct live_port *port,
                                                    const struct live_spec *spec,
                                                    struct sluice_error *error);
/// Closes it; a zeroed or closed one is allowed. SLUICE_ERR_IO: a capture file could not be written
/// whole.
enum sluice_status live_port_close(struct live_port *port, struct sluice_error *error);

/// The kinds, for live_port_open alone.
enum sluice_status live_open_tap(struct live_port *port, const struct live_spec *spec,
                                 struct sluice_error *error);
enum sluice_status live_open_interface(struct live_port *port, const struct live_spec *spec,
                                       struct sluice_error *error);

/// What recv and read said: nothing there, or gone (with a sentence in port->error).
enum live_received live_nothing_or_gone(struct live_port *port, const char *call);

/// Completes a checksum that the kernel left to the network card: the sum of the bytes from `start`
/// on goes to start + offset, where the pseudo header's sum is already. False: not inside the
/// frame.
bool live_complete_checksum(uint8_t *frame, size_t len, size_t start, size_t offset);
