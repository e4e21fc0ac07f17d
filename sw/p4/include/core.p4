// SPDX-License-Identifier: Apache-2.0
// The core library of P4-16, in words of our own; names and types are those of the language.
#ifndef _CORE_P4_
#define _CORE_P4_

// What a parser may report. NoError is what a packet has that was accepted.
error {
    NoError,
    PacketTooShort,        // an extract, lookahead or advance went over the end
    NoMatch,               // no case of a select fits
    StackOutOfBounds,      // no element is left in a stack, or none is there
    HeaderTooShort,        // a varbit would be longer than its type allows
    ParserTimeout,         // the parser took too long
    ParserInvalidArgument  // a length that the target does not take
}

// The packet that a parser reads, from its first bit on.
extern packet_in {
    // Reads a header and makes it valid.
    void extract<T>(out T hdr);
    // The same of a header with one varbit, which gets so many bits.
    void extract<T>(out T variableSizeHeader, in bit<32> variableFieldSizeInBits);
    // Reads without going on.
    T lookahead<T>();
    // Goes on without reading.
    void advance(in bit<32> sizeInBits);
    // Bytes of the whole packet.
    bit<32> length();
}

// The packet that a deparser writes.
extern packet_out {
    // Appends a header if it is valid; a struct or stack member by member.
    void emit<T>(in T hdr);
}

// In parsers: unless `check` holds, the packet is rejected with this error.
extern void verify(in bool check, in error toSignal);

// Its annotations are those of other compilers, since P4Info shows them.
@corelib @noWarn("unused")
action NoAction() {}

match_kind {
    exact,    // equal
    ternary,  // equal in the bits of a mask
    lpm       // equal in a prefix; the longest wins
}

// Refuses the program unless `check`, which is known at compile time, holds.
extern bool static_assert(bool check, string message);
extern bool static_assert(bool check);

#endif
