// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sluice/transport.h>
#include <stdbool.h>

/// A transport around another one. It hands every call on, and calls its owner around each: to
/// count and log them, to put packets between them, to let some fail.
///
///     sluice_filter_init(&filter, &inner, &mine);
///     filter.before = feed;                   // `mine` is its user
///     filter.ops.control_send = my_send;      // instead of the filter's
///     status = sluice_chip_open(&chip, &filter.to, NULL, &error);
///
/// A call of the owner's own gets the filter as `self`, and goes on by that of sluice_filter_ops.
/// What the inner transport has not, the filter has not. The filter must not be moved, and the
/// inner transport must live longer; closing filter.to does nothing.
enum sluice_filter_call {
  SLUICE_FILTER_READ,  // of registers
  SLUICE_FILTER_WRITE,
  SLUICE_FILTER_SEND,  // of a control frame
  SLUICE_FILTER_RECEIVE,
  SLUICE_FILTER_PACKET_IN,
  SLUICE_FILTER_PACKET_OUT,
  SLUICE_FILTER_WAIT,
  SLUICE_FILTER_RESET,
  SLUICE_FILTER_TELL,
};
struct sluice_filter {
  struct sluice_transport to, *inner;
  struct sluice_transport_ops ops;
  /// False: the call is not handed on, and is OK but for `after`. `cycles`: of a wait, else 0.
  /// NULL: all are.
  bool (*before)(void *user, enum sluice_filter_call call, uint64_t cycles);
  /// What the call returns; NULL: what it has returned.
  enum sluice_status (*after)(void *user, enum sluice_status status, struct sluice_error *error);
  void *user;
};
extern const struct sluice_transport_ops sluice_filter_ops;

void sluice_filter_init(struct sluice_filter *filter, struct sluice_transport *inner, void *user);
