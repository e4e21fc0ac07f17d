// SPDX-License-Identifier: Apache-2.0
#include "commit.h"

#include <sluice/transaction.h>

struct checking {
  const struct reaction_committed_of *of;
  struct reaction_committed *done;
};

// Directly before the flip; of one that is guarded, when something has been accessed. The meter's
// cut stays that of the dialogue.
static enum sluice_status check(void *user, struct sluice_error *error) {
  const struct checking *c = user;
  const struct reaction_committed_of *of = c->of;
  const uint32_t cut = of->meter->cut;
  struct sluice_error more;
  uint32_t start, end;
  bool unchanged;
  enum sluice_status status = reaction_meter_now(of->meter, &start, error);
  if (!status) status = sluice_chip_cut_begin(of->chip, &of->vid, 1, NULL, error);
  if (status) return status;
  status = reaction_unchanged(of->chip, of->vid, of->r, of->words, of->again, &unchanged, error);
  const enum sluice_status over = sluice_chip_cut_end(of->chip, status ? &more : error);
  if (!status) status = over;
  if (!status) status = reaction_meter_now(of->meter, &end, error);
  of->meter->cut = cut;
  if (status) return status;
  c->done->check = end - start;
  c->done->refused = !unchanged;
  return unchanged ? SLUICE_OK : SLUICE_ERR_DIFFERS;
}

static enum sluice_status transact(const struct reaction_commit *commit,
                                   const struct reaction_committed_of *of, unsigned num,
                                   unsigned num_changes, struct reaction_committed *done,
                                   struct sluice_error *error) {
  struct checking checking = {of, done};
  const bool checked = reaction_has_unchanged(of->r);
  const struct sluice_transaction t = {.settings = commit->settings,
                                       .num_settings = num,
                                       .changes = commit->changes,
                                       .num_changes = num_changes,
                                       .check = checked ? check : NULL,
                                       .user = &checking,
                                       .guard = checked,
                                       .since = of->since};
  struct sluice_update_report report = {.flipped = false};
  struct sluice_error why;
  unsigned refused;
  // On a chip with one bank malleables alone can change.
  if (!num_changes && !checked)
    return sluice_chip_set_params(of->chip, commit->settings, num, NULL, error);
  const enum sluice_status status =
      sluice_chip_transact(of->chip, &t, &refused, checked ? &report : NULL, &why);
  done->guarded = report.guarded;
  done->refused |= report.touched;
  if (!status || done->refused) return SLUICE_OK;
  if (refused == num_changes) return sluice_fail(error, status, "%s", why.text);
  return sluice_fail(error, status, "line %u: %.300s: nothing of this run is set",
                     commit->lines[refused], why.text);
}

enum sluice_status reaction_commit(struct reaction_commit *commit,
                                   const struct reaction_committed_of *of,
                                   struct reaction_committed *done, struct sluice_error *error) {
  const struct sluice_plan *plan = sluice_chip_plan(of->chip);
  unsigned num, num_changes;
  *done = (struct reaction_committed){.changed = false};
  enum sluice_status status =
      reaction_settings(of->image, plan, of->vid, &commit->effects, commit->settings, &num, error);
  if (!status)
    status = reaction_changes(of->image, plan, of->vid, &commit->effects, commit->changes,
                              commit->lines, &num_changes, error);
  if (status || (!num && !num_changes)) return status;
  status = transact(commit, of, num, num_changes, done, error);
  done->changed = !status && !done->refused;
  done->entries = done->changed ? num_changes : 0;
  return status;
}
