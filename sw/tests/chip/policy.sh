#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A policy file in a run (sluice/policy.h): what it gives reaches the chip, what it does not allow is refused before.
# usage: policy.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
cat > "$out/spread.dom" <<'P'
struct Packet { int sport @ udp.sport; int o @ meta.port_out; int n @ bytes(46, 2); int i; };
int t[32];
void spread(struct Packet p) { p.i = p.sport & 31; t[p.i] += 1; p.n = t[p.i]; p.o = p.sport & 3; }
P
policy() { echo "{\"sluice_policy\": 1, $1}" > "$out/policy.json"; }
two="-m $out/spread.dom:5 -m $out/spread.dom:6 --policy $out/policy.json -n 3000 --size 64 --flows 256"
lost() { jq ".drops_by_module.vid$1.$2 // 0" "$report"; }
# play NAME OPTION...
play() {
  label=$1; shift
  # shellcheck disable=SC2086  # several options
  run_chip "$label" $two "$@"
}

policy '"moves": 2, "modules": [{"vid": 5, "rate": 200, "ports": [0, 3]}]'
play given --load 0.4 --register CHIP.MOVE_QUOTA
it "ports of one module: EQUIVALENT, about half of its packets are FORBIDDEN, none of the other" \
  'equivalent && is "$(lost 5 FORBIDDEN) > 500 && $(lost 5 FORBIDDEN) < 1000 && $(lost 6 FORBIDDEN) == 0"'
it "the quota of moves is on the chip" 'same "$(jq ".registers[\"CHIP.MOVE_QUOTA\"]" "$report")" 2'
policy '"modules": [{"vid": 6, "rate": 1, "burst": 0}]'
play rate --load 1
it "a module with a rate of nearly nothing loses packets, the other none" \
  'equivalent && is "$(lost 6 OVERLOAD) > 100 && $(lost 5 OVERLOAD) == 0"'
note "rate 1: $(lost 6 OVERLOAD) lost, the other $(lost 5 OVERLOAD)"
policy '"modules": [{"vid": "others", "state": 31}]'
play state
it "too much state is refused: resource, wanted, allowed" '[ $code -eq 3 ] && has "$errors" "(VLAN 5): 32 entries of state wanted, 31 allowed by"'
policy '"moves": 5'
play moves
it "too many moves are refused" '[ $code -eq 3 ] && has "$errors" "moves: 10 entries wanted by 2 modules with spread state, 5 each by .*, 8 allowed"'
policy '"modules": [{"vid": 5, "rate": 255}]'
play rates
it "rates that leave nothing are refused" '[ $code -eq 3 ] && has "$errors" "rate of the order queues: 255 accesses per 256 cycles wanted"'
policy '"modules": [{"vid": 5, "ports": [4]}]'
play port
it "a port that the chip does not have is refused" '[ $code -eq 3 ] && has "$errors" "ports 0 to 3"'
policy '"modules": [{"vid": 5, "prots": [4]}]'
play key
it "a key that is not known is refused" '[ $code -eq 3 ] && has "$errors" "no key .prots. is known"'
play both --share 5=3
it "and so are --policy and --share together" '[ $code -eq 2 ] && has "$errors" "do not go together"'
# Three that want 96, 100 and 120 of the 256 entries of a stage: each fits beside one other.
for n in 96 100 120; do sed "s/32/$n/; s/& 31/% $n/; s/spread/s$n/" "$out/spread.dom" > "$out/s$n.dom"; done
policy '"modules": []'
run_chip fair -m "$out/s120.dom:1" -m "$out/s96.dom:2" -m "$out/s100.dom:3" --policy "$out/policy.json" -n 10
it "the largest dominant share does not fit, whoever came first" \
  '[ $code -eq 3 ] && has "$errors" "module .s120. (VLAN 1): 120 entries of state in back stage . wanted, 60 allowed"'
finish
