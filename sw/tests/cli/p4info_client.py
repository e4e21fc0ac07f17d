# SPDX-License-Identifier: Apache-2.0
"""Compares sluice p4 info with protobuf's own library, as TAP (p4info_client.sh)."""
import re
import subprocess
import sys

from google.protobuf import json_format, text_format
from google.protobuf.descriptor import FieldDescriptor as Field
from p4.config.v1 import p4info_pb2, p4types_pb2

TYPES = {Field.TYPE_UINT32: "U32", Field.TYPE_UINT64: "U64", Field.TYPE_INT32: "I32", Field.TYPE_INT64: "I64",
         Field.TYPE_BOOL: "BOOL", Field.TYPE_STRING: "STRING", Field.TYPE_BYTES: "BYTES", Field.TYPE_ENUM: "ENUM",
         Field.TYPE_MESSAGE: "MESSAGE"}
count = failed = 0


def say(good, what):
    global count, failed
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, what))


def nested(messages, prefix=""):
    for m in messages:
        yield prefix + m.name, m
        yield from nested(m.nested_types, prefix + m.name + "_")


def short(descriptor):
    return descriptor.full_name.split("v1.")[-1].replace("google.protobuf.", "").replace(".", "_")


def row(message, f):
    is_map = f.message_type is not None and f.message_type.GetOptions().map_entry
    how = ("MAP" if is_map else "MANY" if f.label == Field.LABEL_REPEATED
           else "CHOICE" if f.containing_oneof else "ONE")
    of = ("%s_%s_entry" % (message, f.name) if is_map else short(f.message_type) if f.message_type
          else short(f.enum_type) if f.enum_type else "NONE")
    return f.name, f.number, how, TYPES[f.type], of


def table(path):
    ours, values = {}, {}
    for line in open(path):
        m = re.match(r"FIELD\((\w+), (\w+), (\d+), (\w+), (\w+), (\w+)\)", line)
        if m:
            ours.setdefault(m[1], []).append((m[2], int(m[3]), m[4], m[5], m[6]))
        m = re.match(r"VALUE\((\w+), (\w+), (\w+)\)", line)
        if m:
            values.setdefault(m[1], []).append((m[2], int(m[3], 0)))
    for name, m in list(nested(p4info_pb2.DESCRIPTOR.message_types_by_name.values())) + list(
            nested(p4types_pb2.DESCRIPTOR.message_types_by_name.values())):
        if m.GetOptions().map_entry:
            continue
        theirs = sorted((row(name, f) for f in m.fields), key=lambda r: r[1])
        say(sorted(ours.get(name, []), key=lambda r: r[1]) == theirs, "the fields of %s" % name)
        for e in m.enum_types:
            if name != "P4Ids":
                say(sorted(values[short(e)]) == sorted((v.name, v.number) for v in e.values), "the values of %s" % short(e))


def program(sluice, path):
    def run(form):
        done = subprocess.run([sluice, "p4", "info", path, "--format", form], stdout=subprocess.PIPE, check=True)
        return done.stdout
    first = subprocess.run([sluice, "p4", "info", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if first.returncode == 1:  # P4Runtime cannot say it
        say(b"control plane" in first.stderr, "%s is refused with a reason" % path)
        return
    binary, text = run("binary"), run("text").decode()
    info = p4info_pb2.P4Info()
    info.ParseFromString(binary)
    say(info == text_format.Parse(text, p4info_pb2.P4Info()) == json_format.Parse(run("json"), p4info_pb2.P4Info())
        and len(binary) == info.ByteSize(), "%s: binary, text and JSON are one message" % path)
    say(text.split("\n", 3)[3] == text_format.MessageToString(info), "%s: the text is as protobuf prints it" % path)


table(sys.argv[2])
for p in sys.argv[3:]:
    program(sys.argv[1], p)
print("1..%d" % count)
sys.exit(failed > 0)
