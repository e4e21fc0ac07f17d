// SPDX-License-Identifier: Apache-2.0
// A switch that runs: simulator, model or board, with ports that are Linux interfaces.
#include <signal.h>
#include <sluice/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/number.h"
#include "../active/controller.h"
#include "../base/loop.h"
#include "../base/now.h"
#include "../live/control.h"
#include "../live/live.h"
#include "../live/simulator.h"
#include "cli.h"
#include "reactions.h"

static const struct cli_usage usage = {
    "serve", "[PROGRAM...] --port N=KIND:WHAT [OPTION...]",
    "Runs a switch whose ports are Linux interfaces, captures or UDP sockets (docs/live.md)",
    "The chip is a simulated one (--chip tiny), the reference model (model:tiny), a board\n"
    "(serial:/dev/ttyUSB0,500000) or a simulator that serves already (unix:SOCKET). Ports:\n"
    "  0=tap:sw0 or 0=tap:NETNS/eth0         a TAP device that is made, here or in a network "
    "namespace\n"
    "  1=if:veth0 or 1=netns:NETNS/veth0     an interface that is there\n"
    "  2=pcap:in.pcap,out=out.pcapng         capture files\n"
    "  3=udp:5000,to=10.0.0.2:5000           a frame a datagram\n"
    "  3=cpu                                 the CPU port: what leaves there is an event (sluice "
    "ctl event)\n"
    "Behind a port stands ,vlan=VID (frames get this tag on the way in, and lose it on the way "
    "out; if\n"
    "there is one program, its VLAN is the default) or ,trunk (frames bring their tag and keep "
    "it).\n"
    "SIGINT or SIGTERM ends the switch; then it says what the monitors have compared, and whether "
    "all was equal.\n"};

struct serve {
  const char *chip, *sim, *control_path;
  struct cli_list ports;
  double stats;
  bool always, once, quiet;
  struct cli_modules modules;
  struct cli_reactions reactions;
  struct sluice_transport to;
  struct live_simulator simulator;
  struct live *live;
  struct control *control;
  const char *controller_at;                  // of --controller
  double controller_wait, controller_expire;  // seconds
  uint64_t controller_rounds;
  struct sluice_controller *controller;
  struct cli_work work;
  struct sluice_loop loop;  // takes the signals that end the switch
  uint64_t warned;          // ports whose frames of several segments have been told of
  struct sluice_error error;
};

static int failed(const struct serve *s) {
  cli_error("%s", s->error.text);
  return CLI_WORLD;
}

// ---- start --------------------------------------------------------------------------------------

static bool simulated(const struct serve *s) { return strchr(s->chip, ':') == NULL; }

static int start_simulator(struct serve *s) {
  char path[4096], socket[4000];
  const struct sluice_config *config = cli_chip(s->chip);
  if (!config) return CLI_USAGE;
  s->chip = config->name;
  if (!cli_find_sim(path, sizeof path, s->sim, s->chip) || !cli_work_open(&s->work, NULL))
    return CLI_WORLD;
  snprintf(socket, sizeof socket, "%s/1-socket", s->work.path);
  return live_simulator_open(&s->simulator, &s->to, path, s->chip, socket, &s->error) ? failed(s)
                                                                                      : CLI_DONE;
}

// Of what the command line asks for: what cannot be is its fault.
static int code_of(enum sluice_status status) {
  switch (status) {
    case SLUICE_ERR_RANGE:
    case SLUICE_ERR_NOT_FOUND:
    case SLUICE_ERR_EXISTS:
    case SLUICE_ERR_UNSUPPORTED: return CLI_USAGE;
    default: return CLI_WORLD;
  }
}

