// SPDX-License-Identifier: Apache-2.0
// make bench-model: packets a second of one core, in processor time, the best of three runs each.
//   alone               the model on packets in memory: filter, front stages, order point, back
//                       stages, deparser
//   capture to capture  the process `sluice run --chip model:CHIP`, from its start to its end
// usage: bench-model CHIP CONTROL.pcap IN.pcap [SLUICE PROGRAM OUT.pcap]
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "lib/capture.h"
#include "model/model.h"

enum { MOST = 1 << 22, ROOM = 128, RUNS = 3 };

static void die(const char *what) {
  fprintf(stderr, "bench-model: %s\n", what);
  exit(3);
}

static struct sluice_capture *open_capture(const char *path) {
  struct sluice_capture *capture;
  struct sluice_error error;
  if (sluice_capture_open(&capture, path, &error)) die(error.text);
  return capture;
}

static bool next(struct sluice_capture *capture, struct sluice_packet *packet) {
  struct sluice_error error;
  if (sluice_capture_next(capture, packet, &error)) die(error.text);
  return packet->bytes != NULL;
}

// What all results come to, so that no compiler leaves them out.
static volatile uint64_t sink;

static double alone(const struct sluice_config *config, const char *control, const uint8_t *packets,
                    unsigned num, unsigned len) {
  struct sluice_model *m = config ? sluice_model_open(config) : NULL;
  struct sluice_capture *capture = open_capture(control);
  struct sluice_packet frame;
  if (!m) die("no model of this chip");
  while (next(capture, &frame))
    if (!sluice_model_control(m, frame.bytes, frame.len, NULL)) die("a control packet was refused");
  sluice_capture_close(capture);
  uint64_t sum = 0;
  const clock_t start = clock();
  for (unsigned n = 0; n < num; n++) {
    const struct sluice_model_packet packet = {packets + (size_t)n * len,
                                               len,
                                               n % config->NumPorts,
                                               n,
                                               0,
                                               NULL,
                                               sluice_port_lane(config, n % config->NumPorts)};
    struct sluice_model_phv phv;
    struct sluice_model_result result;
    if (sluice_model_classify(sluice_model_filter(m), packet.bytes, len).reason)
      die("a packet was refused");
    if (sluice_model_front(m, &packet, &phv)) continue;
    phv.mark = false;
    sluice_model_admit(m, &packet, &phv, &result);
    sum += result.ports + result.header[len - 1];
  }
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  sink = sum;
  sluice_model_close(m);
  return num / seconds;
}

static double process(char *const argv[], unsigned num) {
  struct rusage before, used;
  int status;
  const struct sluice_process_options options = {
      .argv = (const char *const *)argv, .out = SLUICE_PROCESS_NOTHING, .follows = SIGKILL};
  struct sluice_error error;
  getrusage(RUSAGE_CHILDREN, &before);
  if (sluice_process_run(&options, 0, &status, &error)) die(error.text);
  if (status != 0) die("the command failed");
  getrusage(RUSAGE_CHILDREN, &used);
  const double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return num / seconds;
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 7)
    die("usage: bench-model CHIP CONTROL.pcap IN.pcap [SLUICE PROGRAM OUT.pcap]");
  uint8_t *packets = malloc((size_t)MOST * ROOM);
  struct sluice_capture *capture = open_capture(argv[3]);
  struct sluice_packet packet;
  unsigned num = 0, len = 0;
  if (!packets) die("out of memory");
  while (num < MOST && next(capture, &packet)) {
    if (!num) len = (unsigned)packet.len;
    if (packet.len != len || len > ROOM)
      die("packets of one length, at most 128 bytes, are wanted");
    memcpy(packets + (size_t)num++ * len, packet.bytes, len);
  }
  sluice_capture_close(capture);
  double best = 0;
  for (int i = 0; i < RUNS; i++) {
    const double rate = alone(sluice_config_find(argv[1]), argv[2], packets, num, len);
    if (rate > best) best = rate;
  }
  printf("alone               %8.0f packets per second, %u packets of %u bytes\n", best, num, len);
  free(packets);
  if (argc == 4) return 0;
  char chip[80];
  snprintf(chip, sizeof chip, "model:%s", argv[1]);
  char *const command[] = {argv[4], "run", argv[5], "--chip", chip, "--pcap",
                           argv[3], "-o",  argv[6], "-q",     NULL};
  best = 0;
  for (int i = 0; i < RUNS; i++) {
    const double rate = process(command, num);
    if (rate > best) best = rate;
  }
  printf("capture to capture  %8.0f packets per second\n", best);
  return 0;
}
