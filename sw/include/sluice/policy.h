// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_POLICY_H
#define SLUICE_POLICY_H

#include <stdbool.h>

#include <sluice/plan.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// What each module of a chip may use, as the operator says it, and who is refused when not all
/// fit.
///
///     struct sluice_policy *policy;
///     status = sluice_policy_open(&policy, "policy.json", NULL, &error);
///     struct sluice_tenant tenants[] = {{image, 5, 0}, {other, 6, 0}};
///     // before anything is placed:
///     status = sluice_policy_admit(policy, "tiny", 1, tenants, 2, &error);
///     ... sluice_plan_add for each ...
///     // shares, rates at the lanes, classes, ports:
///     status = sluice_policy_apply(policy, plan, &error);
///     sluice_policy_close(policy);
///
/// The file is JSON. Every key but the first may be left out; what is left out is not limited by
/// the file:
///
///     { "sluice_policy": 1,
///       "only_listed": true,             // modules that are not in the list are refused (false)
///       "moves": 4,                      // indices of a module away in each stage, 0: no limit
///                                        // (equal parts)
///       "class_weights": [4, 2, 1, 1],   // of the classes of the output queues, from class 0 on:
///                                        // sluice_class_costs (equal)
///       "class_strict": [3],             // classes that go before the others, the lowest first
///       "class_ecn": [16, 0, 8],         // of class 0, 1, ...: packets in an output queue from
///                                        // which on they get congestion marks (0: never)
///       "modules": [
///         { "vid": 5,                    // or "others": every module without an entry of its own
///           "rows": 1,                   // match rows in any one stage
///           "stages": 3,                 // front and back stages that it has anything in
///           "containers": 8,             // of the PHV: parsed, written or deparsed
///           "state": 64,                 // entries of all its arrays
///           "rate": 96, "burst": 16,     // share of every order queue: accesses per 256 cycles
///           "ports": [0, 2, 3],          // that it may send to
///           "lane_rate":                 // at each lane, in 1,000 cycles: sluice_plan_lane_rate
///             { "packets": 200, "packet_burst": 16,
///               "beats": 500, "beat_burst": 256 },   // all but packets may be left out
///           "class": 2,                  // in the output queues: sluice_plan_class
///           "trusted": false } ] }       // may write its VLAN id (sluice_plan_trust)
///
/// Limits are looked at first. Then the modules are taken in the order of their **dominant shares**
/// (dominant resource fairness): a module's share of a resource is what it wants over what the chip
/// has; the largest of its shares is the dominant one. Resources are the match rows of each stage,
/// in stages with match engines their entries (the sizes of the tables count) and the rows of
/// actions behind the match rows, and the entries of state of each back stage and set of pipelines.
/// A module is admitted if what those before it leave is enough. So with n modules, one that wants
/// at most 1/n of everything is never refused for another, and what nobody else wants may be had.
/// Example: 128 entries in a stage, modules that want 32, 40 and 96: the first two are admitted,
/// the third is refused, 96 wanted and 56 left.
///
/// A refusal is a sentence with the module, the resource, what is wanted and what is allowed. What
/// is admitted may still not find room side by side: then sluice_plan_add says so. Modules without
/// a rate get equal parts of what the others leave of 255 accesses per 256 cycles.
struct sluice_policy;

/// Reads a file. SLUICE_ERR_IO, SLUICE_ERR_FORMAT (a key that is not known, or of the wrong kind),
/// SLUICE_ERR_RANGE.
SLUICE_MUST_CHECK enum sluice_status sluice_policy_open(struct sluice_policy **policy,
                                                        const char *path,
                                                        const struct sluice_alloc *alloc,
                                                        struct sluice_error *error);
/// The same from memory; `name` is what messages call it.
SLUICE_MUST_CHECK enum sluice_status sluice_policy_parse(struct sluice_policy **policy,
                                                         const char *text, size_t len,
                                                         const char *name,
                                                         const struct sluice_alloc *alloc,
                                                         struct sluice_error *error);
/// Frees it; NULL is allowed.
void sluice_policy_close(struct sluice_policy *policy);

/// A module that wants to be on the chip.
struct sluice_tenant {
  const struct sluice_image *image;
  unsigned vid;
  unsigned set;  // of pipelines (sluice_plan_set); 0 if there is one
};

/// Whether all of them may be on a chip of configuration `chip` with `sets` sets of pipelines.
/// `policy` NULL: no limits, dominant resource fairness. SLUICE_ERR_FULL: a module is refused, and
/// why. SLUICE_ERR_FOREIGN: no such chip, or an image for another one.
SLUICE_MUST_CHECK enum sluice_status sluice_policy_admit(const struct sluice_policy *policy,
                                                         const char *chip, unsigned sets,
                                                         const struct sluice_tenant *tenants,
                                                         unsigned num, struct sluice_error *error);
/// Gives the modules of a plan their shares, rates at the lanes, classes and ports.
/// SLUICE_ERR_RANGE, SLUICE_ERR_UNSUPPORTED: a module has a rate, a class or ports that the chip
/// does not have.
SLUICE_MUST_CHECK enum sluice_status sluice_policy_apply(const struct sluice_policy *policy,
                                                         struct sluice_plan *plan,
                                                         struct sluice_error *error);
/// Whether the module with this VLAN id is trusted: for sluice_plan_trust, before it is added.
bool sluice_policy_trusts(const struct sluice_policy *policy, unsigned vid);
/// What CHIP.MOVE_QUOTA should be; -1: the policy does not say.
int sluice_policy_moves(const struct sluice_policy *policy);
/// What CHIP.CLASS_COSTS and CHIP.CLASS_STRICT should be, if the policy says (`given`).
SLUICE_MUST_CHECK enum sluice_status sluice_policy_classes(const struct sluice_policy *policy,
                                                           bool *given, uint32_t *costs,
                                                           uint32_t *strict,
                                                           struct sluice_error *error);
/// What CHIP.CLASS_ECN of the first classes should be; how many classes the policy names.
unsigned sluice_policy_class_ecn(const struct sluice_policy *policy,
                                 unsigned packets[SLUICE_CLASSES_MAX]);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
