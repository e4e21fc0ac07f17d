# SPDX-License-Identifier: Apache-2.0
# Hosts in network namespaces around a live switch: what demo and test share. Sourced.
#
#   live_cannot          prints why this computer cannot do it (and is true then)
#   live_inside "$@"     runs the script again where it can: namespaces of its own, which nobody sees and which end with it
#   live_host N [PORTS]  makes host hN with address 10.0.0.N and 02:00:00:00:00:0N known to all others
#   live_neighbours N... tells each of these hosts where the others are
#   listens N            whether somebody listens at port 80 (hexadecimal 50) of host hN; 0A is the state LISTEN
PATH=$PATH:/usr/sbin:/sbin
live_flags="--net --mount --pid --fork --kill-child --mount-proc"
[ "$(id -u)" = 0 ] || live_flags="--user --map-root-user $live_flags"

live_cannot() {
  for tool in unshare ip ping curl busybox; do
    command -v "$tool" > /dev/null 2>&1 || { echo "$tool is not installed"; return 0; }
  done
  [ -r /dev/net/tun ] && [ -w /dev/net/tun ] || { echo "/dev/net/tun cannot be opened, so there are no TAP devices"; return 0; }
  # shellcheck disable=SC2086 # flags are words
  why=$(unshare $live_flags sh -c 'mount -t tmpfs tmpfs /run && ip netns add probe && ip -n probe tuntap add t0 mode tap' 2>&1) && return 1
  echo "network namespaces cannot be made: $(echo "$why" | tail -n 1)"
}

live_inside() {
  [ -z "${SLUICE_INSIDE:-}" ] || { mount -t tmpfs tmpfs /run && ip link set lo up; return; }
  # shellcheck disable=SC2086
  SLUICE_INSIDE=1 exec unshare $live_flags sh "$0" "$@"
}

# The interfaces are there already: the switch has made them, eth0 and, for a second way, eth1.
live_host() {
  ip netns exec "h$1" sh -c 'for f in all default eth0; do echo 1 > /proc/sys/net/ipv6/conf/$f/disable_ipv6; echo 0 > /proc/sys/net/ipv4/conf/$f/rp_filter; done' 2> /dev/null
  for eth in eth0 eth1; do
    ip -n "h$1" link show "$eth" > /dev/null 2>&1 || continue
    ip netns exec "h$1" sh -c "echo 1 > /proc/sys/net/ipv6/conf/$eth/disable_ipv6; echo 0 > /proc/sys/net/ipv4/conf/$eth/rp_filter" 2> /dev/null
    ip -n "h$1" link set "$eth" address "02:00:00:00:00:0$1" up
  done
  ip -n "h$1" link set lo up
  ip -n "h$1" address add "10.0.0.$1/24" dev eth0
}

live_neighbours() {
  for host in "$@"; do
    for other in "$@"; do
      [ "$host" = "$other" ] || ip -n "h$host" neighbour replace "10.0.0.$other" lladdr "02:00:00:00:00:0$other" dev eth0 nud permanent
    done
  done
}

listens() { ip netns exec "h$1" grep -qs ':0050 .* 0A ' /proc/net/tcp /proc/net/tcp6; }