static int find_chip(struct serve *s) {
  int code = CLI_DONE;
  if (simulated(s)) {
    code = start_simulator(s);
  } else if (strncmp(s->chip, "model:", 6) == 0 && !cli_chip(s->chip + 6)) {
    code = CLI_USAGE;
  } else {
    const enum sluice_status status = sluice_transport_open(&s->to, s->chip, NULL, &s->error);
    if (status) code = failed(s) == CLI_WORLD ? code_of(status) : CLI_WORLD;
  }
  if (code != CLI_DONE) return code;
  reaction_meter_init(&s->reactions.meter, &s->to);
  // The name of the shape, where it is told: one that is made of another has no other way to be
  // known.
  const char *shape = simulated(s)                         ? s->chip
                      : strncmp(s->chip, "model:", 6) == 0 ? s->chip + 6
                                                           : NULL;
  return live_open(&s->live, &s->reactions.meter.to, shape, &s->error) ? failed(s) : CLI_DONE;
}

static int load(struct serve *s, const struct cli_list *rest, const struct cli_list *with_vid) {
  struct sluice_plan *plan;
  const struct sluice_config *config = live_config(s->live);
  live_set_no_shares(s->live, s->modules.no_shares);
  const int code = cli_modules_load(&s->modules, rest, with_vid, config);
  if (code != CLI_DONE) return code;
  enum sluice_status status = sluice_plan_open(&plan, config->name, NULL, &s->error);
  if (status) return failed(s);
  status = cli_modules_plan(&s->modules, plan, &s->error);
  if (!status) status = sluice_chip_apply(live_chip(s->live), plan, &s->error);
  sluice_plan_close(plan);
  for (unsigned i = 0; !status && i < s->modules.count; i++)
    live_keep_image(s->live, s->modules.items[i].vid, &s->modules.items[i].image);
  if (!status && s->modules.moves >= 0)
    status = sluice_chip_write(live_chip(s->live), SLUICE_CHIP_BASE + SLUICE_CHIP_MOVE_QUOTA,
                               (uint32_t)s->modules.moves, &s->error);
  if (!status) status = cli_modules_registers(&s->modules, live_chip(s->live), &s->error);
  return status ? failed(s) : CLI_DONE;
}

// Packets go on while a body takes long. What is wrong with the chip the next turn finds too.
static void turn_meanwhile(void *user) {
  struct serve *s = user;
  struct sluice_error error;
  (void)!live_turn(s->live, LIVE_TURN_CYCLES, &error);
}

// The time of the bus: packets go on as in a turn.
static enum sluice_status let_pass(void *user, uint64_t cycles, struct sluice_error *error) {
  struct serve *s = user;
  enum sluice_status status = SLUICE_OK;
  for (uint64_t left = cycles, here; left && !status; left -= here) {
    here = left < LIVE_TURN_CYCLES ? left : LIVE_TURN_CYCLES;
    status = live_turn(s->live, (unsigned)here, error);
  }
  return status;
}

static int start_reactions(struct serve *s) {
  s->reactions.meter.let = let_pass;
  s->reactions.meter.user = s;
  const int code =
      cli_reactions_start(&s->reactions, live_chip(s->live), &s->modules, turn_meanwhile, s);
  live_set_reactions(s->live, s->reactions.list);
  return code;
}

// With --once: whether something ends. A network device never does, and no port sends nothing.
static int ends(const struct serve *s, const struct live_spec *specs) {
  unsigned captures = 0;
  for (unsigned i = 0; s->once && i < s->ports.count; i++) {
    captures += specs[i].kind == LIVE_CAPTURE;
    if (specs[i].kind == LIVE_CAPTURE || specs[i].kind == LIVE_CPU) continue;
    cli_error("--once: '%s' never ends; all ports must be captures (--port N=pcap:FILE)",
              s->ports.items[i]);
    return CLI_USAGE;
  }
  if (!s->once || captures > 0) return CLI_DONE;
  cli_error("--once ends when all captures have been read: connect one (--port N=pcap:FILE)");
  return CLI_USAGE;
}

