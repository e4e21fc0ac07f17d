#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The scripts behind `make synth`, as far as they need no synthesis: parameters, which blocks are equal, mechanisms,
# and what the tables say of blocks whose area is known.
# usage: area.sh
. "$(dirname "$0")/lib"
tab=$(printf '\t')

# ---- parameters
has_value() { has "$out/cfg.sv" " $1  *= *$2;"; }
it 'parameters of a configuration can have other values' \
  'synth/area/package k4 "$out/cfg.sv" BackStages=12 MatchEntries=1024 && has_value BackStages 12 && has_value MatchEntries 1024'
it 'and only those' 'has_value NumPipes 4 && same "$(diff "$out/cfg.sv" rtl/configs/k4/sluice_cfg_pkg.sv | grep -c "^<")" 2'
it 'a parameter that does not exist is refused' '! synth/area/package k4 "$out/none.sv" Foo=1 2> "$out/said" && has "$out/said" "no parameter Foo"'

# ---- cells of a library
library() { # CELL FUNCTION AREA [GROUP]: a cell with the pins that its function names, and output ZN
  printf '  cell ("%s") {\n    area : %s; %s\n' "$1" "$3" "${4:+$4 (IQ) { clocked_on : \"CK\"; \}}"
  for pin in $(echo "$2" | tr -c 'A-Z0-9\n' ' '); do printf '    pin (%s) { direction : input; capacitance : 0.1; }\n' "$pin"; done
  printf '    pin(ZN) {\n      direction : "output";\n      function : "%s";\n    }\n  }\n' "$2"
}
{ printf 'library (other) { /* cell (X) { } */ time_unit : "1ns";\n'
  library inv_2 "!I" 4; library inv_1 "(!I)" 2; library latched "!I" 1 latch
  library nr2 "!(A1 + A2)" 1; library nd2 "!(A1 & A2)" 3; library an2 "(A1 & A2)" 1; library bf "I" 5
  echo '}'; } > "$out/other.lib"
cells() { LIBERTY=$out/other.lib synth/area/with_library sh -c 'echo $NAND2 $INVERTER $INVERTER_IN $INVERTER_OUT $DRIVER $DRIVER_IN $DRIVER_OUT'; }
it 'the cells of a library and their pins are found by what they compute' 'same "$(cells)" "nd2 inv_1 I ZN bf I ZN"'
it 'other cells can be named' 'same "$(INVERTER=inv_2 cells)" "nd2 inv_2 I ZN bf I ZN"'
it 'a cell that computes something else is refused' '! NAND2=nr2 cells 2> "$out/said" && has "$out/said" "NAND2=nr2: .* no nand2"'
it 'a NAND may be written with bars' 'sed "s/!(A1 & A2)/!A1|!A2/" "$out/other.lib" > "$out/bars.lib" && mv "$out/bars.lib" "$out/other.lib" && same "$(cells)" "nd2 inv_1 I ZN bf I ZN"'
it 'a library without one is refused' 'grep -v "bf\|function : .I" "$out/other.lib" > "$out/less.lib" && mv "$out/less.lib" "$out/other.lib" && ! cells 2> "$out/said" && has "$out/said" "no buffer .*DRIVER=CELL"'
it 'Debian'"'"'s libraries' 'for lib in /usr/share/qflow/tech/*/*.lib; do [ -e "$lib" ] || continue
  same "$(LIBERTY=$lib synth/area/with_library sh -c "echo \$NAND2 \$INVERTER \$DRIVER")" "NAND2X1 INVX1 BUFX2" || return 1; done'

# ---- equal blocks
cat > "$out/a.il" <<'END'
autoidx 1120000034
module \m
  wire width 2 input 1 \x
  attribute \keep 1
  wire output 2 \y
  cell $add $add$1120000003
    parameter \A_WIDTH 2
    connect \A \x
    connect \Y \y
  end
  cell $mux $procmux$1120000001
    connect \S \y
  end
  connect \x 2'00
