// SPDX-License-Identifier: Apache-2.0
// The filter of transports: every call goes on, in the same way.

#include "tests/rig/test.h"
#include "transport/filter.h"

// An inner transport that writes down what it is asked.
static char said[40];
static struct sluice_error error;
#define SAY(LETTER) said[strlen(said)] = LETTER
static enum sluice_status read_one(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *e) {
  (void)self, (void)e;
  SAY('r');
  *value = addr + 1;
  return SLUICE_OK;
}
static enum sluice_status read_many(void *self, uint32_t addr, unsigned num, uint32_t *values,
                                    struct sluice_error *e) {
  (void)self, (void)e;
  SAY('m');
  for (unsigned n = 0; n < num; n++) values[n] = addr + 4 * n;
  return SLUICE_OK;
}
static enum sluice_status write_one(void *self, uint32_t addr, uint32_t value,
                                    struct sluice_error *e) {
  (void)self, (void)e;
  SAY('w');
  return addr == value ? SLUICE_OK : SLUICE_ERR_RANGE;
}
static enum sluice_status send(void *self, const uint8_t *b, size_t len, struct sluice_error *e) {
  (void)self, (void)e;
  SAY('s');
  return len == b[0] ? SLUICE_OK : SLUICE_ERR_RANGE;
}
static enum sluice_status receive(void *self, uint8_t *b, size_t room, size_t *len,
                                  struct sluice_error *e) {
  (void)self, (void)e;
  SAY('c');
  b[0] = 9;
  *len = room;
  return SLUICE_OK;
}
static enum sluice_status packet_in(void *self, unsigned port, const uint8_t *b, size_t len,
                                    struct sluice_error *e) {
  (void)self, (void)e;
  SAY('p');
  return port == 2 && len == b[0] ? SLUICE_OK : SLUICE_ERR_RANGE;
}
static enum sluice_status packet_out(void *self, struct sluice_packet_out *p,
                                     struct sluice_error *e) {
  (void)self, (void)e;
  SAY('q');
  p->len = 77;
  return SLUICE_OK;
}
static enum sluice_status packet_at(void *self, unsigned port, uint32_t cycle, const uint8_t *b,
                                    size_t len, struct sluice_error *e) {
  (void)self, (void)e;
  SAY('a');
  return port == 2 && cycle == 5 && len == b[0] ? SLUICE_OK : SLUICE_ERR_RANGE;
}
static enum sluice_status wait_for(void *self, uint64_t cycles, struct sluice_error *e) {
  (void)self, (void)e;
  SAY('t');
  return cycles == 11 ? SLUICE_OK : SLUICE_ERR_RANGE;
}
static enum sluice_status reset(void *self, struct sluice_error *e) {
  (void)self, (void)e;
  SAY('x');
  return SLUICE_OK;
}
static void close_it(void *self) {
  (void)self;
  SAY('!');
}
static enum sluice_status tell(void *self, uint32_t packets, struct sluice_error *e) {
  (void)self, (void)e;
  SAY('l');
  return packets == 3 ? SLUICE_OK : SLUICE_ERR_RANGE;
}
static char *story(void *self) {
  (void)self;
  SAY('y');
  return said;
}
static void story_free(void *self, char *text) {
  (void)self;
  assert_ptr_equal(text, said);
  SAY('f');
}
static const struct sluice_transport_ops all = {
    "all", read_one, write_one, send, receive, packet_in,  packet_out, wait_for,
    reset, close_it, read_many, tell, story,   story_free, packet_at};

