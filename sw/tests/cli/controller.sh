#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sluice serve --controller, on the reference model, from capture to capture. TAP. usage: controller.sh [SLUICE]
here=$(cd "$(dirname "$0")" && pwd)
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 3
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' log; failed=$((failed + 1)); fi; }

# Requests, polls and acknowledgements go to port 3; what comes from there goes to port 1.
cat >program.dom <<'END'
struct Packet { int in @ meta.port_in; int out @ meta.port_out; int flags @ bytes(22, 2); };
void f(struct Packet p) {
  if (p.in == 3) p.out = 1;
  else if ((p.flags & 560) != 0) p.out = 3;
  else p.out = 2;
}
END
frame() { # FLAGS FID BODY: 64 bytes at least
  f=0200000000ee0200000000018100000583b212345678$1$2ffff$3
  while [ ${#f} -lt 136 ]; do f=${f}00; done
  len=$(printf '%02x000000' $((${#f} / 2)))
  hex=${hex}0000000000000000$len$len$f
}
ask=0005ff00020000000000000101000000000000
hex=d4c3b2a1020004000000000000000000ffff000001000000
frame 0020 0007; frame 0010 0007 $ask; frame 0020 0007; frame 0010 0200 $ask; frame 0020 0200
perl -e 'print pack "H*", $ARGV[0]' $hex >in.pcap

"$SLUICE" serve --chip model:capsules -m program.dom:5 --controller 3:5:16 --once -q \
  --port 0=pcap:in.pcap,trunk --port 1=pcap:,out=out.pcap,trunk >log 2>&1; say $? 'requests are served'
"$SLUICE" active show out.pcap --json >log 2>&1; say $? 'the answers are capsules'
[ "$("$SLUICE" active show out.pcap 2>>log | grep -c 'ALLOCATED')" = 1 ]; say $? 'one of them is an allocation'
[ "$("$SLUICE" active show out.pcap 2>>log | grep -c '^[0-9]*: ')" = 5 ]; say $? 'every frame is answered'
for bad in 3 x:5 3:5:16: 3:5x; do
  "$SLUICE" serve --chip model:capsules -m program.dom:5 --controller $bad --once >log 2>&1
  [ $? = 2 ] && grep -q 'PORT:VID' log; say $? "--controller $bad is refused"
done
"$SLUICE" serve --chip model:capsules -m program.dom:5 --controller 3:5:16 --controller-rounds 2 --once -q --port 0=pcap:in.pcap,trunk --port 1=pcap:,out=x.pcap,trunk >log 2>&1
say $? 'programs may take further passes'
for ports in "--control there" "--port 0=tap:none"; do
  timeout 60 "$SLUICE" serve --chip model:capsules -m program.dom:5 $ports --once >log 2>&1
  [ $? = 2 ] && grep -q "^sluice: --once" log; say $? "--once wants captures: $ports is refused"
done
"$SLUICE" serve --chip model:capsules -m program.dom:5 --controller 3:6 --once >log 2>&1
[ $? = 2 ] && grep -q 'no program has VLAN 6' log; say $? 'a VLAN without a program is refused'
"$SLUICE" serve --chip model:capsules -m program.dom:5 --controller 1:5:16 --once --port 0=pcap:in.pcap,trunk --port 1=pcap:,out=x.pcap,trunk >log 2>&1
[ $? = 2 ] && grep -q 'port 1 is connected twice' log; say $? 'a port that is connected is refused'
"$SLUICE" serve --chip model:menshen -m program.dom:5 --controller 3:5 --once >log 2>&1
[ $? = 2 ] && grep -q 'executes no capsules' log; say $? 'a chip without capsules is refused'
echo "1..$n"
[ $failed -eq 0 ]