end
END
# The same, written in another order after other blocks.
cat > "$out/b.il" <<'END'
autoidx 1010000034
module \m
  attribute \keep 1
  wire output 1 \y
  cell $mux $procmux$1010000001
    connect \S \y
  end
  cell $add $add$1010000003
    parameter \A_WIDTH 2
    connect \A \x
    connect \Y \y
  end
  wire width 2 input 2 \x
  connect \x 2'00
end
END
fingerprint() { awk -f synth/area/fingerprint.awk "$1" | sort | sha256sum; }
unlike() { ! same "$(fingerprint "$out/a.il")" "$(fingerprint "$1")" > "$out/same"; }
edited() { sed "$1" "$out/b.il" > "$out/c.il"; unlike "$out/c.il"; }
it 'equal blocks have one fingerprint, in whatever order they are written' 'same "$(fingerprint "$out/a.il")" "$(fingerprint "$out/b.il")"'
it 'another parameter makes another block' 'edited "s/A_WIDTH 2/A_WIDTH 3/"'
it 'so does another connection' "edited 's/connect .S .y/connect \\\\S \\\\x/'"
it 'another attribute' 'edited "s/keep 1/keep 0/"'
it 'a port of another direction' "edited 's/wire width 2 input 2/wire width 2 output 2/'"
it 'another cell' "edited 's/cell .add/cell \$sub/'"

