// SPDX-License-Identifier: Apache-2.0
// A platform around the chip in SystemC: a source that plays a capture, a sink that writes one, and
// a control plane that loads a program with libsluice, watches, and reads state and counters at the
// end. docs/ip.md says how to use it.
#include <getopt.h>
#include <sluice/chip.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

extern "C" {
#include "base/layouts.h"
}

#include "driver.h"
#include "sockets.h"
#include "switch.h"
#include "timebase.h"
#include "traffic.h"

#ifndef SLUICE_CHIP_NAME
#error "SLUICE_CHIP_NAME: the configuration of the chip, as \"tiny\""
#endif

namespace {

using sluice::fault;

// Nothing is inside any more when no packet has left for so long and CHIP.INSIDE is 0. The longest
// packet takes 576 cycles.
enum { QUIET_CYCLES = 2000, STACK = 1 << 20 };
enum { MOST = 1000000000 };  // cycles or packets that an option says

struct options {
  const char *image = nullptr, *in = nullptr, *out = nullptr, *state = nullptr;
  unsigned vid = 1, slow = 0;
  uint64_t start = 0;  // 0: as soon as the program is loaded
  fault in_fault, out_fault;
};

const char usage[] =
    "usage: platform IMAGE --pcap FILE -o FILE [OPTION...]\n"
    "       platform --check-sockets\n"
    "Plays a capture through the chip " SLUICE_CHIP_NAME
    " in SystemC.\n"
    "  IMAGE               program for this chip, as `sluice compile` writes it\n"
    "  -p, --pcap FILE     capture to play: time stamps are cycles of 1 ns\n"
    "  -o, --output FILE   capture of what leaves (pcap, or pcapng with ports)\n"
    "      --vid VID       VLAN id of the program (1)\n"
    "      --start CYCLE   cycle in which the capture begins (when the program is loaded)\n"
    "      --state FILE    all arrays at the end, a line \"NAME INDEX VALUE\" an entry\n"
    "      --slow CYCLES   the sink takes so long for each packet, its lane waits (0)\n"
    "      --fault WHAT:N  breaks packet N on purpose: lose-in, cut-in, flip-in,\n"
    "                      lose-out, cut-out, flip-out\n";

// A decimal number up to `most`. False: it is none.
template <class T>
bool number(const char *text, uint64_t most, T &to) {
  char *end;
  if (!std::isdigit(static_cast<unsigned char>(*text))) return false;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end || value > most) return false;
  to = T(value);
  return true;
}

// "flip-in:7". False: it is none.
bool parse_fault(const char *text, options &to) {
  static const char *const names[] = {"", "lose-", "cut-", "flip-"};
  for (int what = fault::lose; what <= fault::flip; what++) {
    const size_t len = std::strlen(names[what]);
    if (std::strncmp(text, names[what], len) != 0) continue;
    const bool in = std::strncmp(text + len, "in:", 3) == 0,
               out = std::strncmp(text + len, "out:", 4) == 0;
    if (!in && !out) return false;
    fault &broken = in ? to.in_fault : to.out_fault;
    broken.what = decltype(broken.what)(what);
    return number(text + len + (in ? 3 : 4), MOST, broken.number) && broken.number != 0;
  }
  return false;
}

bool parse(int argc, char **argv, options &to) {
  enum { VID = 256, START, STATE, SLOW, FAULT };
  static const struct option known[] = {{"pcap", 1, nullptr, 'p'},    {"output", 1, nullptr, 'o'},
                                        {"vid", 1, nullptr, VID},     {"start", 1, nullptr, START},
                                        {"state", 1, nullptr, STATE}, {"slow", 1, nullptr, SLOW},
                                        {"fault", 1, nullptr, FAULT}, {nullptr, 0, nullptr, 0}};
  int c;
  while ((c = getopt_long(argc, argv, "p:o:", known, nullptr)) != -1) switch (c) {
      case 'p':
        to.in = optarg;
        break;
      case 'o':
        to.out = optarg;
        break;
      case VID:
        if (!number(optarg, 4095, to.vid)) return false;
        break;
      case START:
        if (!number(optarg, MOST, to.start)) return false;
        break;
      case STATE:
        to.state = optarg;
        break;
      case SLOW:
        if (!number(optarg, MOST, to.slow)) return false;
        break;
      case FAULT:
        if (!parse_fault(optarg, to)) return false;
        break;
      default:
        return false;
    }
  if (optind + 1 == argc) to.image = argv[optind];
  return to.image && to.in && to.out;
}

/// Source, chip, sink and driver, bound to one another.
class platform : public sc_core::sc_module {
 public:
  int code = 3;  // of the program

