#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs OUT/todo.tsv as a Slurm job array and waits for it; the project's folder must be shared by the nodes.
# usage: slurm.sh OUT LIMIT_SECONDS
set -eu
out=$1 limit=$2
command -v sbatch >/dev/null || { echo "bench: SLURM=1, but there is no sbatch here (Debian: slurm-client)"; exit 1; }
count=$(wc -l <"$out/todo.tsv")
cat >"$out/array.sh" <<EOF
#!/bin/sh
#SBATCH --job-name=sluice-bench --array=1-$count --ntasks=1 --cpus-per-task=1
#SBATCH --time=$(((limit + 59) / 60)) --output=$out/logs/slurm-%a.log
cd "$(pwd)" || exit 1
exec sh sw/bench/job.sh "$out" $limit "\$(sed -n "\${SLURM_ARRAY_TASK_ID}p" "$out/todo.tsv")"
EOF
mkdir -p "$out/logs"
# shellcheck disable=SC2086
sbatch --wait ${SBATCH_OPTIONS:-} "$out/array.sh"
