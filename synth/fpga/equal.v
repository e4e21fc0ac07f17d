// SPDX-License-Identifier: Apache-2.0

// Wide equalities as trees of LUT4 cells: two bits a leaf, four nodes a branch. Left to the mapping for area they become chains of
// wide LUTs with a third more pins, and the wires around the match tables are what the router cannot find room for.
(* techmap_celltype = "$eq" *)
module sluice_equal (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH  = 1;
  parameter B_WIDTH  = 1;
  parameter Y_WIDTH  = 1;
  input  [A_WIDTH-1:0] A;
  input  [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  localparam Width  = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
  localparam Leaves = (Width + 1) / 2;
  localparam Nodes1 = (Leaves + 3) / 4;
  localparam Nodes2 = (Nodes1 + 3) / 4;
  localparam Nodes3 = (Nodes2 + 3) / 4;
  wire _TECHMAP_FAIL_ = A_SIGNED || B_SIGNED || Width < 64 || Nodes3 > 4;

  // What a level lacks to a multiple of four is true.
  wire [2*Leaves-1:0] a = A;
  wire [2*Leaves-1:0] b = B;
  wire [4*Nodes1-1:0] leaf;
  wire [4*Nodes2-1:0] node1;
  wire [4*Nodes3-1:0] node2;
  wire [3:0]          node3;
  genvar i;
  generate
    for (i = 0; i < 4*Nodes1; i = i + 1) begin : gen_leaf
      if (i < Leaves) LUT4 #(.INIT(16'h9009)) u_same (.A(a[2*i]), .B(b[2*i]), .C(a[2*i+1]), .D(b[2*i+1]), .Z(leaf[i]));
      else assign leaf[i] = 1'b1;
    end
    for (i = 0; i < 4*Nodes2; i = i + 1) begin : gen_node1
      if (i < Nodes1) LUT4 #(.INIT(16'h8000)) u_all (.A(leaf[4*i]), .B(leaf[4*i+1]), .C(leaf[4*i+2]), .D(leaf[4*i+3]), .Z(node1[i]));
      else assign node1[i] = 1'b1;
    end
    for (i = 0; i < 4*Nodes3; i = i + 1) begin : gen_node2
      if (i < Nodes2) LUT4 #(.INIT(16'h8000)) u_all (.A(node1[4*i]), .B(node1[4*i+1]), .C(node1[4*i+2]), .D(node1[4*i+3]), .Z(node2[i]));
      else assign node2[i] = 1'b1;
    end
    for (i = 0; i < 4; i = i + 1) begin : gen_node3
      if (i < Nodes3) LUT4 #(.INIT(16'h8000)) u_all (.A(node2[4*i]), .B(node2[4*i+1]), .C(node2[4*i+2]), .D(node2[4*i+3]), .Z(node3[i]));
      else assign node3[i] = 1'b1;
    end
  endgenerate
  assign Y = &node3;
endmodule