// An access port belongs to the VLAN that it says, or to that of the only program.
static int connect_ports(struct serve *s) {
  struct live_spec specs[CLI_MAX_ARGUMENTS];
  for (unsigned i = 0; i < s->ports.count; i++) {
    struct live_spec *spec = &specs[i];
    if (live_spec_parse(spec, s->ports.items[i], live_config(s->live)->NumPorts, &s->error)) {
      cli_error("--port: %s", s->error.text);
      return CLI_USAGE;
    }
    if (!spec->trunk && !spec->vid && s->modules.count == 1) spec->vid = s->modules.items[0].vid;
    if (!spec->trunk && !spec->vid) {
      cli_error("--port: '%s': there are %u programs: say to which VLAN the port belongs "
                "(,vlan=VID or ,trunk)",
                s->ports.items[i], s->modules.count);
      return CLI_USAGE;
    }
  }
  const int code = ends(s, specs);
  if (code != CLI_DONE) return code;
  for (unsigned i = 0; i < s->ports.count; i++) {
    const enum sluice_status status = live_connect(s->live, &specs[i], &s->error);
    if (status) cli_error("--port: %s", s->error.text);
    if (status) return code_of(status);
  }
  const enum sluice_status status = live_cpu_of_shape(s->live, &s->error);
  if (status) cli_error("--port: %s", s->error.text);
  return status ? code_of(status) : CLI_DONE;
}

// ---- the controller of programs in packets ------------------------------------------------------

// Prints the programs whose fault counters are not 0.
static void show_controller(struct serve *s) {
  unsigned num;
  const uint16_t *fids = sluice_controller_tenants(s->controller, &num);
  struct sluice_error error;
  for (unsigned i = 0; i < num; i++) {
    uint32_t faults;
    if (sluice_chip_capsule_faults(live_chip(s->live), fids[i], &faults, &error))
      cli_warn("controller: %s", error.text);
    else if (faults)
      printf("program %-8u %u packet%s with an access out of bounds\n", fids[i], faults,
             faults == 1 ? "" : "s");
  }
}

// PORT:VID, or PORT:VID:WORDS of a block. The program of that VLAN gets the memory of the stages.
static int start_controller(struct serve *s) {
  struct sluice_controller_options options = {.translate = true,
                                              .rounds = (unsigned)s->controller_rounds,
                                              .wait = (uint64_t)(s->controller_wait * 1e6),
                                              .expire = (uint64_t)(s->controller_expire * 1e6)};
  const struct cli_module *m = NULL;
  if (!s->controller_at) return CLI_DONE;
  const char *at = s->controller_at;
  uint64_t port, vid, words = 0;
  const bool good = sluice_number_next(&at, 0, UINT32_MAX, &port) && *at++ == ':' &&
                    sluice_number_next(&at, 1, 4094, &vid) &&
                    (*at != ':' || (at++, sluice_number_next(&at, 1, UINT32_MAX, &words))) && !*at;
  if (!good) {
    cli_error(
        "--controller: '%s' is not PORT:VID or PORT:VID:WORDS with a VLAN id from 1 to 4094%s",
        s->controller_at, sluice_number_hint(at));
    return CLI_USAGE;
  }
  options.vid = (unsigned)vid;
  if (words) options.block_words = (unsigned)words;
  for (unsigned i = 0; i < s->modules.count; i++)
    if (s->modules.items[i].vid == options.vid) m = &s->modules.items[i];
  if (!m) {
    cli_error("--controller: '%s': no program has VLAN %u", s->controller_at, options.vid);
    return CLI_USAGE;
  }
  enum sluice_status status = live_cpu_port(s->live, (unsigned)port, &s->error);
  if (!status)
    status =
        sluice_controller_new(&s->controller, live_chip(s->live), &m->image, &options, &s->error);
  if (status) cli_error("--controller: %s", s->error.text);
  return !status ? CLI_DONE : code_of(status);
}

static void answer(void *user, const uint8_t *frame, size_t len) {
  struct serve *s = user;
  struct sluice_error error;
  if (live_cpu_put(s->live, frame, len, &error))
    cli_warn("an answer of the controller is lost: %s", error.text);
}

// Frames that came to its port. A frame that is none of its, or a failure of the chip, ends
// nothing.
static void control_programs(struct serve *s) {
  static struct sluice_packet_out packet;
  struct sluice_error error;
  if (!s->controller) return;
  for (;;) {
    const enum sluice_status status = sluice_chip_event(live_chip(s->live), &packet, &error);
    if (status) cli_warn("controller: %s", error.text);
    if (status || !packet.len) break;
    if (sluice_controller_frame(s->controller, packet.bytes, packet.len,
                                (uint64_t)(sluice_now() * 1e6), answer, s, &error))
      cli_warn("controller: %s", error.text);
  }
  if (sluice_controller_tick(s->controller, (uint64_t)(sluice_now() * 1e6), answer, s, &error))
    cli_warn("controller: %s", error.text);
}

