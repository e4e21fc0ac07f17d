// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net.h"
#include "cache.h"

/// Applications whose programs run in a switch in this process, each compared with a computation on
/// the host: word by word of memory, packet by packet where they leave. Example:
///
///     struct app_result result;
///     const struct app_run run = {
///         .net = net, .fid = 3, .programs = "sw/programs/active", .seed = 1};
///     status = app_run_guard(&run, 5000, &result, &error);
///     ... result.differences is 0 ...
///
/// The host's computation shares no code with the model or the interpreter but the CRCs.
struct app_run {
  struct active_net *net;
  const char *programs;
  struct active_shape shape;
  uint16_t fid;
  uint64_t seed;
  unsigned passes;  // that a program may take; 0: 1
  unsigned turn;    // cycles until a packet has gone through the chip; 0: 100
};
struct app_result {
  uint64_t packets;      // programs that were sent
  uint64_t words;        // of memory that were compared
  uint64_t differences;  // of what left, and of words
  double figure;         // what the application is about, see below
};

/// Every word of a region is written and read again, and one beyond its end is a fault.
/// Figure: words.
SLUICE_MUST_CHECK enum sluice_status app_run_memory(const struct app_run *run,
                                                    struct app_result *result,
                                                    struct sluice_error *error);
/// One question after the other, keys by Zipf, with the server at the next port: whether the cache
/// answers is what the client expects, and all values are the server's. Figure: the hit rate.
SLUICE_MUST_CHECK enum sluice_status app_run_cache(const struct app_run *run, unsigned questions,
                                                   uint32_t keys, double zipf, bool wide,
                                                   struct app_result *result,
                                                   struct sluice_error *error);
/// The next three want a controller that counts addresses from 0 (from_zero) and writes entries of
/// ADDRESS (translate).
///
/// Frequent keys (hot_keys_explicit.ap4): both rows of the sketch and the keys beside them, word by
/// word. Figure: the share of the keys above the threshold that were found.
SLUICE_MUST_CHECK enum sluice_status app_run_hot_keys(const struct app_run *run, unsigned packets,
                                                      uint32_t keys, double zipf,
                                                      struct app_result *result,
                                                      struct sluice_error *error);
/// Cheetah's load balancer: first packets are spread over `servers` ports in turn, later packets of
/// a connection go where the first one went. Figure: the share of the fullest server times servers.
SLUICE_MUST_CHECK enum sluice_status app_run_balancer(const struct app_run *run,
                                                      unsigned connections, unsigned servers,
                                                      struct app_result *result,
                                                      struct sluice_error *error);
/// Flows with too many packets leave at another port (guard_explicit.ap4). Figure: the share of the
/// packets that was diverted.
SLUICE_MUST_CHECK enum sluice_status app_run_guard(const struct app_run *run, unsigned packets,
                                                   struct app_result *result,
                                                   struct sluice_error *error);

/// A key-value server at a link of the net: answers what has come. Frames with a capsule in front
/// of the question too.
struct kv_station {
  struct active_link *link;
  struct kv_store *store;
};
void kv_station_step(struct kv_station *station);
