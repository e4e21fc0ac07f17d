// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <stdbool.h>

#include "../base/status.h"

/// What a data port of a live switch is connected to, as the command line says it:
///
///     PORT=KIND:WHAT[,OPTION]...
///     0=tap:sw0                     a TAP device that is made, and lives as long as the switch
///     0=tap:h1/eth0                 the same in the network namespace h1: the namespace is a host
///                                   at this port
///     1=if:veth3                    an interface that is there: what it receives comes in, what
///                                   leaves is sent on it
///     1=netns:h1/veth3              the same in the namespace h1 (if:h1/veth3 is the same)
///     2=pcap:in.pcap,out=out.pcapng a capture file comes in, what leaves is written to another;
///                                   either can be left out
///     3=udp:5000,to=127.0.0.1:6000  a frame a datagram, to UDP port 5000 of this computer, and to
///                                   port 6000
///     3=cpu                         the CPU port: what leaves there are events (sluice/event.h),
///     and
///                                   what the control plane sends comes in there, with tags
///
/// Options of all kinds: vlan=VID, trunk (see tag.h). A name of a file ends at the first comma.
enum live_kind { LIVE_TAP, LIVE_INTERFACE, LIVE_CAPTURE, LIVE_UDP, LIVE_CPU };
enum { LIVE_NAME_LEN = 16, LIVE_NETNS_LEN = 64, LIVE_PATH_LEN = 1024 };

struct live_spec {
  unsigned port;
  enum live_kind kind;
  char netns[LIVE_NETNS_LEN];  // namespace of the interface; "": this one
  char name[LIVE_NAME_LEN];    // TAP, INTERFACE
  char in[LIVE_PATH_LEN];      // CAPTURE; "": none
  char out[LIVE_PATH_LEN];
  struct sockaddr_in here, to;  // UDP; to.sin_port 0: to whoever sent the last frame
  bool trunk;
  unsigned vid;  // of an access port; 0: not said
};

/// SLUICE_ERR_RANGE with a sentence; nothing is cut. `num_ports` is that of the chip.
SLUICE_MUST_CHECK enum sluice_status live_spec_parse(struct live_spec *spec, const char *text,
                                                     unsigned num_ports,
                                                     struct sluice_error *error);
/// "tap", "if", "pcap", "udp", "cpu".
const char *live_kind_name(enum live_kind kind);