// ---- what it shows ------------------------------------------------------------------------------

struct totals {
  uint64_t in, in_bytes, out, out_bytes, refused;
};

static struct totals totals_of(const struct live *live) {
  struct totals t = {0};
  struct live_counts c;
  for (unsigned p = 0; p < live_config(live)->NumPorts; p++) {
    if (!live_counts_of(live, p, &c)) continue;
    t.in += c.in;
    t.in_bytes += c.in_bytes;
    t.out += c.out;
    t.out_bytes += c.out_bytes;
    t.refused += c.not_taken;
    for (unsigned r = 0; r < LIVE_NUM_REFUSALS; r++) t.refused += c.refused[r];
  }
  return t;
}

struct stats {
  double every, since;  // seconds; 0: none are shown
  bool over;            // on a terminal a line replaces the one before
  struct totals totals;
  struct live_pace pace;
};

// "in 1203 frames/s 9.4 Mb/s, out 1203 frames/s 9.4 Mb/s; 21804 cycles/s, 45863 times slower than 1
// GHz"
static void show_stats(struct stats *stats, const struct live *live) {
  const double time = sluice_now();
  if (!(stats->every > 0) || time - stats->since < stats->every) return;
  const double passed = time - stats->since;
  const struct totals t = totals_of(live), *o = &stats->totals;
  const struct live_pace pace = live_pace(live);
  const double ran = pace.seconds - stats->pace.seconds,
               cycles = (double)(pace.cycles - stats->pace.cycles);
  fprintf(stderr, "%sin %.0f frames/s %.2f Mb/s, out %.0f frames/s %.2f Mb/s",
          stats->over ? "\r\033[K" : "", (double)(t.in - o->in) / passed,
          (double)(t.in_bytes - o->in_bytes) * 8e-6 / passed, (double)(t.out - o->out) / passed,
          (double)(t.out_bytes - o->out_bytes) * 8e-6 / passed);
  if (t.refused) fprintf(stderr, ", refused %llu in all", (unsigned long long)t.refused);
  if (ran > 0 && cycles > 0)
    fprintf(stderr, "; %.0f cycles/s, %.0f times slower than 1 GHz, running %.0f %% of the time",
            cycles / ran, 1e9 * ran / cycles, 100 * ran / passed);
  else fprintf(stderr, "; the chip stands still");
  fputs(stats->over ? "" : "\n", stderr);
  fflush(stderr);
  stats->since = time;
  stats->totals = t;
  stats->pace = pace;
}

static void show_ports(const struct live *live) {
  struct live_counts c;
  for (unsigned p = 0; p < live_config(live)->NumPorts; p++) {
    if (!live_counts_of(live, p, &c)) continue;
    const char *comma = "; refused: ";
    printf("port %u: %llu frames in (%llu bytes), %llu out (%llu bytes)", p,
           (unsigned long long)c.in, (unsigned long long)c.in_bytes, (unsigned long long)c.out,
           (unsigned long long)c.out_bytes);
    if (c.not_taken) printf(", %llu not taken by the other end", (unsigned long long)c.not_taken);
    for (unsigned r = LIVE_FITS + 1; r < LIVE_NUM_REFUSALS; r++) {
      if (!c.refused[r]) continue;
      printf("%s%s %llu", comma, live_refusal_name((enum live_refusal)r),
             (unsigned long long)c.refused[r]);
      comma = ", ";
    }
    printf("%s%s\n", live_gone(live, p) ? "; gone: " : "",
           live_gone(live, p) ? live_gone(live, p) : "");
  }
  if (live_unconnected(live))
    printf("to ports that are not connected: %llu copies\n",
           (unsigned long long)live_unconnected(live));
}