// Every function once, with arguments that the inner one looks at.
static void call_all(struct sluice_transport *to) {
  uint8_t bytes[8] = {8};
  uint32_t value, values[3];
  size_t len;
  static struct sluice_packet_out out;
  memset(said, 0, sizeof said);
  assert_int_equal(to->ops->csr_read(to->self, 6, &value, &error), SLUICE_OK);
  assert_int_equal(value, 7);
  assert_int_equal(to->ops->csr_write(to->self, 6, 6, &error), SLUICE_OK);
  assert_int_equal(to->ops->csr_write(to->self, 6, 7, &error), SLUICE_ERR_RANGE);
  assert_int_equal(to->ops->control_send(to->self, bytes, 8, &error), SLUICE_OK);
  assert_int_equal(to->ops->packet_send(to->self, 2, bytes, 8, &error), SLUICE_OK);
  assert_int_equal(to->ops->packet_send_at(to->self, 2, 5, bytes, 8, &error), SLUICE_OK);
  assert_int_equal(to->ops->packet_receive(to->self, &out, &error), SLUICE_OK);
  assert_int_equal(out.len, 77);
  assert_int_equal(to->ops->control_receive(to->self, bytes, 8, &len, &error), SLUICE_OK);
  assert_int_equal(bytes[0] + len, 17);
  assert_int_equal(to->ops->csr_read_many(to->self, 8, 3, values, &error), SLUICE_OK);
  assert_int_equal(values[2], 16);
  assert_int_equal(to->ops->wait(to->self, 11, &error), SLUICE_OK);
  assert_int_equal(to->ops->tell(to->self, 3, &error), SLUICE_OK);
  to->ops->story_free(to->self, to->ops->story(to->self));
  assert_int_equal(to->ops->reset(to->self, &error), SLUICE_OK);
}

TEST(every_call_is_handed_on) {
  struct sluice_transport inner = {&all, NULL, 700};
  struct sluice_filter f;
  sluice_filter_init(&f, &inner, NULL);
  assert_string_equal(f.to.ops->kind, "all");
  assert_int_equal(f.to.frame_max, 700);
  call_all(&f.to);
  assert_string_equal(said, "rwwspaqcmtlyfx");
  sluice_transport_close(&f.to);
  assert_string_equal(said, "rwwspaqcmtlyfx");  // the inner one stays open
}

TEST(what_the_inner_one_has_not_the_filter_has_not) {
  struct sluice_transport_ops few = all;
  few.reset = NULL, few.csr_read_many = NULL, few.tell = NULL, few.packet_send_at = NULL;
  few.story = NULL, few.story_free = NULL;
  struct sluice_transport inner = {&few, NULL, 700};
  struct sluice_filter f;
  sluice_filter_init(&f, &inner, NULL);
  assert_null(f.to.ops->reset);
  assert_null(f.to.ops->csr_read_many);
  assert_null(f.to.ops->tell);
  assert_null(f.to.ops->story);
  assert_null(f.to.ops->story_free);
  assert_null(f.to.ops->packet_send_at);
}

static unsigned calls, allowed;
static uint64_t waited;
static bool count(void *user, enum sluice_filter_call call, uint64_t cycles) {
  assert_ptr_equal(user, &calls);
  if (call == SLUICE_FILTER_WAIT) waited += cycles;
  return calls++ < allowed;
}
static enum sluice_status let_fail(void *user, enum sluice_status status, struct sluice_error *e) {
  (void)e;
  assert_ptr_equal(user, &calls);
  return status ? status : calls > allowed ? SLUICE_ERR_IO : SLUICE_OK;
}

TEST(its_owner_is_asked_around_each_call) {
  struct sluice_transport inner = {&all, NULL, 700};
  struct sluice_filter f;
  uint32_t value;
  sluice_filter_init(&f, &inner, &calls);
  f.before = count;
  f.after = let_fail;
  calls = 0, allowed = 1000, waited = 0;
  call_all(&f.to);
  assert_int_equal(calls, 12);  // stories are handed on without a question
  assert_int_equal(waited, 11);
  calls = 0, allowed = 1;
  memset(said, 0, sizeof said);
  assert_int_equal(f.to.ops->csr_read(f.to.self, 1, &value, &error), SLUICE_OK);
  assert_int_equal(f.to.ops->csr_read(f.to.self, 1, &value, &error), SLUICE_ERR_IO);
  assert_string_equal(said, "r");
}

static enum sluice_status own_read(void *self, uint32_t addr, uint32_t *value,
                                   struct sluice_error *e) {
  const enum sluice_status status = sluice_filter_ops.csr_read(self, addr, value, e);
  *value *= 10;
  return status;
}

TEST(no_register_passes_by_the_owners_read) {
  struct sluice_transport inner = {&all, NULL, 700};
  struct sluice_filter f;
  uint32_t values[2];
  sluice_filter_init(&f, &inner, NULL);
  f.ops.csr_read = own_read;
  memset(said, 0, sizeof said);
  assert_int_equal(f.to.ops->csr_read_many(f.to.self, 8, 2, values, &error), SLUICE_OK);
  assert_int_equal(values[0], 90);
  assert_int_equal(values[1], 130);
  assert_string_equal(said, "rr");
}
