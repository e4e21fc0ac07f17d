// SPDX-License-Identifier: Apache-2.0
// Limits of the system, and filters of its calls (seccomp).
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#define FOREIGN 0x40000000u  // calls of the x32 interface have this bit
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#define FOREIGN 0x40000000u
#endif

// The sanitizers keep terabytes of addresses for themselves.
#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static bool limit(int what, uint64_t most) {
  struct rlimit now;
  if (getrlimit((__rlimit_resource_t)what, &now) != 0) return false;
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
  const struct rlimit next = {most, most};
  return setrlimit((__rlimit_resource_t)what, &next) == 0;
}

#ifdef MACHINE
// A filter is built call by call: each statement either decides or leaves the next one to do so.
enum { MOST = 400 };
struct filter {
  struct sock_filter list[MOST];
  unsigned short num;
};

static void add(struct filter *f, unsigned code, unsigned yes, unsigned no, uint32_t value) {
  if (f->num < MOST)
    f->list[f->num++] =
        (struct sock_filter){(unsigned short)code, (unsigned char)yes, (unsigned char)no, value};
}
static void load(struct filter *f, size_t offset) {
  add(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}
static void decide(struct filter *f, uint32_t what) { add(f, BPF_RET | BPF_K, 0, 0, what); }

static const uint32_t allow = SECCOMP_RET_ALLOW, refuse = SECCOMP_RET_ERRNO | EPERM,
                      unknown = SECCOMP_RET_ERRNO | ENOSYS;
static size_t low_word(unsigned argument) {
  return offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t);
}

// Only calls of this machine's own interface have the numbers that follow.
static void begin(struct filter *f) {
  f->num = 0;
  load(f, offsetof(struct seccomp_data, arch));
  add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MACHINE);
  decide(f, SECCOMP_RET_KILL_PROCESS);
  load(f, offsetof(struct seccomp_data, nr));
  add(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FOREIGN);
  decide(f, unknown);
}

static void call_is(struct filter *f, long number, uint32_t what) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)number);
  decide(f, what);
}

// The call is allowed where its argument is `value`.
static void call_with(struct filter *f, long number, unsigned argument, uint32_t value) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)number);
  load(f, low_word(argument));
  add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
  decide(f, allow);
  load(f, offsetof(struct seccomp_data, nr));
}

// The call is allowed where its argument has none of the bits `mask`.
static void call_without(struct filter *f, long number, unsigned argument, uint32_t mask) {
  add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, (uint32_t)number);
  load(f, low_word(argument));
  add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, mask);
  decide(f, allow);
  load(f, offsetof(struct seccomp_data, nr));
}

static bool install(struct filter *f) {
  const struct sock_fprog program = {f->num, f->list};
  return f->num < MOST && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool without_network(void) {
  static const long calls[] = {SYS_socket,
                               SYS_connect,
                               SYS_bind,
                               SYS_listen,
                               SYS_ptrace,
                               SYS_process_vm_readv,
                               SYS_process_vm_writev,
                               SYS_setns,
                               SYS_unshare,
                               SYS_mount,
                               SYS_bpf,
                               SYS_perf_event_open};
  struct filter f;
  begin(&f);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) call_is(&f, calls[i], refuse);
#ifdef SYS_io_uring_setup
  call_is(&f, SYS_io_uring_setup, unknown);  // its requests pass no filter
#endif
  decide(&f, allow);
  return install(&f);
}

// What a body, the C library and the loader of shared objects need.
static const long of_a_body[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_close,
    SYS_lseek,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_getdents64,
    SYS_dup,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_sendto,
    SYS_recvfrom,
    SYS_ppoll,
    SYS_exit,
    SYS_exit_group,
    SYS_futex,
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_sched_yield,
    SYS_getrandom,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_restart_syscall,
    SYS_set_robust_list,
    SYS_sched_getaffinity,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_open
    SYS_access,
    SYS_stat,
    SYS_lstat,
    SYS_readlink,
    SYS_poll,
    SYS_time,
    SYS_arch_prctl,
#endif
};

static bool body_calls(void) {
  enum { WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND };
  const uint32_t self = (uint32_t)getpid();
  struct filter f;
  begin(&f);
  for (size_t i = 0; i < sizeof of_a_body / sizeof *of_a_body; i++)
    call_is(&f, of_a_body[i], allow);
  call_without(&f, SYS_openat, 2, WRITES);
#ifdef SYS_open
  call_without(&f, SYS_open, 1, WRITES);
#endif
  // It may raise a signal, for itself alone.
  call_with(&f, SYS_kill, 0, self);
  call_with(&f, SYS_tkill, 0, self);
  call_with(&f, SYS_tgkill, 0, self);
  // Of another process these would change something.
  call_with(&f, SYS_prlimit64, 0, 0);
  call_with(&f, SYS_ioctl, 1, TCGETS);
  call_with(&f, SYS_fcntl, 1, F_GETFD);
  call_with(&f, SYS_fcntl, 1, F_SETFD);
  call_with(&f, SYS_fcntl, 1, F_GETFL);
  decide(&f, refuse);
  return install(&f);
}
#else
static bool without_network(void) { return false; }
static bool body_calls(void) { return false; }
#endif

bool confine_compiler(const struct confine_limits *limits) {
  return limit(RLIMIT_CORE, 0) && limit(RLIMIT_CPU, limits->cpu_seconds) &&
         limit(RLIMIT_FSIZE, limits->file) && limit(RLIMIT_AS, limits->memory) && without_network();
}

// Bytes of addresses that the process has.
static uint64_t addresses(void) {
  unsigned long long pages = 0;
  FILE *in = fopen("/proc/self/statm", "r");
  if (!in) return 0;
  if (fscanf(in, "%llu", &pages) != 1) pages = 0;
  fclose(in);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

bool confine_body(uint64_t memory) {
  const uint64_t now = addresses();
  return limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, 64) &&
         (SANITIZED || (now && limit(RLIMIT_AS, now + memory))) && body_calls();
}
