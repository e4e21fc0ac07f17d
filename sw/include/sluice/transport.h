// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_H
#define SLUICE_TRANSPORT_H

#include <stdint.h>

#include <sluice/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// A way to a chip: its registers, its control port and its data ports.
///
///     struct sluice_transport to;
///     status = sluice_transport_open(&to, WHERE, NULL, &error);
///     ... sluice_chip_open(&chip, &to, ...) ...
///     sluice_transport_close(&to);
///
///     WHERE: "model:tiny"                   the reference model in this process
///            "unix:/run/switch"             a simulator that serves (docs/driver.md)
///            "serial:/dev/ttyUSB0,500000"   a board
///
/// Calls block, and each ends: within its bound there is an answer, or an error that says what was
/// waited for. A call that failed may have been carried out (the answer was lost); registers and
/// control packets may be sent again. One transport belongs to one thread at a time; several
/// transports do not know of each other.
enum {
  // bytes of a packet or control frame, VLAN tag included, check sequence not
  SLUICE_PACKET_MIN = 64,
  SLUICE_PACKET_MAX = 9216,
};

/// A packet that has left a port.
struct sluice_packet_out {
  unsigned port;
  uint32_t ticket;  // its place in the order of admission, modulo 2**32
  size_t len;       // 0: there was none
  /// Of a simulated chip (packet_send_at), else all 0: which of the packets that were sent it is,
  /// from 1, and CHIP.CYCLES of its last beat in, its first beat out and its last one.
  struct sluice_packet_times {
    uint32_t number, arrival, first, last;
  } times;
  uint8_t bytes[SLUICE_PACKET_MAX];
};

/// The row of functions of a kind of transport. Who has another way to a chip writes his own row;
/// sluice_chip uses nothing else. `self` is that of struct sluice_transport.
struct sluice_transport_ops {
  const char *kind;  // "model", "unix", "serial": for messages

  /// One 32-bit register. An address that nothing answers is SLUICE_ERR_IO.
  enum sluice_status (*csr_read)(void *self, uint32_t addr, uint32_t *value,
                                 struct sluice_error *error);
  enum sluice_status (*csr_write)(void *self, uint32_t addr, uint32_t value,
                                  struct sluice_error *error);

  /// Hands a frame to the control port. OK says that it was taken, not that it had an effect:
  /// CHIP.RECONFIG_COUNT does.
  enum sluice_status (*control_send)(void *self, const uint8_t *bytes, size_t len,
                                     struct sluice_error *error);
  /// The next frame that the control port has sent. Waits for it, at most the transport's patience;
  /// if none has come by then, *len is 0 and the call is OK. A frame of more than `room` bytes is
  /// SLUICE_ERR_FORMAT, and gone.
  enum sluice_status (*control_receive)(void *self, uint8_t *bytes, size_t room, size_t *len,
                                        struct sluice_error *error);

  /// Hands a packet to data port `port`. OK says that it is on its way: the chip may drop it.
  enum sluice_status (*packet_send)(void *self, unsigned port, const uint8_t *bytes, size_t len,
                                    struct sluice_error *error);
  /// The next packet that has left the chip, of those that came in the meantime; len 0: none has.
  /// Does not wait.
  enum sluice_status (*packet_receive)(void *self, struct sluice_packet_out *packet,
                                       struct sluice_error *error);

  /// Lets at least `cycles` cycles of the chip pass, and takes in what the chip sends meanwhile. A
  /// simulated chip stands still between calls, so there they are exact; on a board time passes
  /// anyway.
  enum sluice_status (*wait)(void *self, uint64_t cycles, struct sluice_error *error);

  /// Resets the chip. NULL: this transport cannot.
  enum sluice_status (*reset)(void *self, struct sluice_error *error);
  /// Frees `self`. The chip stays as it is.
  void (*close)(void *self);

  /// `num` registers that follow each other, from `addr` on, for a line on which one access can
  /// bring several. NULL: they are read one by one.
  enum sluice_status (*csr_read_many)(void *self, uint32_t addr, unsigned num, uint32_t *values,
                                      struct sluice_error *error);

  /// From now on the stories of the next `packets` packets that are sent are wanted, and no others:
  /// what a monitored chip did with each, as JSON (docs/live.md). NULL: there are no monitors.
  enum sluice_status (*tell)(void *self, uint32_t packets, struct sluice_error *error);
  /// The next story that has ended, 0 behind it; the caller gives it back by story_free. NULL: none
  /// has. Does not wait.
  char *(*story)(void *self);
  void (*story_free)(void *self, char *story);

  /// packet_send, but no beat of it goes in before CHIP.CYCLES is `cycle`; packets of its lane that
  /// are due earlier go first, whenever they are sent. NULL: only simulated chips stand still
  /// meanwhile.
  enum sluice_status (*packet_send_at)(void *self, unsigned port, uint32_t cycle,
                                       const uint8_t *bytes, size_t len,
                                       struct sluice_error *error);
};

struct sluice_transport {
  const struct sluice_transport_ops *ops;  // NULL: closed
  void *self;
  // most bytes of a frame or packet, either way: at most SLUICE_PACKET_MAX, less on a serial line
  size_t frame_max;
};

/// Opens the transport that `where` names: "model:CHIP", "unix:PATH", "serial:DEVICE,BAUD" or
/// "serial:DEVICE,BAUD,SECONDS" (how long to wait for a board that says nothing; 2).
/// SLUICE_ERR_RANGE: no such kind, chip or rate; SLUICE_ERR_IO: there is nobody at the other end.
SLUICE_MUST_CHECK enum sluice_status sluice_transport_open(struct sluice_transport *to,
                                                           const char *where,
                                                           const struct sluice_alloc *alloc,
                                                           struct sluice_error *error);

/// The reference model as a chip of configuration `chip` ("tiny"). It takes no time: a packet that
/// is sent has left when the call returns, and waits for nobody but packet_receive. Registers that
/// count packets and control frames are those of a chip without load; the others hold what is
/// written.
SLUICE_MUST_CHECK enum sluice_status sluice_transport_model(struct sluice_transport *to,
                                                            const char *chip,
                                                            const struct sluice_alloc *alloc,
                                                            struct sluice_error *error);

/// A board on a serial line (docs/fpga.md). A call fails when the board says nothing for `patience`
/// seconds.
SLUICE_MUST_CHECK enum sluice_status sluice_transport_serial(struct sluice_transport *to,
                                                             const char *device, unsigned baud,
                                                             double patience,
                                                             const struct sluice_alloc *alloc,
                                                             struct sluice_error *error);

/// A simulator that serves on a Unix socket. `patience` as above, in seconds of the wall.
SLUICE_MUST_CHECK enum sluice_status sluice_transport_unix(struct sluice_transport *to,
                                                           const char *path, double patience,
                                                           const struct sluice_alloc *alloc,
                                                           struct sluice_error *error);

/// Closes it; a zeroed or closed one is allowed.
void sluice_transport_close(struct sluice_transport *to);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
