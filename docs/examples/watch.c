// SPDX-License-Identifier: Apache-2.0
// A control plane in one file: loads a program, sends packets, watches a counter, reads an array by
// its name, changes it, and replaces the program. The same binary drives the reference model, a
// simulator and a board:
//
//     sluice compile sequencer.dom --chip tiny -o sequencer.json
//     cc -o watch watch.c $(pkg-config --cflags --libs sluice)
//     ./watch model:tiny sequencer.json count
//     ./watch unix:/tmp/switch sequencer.json count
//     ./watch serial:/dev/ttyUSB0,500000 sequencer.json count
#include <stdio.h>
#include <string.h>

#include <sluice/sluice.h>

enum { VID = 3, PACKETS = 20, LEN = 100 };

static struct sluice_error error;

static int failed(const char *what) {
  fprintf(stderr, "watch: %s: %s\n", what, error.text);
  return 3;
}

// An IPv4 packet of VLAN `VID` with nothing in it.
static void make_packet(unsigned char *bytes) {
  static const unsigned char head[] = {2, 0, 0,    0,    0, 1,   2,    0,    0,   0,
                                       0, 2, 0x81, 0x00, 0, VID, 0x08, 0x00, 0x45};
  memset(bytes, 0, LEN);
  memcpy(bytes, head, sizeof head);
  bytes[27] = 17;  // UDP
}

// Sends packets to port 0 and takes what leaves. Returns how many did, or -1. On a board a register
// is read over the same line as packets come, so 50 of them take longer than a packet.
static int traffic(struct sluice_transport *to, struct sluice_chip *chip) {
  uint32_t inside, addr;
  static struct sluice_packet_out out;
  unsigned char bytes[LEN];
  int left = 0;
  make_packet(bytes);
  if (sluice_chip_register(chip, "CHIP", 0, "INSIDE", 0, &addr, &error)) return -1;
  for (int n = 0; n < PACKETS; n++)
    if (to->ops->packet_send(to->self, 0, bytes, LEN, &error)) return -1;
  for (int quiet = 0; quiet < 50; quiet++) {
    if (to->ops->packet_receive(to->self, &out, &error)) return -1;
    if (out.len) {
      left++;
      quiet = 0;
    } else if (to->ops->wait(to->self, 100, &error) ||
               sluice_chip_read(chip, addr, &inside, &error)) {
      return -1;
    }
  }
  return left;
}

static int show(struct sluice_chip *chip, const char *array) {
  struct sluice_counters counters;
  uint32_t value;
  if (sluice_chip_counters(chip, &counters, &error)) return failed("counters");
  if (sluice_chip_state_read(chip, VID, array, 0, 1, &value, &error)) return failed(array);
  printf("%llu packets in, %llu admitted, %llu out; %s[0] = %u\n",
         (unsigned long long)counters.packets, (unsigned long long)counters.admitted,
         (unsigned long long)counters.copies, array, value);
  return 0;
}

static int control(struct sluice_transport *to, struct sluice_chip *chip,
                   const struct sluice_image *image, const char *array) {
  const uint32_t start = 1000;
  struct sluice_chip_info info;
  sluice_chip_describe(chip, &info);
  printf("chip %s: %u pipelines, %u ports, %u back stages\n", info.name, info.pipes, info.ports,
         info.back_stages);
  if (sluice_chip_load(chip, image, VID, &error)) return failed("load");
  printf("%s runs for VLAN %d\n", sluice_image_program(image), VID);
  if (traffic(to, chip) != PACKETS) return failed("packets were lost");
  if (show(chip, array)) return 3;

  if (sluice_chip_state_write(chip, VID, array, 0, 1, &start, &error)) return failed("state");
  if (traffic(to, chip) != PACKETS) return failed("packets were lost");
  printf("after writing %u: ", start);
  if (show(chip, array)) return 3;

  if (sluice_chip_replace(chip, image, VID, &error)) return failed("replace");
  printf("after loading it anew: ");
  if (show(chip, array)) return 3;
  if (sluice_chip_audit(chip, &error)) return failed("audit");
  if (sluice_chip_remove(chip, VID, &error)) return failed("remove");
  printf("removed: %d packets leave\n", traffic(to, chip));
  return 0;
}

int main(int argc, char **argv) {
  struct sluice_transport to = {NULL, NULL, 0};
  struct sluice_image *image = NULL;
  struct sluice_chip *chip = NULL;
  if (argc != 4) {
    fprintf(stderr, "usage: watch model:CHIP|unix:SOCKET|serial:DEVICE,BAUD IMAGE ARRAY\n");
    return 2;
  }
  int code = 3;
  if (sluice_image_open(&image, argv[2], NULL, &error)) failed(argv[2]);
  else if (sluice_transport_open(&to, argv[1], NULL, &error)) failed(argv[1]);
  else if (sluice_chip_open(&chip, &to, NULL, &error)) failed("chip");
  else code = control(&to, chip, image, argv[3]);
  sluice_chip_close(chip);
  sluice_transport_close(&to);
  sluice_image_close(image);
  return code;
}
