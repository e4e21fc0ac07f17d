// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// pcapng files, read and written block by block. Private to capture.c.

struct pcapng_described {
  unsigned link;       // link type
  uint32_t snaplen;    // 0: none
  uint8_t resolution;  // units of time stamps: 10^-n seconds, or with the highest bit 2^-n
  int64_t offset;      // seconds to add to time stamps
  unsigned fcs;        // bytes of the frame check sequence that frames end with
};
struct pcapng_reader {
  FILE *file;
  bool started;                         // the first four bytes have been read: a section's
  bool swap;                            // the section has the other byte order
  struct pcapng_described *interfaces;  // of the section
  unsigned num, room;
  uint8_t *block;  // contents of the last block
  size_t block_room;
};
struct pcapng_packet {
  const uint8_t *bytes;  // `captured` bytes, until the next call
  size_t captured, len;
  uint64_t time_ns;
  unsigned interface, link, fcs;
};
/// Of a file that begins with a section header block; it stays the caller's. `started`: its
/// first four bytes have been read from it; else it stands at its start.
void pcapng_reader_init(struct pcapng_reader *reader, FILE *file, bool started);
/// The next packet; bytes are NULL at the end. NULL if all is well, else what is wrong with the
/// file, in a few words.
const char *pcapng_next(struct pcapng_reader *reader, struct pcapng_packet *packet);
void pcapng_reader_release(struct pcapng_reader *reader);
/// The most interfaces that a section of the file has. The file can be read twice, and stands at
/// its start then.
unsigned pcapng_count_interfaces(FILE *file);

/// Blocks in memory, to be written one after the other. They return the length, a multiple of 4.
enum { PCAPNG_START = 28, PCAPNG_INTERFACE = 64, PCAPNG_COMMENT = 400 };
/// The head of a file.
size_t pcapng_start(uint8_t bytes[PCAPNG_START]);
/// An Ethernet interface called "port N", with nanoseconds.
size_t pcapng_interface(uint8_t bytes[PCAPNG_INTERFACE], unsigned port);
/// What stands before and behind the bytes of a packet. The comment (NULL: none) is cut at
/// PCAPNG_COMMENT bytes.
size_t pcapng_before(uint8_t bytes[28], unsigned port, uint64_t time_ns, size_t len,
                     const char *comment);
size_t pcapng_behind(uint8_t bytes[PCAPNG_COMMENT + 24], size_t len, const char *comment);