static void show_chip(const struct serve *s, const struct sluice_counters *c) {
  const struct live_pace pace = live_pace(s->live);
  printf("chip: %llu packets in, %llu copies out", (unsigned long long)c->packets,
         (unsigned long long)c->copies);
  for (unsigned r = 0; r < SLUICE_NUM_DROPS; r++)
    if (c->drops[r]) printf(", %s %llu", sluice_drop_name(r), (unsigned long long)c->drops[r]);
  printf("\n");
  if (pace.seconds > 0 && pace.cycles)
    printf("%llu cycles in %.1f s: %.0f a second, %.0f times slower than 1 GHz\n",
           (unsigned long long)pace.cycles, pace.seconds, (double)pace.cycles / pace.seconds,
           1e9 * pace.seconds / (double)pace.cycles);
}

// ---- run ----------------------------------------------------------------------------------------

#define CONTROLLER_SECONDS 0.02  // between two looks of the controller at its clock

static void say_link(void *user, unsigned port, enum live_link_state state) {
  const struct serve *s = user;
  cli_warn("port %u: '%s' %s", port, live_spec_of(s->live, port)->name,
           state == LIVE_LINK_UP     ? "is up"
           : state == LIVE_LINK_DOWN ? "is down"
                                     : "was removed; the port is dead");
}

// Waits for the control socket, a port or a signal, or until a time that was said. *end: told to
// end, or the simulator has; *frames: a port has some.
static void wait_for(struct serve *s, bool *end, bool *frames) {
  const unsigned ports = live_config(s->live)->NumPorts;
  unsigned read = 0, changed = 0;
  if (s->control) control_watch(s->control, &s->loop);
  for (unsigned p = 0; p < ports; p++) {
    sluice_loop_watch(&s->loop, live_fd(s->live, p), SLUICE_LOOP_IN, &read);
    sluice_loop_watch(&s->loop, live_link_fd(s->live, p), SLUICE_LOOP_IN, &changed);
  }
  if (sluice_loop_wait(&s->loop) < 0) return;
  for (int signal; (signal = sluice_loop_signal(&s->loop));)
    if (signal != SIGCHLD || (s->simulator.process.pid && !live_simulator_runs(&s->simulator)))
      *end = true;
  *frames = read != 0;
  if (changed) live_look_at_links(s->live, say_link, s);
}

// A frame of several segments is lost, and why nothing passes is hard to see elsewhere.
static void warn_of_segments(struct serve *s) {
  struct live_counts c;
  for (unsigned p = 0; p < live_config(s->live)->NumPorts; p++) {
    if (s->warned >> p & 1 || !live_counts_of(s->live, p, &c) || !c.refused[LIVE_SEGMENTS])
      continue;
    s->warned |= UINT64_C(1) << p;
    cli_warn("port %u: '%s' brings several segments in one frame (TSO or GRO), which are lost: on "
             "the host behind it, ethtool -K DEVICE tso off gso off gro off",
             p, live_spec_of(s->live, p)->name);
  }
}

static int run(struct serve *s) {
  struct stats stats = {.every = s->stats, .since = sluice_now(), .over = s->stats <= 0};
  enum sluice_status status = SLUICE_OK;
  bool end = false;
  if (s->stats <= 0 && !s->quiet && isatty(STDERR_FILENO)) stats.every = 1;
  stats.pace = live_pace(s->live);
  while (!status && !end) {
    const bool asleep = live_asleep(s->live) && !s->always;
    const bool timed = s->controller &&
                       (s->controller_expire > 0 || sluice_controller_waits(s->controller));
    bool frames = false, ran;
    if (s->once && asleep && live_all_read(s->live)) break;
    if (!asleep) sluice_loop_until(&s->loop, 0);
    if (timed) sluice_loop_until(&s->loop, sluice_now() + CONTROLLER_SECONDS);
    if (stats.every > 0) sluice_loop_until(&s->loop, stats.since + stats.every);
    wait_for(s, &end, &frames);
    if (s->control) control_serve(s->control, s->live);
    if (!end && (!asleep || frames)) status = live_turn(s->live, LIVE_TURN_CYCLES, &s->error);
    warn_of_segments(s);
    control_programs(s);
    // Time of a chip that stands still does not pass for reactions either.
    if (!end && !status && s->reactions.list && (!asleep || frames))
      status = reactions_step(s->reactions.list, &ran, &s->error);
    show_stats(&stats, s->live);
  }
  if (stats.every > 0 && stats.over) fputs("\r\033[K", stderr);
  return status ? failed(s) : CLI_DONE;
}

