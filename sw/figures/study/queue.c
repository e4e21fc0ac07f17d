// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "machine.h"

void study_queue_push(struct study_machine *m, struct study_queue *q, struct study_entry entry) {
  if (q->num == q->room) {
    uint32_t room = q->room ? q->room * 2 : 8;
    struct study_entry *items = malloc(room * sizeof *items);
    if (!items) {
      m->nomem = true;
      return;
    }
    for (uint32_t i = 0; i < q->num; i++) items[i] = *queue_at(q, i);
    free(q->items);
    q->items = items;
    q->room = room;
    q->head = 0;
  }
  q->items[(q->head + q->num++) & (q->room - 1)] = entry;
}

void study_queue_erase(struct study_queue *q, uint32_t i) {
  for (; i > 0; i--) *queue_at(q, i) = *queue_at(q, i - 1);
  q->head = (q->head + 1) & (q->room - 1);
  q->num--;
}

struct study_list *study_due(struct study_machine *m, enum study_kind kind, int32_t cycles) {
  uint64_t slot = (uint64_t)(m->t + cycles) & (m->wheel_size - 1);
  return &m->wheel[(uint32_t)kind * m->wheel_size + slot];
}

void study_later(struct study_machine *m, enum study_kind kind, int32_t cycles,
                 struct study_event event) {
  struct study_list *list = study_due(m, kind, cycles);
  if (list->num == list->room) {
    uint32_t room = list->room ? list->room * 2 : 8;
    struct study_event *items = realloc(list->items, room * sizeof *items);
    if (!items) {
      m->nomem = true;
      return;
    }
    list->items = items;
    list->room = room;
  }
  list->items[list->num++] = event;
}
