// SPDX-License-Identifier: Apache-2.0
#include "link.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static enum live_link_state look(const struct live_link *link) {
  struct ifreq request = {.ifr_ifindex = (int)link->index};
  if (ioctl(link->fd, SIOCGIFNAME, &request) != 0)
    return errno == ENODEV || errno == ENXIO ? LIVE_LINK_GONE : link->state;
  if (ioctl(link->fd, SIOCGIFFLAGS, &request) != 0) return LIVE_LINK_GONE;
  const short both = IFF_UP | IFF_RUNNING;
  return (request.ifr_flags & both) == both ? LIVE_LINK_UP : LIVE_LINK_DOWN;
}

void live_link_open(struct live_link *link, const char *name) {
  const struct sockaddr_nl all = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK};
  *link = (struct live_link){.fd = -1, .index = if_nametoindex(name)};
  if (!link->index) return;
  link->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (link->fd < 0) return;
  if (bind(link->fd, (const struct sockaddr *)&all, sizeof all) != 0) live_link_close(link);
  else link->state = look(link);
}

bool live_link_changed(struct live_link *link) {
  char bytes[8192];
  bool some = false;
  ssize_t got;
  if (link->fd < 0 || link->state == LIVE_LINK_GONE) return false;
  // What the messages say is not read: that there was one is enough, lost ones included.
  while ((got = recv(link->fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0 ||
         (got < 0 && (errno == ENOBUFS || errno == EINTR)))
    some = true;
  if (!some) return false;
  const enum live_link_state before = link->state;
  link->state = look(link);
  return link->state != before;
}

void live_link_close(struct live_link *link) {
  if (link->fd >= 0) close(link->fd);
  *link = (struct live_link){.fd = -1};
}

const char *live_link_name(enum live_link_state state) {
  static const char *const names[] = {NULL, "up", "down", "gone"};
  return (size_t)state < sizeof names / sizeof *names ? names[state] : NULL;
}