// Everything leaves, then the monitors say what they saw.
static int finish(struct serve *s, int code) {
  struct sluice_counters counters;
  struct sluice_error error;
  if (code == CLI_DONE && live_drain(s->live, &s->error)) code = failed(s);
  if (code == CLI_DONE && !live_asleep(s->live))
    cli_warn("the chip has not become empty; what is inside is lost");
  if (code == CLI_DONE && sluice_chip_counters(live_chip(s->live), &counters, &s->error))
    code = failed(s);
  if (code == CLI_DONE && !s->quiet) {
    show_ports(s->live);
    show_chip(s, &counters);
    if (s->controller) show_controller(s);
  }
  control_close(s->control);  // its requests may be making reactions
  s->control = NULL;
  if (s->reactions.list) {
    json_t *list = reaction_report(s->reactions.list, -1, NULL);
    if (!s->quiet) reaction_print(stdout, list);
    json_decref(list);
    if (code == CLI_DONE && reaction_failed(s->reactions.list)) code = CLI_NO;
    reactions_close(s->reactions.list);
    s->reactions.list = NULL;
    if (s->live) live_set_reactions(s->live, NULL);
  }
  sluice_controller_free(s->controller);
  s->controller = NULL;
  if (live_close(s->live, &error)) {
    cli_error("%s", error.text);
    code = code == CLI_DONE ? CLI_WORLD : code;
  }
  sluice_transport_close(&s->to);
  return code;
}

static int verdict(struct serve *s, int code) {
  if (s->simulator.output < 0) {
    if (code == CLI_DONE)
      printf("not compared: %s\n",
             strncmp(s->chip, "model:", 6) == 0
                 ? "the reference model is what a chip is compared with"
                 : "the monitors are those of the simulator, which tells them when it ends");
    return code;
  }
  switch (live_simulator_end(&s->simulator)) {
    case LIVE_EQUIVALENT: break;
    case LIVE_DIFFERENT:
      if (code == CLI_DONE) code = CLI_NO;
      break;
    case LIVE_UNTESTED:
      if (code == CLI_DONE) code = CLI_UNTESTED;
      break;
    case LIVE_DIED:
      cli_error("the simulator ended without a verdict: %s", s->simulator.said);
      return CLI_WORLD;
  }
  printf("%s\n", s->simulator.said);
  return code;
}

// UDP ports that the system has chosen.
static void show_chosen(const struct serve *s) {
  for (unsigned i = 0; i < s->ports.count; i++) {
    struct live_spec wanted;
    struct sluice_error error;
    if (live_spec_parse(&wanted, s->ports.items[i], live_config(s->live)->NumPorts, &error) ||
        wanted.kind != LIVE_UDP || wanted.here.sin_port)
      continue;
    printf("port %u: UDP port %u\n", wanted.port,
           ntohs(live_spec_of(s->live, wanted.port)->here.sin_port));
  }
  fflush(stdout);
}

static int serve(struct serve *s, const struct cli_list *rest, const struct cli_list *with_vid) {
  int code = find_chip(s);
  if (code == CLI_DONE) code = load(s, rest, with_vid);
  // It loads the program anew: before the first frame.
  if (code == CLI_DONE) code = start_controller(s);
  if (code == CLI_DONE) code = connect_ports(s);
  if (code == CLI_DONE) code = start_reactions(s);
  if (code == CLI_DONE && s->control_path && control_open(&s->control, s->control_path, &s->error))
    code = failed(s);
  if (code == CLI_DONE) show_chosen(s);
  if (code == CLI_DONE && !s->quiet) {
    printf("%s serves %u ports\n", live_config(s->live)->name, s->ports.count);
    fflush(stdout);
  }
  const bool started = code == CLI_DONE;
  if (started) code = run(s);
  code = finish(s, code);
  if (started) return verdict(s, code);
  live_simulator_end(&s->simulator);
  return code;
}

