// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_LIB_PCAPNG_H
#define SLUICE_LIB_PCAPNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// What libpcap does not do with pcapng files: tell at which interface a packet came in, and write
/// them. Private to capture.c.

/// Goes through the blocks of a file beside libpcap.
struct pcapng_scan {
  FILE *file;
  bool swap;            // the section has the other byte order
  unsigned interfaces;  // most that a section has
};
/// Counts the interfaces. False if the file is no pcapng, or cannot be read twice (a pipe); then
/// there is nothing to close.
bool pcapng_scan_open(struct pcapng_scan *scan, const char *path);
/// The interface of the next packet, -1 if there is none.
int pcapng_scan_next(struct pcapng_scan *scan);
void pcapng_scan_close(struct pcapng_scan *scan);

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

#endif
