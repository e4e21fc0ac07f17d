// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Frames of the serial line, as docs/fpga.md defines them and
/// synth/fpga/bridge/sluice_serial_pkg.sv says in hardware: flag, {kind, number, argument,
/// payload}, check, flag; a flag or escape inside is escaped.
enum { WIRE_FLAG = 0x7e, WIRE_ESCAPE = 0x7d, WIRE_PAYLOAD_MAX = 20000, WIRE_VERSION = 1 };

enum wire_kind {
  WIRE_HELLO = 0x01,
  WIRE_READ = 0x02,
  WIRE_WRITE = 0x03,
  WIRE_PACKET = 0x04,
  WIRE_CONTROL = 0x05,
  WIRE_RESET = 0x06,
  WIRE_ADVANCE = 0x07,    // sockets of simulators alone: lets so many cycles pass
  WIRE_TELL = 0x08,       // likewise: the stories of the packets to come
  WIRE_PACKET_AT = 0x09,  // likewise: a packet for a port, not before a cycle
  WIRE_ANSWER = 0x80,     // added to the kind of the request
  WIRE_PACKET_OUT = 0x90,
  WIRE_CONTROL_OUT = 0x91,
  WIRE_STORY = 0x92,         // a part of a story; argument 1: its end
  WIRE_PACKET_TIMED = 0x93,  // PACKET_OUT with its cycles, to who has asked for them
  WIRE_ERROR = 0xfe,
};

/// What an answer's argument says, in words: "no such port". WIRE_ERROR has words of its own.
const char *wire_code_text(unsigned kind, unsigned code);

struct wire_frame {
  uint8_t kind, number, arg;
  size_t len;
  uint8_t payload[WIRE_PAYLOAD_MAX];
};

/// Most bytes that a frame with `len` bytes of payload takes on the line.
static inline size_t wire_size(size_t len) { return 2 * (len + 5) + 2; }
/// Writes a frame as bytes of the line; returns how many.
size_t wire_encode(uint8_t *out, unsigned kind, unsigned number, unsigned arg,
                   const uint8_t *payload, size_t len);

/// Takes the line apart, byte by byte. Zeroed to begin with.
struct wire_decoder {
  uint8_t bytes[WIRE_PAYLOAD_MAX + 5];
  size_t len;
  bool escaped, too_long;
  // bytes of the line so far; frames thrown away: wrong check, too short, too long
  unsigned long seen, broken;
};
/// Returns true when `byte` completes a good frame.
bool wire_decode(struct wire_decoder *decoder, uint8_t byte, struct wire_frame *frame);
/// The same for many bytes: takes some of `len`, at least one, and at most to the end of a good
/// frame, which is there when it returns true.
bool wire_decode_some(struct wire_decoder *decoder, const uint8_t *bytes, size_t len, size_t *took,
                      struct wire_frame *frame);