static int parse(struct serve *s, int argc, char **argv) {
  struct cli_list with_vid = {0}, rest;
  const struct cli_option options[] = {
      {CLI_GROUP, 0, NULL, NULL, NULL, 0, 0, "Options"},
      {CLI_TEXT, 'c', "chip", "NAME", &s->chip, 0, 0,
       "shape to simulate, or model:NAME, serial:DEVICE,BAUD, unix:SOCKET (that of an image, "
       "else " SLUICE_DEFAULT_SHAPE ")"},
      {CLI_MODULES, 'm', "module", "FILE:VID", &with_vid, 0, 0,
       "image or program with its VLAN id"},
      CLI_MODULE_OPTIONS(s->modules),
      CLI_INITIAL_OPTION(s->modules),
      CLI_REACTION_OPTIONS(s->reactions),
      {CLI_PORTS, 0, "port", "N=KIND:WHAT", &s->ports, 0, 0, "connects a data port"},
      {CLI_MAKE, 0, "control", "FILE", &s->control_path, 0, 0,
       "control socket to make, for 'sluice ctl'"},
      {CLI_TEXT, 0, "controller", "PORT:VID", &s->controller_at, 0, 0,
       "the port is that of the controller of capsules of this VLAN (docs/active.md); "
       "PORT:VID:WORDS: of a block (256)"},
      {CLI_NUMBER, 0, "controller-wait", "SECONDS", &s->controller_wait, 0, 3600,
       "so long residents may take to save what they lose (0: they hear of it afterwards)"},
      {CLI_NUMBER, 0, "controller-expire", "SECONDS", &s->controller_expire, 0, 86400,
       "programs of clients that were silent so long leave (0: never)"},
      {CLI_WHOLE, 0, "controller-rounds", "N", &s->controller_rounds, 0, 255,
       "further passes that a program may take, on chips with recirculation (0)"},
      {CLI_FLAG, 0, "always", NULL, &s->always, 0, 0,
       "time passes also while nothing comes (a simulated chip stands still then)"},
      {CLI_FLAG, 0, "once", NULL, &s->once, 0, 0, "ends when all capture files have been read"},
      {CLI_NUMBER, 0, "stats", "SECONDS", &s->stats, 0.1, 86400,
       "shows the rate so often (1, on a terminal)"},
      {CLI_PATH, 0, "sim", "FILE", &s->sim, 0, 0, "the simulator ($SLUICE_SIM, or build/CHIP/sim)"},
      {CLI_FLAG, 'q', "quiet", NULL, &s->quiet, 0, 0, "only the verdict"},
      {CLI_END, 0, NULL, NULL, NULL, 0, 0, NULL}};
  enum cli_parsed parsed = cli_parse(argc, argv, &usage, options, &rest);
  if (parsed != CLI_GO) return cli_parsed_exit(parsed);
  char shape[CLI_SHAPE_NAME];
  if (!s->chip) s->chip = cli_default_chip(&rest, &with_vid, shape, sizeof shape);
  if (!cli_reactions_word(&s->reactions)) return CLI_USAGE;
  if (s->ports.count == 0 && !s->control_path && !s->controller_at) {
    cli_error("serve needs ports or a control socket; see 'sluice help serve'");
    return CLI_USAGE;
  }
  // Signals that end it are looked at between turns, so that nothing is left half done.
  if (sluice_loop_signals(&s->loop, (const int[]){SIGINT, SIGTERM, SIGHUP, SIGCHLD, 0}, &s->error))
    return failed(s);
  return serve(s, &rest, &with_vid);
}

int cmd_serve(int argc, char **argv) {
  struct serve *s = calloc(1, sizeof *s);
  if (!s) {
    cli_error("out of memory");
    return CLI_WORLD;
  }
  s->simulator.output = s->work.lock = -1;
  s->loop = SLUICE_LOOP;
  const int code = parse(s, argc, argv);
  cli_work_close(&s->work);
  cli_modules_release(&s->modules);
  sluice_loop_close(&s->loop);
  free(s);
  return code;
}
