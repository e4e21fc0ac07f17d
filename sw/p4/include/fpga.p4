// SPDX-License-Identifier: Apache-2.0
// The two-block architecture of Menshen's modules: a parser and an ingress. What the ingress changes
// is written back in place, so there is no deparser.
#ifndef _FPGA_MODEL_P4_
#define _FPGA_MODEL_P4_

#include <core.p4>

struct standard_metadata_t {
    bit<32> port;
    bit<1>  discard;
}

extern register<T> {
    register(bit<32> size);
    void load(out T result, in bit<32> index);
    void store(in bit<32> index, in T value);
    // Adds 1 and gives the sum.
    void loadd(out T result, in bit<32> index);
}

parser Parser<H, M>(packet_in b, out H parsedHdr, inout M meta,
                    inout standard_metadata_t standard_metadata);
control Ingress<H, M>(inout H hdr, inout M meta, inout standard_metadata_t standard_metadata);

package FpgaSwitch<H, M>(Parser<H, M> p, Ingress<H, M> ig);

#endif