  platform(sc_core::sc_module_name name, const options &wanted, const struct sluice_config *config)
      : sc_module(name),
        options_(wanted),
        chip_("chip", config->NumPorts),
        source_("source", config, time_),
        sink_("sink", config->NumPorts, config->NumPipes, time_, wanted.slow) {
    SC_HAS_PROCESS(platform);
    chip_.clk_i(time_.clock);
    chip_.rst_ni(time_.reset_n);
    driver_.registers.bind(chip_.registers);
    driver_.control.bind(chip_.control_in);
    chip_.control_out.bind(driver_.answers);
    for (unsigned p = 0; p < config->NumPorts; p++) {
      source_.out[p].bind(chip_.in[p]);
      chip_.out[p].bind(sink_.in[p]);
    }
    SC_THREAD(control_plane);
    set_stack_size(STACK);
  }

 private:
  void control_plane() {
    struct sluice_transport to = driver_.transport();
    const struct sluice_chip_options chip_options = {
        SLUICE_CHIP_NAME, false, SLUICE_VERIFY_COUNT, 0, 0, nullptr};
    if (sluice_image_open(&image_, options_.image, nullptr, &error_) ||
        sluice_chip_open(&handle_, &to, &chip_options, &error_) ||
        sluice_chip_load(handle_, image_, options_.vid, &error_) || play() || show() ||
        write_state())
      std::fprintf(stderr, "platform: %s\n", error_.text);
    else
      code = 0;
    sluice_chip_close(handle_);
    sluice_image_close(image_);
    sc_core::sc_stop();
  }

  // True: `why` is something.
  bool failed(const std::string &why) {
    std::snprintf(error_.text, sizeof error_.text, "%s", why.c_str());
    return !why.empty();
  }

  bool play() {
    const uint64_t loaded = time_.cycle(), start = options_.start ? options_.start : loaded + 1;
    uint32_t addr, inside;
    std::printf("%s runs for VLAN %u, loaded in cycle %llu\n", sluice_image_program(image_),
                options_.vid, static_cast<unsigned long long>(loaded));
    if (start <= loaded) return failed("--start: the program was not loaded by then");
    if (failed(source_.load(options_.in, options_.vid, options_.in_fault))) return true;
    source_.play(start);
    if (source_.num_packets()) wait(source_.done);
    if (sluice_chip_register(handle_, "CHIP", 0, "INSIDE", 0, &addr, &error_)) return true;
    do {
      wait(time_.cycles(QUIET_CYCLES));
      if (sluice_chip_read(handle_, addr, &inside, &error_)) return true;
    } while (inside || sink_.last_cycle() + QUIET_CYCLES > time_.cycle());
    std::printf("%zu packets played from cycle %llu on, %zu came back\n", source_.num_packets(),
                static_cast<unsigned long long>(start), sink_.num_packets());
    return failed(sink_.write(options_.out, start, options_.out_fault));
  }

  bool show() {
    struct sluice_counters c;
    if (sluice_chip_counters(handle_, &c, &error_)) return true;
    std::printf(
        "the chip counts %llu packets in, %llu admitted, %llu out, %llu bytes\n",
        static_cast<unsigned long long>(c.packets), static_cast<unsigned long long>(c.admitted),
        static_cast<unsigned long long>(c.copies), static_cast<unsigned long long>(c.copy_bytes));
    return false;
  }

  bool write_state() {
    struct sluice_image_array array;
    if (!options_.state) return false;
    const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(options_.state, "w"), std::fclose);
    if (!file) return failed(std::string("cannot write '") + options_.state + "'");
    for (unsigned n = 0; sluice_image_get_array(image_, n, &array); n++) {
      std::vector<uint32_t> values(array.size);
      if (sluice_chip_state_read(handle_, options_.vid, array.name, 0, array.size, values.data(),
                                 &error_))
        return true;
      for (unsigned i = 0; i < array.size; i++)
        std::fprintf(file.get(), "%s %u %d\n", array.name, i, int32_t(values[i]));
    }
    return std::fflush(file.get()) != 0 &&
           failed(std::string("cannot write '") + options_.state + "'");
  }

  const options options_;
  sluice::timebase time_{"time"};
  sluice::packet_switch chip_;
  sluice::source source_;
  sluice::sink sink_;
  sluice::driver driver_{"driver", time_};
  struct sluice_image *image_ = nullptr;
  struct sluice_chip *handle_ = nullptr;
  struct sluice_error error_ = {};
};

}  // namespace

int sc_main(int argc, char **argv) {
  const struct sluice_config *config = sluice_config_find(SLUICE_CHIP_NAME);
  options wanted;
  if (argc == 2 && std::strcmp(argv[1], "--check-sockets") == 0) {
    sluice::socket_check check("check", config->NumPorts);
    sc_core::sc_start();
    return check.failed;
  }
  if (!parse(argc, argv, wanted)) {
    std::fputs(usage, stderr);
    return 2;
  }
  platform all("platform", wanted, config);
  sc_core::sc_start();
  return all.code;
}
