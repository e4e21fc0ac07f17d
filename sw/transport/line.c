// SPDX-License-Identifier: Apache-2.0
#include "line.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "../base/loop.h"
#include "../base/now.h"

enum { START_SECONDS = 20, END_SECONDS = 3, MAX_OPTIONS = 16 };

static const struct {
  unsigned baud;
  speed_t speed;
} rates[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},
             {115200, B115200},   {230400, B230400},   {460800, B460800},   {500000, B500000},
             {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
             {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000},
             {3500000, B3500000}, {4000000, B4000000}};
enum { NUM_RATES = sizeof rates / sizeof rates[0] };

static enum sluice_status speed_of(unsigned baud, speed_t *speed, struct sluice_error *error) {
  char list[200] = "";
  for (size_t i = 0; i < NUM_RATES; i++) {
    const size_t len = strlen(list);
    if (rates[i].baud == baud) {
      *speed = rates[i].speed;
      return SLUICE_OK;
    }
    snprintf(list + len, sizeof list - len, "%s%u", i ? ", " : "", rates[i].baud);
  }
  return sluice_fail(error, SLUICE_ERR_RANGE, "%u baud is none of the system's rates: %s", baud,
                     list);
}

enum sluice_status line_open(struct line *line, const char *device, unsigned baud,
                             struct sluice_error *error) {
  struct termios settings;
  speed_t speed = B0;
  *line = (struct line){.fd = -1, .leash = -1};
  snprintf(line->name, sizeof line->name, "%s", device);
  if (speed_of(baud, &speed, error)) return SLUICE_ERR_RANGE;
  line->fd = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (line->fd < 0)
    return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", device, strerror(errno));
  if (tcgetattr(line->fd, &settings) != 0) {
    int why = errno;
    line_close(line);
    return sluice_fail(error, SLUICE_ERR_IO, "'%s' is no serial line: %s", device, strerror(why));
  }
  cfmakeraw(&settings);
  settings.c_cflag &= (tcflag_t) ~(CSTOPB | CRTSCTS);
  settings.c_cflag |= CLOCAL | CREAD;
  if (cfsetispeed(&settings, speed) != 0 || cfsetospeed(&settings, speed) != 0 ||
      tcsetattr(line->fd, TCSANOW, &settings) != 0) {
    int why = errno;
    line_close(line);
    return sluice_fail(error, SLUICE_ERR_IO, "cannot set '%s' to %u baud: %s", device, baud,
                       strerror(why));
  }
  tcflush(line->fd, TCIOFLUSH);  // what came before nobody waits for
  return SLUICE_OK;
}

// The simulator's first line of output: the name of its terminal.
static bool read_name(int from, char *name, size_t size) {
  for (size_t len = 0; len + 1 < size;) {
    if (!sluice_await(from, SLUICE_LOOP_IN, sluice_now() + START_SECONDS) ||
        read(from, name + len, 1) != 1)
      return false;
    if (name[len] == '\n') {
      name[len] = 0;
      return name[0] == '/';
    }
    len++;
  }
  return false;
}

enum sluice_status line_simulate(struct line *line, const char *simulator,
                                 const char *const options[], struct sluice_error *error) {
  int in[2], out[2];
  char name[64];
  const char *arguments[MAX_OPTIONS + 2] = {simulator};
  *line = (struct line){.fd = -1, .leash = -1};
  for (size_t i = 0; options[i]; i++) {
    if (i == MAX_OPTIONS)
      return sluice_fail(error, SLUICE_ERR_FULL, "more than %d arguments for the simulator",
                         MAX_OPTIONS);
    arguments[i + 1] = options[i];
  }
  // Nothing else that is started may hold the leash.
  if (pipe2(in, O_CLOEXEC) != 0)
    return sluice_fail(error, SLUICE_ERR_IO, "no pipe: %s", strerror(errno));
  if (pipe2(out, O_CLOEXEC) != 0) {
    close(in[0]);
    close(in[1]);
    return sluice_fail(error, SLUICE_ERR_IO, "no pipe: %s", strerror(errno));
  }
  // It ends when its standard input does, in its own time.
  const struct sluice_process_options process = {
      .argv = arguments, .in = SLUICE_PROCESS_FD + in[0], .out = SLUICE_PROCESS_FD + out[1]};
  enum sluice_status status = sluice_process_start(&line->simulator, &process, error);
  close(in[0]);
  close(out[1]);
  line->leash = in[1];
  const bool good = !status && read_name(out[0], name, sizeof name);
  close(out[0]);
  const struct sluice_process child = line->simulator;
  if (good) status = line_open(line, name, 115200, error);
  line->simulator = child;
  line->leash = in[1];
  if (!good && !status)
    status =
        sluice_fail(error, SLUICE_ERR_IO, "'%s' does not start as a simulated board", simulator);
  if (status) line_close(line);
  return status;
}

