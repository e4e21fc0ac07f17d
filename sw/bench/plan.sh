#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the runs of the evaluation, one a line, tab-separated:
#   id  figure  series  pattern  parameter  passes  engine (chip, program or study)  configuration  flows  packets  options
# An engine `program` runs a Domino program on the chip: for flows its file, for packets how many.
# usage: plan.sh full|quick TRACES STRESS
#   TRACES: folder with MP5's published traces; STRESS: folder with the traces that stress.sh makes
# A figure is one CSV and one plot; a series is a line in it; passes: how often the trace is played in a row.
set -eu
scope=$1 traces=$2 stress=$3

# What each series asks of the chip. MP5: packets without an access stay in their pipeline and go first,
# nothing is paced, and what finds an order queue full is dropped; its remap moves indices, here with ordered moves. docs/modes.md says what each leaves out.
options_of() {
  case $1 in
  ours) ;;
  ours-no-moves) echo "--move-period 0" ;;
  mp5) echo "--steer stay --issue free --pace 0 --brake 0 --drop-full" ;;
  mp5-no-remap) echo "--steer stay --issue free --pace 0 --brake 0 --drop-full --move-period 0" ;;
  no-phantoms) echo "--no-phantoms --pace 0 --brake 0 --move-period 0" ;;
  recirculation) echo "--recirculate" ;;
  one-pipeline) echo "--pin 0" ;;
  no-rank) echo "--steer each" ;;
  fixed) echo "--steer stay" ;;
  no-pacing) echo "--pace 0" ;;
  no-brake) echo "--brake 0" ;;
  no-threshold) echo "--move-least 0" ;;
  no-escape) echo "--no-escape" ;;
  wide) echo "--pace 48" ;;
  *) echo "plan.sh: no series '$1'" >&2; exit 1 ;;
  esac
}

line() { # figure series pattern parameter passes configuration flows packets [more options]
  [ -e "$7" ] && [ -e "$8" ] || return 0
  printf '%s-%s-%s-%s-x%s\t%s\t%s\t%s\t%s\t%s\tchip\t%s\t%s\t%s\t%s\n' \
    "$1" "$2" "$3" "$4" "$5" "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$(options_of "$2") ${9:-}"
}

study() { # figure series pattern parameter passes flows packets [options]
  [ -e "$6" ] && [ -e "$7" ] || return 0
  printf '%s-%s-%s-%s-x%s\t%s\t%s\t%s\t%s\t%s\tstudy\t-\t%s\t%s\t%s\n' \
    "$1" "$2" "$3" "$4" "$5" "$1" "$2" "$3" "$4" "$5" "$6" "$7" "${8:-}"
}

program() { # figure name parameter configuration packets
  printf '%s-%s-bimodal-%s-x1\t%s\t%s\tbimodal\t%s\t1\tprogram\t%s\tsw/programs/%s.dom\t%s\t\n' "$1" "$2" "$3" "$1" "$2" "$3" "$4" "$2" "$5"
}

# set FIGURE FOLDER PARAMETER NAME CONFIGURATION SERIES...: one published trace, both patterns
set_of() {
  figure=$1 folder=$traces/$2 parameter=$3 name=$4 config=$5; shift 5
  for pattern in uniform heavytail; do
    flows=$folder/flows_$name.csv packets=$folder/${pattern}_$name.csv
    for s in "$@"; do line "$figure" "$s" $pattern "$parameter" 1 "$config" "$flows" "$packets"; done
    [ "$scope" = quick ] || line "$figure" ours $pattern "$parameter" 10 "$config" "$flows" "$packets"
    study "$figure" study $pattern "$parameter" 1 "$flows" "$packets" "--chip $config"
  done
}

if [ "$scope" = quick ]; then pipelines="2 4" which="ours mp5"; else pipelines="1 2 4 8 16" which="ours mp5 mp5-no-remap"; fi
for k in $pipelines; do set_of fig7a pipelines "$k" "64_${k}_16_4_512_64" "b$k" $which; done
for n in 0 1 2 4 8 10; do
  if [ "$scope" = full ] || [ $n = 10 ]; then set_of fig7b stateful-stages $n "64_4_16_${n}_512_64" b4 $which; fi
done
for n in 1 4 16 64 256 1024 4096; do
  case $scope-$n in
  full-*) series=$which ;;
  quick-4 | quick-16) series=ours ;; # mode MP5 takes longest where it is slowest
  *) continue ;;
  esac
  set_of fig7c state-size $n "64_4_16_4_${n}_64" b4 $series
