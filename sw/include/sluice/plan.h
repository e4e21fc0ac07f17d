// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PLAN_H
#define SLUICE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include <sluice/image.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// What shall be on a chip: which modules, at which places. A plan knows no chip and sends nothing;
/// what must be done on a chip is the difference of two plans (sluice_chip_apply).
///
///     struct sluice_plan *plan;
///     status = sluice_plan_open(&plan, "tiny", NULL, &error);
///     status = sluice_plan_add(plan, image, 3, &error);      // packets of VLAN 3 run this program
///     status = sluice_plan_remove(plan, 3, &error);          // as if it had never been there
///     sluice_plan_close(plan);
///
/// A module gets the overlay row VID modulo the chip's number of modules (32 on most), so VLAN ids
/// must differ in it. In each stage it gets as many match rows side by side as it has, the lowest
/// that are free; its sharded arrays get the lowest slots that are free in all pipelines, its
/// pinned arrays the highest in the pipeline that reaches highest. Every call that fails leaves the
/// plan as it was, and names the resource that ran out.
struct sluice_plan;

/// An empty plan for a chip of configuration `chip`. SLUICE_ERR_FOREIGN: no such configuration.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_open(struct sluice_plan **plan, const char *chip,
                                                      const struct sluice_alloc *alloc,
                                                      struct sluice_error *error);
/// A plan that is equal, and changes on its own from now on.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_copy(struct sluice_plan **copy,
                                                      const struct sluice_plan *plan,
                                                      struct sluice_error *error);
/// Frees it; NULL is allowed.
void sluice_plan_close(struct sluice_plan *plan);

/// Adds a module. SLUICE_ERR_FULL names what ran out, SLUICE_ERR_EXISTS: the VLAN has a program;
/// SLUICE_ERR_RANGE a VLAN id outside 1..4094; SLUICE_ERR_UNSUPPORTED something that the program
/// uses and the chip does not have;
/// SLUICE_ERR_FOREIGN an image for another chip.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_add(struct sluice_plan *plan,
                                                     const struct sluice_image *image, unsigned vid,
                                                     struct sluice_error *error);
/// Takes a module away; its rows and slots are free. SLUICE_ERR_NOT_FOUND: no module has this VLAN
/// id.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_remove(struct sluice_plan *plan, unsigned vid,
                                                        struct sluice_error *error);
/// Another program, or the same one anew, for a VLAN id. Its arrays start with their initial
/// values. Its share, rate at the lanes and ports stay.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_replace(struct sluice_plan *plan,
                                                         const struct sluice_image *image,
                                                         unsigned vid, struct sluice_error *error);
/// Another version of a module beside the one that runs, for sluice_chip_update_plan: a match row
/// that both have (key, action, state instruction) is shared, other rows get free ones; an array of
/// the same name, stage, size and kind keeps its slots and contents, other arrays get free slots.
/// Rows and slots of the version that runs stay taken until the chip has the plan. Before that more
/// modules of the plan can be updated, or this one once more: each is placed beside the version
/// that runs on the chip, whatever was planned in between. SLUICE_ERR_FULL: it does not fit beside
/// the old one: what is wanted, what is free, and whether sluice_plan_replace would do.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_update(struct sluice_plan *plan,
                                                        const struct sluice_image *image,
                                                        unsigned vid, struct sluice_error *error);
/// The chip has taken the plan, and what old versions had is free. The chip does so with its own
/// copy; it is for who keeps plans apart from a chip (sluice_chip_adopt).
void sluice_plan_settle(struct sluice_plan *plan);

/// Gives a module a share of every order queue (docs/isolation.md): `rate` accesses per 256 cycles,
/// and `burst` more at once. Again for the same module: the new one counts. SLUICE_ERR_NOT_FOUND:
/// no such module; SLUICE_ERR_RANGE: more than an entry holds.
enum { SLUICE_SHARE_RATE_MAX = 256, SLUICE_SHARE_BURST_MAX = 63, SLUICE_SHARE_BURST = 16 };
SLUICE_MUST_CHECK enum sluice_status sluice_plan_share(struct sluice_plan *plan, unsigned vid,
                                                       unsigned rate, unsigned burst,
                                                       struct sluice_error *error);

/// Whether modules that are added or replaced from now on are trusted; as long as nobody says so
/// they are not. A module that is not trusted is refused (SLUICE_ERR_RANGE, with the field) if it
/// may change the VLAN id or the tag of its packets, or make reconfiguration packets of them
/// (docs/isolation.md).
void sluice_plan_trust(struct sluice_plan *plan, bool trusted);

