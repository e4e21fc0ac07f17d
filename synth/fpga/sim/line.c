// SPDX-License-Identifier: Apache-2.0
// The far end of the simulated serial line: bits on one side, a pseudo terminal on the other. The
// name of the terminal is printed on standard output; the simulation ends when standard input does,
// so that it never outlives its user.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svdpi.h>
#include <termios.h>
#include <unistd.h>

/// Opens the terminal; ends the program when there is none.
void line_open(unsigned divisor, unsigned drop, svBit deaf);
/// One clock cycle. Returns 1 when the simulation is over.
int line_tick(svBit from_board, svBit *to_board);

enum { LOOK_CYCLES = 64 };  // an idle line looks so often for a byte, and for the end

static struct {
  int terminal;
  unsigned divisor, drop, bytes;
  bool deaf;
  unsigned look;
  unsigned out_bits, out_time, out_shift;  // to the board: bits left, cycles left of this one
  unsigned in_bits, in_time, in_shift;     // from the board
  unsigned char buffer[512];
  size_t at, len;
} line;

static void give_up(const char *what) {
  fprintf(stderr, "line: %s: %s\n", what, strerror(errno));
  exit(3);
}

void line_open(unsigned divisor, unsigned drop, svBit deaf) {
  line.divisor = divisor ? divisor : 1;
  line.drop = drop;
  line.deaf = deaf != 0;
  line.terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (line.terminal < 0 || grantpt(line.terminal) != 0 || unlockpt(line.terminal) != 0)
    give_up("no pseudo terminal");
  const char *name = ptsname(line.terminal);
  if (!name) give_up("no name of the pseudo terminal");
  // Raw from the start, and held open: then the host's opening and closing changes nothing here.
  int held = open(name, O_RDWR | O_NOCTTY);
  struct termios settings;
  if (held < 0 || tcgetattr(held, &settings) != 0) give_up(name);
  cfmakeraw(&settings);
  if (tcsetattr(held, TCSANOW, &settings) != 0) give_up(name);
  printf("%s\n", name);
  fflush(stdout);
}

// Standard input is a pipe that nobody writes to: readable means closed.
static bool over(void) {
  struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&in, 1, 0) > 0;
}

static bool next_byte(unsigned *byte) {
  if (line.at == line.len) {
    ssize_t got = read(line.terminal, line.buffer, sizeof line.buffer);
    line.at = 0;
    line.len = got > 0 ? (size_t)got : 0;
  }
  if (line.at == line.len) return false;
  *byte = line.buffer[line.at++];
  return true;
}

static void received(unsigned byte) {
  unsigned char c = (unsigned char)byte;
  if (line.drop && ++line.bytes % line.drop == 0) return;
  // A full terminal waits for its reader: the line of a real board does not, so the byte is lost
  // then.
  if (write(line.terminal, &c, 1) != 1 && errno != EAGAIN) give_up("write");
}

int line_tick(svBit from_board, svBit *to_board) {
  *to_board = 1;
  if (line.out_bits) {
    *to_board = (svBit)(line.out_shift & 1);
    if (--line.out_time == 0) {
      line.out_time = line.divisor;
      line.out_shift = line.out_shift >> 1 | 1 << 9;
      line.out_bits--;
    }
  }
  if (line.out_bits == 0 && (line.at != line.len || line.look++ % LOOK_CYCLES == 0)) {
    unsigned byte;
    if (line.at == line.len && over()) return 1;
    if (next_byte(&byte)) {
      line.out_shift = byte << 1 | 1 << 9;
      line.out_bits = 10;
      line.out_time = line.divisor;
    }
  }
  if (line.deaf) *to_board = 1;

  if (line.in_bits == 0) {
    if (!from_board) {
      line.in_bits = 9;
      line.in_time = line.divisor + line.divisor / 2;
    }
  } else if (--line.in_time == 0) {
    line.in_time = line.divisor;
    line.in_shift = line.in_shift >> 1 | (unsigned)from_board << 8;
    if (--line.in_bits == 0 && from_board) received(line.in_shift & 0xff);
  }
  return 0;
}
