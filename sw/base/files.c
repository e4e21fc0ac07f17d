// SPDX-License-Identifier: Apache-2.0
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_ROOM = 65536, TRIES = 100 };

// ---- reading ------------------------------------------------------------------------------------

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

static enum sluice_status grow(struct sluice_file *f, const char *path,
                               struct sluice_error *error) {
  const size_t room = f->room ? 2 * f->room : FIRST_ROOM;
  char *more = sluice_resize(f->alloc, f->bytes, f->room, room);
  if (!more) return sluice_fail(error, SLUICE_ERR_NOMEM, "'%s': out of memory", path);
  f->bytes = more;
  f->room = room;
  return SLUICE_OK;
}

static enum sluice_status read_all(struct sluice_file *f, FILE *in, const char *path, size_t most,
                                   struct sluice_error *error) {
  for (size_t got = 1; got; f->len += got) {
    if (f->len + 1 >= f->room) SLUICE_TRY(grow(f, path, error));
    errno = 0;
    got = fread(f->bytes + f->len, 1, f->room - f->len - 1, in);
    if (ferror(in))
      return sluice_fail(error, SLUICE_ERR_IO, "cannot read '%s': %s", path, strerror(errno));
    if (f->len + got > most)
      return sluice_fail(error, SLUICE_ERR_FORMAT, "'%s' is longer than %zu bytes", path, most);
  }
  f->bytes[f->len] = 0;
  return SLUICE_OK;
}

enum sluice_status sluice_file_read(struct sluice_file *file, const char *path, size_t most,
                                    const struct sluice_alloc *alloc, struct sluice_error *error) {
  *file = (struct sluice_file){.alloc = alloc};
  FILE *in = is_standard(path) ? stdin : fopen(path, "rbe");
  if (!in) return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", path, strerror(errno));
  const enum sluice_status status = read_all(file, in, path, most, error);
  if (in != stdin) fclose(in);
  if (status) sluice_file_release(file);
  return status;
}

enum sluice_status sluice_text_read(struct sluice_file *file, const char *path, size_t most,
                                    const struct sluice_alloc *alloc, struct sluice_error *error) {
  static const char mark[] = "\xef\xbb\xbf";  // editors and spreadsheets begin a text with it
  SLUICE_TRY(sluice_file_read(file, path, most, alloc, error));
  if (file->len >= 3 && memcmp(file->bytes, mark, 3) == 0) {
    file->len -= 3;
    memmove(file->bytes, file->bytes + 3, file->len + 1);
  }
  const char *zero = memchr(file->bytes, 0, file->len);
  size_t line = 1;
  for (const char *at = file->bytes; zero && at < zero; at++) line += *at == '\n';
  if (file->len && !zero) return SLUICE_OK;
  sluice_file_release(file);
  return zero ? sluice_fail(error, SLUICE_ERR_FORMAT,
                            "'%s': line %zu: a zero byte: this is no text in UTF-8", path, line)
              : sluice_fail(error, SLUICE_ERR_FORMAT, "'%s': line 1: the file is empty", path);
}

void sluice_file_release(struct sluice_file *file) {
  sluice_resize(file->alloc, file->bytes, file->room, 0);
  *file = (struct sluice_file){.alloc = file->alloc};
}

// ---- writing ------------------------------------------------------------------------------------

// Whether a new file may take the place of what is at `path`; *rights are those that this has.
static bool may_replace(const char *path, mode_t *rights) {
  struct stat info;
  *rights = 0;
  if (lstat(path, &info) != 0) return errno == ENOENT;
  *rights = info.st_mode & 0777;
  return S_ISREG(info.st_mode) && info.st_nlink == 1 && info.st_uid == geteuid() &&
         access(path, W_OK) == 0;
}

// A file beside it that did not exist, with the rights that the file has or a new one gets.
static FILE *open_beside(struct sluice_out *out) {
  const size_t room = strlen(out->path) + 40;
  mode_t rights;
  char *name = may_replace(out->path, &rights) ? malloc(room) : NULL;
  for (unsigned n = 0; name && n < TRIES; n++) {
    snprintf(name, room, "%s.new-%ld-%u", out->path, (long)getpid(), n);
    const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd >= 0 && rights) (void)!fchmod(fd, rights);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file) out->beside = name;
    else if (fd >= 0) close(fd), unlink(name);
    if (file) return file;
    break;
  }
  free(name);
  return NULL;
}

enum sluice_status sluice_out_open(struct sluice_out *out, const char *path,
                                   struct sluice_error *error) {
  *out = (struct sluice_out){.path = path};
  out->file = is_standard(path) ? stdout : open_beside(out);
  if (!out->file) out->file = fopen(path, "wbe");
  if (out->file) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s", path, strerror(errno));
}

enum sluice_status sluice_out_close(struct sluice_out *out, bool good, struct sluice_error *error) {
  FILE *file = out->file;
  errno = 0;
  bool written = fflush(file) == 0 && !ferror(file);
  int why = out->why ? out->why : errno;
  if (file != stdout && fclose(file) != 0) {
    if (written) why = errno;
    written = false;
  }
  if (written && good && out->beside && rename(out->beside, out->path) != 0) {
    why = errno;
    written = false;
  }
  if (out->beside && !(written && good)) unlink(out->beside);
  free(out->beside);
  const char *path = out->path;
  *out = (struct sluice_out){.file = NULL};
  if (!good) return SLUICE_ERR_FORMAT;
  if (written) return SLUICE_OK;
  return sluice_fail(error, SLUICE_ERR_IO, "cannot write '%s': %s",
                     is_standard(path) ? "standard output" : path, strerror(why ? why : EIO));
}

enum sluice_status sluice_file_write(const char *path, const void *bytes, size_t len,
                                     struct sluice_error *error) {
  struct sluice_out out;
  SLUICE_TRY(sluice_out_open(&out, path, error));
  if (fwrite(bytes, 1, len, out.file) != len) out.why = errno;
  return sluice_out_close(&out, true, error);
}

enum sluice_status sluice_file_copy(const char *from, const char *to, struct sluice_error *error) {
  char bytes[FIRST_ROOM];
  struct sluice_out out;
  FILE *in = is_standard(from) ? stdin : fopen(from, "rbe");
  if (!in) return sluice_fail(error, SLUICE_ERR_IO, "cannot open '%s': %s", from, strerror(errno));
  enum sluice_status status = sluice_out_open(&out, to, error);
  if (!status) {
    size_t got = 1;
    while (got && !ferror(out.file)) {
      got = fread(bytes, 1, sizeof bytes, in);
      if (fwrite(bytes, 1, got, out.file) != got) out.why = errno;
    }
    const bool good = !ferror(in);
    if (!good) sluice_fail(error, SLUICE_ERR_IO, "cannot read '%s': %s", from, strerror(errno));
    status = sluice_out_close(&out, good, error);
  }
  if (in != stdin) fclose(in);
  return status;
}
