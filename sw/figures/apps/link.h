// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../../base/status.h"
#include "../../active/client.h"

/// Links of a client to the world outside: `where` is as at the ports of a live switch
/// (live/spec.h), without the number:
///
///     if:eth0             a packet socket at an interface; if:h1/eth0 in the namespace h1
///     tap:sw0             a TAP device that is made
///     pcap:in.pcap,out=out.pcapng
///     udp:5000,to=10.0.0.2:5000
///
///     status = app_link_open(&l, "if:eth0", &error);
///     options.link = app_link_of(l);
///     poll(app_link_fd(l)) ...
///     status = app_link_close(l, &error);
struct app_link;
SLUICE_MUST_CHECK enum sluice_status app_link_open(struct app_link **link, const char *where,
                                                   struct sluice_error *error);
struct active_link *app_link_of(struct app_link *link);
/// Readable when there may be a frame; -1: a capture.
int app_link_fd(const struct app_link *link);
/// A capture has ended, or the interface is gone.
bool app_link_ended(const struct app_link *link);
/// NULL is allowed. SLUICE_ERR_IO: a capture could not be written.
enum sluice_status app_link_close(struct app_link *link, struct sluice_error *error);
