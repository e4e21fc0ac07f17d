// SPDX-License-Identifier: Apache-2.0
// Ports that are Linux interfaces: a TAP device of our own, or one that is there (packet socket),
// here or in another network namespace.
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "port.h"

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

// ---- namespaces ---------------------------------------------------------------------------------

// Goes into a network namespace (/run/netns/NAME; "": stays here). *back is what live_netns_leave
// wants.
SLUICE_MUST_CHECK static enum sluice_status live_netns_enter(const char *name, int *back,
                                                             struct sluice_error *error) {
  char path[LIVE_NETNS_LEN + 16];
  *back = -1;
  if (!name[0]) return SLUICE_OK;
  snprintf(path, sizeof path, "/run/netns/%s", name);
  const int there = open(path, O_RDONLY | O_CLOEXEC);
  if (there < 0)
    return sluice_fail(error, SLUICE_ERR_IO, "no network namespace '%s': %s", name,
                       strerror(errno));
  *back = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
  if (*back >= 0 && setns(there, CLONE_NEWNET) == 0) {
    close(there);
    return SLUICE_OK;
  }
  const int why = errno;
  close(there);
  if (*back >= 0) close(*back);
  *back = -1;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot go into the network namespace '%s': %s", name,
                     strerror(why));
}

static void live_netns_leave(int back) {
  if (back < 0) return;
  if (setns(back, CLONE_NEWNET) != 0) abort();  // to go on in another's network would do harm there
  close(back);
}

// ---- TAP ----------------------------------------------------------------------------------------

static enum live_received receive_tap(struct live_port *port, uint8_t *bytes, size_t room,
                                      size_t *len) {
  uint8_t more[1];
  const struct iovec parts[] = {{bytes, room}, {more, sizeof more}};
  const ssize_t got = readv(port->fd, parts, 2);
  *len = got > 0 ? (size_t)got : 0;
  if (got < 0) return live_nothing_or_gone(port, "read");
  return *len > room ? LIVE_TOO_LONG : LIVE_FRAME;
}

static bool send_tap(struct live_port *port, const uint8_t *bytes, size_t len, uint64_t time_ns) {
  (void)time_ns;
  return write(port->fd, bytes, len) == (ssize_t)len;
}

static bool bring_up(const char *name) {
  struct ifreq request = {.ifr_flags = 0};
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  memcpy(request.ifr_name, name, strlen(name) + 1);
  bool good = any >= 0 && ioctl(any, SIOCGIFFLAGS, &request) == 0;
  if (good && !(request.ifr_flags & IFF_UP)) {
    request.ifr_flags |= IFF_UP;
    good = ioctl(any, SIOCSIFFLAGS, &request) == 0;
  }
  if (any >= 0) close(any);
  return good;
}

static enum sluice_status make_tap(struct live_port *port, const char *name,
                                   struct sluice_error *error) {
  struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
  memcpy(request.ifr_name, name, strlen(name) + 1);
  port->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (port->fd < 0)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '/dev/net/tun': %s", strerror(errno));
  if (ioctl(port->fd, TUNSETIFF, &request) != 0)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot make the TAP device '%s': %s", name,
                       strerror(errno));
  if (!bring_up(name))
    return sluice_fail(error, SLUICE_ERR_IO, "cannot bring '%s' up: %s", name, strerror(errno));
  return SLUICE_OK;
}

enum sluice_status live_open_tap(struct live_port *port, const struct live_spec *spec,
                                 struct sluice_error *error) {
  static const struct live_port_ops ops = {receive_tap, send_tap};
  int back;
  port->ops = &ops;
  enum sluice_status status = live_netns_enter(spec->netns, &back, error);
  if (!status) status = make_tap(port, spec->name, error);
  if (!status) live_link_open(&port->link, spec->name);
  live_netns_leave(back);
  return status;
}

// ---- packet socket ------------------------------------------------------------------------------

bool live_complete_checksum(uint8_t *frame, size_t len, size_t start, size_t offset) {
  uint32_t sum = 0;
  if (start > len || offset + 2 > len - start) return false;
  for (size_t i = start; i < len; i += 2)
    sum += (uint32_t)frame[i] << 8 | (i + 1 < len ? frame[i + 1] : 0u);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  sum = ~sum & 0xffff;
  if (!sum) sum = 0xffff;  // of UDP 0 would mean: no checksum; for TCP both are the same number
  frame[start + offset] = (uint8_t)(sum >> 8);
  frame[start + offset + 1] = (uint8_t)sum;
  return true;
}

