# SPDX-License-Identifier: Apache-2.0
# Draws MANY of the points of tb/mutants/points.awk: those of the kind "reset", of all other kinds ("other"), or of all ("all"). What is drawn follows
# from SEED and the points alone.
#   awk -F '\t' -v kind=other -v many=40 -v seed=1 -f tb/mutants/draw.awk POINTS
function random() { return state = (state * 16807) % 2147483647 }
kind == "all" || ($3 == "reset") == (kind == "reset") { point[++num] = $0 }
END {
  state = seed % 2147483646 + 1; for (i = 0; i < 20; i++) random()
  for (i = 1; i <= many && i <= num; i++) {
    j = i + random() % (num - i + 1); held = point[j]; point[j] = point[i]; print held
  }
}
