// SPDX-License-Identifier: Apache-2.0
// Messages as text and as JSON.
#include <inttypes.h>
#include <string.h>

#include "proto.h"

static void indent(FILE *out, unsigned depth) { fprintf(out, "%*s", (int)depth * 2, ""); }

static void print_number(const struct proto_value *v, FILE *out) {
  const struct proto_field *f = &proto_fields[v->field];
  const char *name = f->type == PROTO_ENUM ? proto_value_name(f, v->number) : NULL;
  if (name) fputs(name, out);
  else if (f->type == PROTO_BOOL) fputs(v->number ? "true" : "false", out);
  else if (f->type == PROTO_I32 || f->type == PROTO_I64 || f->type == PROTO_ENUM)
    fprintf(out, "%" PRId64, (int64_t)v->number);
  else fprintf(out, "%" PRIu64, v->number);
}

// ---- text --------------------------------------------------------------------------------------

// As protobuf's own printer does: bytes that are no printable ASCII as octal numbers.
static void print_quoted(const struct proto_value *v, FILE *out) {
  fputc('"', out);
  for (size_t i = 0; i < v->len; i++) {
    const uint8_t c = v->bytes[i];
    static const char plain[] = "\n\r\t\"'\\", letters[] = "nrt\"'\\";
    const char *at = c ? strchr(plain, c) : NULL;
    if (at) fprintf(out, "\\%c", letters[at - plain]);
    else if (c < 0x20 || c >= 0x7f) fprintf(out, "\\%03o", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

static void print_text(const struct proto *m, FILE *out, unsigned depth) {
  for (const struct proto_value *v = m->values; v; v = v->next) {
    const struct proto_field *f = &proto_fields[v->field];
    indent(out, depth);
    if (f->type == PROTO_SUB) {
      fprintf(out, "%s {\n", f->name);
      print_text(v->sub, out, depth + 1);
      indent(out, depth);
      fputs("}\n", out);
      continue;
    }
    fprintf(out, "%s: ", f->name);
    if (f->type == PROTO_STRING || f->type == PROTO_BYTES) print_quoted(v, out);
    else print_number(v, out);
    fputc('\n', out);
  }
}

void proto_print_text(const struct proto *m, FILE *out) { print_text(m, out, 0); }

// ---- JSON --------------------------------------------------------------------------------------

static void print_camel(const char *name, FILE *out) {
  fputc('"', out);
  for (; *name; name++) {
    const bool up = *name == '_' && name[1] >= 'a' && name[1] <= 'z';
    if (up) name++;
    fputc(up ? *name - 'a' + 'A' : *name, out);
  }
  fputs("\": ", out);
}

static void print_string(const struct proto_value *v, FILE *out) {
  fputc('"', out);
  for (size_t i = 0; i < v->len; i++) {
    const uint8_t c = v->bytes[i];
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 0x20) fprintf(out, "\\u%04x", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

static void print_base64(const struct proto_value *v, FILE *out) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  fputc('"', out);
  for (size_t i = 0; i < v->len; i += 3) {
    const size_t n = v->len - i < 3 ? v->len - i : 3;
    uint32_t x = 0;
    for (size_t k = 0; k < 3; k++) x = x << 8 | (k < n ? v->bytes[i + k] : 0);
    for (size_t k = 0; k < 4; k++) fputc(k <= n ? digits[x >> (18 - 6 * k) & 63] : '=', out);
  }
  fputc('"', out);
}

static void print_json(const struct proto *m, FILE *out, unsigned depth);

static void print_json_value(const struct proto_value *v, FILE *out, unsigned depth) {
  switch (proto_fields[v->field].type) {
    case PROTO_SUB: print_json(v->sub, out, depth); break;
    case PROTO_STRING: print_string(v, out); break;
    case PROTO_BYTES: print_base64(v, out); break;
    case PROTO_U64:
    case PROTO_I64:
    case PROTO_ENUM:
      fputc('"', out);
      print_number(v, out);
      fputc('"', out);
      break;
    default: print_number(v, out);
  }
}

// An entry of a map is `key: value`, an element of a list the value alone.
static void print_element(const struct proto_value *v, FILE *out, unsigned depth) {
  indent(out, depth);
  if (proto_fields[v->field].how != PROTO_MAP) {
    print_json_value(v, out, depth);
    return;
  }
  print_string(v->sub->values, out);
  fputs(": ", out);
  print_json_value(v->sub->values->next, out, depth);
}

static void print_json(const struct proto *m, FILE *out, unsigned depth) {
  if (!m->values) {
    fputs("{}", out);
    return;
  }
  fputs("{\n", out);
  for (const struct proto_value *v = m->values; v;) {
    const struct proto_field *f = &proto_fields[v->field];
    indent(out, depth + 1);
    print_camel(f->name, out);
    if (f->how == PROTO_MANY || f->how == PROTO_MAP) {
      fputs(f->how == PROTO_MAP ? "{\n" : "[\n", out);
      const enum proto_field_id field = v->field;
      for (; v && v->field == field; v = v->next) {
        print_element(v, out, depth + 2);
        fputs(v->next && v->next->field == field ? ",\n" : "\n", out);
      }
      indent(out, depth + 1);
      fputc(f->how == PROTO_MAP ? '}' : ']', out);
    } else {
      print_json_value(v, out, depth + 1);
      v = v->next;
    }
    fputs(v ? ",\n" : "\n", out);
  }
  indent(out, depth);
  fputc('}', out);
}

void proto_print_json(const struct proto *m, FILE *out) {
  print_json(m, out, 0);
  fputc('\n', out);
}
