// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// The link of a port that is a Linux interface: whether it can carry frames, and when that
/// changes. The kernel tells of changes over a netlink socket, which belongs to the namespace in
/// which it was made.
///
///     live_link_open(&link, "veth0");              // inside the interface's namespace
///     ... poll(link.fd) ...
///     if (live_link_changed(&link)) ...            // link.state is another one
///     live_link_close(&link);
enum live_link_state {
  LIVE_LINK_NONE,  // no interface, or the kernel does not tell
  LIVE_LINK_UP,
  LIVE_LINK_DOWN,  // down, or without a carrier: it may come again
  LIVE_LINK_GONE,  // it was removed; another one of its name is another interface
};
struct live_link {
  int fd;  // readable when something may have changed; -1: nothing is told
  unsigned index;
  enum live_link_state state;
};

/// Never fails: without a netlink socket the state is LIVE_LINK_NONE.
void live_link_open(struct live_link *link, const char *name);
bool live_link_changed(struct live_link *link);
void live_link_close(struct live_link *link);
/// "up", "down", "gone"; NULL: LIVE_LINK_NONE.
const char *live_link_name(enum live_link_state state);