# ---- mechanisms
modules() { awk -F '\t' '$0 !~ /^#/ && NF { sub(/\/.*/, "", $1); print $1 }' synth/mechanisms.tsv | sort -u; }
exist() {
  for m in $(modules); do ls rtl/"$m".sv rtl/*/"$m".sv 2>/dev/null | grep -q . || { echo "# no module $m"; return 1; }; done
}
declared() { awk -F '\t' '$1 == "#!" { known[$2] = 1; next } $0 !~ /^#/ && NF && !($2 in known) { print "# " $1 ": no mechanism " $2; bad = 1 } END { exit bad }' synth/mechanisms.tsv; }
it 'every module of mechanisms.tsv exists' exist
it 'every mechanism there is declared' declared

# ---- one kind for modules with equal parameters
cat > "$out/chip.xml" <<'END'
<module name="sluice" origName="sluice" topModule="1">
<instance name="u_a" defName="sluice_steer"/>
<instance name="u_b" defName="sluice_steer__D8"/>
<instance name="u_c" defName="sluice_steer__D4"/>
</module>
<module name="sluice_steer" origName="sluice_steer">
<var name="Depth" origName="Depth" param="true"><const name="32'h8"/>
</module>
<module name="sluice_steer__D8" origName="sluice_steer">
<var name="Depth" origName="Depth" param="true"><const name="32'h8"/>
</module>
<module name="sluice_steer__D4" origName="sluice_steer">
<var name="Depth" origName="Depth" param="true"><const name="32'h4"/>
</module>
END
sed -i 's/<const /\n<const /' "$out/chip.xml"
kinds() { awk -v out="$out" -f synth/area/hierarchy.awk synth/mechanisms.tsv "$out/chip.xml" && awk '{ printf "%s*%s ", $1, $(NF > 3 ? 3 : NF) }' "$out/kinds.tsv"; }
it 'modules with equal parameters are one kind' 'same "$(kinds)" "sluice*1 sluice_steer*2 sluice_steer__D4*1 "'

# ---- rows on a straight line
printf '   10 240 NAND2X1\n   5 90 INVX1\n junk\n' > "$out/few"
printf '   20 480 NAND2X1\n   5 90 INVX1\n   64 1 DFFSR\n' > "$out/many"
it 'cells of many rows are on the line of two measured ones' \
  'same "$(awk -v few=64 -v many=128 -v rows=1024 -f synth/area/rows.awk "$out/few" "$out/many" | sort -k 3 | tr -s "\n " ,,)" ",960,0,DFFSR,5,0,INVX1,160,0,NAND2X1,"'

# ---- overhead: K = 2, S = 1, gates of 1 um2, bits of half a gate
printf '  localparam int unsigned %s = %s;\n' NumPipes 2 BackStages 1 StateStages 1 StateEntries 64 MatchEntries 16 Relocations 4 > "$out/cfg_pkg.sv"
printf "sluice_match_action${tab}sluice_match_action${tab}2${tab}SideBits=32'h26\nsluice_match_action__S4${tab}sluice_match_action${tab}2${tab}SideBits=32'h4\n" > "$out/kinds.tsv"
# module, kind, mechanism, group, copies, logic, registers, their area, bits, area of the bits
line() { printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; }
{
  line sluice_steer s steering mp5 2 100 5 50 0 0
  line sluice_steer/u_ram s steering mp5 2 0 0 0 400 200
  line sluice_match_action sluice_match_action match plain 2 500 5 100 0 0
  line sluice_match_action sluice_match_action__S4 match plain 2 400 5 100 0 0
  line sluice_match m match plain 4 30 5 20 0 0
  line sluice_packet_buffer p buffer ends 1 1000000 5 0 0 0
  line sluice_transmit t outputs ends 1 1000000 5 0 0 0
} > "$out/blocks.tsv"
# MP5's: 2 * 150 + 2 * 200, side band 2 * 100, spare slots 4 * 2 * 64 bits; in all: 700 + 1200 + 1000 + 200.
overhead() { awk -v nand2=1 -v name=hand -f synth/area/overhead.awk "$out/cfg_pkg.sv" "$out/kinds.tsv" "$out/blocks.tsv" > "$out/overhead"; }
it 'what MP5 adds is in the total without packet buffers and output queues' \
  'overhead && same "$(awk "/flip-flops/ { print \$(NF - 8) }" "$out/overhead")" "$(awk "BEGIN { printf \"%.1f\", 100 * 1156 / 3100 }")"'

# ---- isolation
mkdir -p "$out/x" "$out/x-one"
{ line sluice_parser p parse ends 1 100 0 100 0 0; line sluice_parser/u_table p isolation plain 1 0 0 0 400 200
  line sluice_steer s steering mp5 1 70 0 0 0 0; line sluice_packet_buffer b buffer ends 1 5000 0 0 0 0; } > "$out/x/blocks.tsv"
{ line sluice_parser p parse ends 1 100 0 200 0 0; line sluice_steer s steering mp5 1 50 0 0 0 0
  line sluice_packet_buffer b buffer ends 1 1000 0 0 0 0; } > "$out/x-one/blocks.tsv"
isolation() { awk -v nand2=1 -v name=hand -f synth/area/isolation.awk synth/mechanisms.tsv "$out/x-one/blocks.tsv" "$out/x/blocks.tsv" > "$out/isolation"; }
it 'what 32 modules take beside one is of the pipelines only' 'isolation && has "$out/isolation" "^pipelines: .* 25.0 % (on top of one module: 33.3 %"'

# ---- growth
{ echo 'k,s,gates,logic_um2,registers,macro_bits,macro_um2,banks_um2,order_um2'
  echo '2,4,1000,1000000,1,10,1000000,500000,1500000'; echo '4,8,4000,5000000,1,10,3000000,6000000,2000000'; } > "$out/sweep.csv"
it 'growth is relative to two pipelines and four stages, beside that of the paper' \
  'awk -f synth/area/sweep.awk synth/mp5_table1.csv "$out/sweep.csv" > "$out/sweep" && same "$(awk "\$1 == 4 && NF == 8 { print \$6, \$7, \$8 }" "$out/sweep")" "4.00 12.00 8.00"'
it 'and shares add up' 'same "$(awk "/^Share/ { on = 1 } on && \$1 == 4 { print \$3 + \$4 }" "$out/sweep")" 100'
finish