// The kernel takes a VLAN tag out of the frame and tells of it beside: puts it back.
static void put_tag_back(uint8_t *bytes, size_t *len, struct msghdr *message) {
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
    struct tpacket_auxdata aux;
    if (c->cmsg_level != SOL_PACKET || c->cmsg_type != PACKET_AUXDATA) continue;
    memcpy(&aux, CMSG_DATA(c), sizeof aux);
    if (!(aux.tp_status & TP_STATUS_VLAN_VALID)) return;
    const unsigned tpid = aux.tp_status & TP_STATUS_VLAN_TPID_VALID ? aux.tp_vlan_tpid
                                                                    : ETH_P_8021Q;
    memmove(bytes + 16, bytes + 12, *len - 12);
    sluice_put16(bytes + 12, tpid);
    sluice_put16(bytes + 14, aux.tp_vlan_tci);
    *len += 4;
    return;
  }
}

static enum live_received receive_interface(struct live_port *port, uint8_t *bytes, size_t room,
                                            size_t *len) {
  struct virtio_net_hdr head = {.flags = 0};
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(struct tpacket_auxdata))];
  } control;
  struct sockaddr_ll from = {.sll_pkttype = 0};
  struct iovec parts[] = {{&head, sizeof head}, {bytes, room - 4}};  // 4: for the tag
  struct msghdr message = {.msg_name = &from,
                           .msg_namelen = sizeof from,
                           .msg_iov = parts,
                           .msg_iovlen = 2,
                           .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
  *len = 0;
  const ssize_t got = recvmsg(port->fd, &message, MSG_DONTWAIT | MSG_TRUNC);
  if (got < 0) return live_nothing_or_gone(port, "recvmsg");
  if (from.sll_pkttype == PACKET_OUTGOING || (size_t)got < sizeof head + ETH_HLEN)
    return LIVE_NOTHING;
  *len = (size_t)got - sizeof head;
  if (head.gso_type != VIRTIO_NET_HDR_GSO_NONE) return LIVE_SEVERAL;
  if (*len > room - 4) return LIVE_TOO_LONG;
  if (head.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM &&
      !live_complete_checksum(bytes, *len, head.csum_start, head.csum_offset))
    return LIVE_TOO_LONG;
  put_tag_back(bytes, len, &message);
  return LIVE_FRAME;
}

static bool send_interface(struct live_port *port, const uint8_t *bytes, size_t len,
                           uint64_t time_ns) {
  struct virtio_net_hdr head = {.flags = 0};
  const struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)bytes, len}};
  (void)time_ns;
  return writev(port->fd, parts, 2) == (ssize_t)(sizeof head + len);
}

static enum sluice_status attach(struct live_port *port, const char *name,
                                 struct sluice_error *error) {
  const int on = 1;
  const unsigned index = if_nametoindex(name);
  if (!index)
    return sluice_fail(error, SLUICE_ERR_IO, "no interface '%s': %s", name, strerror(errno));
  const struct sockaddr_ll where = {
      .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)index};
  const struct packet_mreq all = {.mr_ifindex = (int)index, .mr_type = PACKET_MR_PROMISC};
  // protocol 0: nothing comes before bind
  port->fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (port->fd < 0)
    return sluice_fail(error, SLUICE_ERR_IO, "no packet socket for '%s': %s", name,
                       strerror(errno));
  setsockopt(port->fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on,
             sizeof on);  // a kernel without it: see receive_interface
  if (setsockopt(port->fd, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) ||
      setsockopt(port->fd, SOL_PACKET, PACKET_AUXDATA, &on, sizeof on) ||
      bind(port->fd, (const struct sockaddr *)&where, sizeof where) ||
      setsockopt(port->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all))
    return sluice_fail(error, SLUICE_ERR_IO, "cannot take what '%s' receives: %s", name,
                       strerror(errno));
  return SLUICE_OK;
}

enum sluice_status live_open_interface(struct live_port *port, const struct live_spec *spec,
                                       struct sluice_error *error) {
  static const struct live_port_ops ops = {receive_interface, send_interface};
  int back;
  port->ops = &ops;
  enum sluice_status status = live_netns_enter(spec->netns, &back, error);
  if (!status) status = attach(port, spec->name, error);
  if (!status) live_link_open(&port->link, spec->name);
  live_netns_leave(back);
  return status;
}