done
for n in 64 128 256 512 832 1024 1472; do
  if [ "$scope" = full ] || [ $n = 128 ]; then set_of fig7d packet-size $n "64_4_16_4_512_$n" b4 $which; fi
done
for k in $pipelines; do
  set_of fig8-flowlet flowlet "$k" "64_${k}_6_2_8000_bimodal" "b$k" ours
  set_of fig8-conga conga "$k" "64_${k}_4_2_256_bimodal" "b$k" ours
  set_of fig8-wfq wfq "$k" "64_${k}_4_1_8000_bimodal" "b$k" ours
  set_of fig8-sequencer sequencer "$k" "64_${k}_2_1_1024_bimodal" "b$k" ours
done

# Figure 8 again, with the programs themselves, compiled: web search packet sizes, every lane at line rate.
# Quick: on the chip of the traces, which saves the building of another one.
if [ "$scope" = quick ]; then chips=b4 count=5000; else chips="k1 k2 k4 k8" count=100000; fi
for chip in $chips; do
  for p in flowlet conga wfq sequencer; do program fig8-programs $p "${chip#?}" $chip $count; done
done

# Mode MP5, step by step from the published results (one cycle a stage, queues without limit, its own remap, and docs/study.md's `beside`) to the chip.
for k in $pipelines; do
  [ "$k" != 1 ] || continue
  for pattern in uniform heavytail; do
    n=64_${k}_16_4_512_64
    flows=$traces/pipelines/flows_$n.csv packets=$traces/pipelines/${pattern}_$n.csv
    chip="--chip b$k steer=0 first=1 pace=0 brake=0"
    while read -r step settings; do
      study steps "$step" $pattern "$k" 1 "$flows" "$packets" "$settings"
    done <<EOF
1-published --mode mp5 phantom=0 beside=1
2-one-packet-a-stage --mode mp5 phantom=0
3-our-remap $chip hop=1 bank=0 depth=0
4-phantoms-with-packets $chip hop=1 bank=0 depth=0 phantom=1
5-stage-of-8-cycles $chip bank=0 depth=0
6-banks-of-64 $chip bank=64 depth=256
7-banks-of-16 $chip
EOF
    line steps mp5 $pattern "$k" 1 "b$k" "$flows" "$packets"
    [ "$k" != 4 ] || [ "$scope" = quick ] || line steps mp5 $pattern 4-banks-of-64 1 b4p "$flows" "$packets"
  done
done

# Section 4.3.2, the default switch: what each design principle brings.
for folder in pipelines stateful-stages packet-size; do
  [ "$scope" = full ] || [ $folder = pipelines ] || continue
  for pattern in uniform heavytail; do
    flows=$traces/$folder/flows_64_4_16_4_512_64.csv packets=$traces/$folder/${pattern}_64_4_16_4_512_64.csv
    for s in ours mp5 mp5-no-remap no-phantoms recirculation one-pipeline; do line principles $s $pattern $folder 1 b4 "$flows" "$packets"; done
    for s in mp5 no-remap no-phantoms recirculation one-pipeline; do
      study principles study-$s $pattern $folder 1 "$flows" "$packets" "--mode $s"
    done
  done
done

# Stress: every packet accesses four states. Parameter: what stress.sh was given.
for k in 4 8; do
  [ "$scope" = full ] || [ $k = 4 ] || continue
  for shape in uniform-512-100 zipf-512-90 zipf-4096-95; do
    flows=$(ls "$stress/$k-$shape"/flows_*.csv) packets=$(ls "$stress/$k-$shape"/stress_*.csv)
    for bank in 8 16 32; do study stress study-bank$bank k$k $shape 1 "$flows" "$packets" "--chip b${k}w pace=48 bank=$bank"; done
    line stress wide k$k $shape-bank16 1 b$k "$flows" "$packets"
    [ "$scope" = full ] || continue # banks of 32 are another chip to build
    line stress wide k$k $shape 1 b${k}w "$flows" "$packets"
    line stress wide k$k $shape-no-moves 1 b${k}w "$flows" "$packets" "--move-period 0"
    for s in no-rank fixed no-pacing no-brake no-threshold no-escape; do
      line mechanisms $s k$k $shape 1 b${k}w "$flows" "$packets" "$( [ $s = no-pacing ] || echo --pace 48)"
    done
  done
done
if [ "$scope" = full ]; then
  for s in ours no-rank fixed no-pacing no-brake ours-no-moves no-threshold no-escape; do
    for pattern in uniform heavytail; do
      n=64_4_16_4_512_64
      line mechanisms $s k4 $pattern 10 b4 "$traces/pipelines/flows_$n.csv" "$traces/pipelines/${pattern}_$n.csv"
    done
  done
fi