/// Says which ports a module may send to (table MODULE_PORTS): bit p is port p; without it, all.
/// Copies to other ports are not sent, and a packet that loses all its ports is dropped for
/// FORBIDDEN. Again for the same module: the new ones count. SLUICE_ERR_NOT_FOUND: no such module;
/// SLUICE_ERR_RANGE: a port that the chip does not have.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_ports(struct sluice_plan *plan, unsigned vid,
                                                       uint64_t ports, struct sluice_error *error);

/// How often packets of a module may be recirculated (docs/tm.md): `rounds` further
/// passes each; the module's tokens, `rate` / 256 every E cycles and lane, up to `burst` (E: the
/// modules of the chip, times its banks). As long as nobody says so, not at all. Capsules have
/// rounds of their own (sluice/active.h), and take tokens from here. SLUICE_ERR_NOT_FOUND: no such
/// module; SLUICE_ERR_UNSUPPORTED: the chip has no recirculation; SLUICE_ERR_RANGE: a number above
/// 255, 65,535 (`rate`), 255.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_recirculate(struct sluice_plan *plan, unsigned vid,
                                                             unsigned rounds, unsigned rate,
                                                             unsigned burst,
                                                             struct sluice_error *error);

/// What a module may bring into each lane (docs/isolation.md, Rates at the lanes). A lane brings
/// one beat of 64 bytes a cycle, so it brings at most 1,000 of each in 1,000 cycles.
struct sluice_lane_rate {
  unsigned packets, packet_burst;  // packets per 1,000 cycles, and more at once
  unsigned beats, beat_burst;      // beats per 1,000 cycles, each packet rounded up; more at once
};
enum {
  SLUICE_LANE_RATE_MAX = 1000,
  SLUICE_LANE_RATE_PACKETS_MAX = 223,  // at once
  SLUICE_LANE_RATE_BEATS_MAX = 65503,
  // what the command gives where nothing is said; a packet has at most 144 beats
  SLUICE_LANE_RATE_PACKETS = 16,
  SLUICE_LANE_RATE_BEATS = 256,
};
/// Gives a module a rate at each lane. What comes above it is dropped for RATE and counted. A
/// module that brings no more than this into a lane loses nothing there, once its buckets are full:
/// they begin empty. Table RATE_LIMIT gets, of packets and of beats: RATE, 256 E / 1,000 times the
/// rate, rounded up (E: the modules of the chip); BURST, what comes at once and what a fill of
/// the bucket brings, one every E cycles. The bound of what a lane takes of the module is that of
/// docs/machine.md, Rate limits. Again for the same module: the new one counts.
/// SLUICE_ERR_NOT_FOUND: no such module; SLUICE_ERR_UNSUPPORTED: a chip without rates;
/// SLUICE_ERR_RANGE: a number above its maximum.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_lane_rate(struct sluice_plan *plan, unsigned vid,
                                                           const struct sluice_lane_rate *rate,
                                                           struct sluice_error *error);

/// Gives a module a class of the output queues (docs/tm.md): modules of different classes do not
/// wait behind each other there. Without it the class is the overlay row modulo the classes of the
/// chip. Table OUTPUT_CLASS. Another program for the same VLAN id keeps it. SLUICE_ERR_NOT_FOUND:
/// no such module; SLUICE_ERR_UNSUPPORTED: a chip without classes; SLUICE_ERR_RANGE: no such class.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_class(struct sluice_plan *plan, unsigned vid,
                                                       unsigned number, struct sluice_error *error);

enum { SLUICE_CLASSES_MAX = 8, SLUICE_CLASS_WEIGHT_MAX = 16 };
/// CHIP.CLASS_ECN of a class: packets in an output queue from which on packets of the class are
/// marked for congestion, at most this many; 0: never.
enum { SLUICE_CLASS_ECN_MAX = 2047 };

/// What CHIP.CLASS_COSTS must be for classes to share the beats of a line by weights from 1 to
/// SLUICE_CLASS_WEIGHT_MAX: a beat of class c counts 1 + cost, at most 16, and the line goes to who
/// has counted least. Where no counts are exact they are those whose worst pair of classes is
/// nearest. Example: weights 4, 2 and 1 give the counts 1, 2 and 4; 7, 5 and 3 give 5, 7 and 12
/// (exact would be 15, 21 and 35). Of three weights the worst are 1, 11 and 16: the last two get
/// the same. `num` is at most SLUICE_CLASSES_MAX; classes behind it count as the first.
/// SLUICE_ERR_RANGE: a weight is not legal.
SLUICE_MUST_CHECK enum sluice_status sluice_class_costs(const unsigned *weights, unsigned num,
                                                        uint32_t *costs,
                                                        struct sluice_error *error);

