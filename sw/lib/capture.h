// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "../base/status.h"

/// Packets from and to capture files: pcap and pcapng in and out, nanoseconds out. Ethernet only.
///
///     struct sluice_packet p;
///     while ((status = sluice_capture_next(capture, &p, &error)) == SLUICE_OK && p.bytes) ...
struct sluice_packet {
  const uint8_t *bytes;  // `len` bytes, valid until the next call; NULL behind the last packet
  size_t len;            // length on the wire; what the file does not hold reads 0
  size_t captured;       // bytes that the file holds
  uint64_t time_ns;
  int interface;  // of a pcapng file with several of them: where it came in; else -1
};

struct sluice_capture;

/// Opens a capture; "-" is standard input. SLUICE_ERR_IO, SLUICE_ERR_FORMAT, SLUICE_ERR_NOMEM.
enum sluice_status sluice_capture_open(struct sluice_capture **capture, const char *path,
                                       struct sluice_error *error);
/// The same where the file is a copy of what `name` has brought: messages speak of `name`.
enum sluice_status sluice_capture_open_copy(struct sluice_capture **capture, const char *path,
                                            const char *name, struct sluice_error *error);
/// The next packet; bytes are NULL at the end. A cut or corrupt file is SLUICE_ERR_FORMAT, with the
/// number of the packet, after the good packets before it.
enum sluice_status sluice_capture_next(struct sluice_capture *capture, struct sluice_packet *packet,
                                       struct sluice_error *error);
/// NULL is allowed.
void sluice_capture_close(struct sluice_capture *capture);

struct sluice_capture_writer;

/// Opens a file for writing; "-" is standard output. A name that ends in .pcapng makes a pcapng
/// file with one interface, any other a pcap file.
enum sluice_status sluice_capture_create(struct sluice_capture_writer **writer, const char *path,
                                         struct sluice_error *error);
/// A pcapng file, whatever its name, with an interface for each port.
enum sluice_status sluice_capture_create_ports(struct sluice_capture_writer **writer,
                                               const char *path, unsigned num_ports,
                                               struct sluice_error *error);
/// Whether sluice_capture_create makes a pcapng file of this name.
bool sluice_capture_is_pcapng(const char *path);
/// Errors stick: close reports the first one.
void sluice_capture_write(struct sluice_capture_writer *writer, const uint8_t *bytes, size_t len,
                          uint64_t time_ns);
/// The same with the port where the packet is seen and a comment (NULL: none). A pcap file holds
/// neither.
void sluice_capture_write_at(struct sluice_capture_writer *writer, const uint8_t *bytes, size_t len,
                             uint64_t time_ns, unsigned port, const char *comment);
/// Closes and frees; NULL is allowed and is SLUICE_OK.
enum sluice_status sluice_capture_finish(struct sluice_capture_writer *writer,
                                         struct sluice_error *error);

/// Copies a frame to `out` with an 802.1Q tag of VLAN `vid`, and pads it with zeros to 64 bytes. A
/// frame with a tag keeps it, unless `replace`: then its VLAN id is changed, priority and DEI
/// cleared. Returns the new length, or 0 if it does not fit.
size_t sluice_frame_tag(uint8_t *out, size_t out_size, const uint8_t *frame, size_t len,
                        unsigned vid, bool replace);
