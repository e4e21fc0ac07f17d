// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../../active/client.h"
#include "../../active/controller.h"

/// A switch for capsules in this process, with its controller and with links at its ports: clients,
/// servers and measurements in one program, on the reference model or on a simulated chip. Example:
///
///     struct active_net *net;
///     struct active_net_options chip = {.chip = "model:active"};
///     status = active_net_open(&net, &chip, &error);
///     options.link = active_net_link(net, 0);      // a client at port 0
///     active_net_address(0, 1, options.address);   // host 1 of port 0
///     active_net_address(2, 1, options.gateway);   // its capsules go to host 1 of port 2
///     active_net_controller_address(net, options.controller);
///     while (...) {
///       active_client_step(client, active_net_now(net));
///       status = active_net_turn(net, 100, &error);        // 100 cycles pass
///     }
///     active_net_close(net);
///
/// A frame leaves at the port that its destination address names: 02:00:00:HOST:00:PORT. The
/// controller is at the last port. Hosts send and receive frames without a VLAN tag. Every link of
/// a port receives what leaves there.
///
/// Links can lose, double and delay frames: a hostile network for tests. Numbers are the same for
/// the same seed.
struct active_net;

struct active_net_options {
  const char *chip;   // as sluice_transport_open takes it
  const char *shape;  // the chip must be this one: "capsules.k4"; NULL: one that configs.def names
  struct sluice_transport *to;                  // or a transport that is open; the caller closes it
  unsigned vid;                                 // 0: 5
  struct sluice_controller_options controller;  // vid is set
  double lose, twice, late;                     // shares of the frames, in both directions
  uint64_t late_by;                             // at most so many cycles
  uint64_t seed;
  // A bus between controller and chip, as reaction/bus.h has it: "pcie"; NULL: none. While it takes
  // its time packets go on, and `meanwhile` is called: for the clients and servers.
  const char *bus;
  void (*meanwhile)(void *user, struct active_net *net);
  void *user;
};

SLUICE_MUST_CHECK enum sluice_status active_net_open(struct active_net **net,
                                                     const struct active_net_options *options,
                                                     struct sluice_error *error);
/// NULL is allowed.
void active_net_close(struct active_net *net);

/// A new link at a port; lives as long as the net. NULL: there is no memory, or no such port.
struct active_link *active_net_link(struct active_net *net, unsigned port);
void active_net_address(unsigned port, unsigned host, uint8_t address[6]);
/// The controller's.
void active_net_controller_address(const struct active_net *net, uint8_t address[6]);

/// Lets cycles pass: packets move, the controller answers. SLUICE_ERR_*: the chip failed.
SLUICE_MUST_CHECK enum sluice_status active_net_turn(struct active_net *net, uint64_t cycles,
                                                     struct sluice_error *error);
uint64_t active_net_now(const struct active_net *net);
/// How bad the links are from now on.
void active_net_links(struct active_net *net, double lose, double twice, double late,
                      uint64_t late_by);

struct sluice_controller *active_net_controller(struct active_net *net);
struct sluice_chip *active_net_chip(struct active_net *net);
struct sluice_transport *active_net_transport(struct active_net *net);
/// Words of a stage in all pipelines that are the controller's, and the first `num` of them of
/// every stage: `values` has room for stages x num. By a cut where that is possible: with marks
/// each word that is read goes through all stages up to its own, and the next one waits for it.
unsigned active_net_size(struct active_net *net);
SLUICE_MUST_CHECK enum sluice_status active_net_words(struct active_net *net, unsigned num,
                                                      uint32_t *values, struct sluice_error *error);
/// Cycles of the chip, if it counts them (a simulated one); of the model those of the turns and of
/// the bus.
uint64_t active_net_cycles(struct active_net *net);
/// What the controller's last change took: from the frame that brought it until the answer.
struct active_net_change {
  uint64_t began, ended;                       // cycles
  uint64_t reads, writes, transfers, answers;  // over the bus
};
const struct active_net_change *active_net_last_change(const struct active_net *net);