/// Row `row` of PORT_MASK (0 to 255) is a group of the operator's, or no longer: no set of ports of
/// a module that is added from now on gets it. A chip tells its own plan so
/// (sluice_chip_group_set); this is for who keeps plans apart from a chip.
void sluice_plan_group(struct sluice_plan *plan, unsigned row, bool is_group);

/// Whether packets of a module may be capsules (docs/machine.md, Capsules); as long as nobody says
/// so they may not. Another program for the same VLAN id keeps it. SLUICE_ERR_NOT_FOUND: no such
/// module; SLUICE_ERR_UNSUPPORTED: the chip executes none.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_active(struct sluice_plan *plan, unsigned vid,
                                                        bool active, struct sluice_error *error);

/// Divides the pipelines into `sets` sets of equal size, logical switches (docs/isolation.md);
/// modules added from now on use those of set `set` alone. SLUICE_ERR_RANGE: not a power of two up
/// to the number of pipelines, no such set, or not the number that modules before have.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_set(struct sluice_plan *plan, unsigned sets,
                                                     unsigned set, struct sluice_error *error);

/// A module of a plan.
struct sluice_module {
  unsigned vid, row;           // VLAN id, overlay row
  const char *program;         // lives until the plan changes
  unsigned first_pipe, pipes;  // its set of pipelines
};
/// Module `n`, in the order in which they were added. Returns false when there are not so many.
bool sluice_plan_module(const struct sluice_plan *plan, unsigned n, struct sluice_module *module);

/// One change of one thing on a chip. `old` is what is there before: with it the change that takes
/// it back is made.
enum sluice_change_kind {
  // bits of CHIP.BITMAP for `rows` are set; then wait until none of their packets is inside
  SLUICE_CHANGE_BLOCK,
  SLUICE_CHANGE_UNBLOCK,
  SLUICE_CHANGE_SETS,   // CHIP.SETS: from `old_value` to `value`
  SLUICE_CHANGE_WRITE,  // an entry
  SLUICE_CHANGE_ERASE,  // a match row goes out of use
  SLUICE_CHANGE_FILL,   // every entry of a segment of state gets one value
};
enum { SLUICE_ENTRY_MAX = 80 };  // bytes of the widest entry
struct sluice_change {
  enum sluice_change_kind kind;
  uint32_t rows;                 // BLOCK, UNBLOCK: bit r is overlay row r
  unsigned table, stage, index;  // WRITE, ERASE: table in the order of docs/tables.md
  unsigned row;                  // FILL: overlay row, in bank 1 behind those of bank 0
  uint32_t value, old_value;     // SETS; FILL: value is the number of entries
  // WRITE of an entry of a match engine that moves others: it waits until all changes of a lower
  // step have been confirmed. 0: it need not wait.
  unsigned step;
  // WRITE of a match row: it was in use before; if not, the inverse is an ERASE.
  bool was_used;
  // The new entry (FILL: two words of four bytes), left-justified, and the one before it.
  uint8_t bytes[SLUICE_ENTRY_MAX];
  uint8_t old[SLUICE_ENTRY_MAX];
};

/// Changes in the order in which they must be done.
struct sluice_changes {
  struct sluice_change *list;
  size_t num, room;
  struct sluice_alloc alloc;
};

/// What brings a chip from plan `from` to plan `to` (NULL: a chip as after reset): for all modules
/// that change, block; erase; tables, fills, match rows, MODULE entries; unblock. Modules that stay
/// are not touched, and entries that both plans have alike are not written. Both plans must be for
/// the same chip. `changes` is filled, and belongs to the caller.
SLUICE_MUST_CHECK enum sluice_status sluice_plan_diff(const struct sluice_plan *from,
                                                      const struct sluice_plan *to,
                                                      struct sluice_changes *changes,
                                                      struct sluice_error *error);
/// The change that takes `change` back. The inverse of a FILL fills with 0: contents of state do
/// not come back.
struct sluice_change sluice_change_inverse(const struct sluice_change *change);
/// Frees the list; a zeroed one is allowed.
void sluice_changes_release(struct sluice_changes *changes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