enum sluice_status line_connect(struct line *line, const char *path, struct sluice_error *error) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  *line = (struct line){.fd = -1, .leash = -1};
  if (strlen(path) >= sizeof address.sun_path)
    return sluice_fail(error, SLUICE_ERR_RANGE,
                       "'%.100s...': the path of a socket has at most %zu bytes", path,
                       sizeof address.sun_path - 1);
  memcpy(address.sun_path, path, strlen(path) + 1);
  snprintf(line->name, sizeof line->name, "%.63s", path);
  line->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (line->fd < 0) return sluice_fail(error, SLUICE_ERR_IO, "no socket: %s", strerror(errno));
  line->is_socket = true;
  if (connect(line->fd, (const struct sockaddr *)&address, sizeof address) == 0) return SLUICE_OK;
  const int why = errno;
  line_close(line);
  return sluice_fail(error, SLUICE_ERR_IO, "cannot connect to '%s': %s", path, strerror(why));
}

void line_close(struct line *line) {
  if (line->fd >= 0) close(line->fd);
  if (line->leash >= 0) close(line->leash);
  if (!sluice_process_wait(&line->simulator, END_SECONDS, NULL))
    sluice_process_end(&line->simulator, 0);
  *line = (struct line){.fd = -1, .leash = -1};
}

enum sluice_status line_write(struct line *line, const uint8_t *bytes, size_t len, double seconds,
                              struct sluice_error *error) {
  while (len) {
    if (!sluice_await(line->fd, SLUICE_LOOP_OUT, sluice_now() + seconds))
      return sluice_fail(error, SLUICE_ERR_IO, "'%s' takes no bytes for %.1f s", line->name,
                         seconds);
    // A socket whose other end is gone must be an error, not a signal; a device has no send.
    ssize_t put = line->is_socket ? send(line->fd, bytes, len, MSG_NOSIGNAL)
                                  : write(line->fd, bytes, len);
    if (put < 0 && errno != EAGAIN && errno != EINTR)
      return sluice_fail(error, SLUICE_ERR_IO, "cannot write to '%s': %s", line->name,
                         strerror(errno));
    if (put > 0) {
      bytes += put;
      len -= (size_t)put;
    }
  }
  return SLUICE_OK;
}

enum sluice_status line_read(struct line *line, uint8_t *bytes, size_t size, double seconds,
                             size_t *got, struct sluice_error *error) {
  *got = 0;
  if (!sluice_await(line->fd, SLUICE_LOOP_IN, sluice_now() + seconds)) return SLUICE_OK;
  ssize_t n = read(line->fd, bytes, size);
  static const char greeting[] = "{\"sluice\"";
  const bool first = line->is_socket && !line->heard;
  if (n > 0) *got = (size_t)n, line->heard = true;
  if (n >= (ssize_t)sizeof greeting - 1 && first &&
      memcmp(bytes, greeting, sizeof greeting - 1) == 0)
    return sluice_fail(error, SLUICE_ERR_FOREIGN,
                       "'%s' is the control socket of a live switch: connect to 'control:%s' "
                       "(sluice/switch.h), or ask it with sluice ctl",
                       line->name, line->name);
  if (n > 0) return SLUICE_OK;
  if (n == 0 || (errno != EAGAIN && errno != EINTR))
    return sluice_fail(error, SLUICE_ERR_IO, "'%s' is gone: %s", line->name,
                       n ? strerror(errno) : "end of file");
  return SLUICE_OK;
}
