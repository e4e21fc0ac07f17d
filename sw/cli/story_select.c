// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include "../base/number.h"
#include "story.h"

struct story_filter {
  struct bpf_program program;
  bool tagged;  // it sees the VLAN tag
};

enum { MOST_BYTES = 65535, TAG_AT = 12, TAG_BYTES = 4 };

bool story_select_range(struct story_select *select, uint64_t first, uint64_t last) {
  struct story_range *before = select->num_ranges ? &select->ranges[select->num_ranges - 1] : NULL;
  if (before && before->last + 1 == first) {
    before->last = last;
    return true;
  }
  // Room grows by powers of two.
  if (!(select->num_ranges & (select->num_ranges - 1))) {
    const size_t room = select->num_ranges ? 2 * select->num_ranges : 1;
    struct story_range *grown = realloc(select->ranges, room * sizeof *grown);
    if (!grown) {
      cli_error("out of memory");
      return false;
    }
    select->ranges = grown;
  }
  select->ranges[select->num_ranges++] = (struct story_range){first, last};
  return true;
}

// The word stands alone, not in another one.
static bool speaks_of(const char *text, const char *word) {
  const size_t len = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[len]))
      return true;
  return false;
}

static bool add_filter(struct story_select *select, const char *text) {
  struct story_filter *grown = realloc(select->filters, (select->num_filters + 1) * sizeof *grown);
  pcap_t *ethernet = grown ? pcap_open_dead(DLT_EN10MB, MOST_BYTES) : NULL;
  if (grown) select->filters = grown;
  if (!ethernet) {
    cli_error("out of memory");
    return false;
  }
  struct story_filter *filter = &grown[select->num_filters];
  filter->tagged = speaks_of(text, "vlan");
  const bool good = pcap_compile(ethernet, &filter->program, text, 1, PCAP_NETMASK_UNKNOWN) == 0;
  if (good) select->num_filters++;
  else
    cli_error("'%s' is no packet number, range (10-20) or filter: %s", text, pcap_geterr(ethernet));
  pcap_close(ethernet);
  return good;
}

bool story_select_add(struct story_select *select, const char *text) {
  if (text[strspn(text, "0123456789-")] || !isdigit((unsigned char)*text))
    return add_filter(select, text);
  const char *at = text;
  uint64_t first = 0, last = 0;
  bool good = sluice_number_next(&at, 1, INT64_MAX, &first);
  if (good && *at == '-' && !at[1]) last = INT64_MAX, at++;
  else if (good && *at == '-') good = (at++, sluice_number_next(&at, first, INT64_MAX, &last));
  else last = first;
  if (good && !*at) return story_select_range(select, first, last);
  cli_error("'%s' is no range of packets: they count from 1, as 17 or 10-20", text);
  return false;
}

static bool in_range(const struct story_select *select, uint64_t number) {
  for (size_t i = 0; i < select->num_ranges; i++)
    if (number >= select->ranges[i].first && number <= select->ranges[i].last) return true;
  return false;
}

bool story_select_has(const struct story_select *select, uint64_t number, const uint8_t *bytes,
                      size_t captured, size_t len) {
  static uint8_t bare[MOST_BYTES];
  if (in_range(select, number)) return true;
  if (captured > sizeof bare) captured = sizeof bare;
  const bool tag = captured >= TAG_AT + TAG_BYTES && bytes[TAG_AT] == 0x81 &&
                   bytes[TAG_AT + 1] == 0;
  for (unsigned i = 0; i < select->num_filters; i++) {
    const bool strip = tag && !select->filters[i].tagged;
    const size_t less = strip ? TAG_BYTES : 0;
    struct pcap_pkthdr header = {.caplen = (bpf_u_int32)(captured - less),
                                 .len = (bpf_u_int32)(len - less)};
    if (strip) {
      memcpy(bare, bytes, TAG_AT);
      memcpy(bare + TAG_AT, bytes + TAG_AT + TAG_BYTES, captured - TAG_AT - TAG_BYTES);
    }
    if (pcap_offline_filter(&select->filters[i].program, &header, strip ? bare : bytes))
      return true;
  }
  return false;
}

static int by_first(const void *a, const void *b) {
  const struct story_range *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

void story_select_sort(struct story_select *select) {
  size_t num = 0;
  if (select->num_ranges)
    qsort(select->ranges, select->num_ranges, sizeof *select->ranges, by_first);
  for (size_t i = 0; i < select->num_ranges; i++) {
    struct story_range *r = &select->ranges[i];
    if (num && r->first <= select->ranges[num - 1].last) {
      if (r->last > select->ranges[num - 1].last) select->ranges[num - 1].last = r->last;
    } else {
      select->ranges[num++] = *r;
    }
  }
  select->num_ranges = num;
}

void story_select_release(struct story_select *select) {
  for (unsigned i = 0; i < select->num_filters; i++) pcap_freecode(&select->filters[i].program);
  free(select->filters);
  free(select->ranges);
  *select = (struct story_select){0};
}
