#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Examples that decide by ports, and packets that have none where they are looked for: later fragments, and packets with IPv4
# options. On the reference model, as TAP. usage: no_ports.sh
. "$(dirname "$0")/lib"
# make FILE SPEC...: a capture; SPEC is KIND:SRC:DST:PROTOCOL:SPORT:DPORT. Kinds: plain; first: the first fragment; later:
# a later one, of which the first bytes look like these ports; options: with a word of options that looks like these ports, and others.
make() {
  perl -e '
    my ($file, @specs) = @ARGV;
    open my $out, ">:raw", $file or die;
    print $out pack("VvvVVVV", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1);
    for (@specs) {
      my ($kind, $src, $dst, $protocol, $sport, $dport) = split /:/;
      my $ports = pack("nn", $sport, $dport);
      my $options = $kind eq "options" ? $ports : "";
      my $load = ($kind eq "options" ? pack("nn", 4444, 22) : $ports) . "\0" x 40;
      my $flags = { plain => 0x4000, first => 0x2000, later => 100, options => 0 }->{$kind};
      my $head = sub { pack("CCnnnCCn", 0x45 + length($options) / 4, 0, 20 + length($options . $load), 7, $flags, 64, $protocol, $_[0]) .
                       pack("C4C4", split(/\./, $src), split(/\./, $dst)) . $options };
      my $sum = unpack("%32n*", $head->(0)); $sum = ($sum & 0xffff) + ($sum >> 16) for 1, 2;
      my $frame = pack("n6n", 0x200, 0, 1, 0x200, 0, 2, 0x800) . $head->(~$sum & 0xffff) . $load;
      print $out pack("VVVV", 0, 0, length $frame, length $frame), $frame;
    }' "$@"
}
# play CHIP SOURCE OPTION...: with the capture $out/in.pcap at port 0.
play() {
  chip=$1 source=$2; shift 2; report=$out/report.json
  "$SLUICE" run --chip "$chip" "$source" --trust 1 --pcap "0:$out/in.pcap" --state --report "$report" -o "$out/out.pcapng" "$@" > "$out/text" 2>&1 && return 0
  sed 's/^/# /' "$out/text"; return 1
}
# Whether these bytes are somewhere in what has left.
has_bytes() { od -An -v -tx1 "$out/out.pcapng" | tr -d ' \n' | grep -q "$1"; }

web=1.2.3.4:10.0.0.80:6:5000:80
make "$out/in.pcap" plain:$web first:$web later:$web options:$web plain:10.1.1.1:10.2.2.2:17:9:9 later:10.1.1.1:10.2.2.2:17:9:9
for chip in model:react model:s2 model:s4; do
  it "acl on $chip: rules with ports are for packets that have them there, others for all" \
    'play $chip sw/programs/tables/acl.dom && same "$(jq -c ".state.vid1.packets.values[:5]" "$report")" "[2,0,2,2,0]" && same "$(value discarded)" 2'
done

make "$out/in.pcap" plain:$web first:$web later:$web options:$web
for chip in model:tiny model:k4 model:menshen model:s4; do
  it "load_balancing on $chip: datagrams in fragments are dropped, not spread by what is no port" \
    'play $chip sw/programs/menshen/load_balancing.dom && same "$(value discarded)" 2'
done

sed 's,//s4 ,,' sw/programs/tables/nat.dom > "$out/nat.dom"
printf 'p.port_in,p.protocol,p.src,p.sport,action,address,port\n0,17,10.0.0.1,1000,to_outside,5.6.7.8,2000\n' > "$out/outgoing.csv"
inside=10.0.0.1:9.9.9.9:17:1000:53
make "$out/in.pcap" plain:$inside first:$inside later:$inside options:$inside
it 'nat with the lines for s4: what has no ports there is neither translated nor shown to the control plane' \
  'play model:s4 "$out/nat.dom" --entries "outgoing=$out/outgoing.csv" && same "$(value delivered)" 2 && same "$(value discarded)" 2 && has_bytes 0506070809090909 &&
   ! has_bytes 0a00000109090909'
it 'nat as it is fits react' '"$SLUICE" compile sw/programs/tables/nat.dom --chip react --trusted > "$out/text"'
finish
