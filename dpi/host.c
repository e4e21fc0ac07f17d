// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include <string.h>

#include "base/status.h"

static const char *const responses[] = {"OKAY", "EXOKAY", "SLVERR", "DECERR"};
enum { SLVERR = 2 };

void host_wait(struct host *host) { coroutine_yield(host->coroutine); }

void host_wait_many(struct host *host, uint64_t cycles) {
  if (!cycles) return;
  host->rest = cycles - 1;
  host_wait(host);
}

bool host_turn(struct host *host) {
  if (!host->rest) return true;
  host->rest--;
  return false;
}

// In what follows a valid that is set now is seen by the chip in the next cycle, and its ready is
// read in the cycle after the yield: that is the cycle in which both are up.
enum sluice_status host_csr_read(struct host *host, uint32_t addr, uint32_t *value,
                                 struct sluice_error *error) {
  host->in->addr = addr;
  host->in->arvalid = true;
  host->in->rready = true;
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    host_wait(host);
    if (host->out->arready) host->in->arvalid = false;
    if (!host->out->rvalid) continue;
    host->in->rready = false;
    *value = host->out->rdata;
    if (host->out->rresp != 0)
      return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: read answered %s", addr,
                         responses[host->out->rresp]);
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: no answer to a read", addr);
}

enum sluice_status host_csr_write(struct host *host, uint32_t addr, uint32_t value,
                                  struct sluice_error *error) {
  host->in->addr = addr;
  host->in->wdata = value;
  host->in->awvalid = host->in->wvalid = host->in->bready = true;
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    host_wait(host);
    if (host->out->awready) host->in->awvalid = false;
    if (host->out->wready) host->in->wvalid = false;
    if (!host->out->bvalid) continue;
    host->in->bready = false;
    if (host->out->bresp != 0)
      return sluice_fail(error, host->out->bresp == SLVERR ? SLUICE_ERR_BUSY : SLUICE_ERR_IO,
                         "register 0x%05x: write answered %s", addr, responses[host->out->bresp]);
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_IO, "register 0x%05x: no answer to a write", addr);
}

enum sluice_status host_send(struct host *host, const uint8_t *bytes, size_t len,
                             struct sluice_error *error) {
  const size_t full = host->beat_bytes;
  for (size_t at = 0; at < len; at += full) {
    struct beat *b = &host->in->ctl_rx;
    size_t here = len - at < full ? len - at : full;
    b->valid = true;
    b->last = at + here == len;
    b->keep = beat_keep(here);
    memset(b->data, 0, full);
    memcpy(b->data, bytes + at, here);
    unsigned n = 0;
    do {
      if (n++ == HOST_WAIT_CYCLES)
        return sluice_fail(error, SLUICE_ERR_IO, "control port: the chip takes no packet");
      host_wait(host);
    } while (!host->out->ctl_rx_ready);
    b->valid = false;
  }
  return SLUICE_OK;
}

enum sluice_status host_receive(struct host *host, uint8_t *bytes, size_t room, size_t *len,
                                struct sluice_error *error) {
  *len = 0;
  host->in->ctl_tx_ready = true;
  for (unsigned n = 0; n < HOST_WAIT_CYCLES; n++) {
    host_wait(host);
    if (!host->out->ctl_tx.valid) continue;
    n = 0;
    if (*len == room)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "control port: answer longer than %zu bytes",
                         room);
    const size_t here = room - *len < host->beat_bytes ? room - *len : host->beat_bytes;
    memcpy(bytes + *len, host->out->ctl_tx.data, here);
    *len += here;
    if (!host->out->ctl_tx.last) continue;
    host->in->ctl_tx_ready = false;
    return SLUICE_OK;
  }
  return sluice_fail(error, SLUICE_ERR_IO, "control port: no answer");
}
