// SPDX-License-Identifier: Apache-2.0

/// The other end of the serial line, in the tests' own words: bits, flags, escapes and the check are worked out here a
/// second time, from docs/fpga.md alone. Frames that come back are kept in `frame`, the check taken off; frames
/// with a wrong check are counted in `broken` and thrown away.
module serial_host #(
  parameter int unsigned Divisor = 4
) (
  input  logic clk_i,
  input  logic line_i,
  output logic line_o
);
  typedef logic [7:0] bytes_t [$];

  bytes_t frame [$];        // frames that have come, oldest first
  int     broken = 0;
  bit     stop_bit = 1'b1;  // 0: the next byte is sent with a wrong stop bit

  initial line_o = 1'b1;

  // CRC-16 of HDLC by long division, most significant bit of the remainder first.
  function automatic logic [15:0] check_of(bytes_t bytes, int count);
    logic [15:0] rest;
    logic [15:0] mirrored;
    rest = 16'hffff;
    for (int n = 0; n < count; n++)
      for (int b = 0; b < 8; b++) begin
        logic carry;
        carry = rest[15] ^ bytes[n][b];
        rest  = {rest[14:0], 1'b0} ^ (carry ? 16'h1021 : 16'h0000);
      end
    for (int b = 0; b < 16; b++) mirrored[b] = !rest[15-b];
    return mirrored;
  endfunction

  task automatic send_byte(logic [7:0] data);
    logic [9:0] bits;
    bits = {stop_bit, data, 1'b0};
    stop_bit = 1'b1;
    for (int b = 0; b < 10; b++) begin
      line_o = bits[b];
      repeat (Divisor) @(negedge clk_i);
    end
    line_o = 1'b1;
  endtask

  task automatic send_plain(logic [7:0] data);
    if (data == 8'h7e || data == 8'h7d) begin
      send_byte(8'h7d);
      send_byte(data ^ 8'h20);
    end else begin
      send_byte(data);
    end
  endtask

  // `damage`: bits to turn in the check.
  task automatic send(bytes_t bytes, logic [15:0] damage);
    logic [15:0] check;
    check = check_of(bytes, bytes.size()) ^ damage;
    send_byte(8'h7e);
    for (int n = 0; n < bytes.size(); n++) send_plain(bytes[n]);
    send_plain(check[7:0]);
    send_plain(check[15:8]);
    send_byte(8'h7e);
  endtask

  // ---- receiver
  initial begin
    bytes_t     bytes;
    logic [7:0] data;
    bit         escaped;
    escaped = 1'b0;
    forever begin
      @(negedge clk_i);
      if (!line_i) begin
        repeat (Divisor / 2) @(negedge clk_i);
        for (int b = 0; b < 8; b++) begin
          repeat (Divisor) @(negedge clk_i);
          data[b] = line_i;
        end
        repeat (Divisor) @(negedge clk_i);
        if (!line_i) begin
          $display("FAIL a byte of the board ends without a stop bit");
          $fatal(1, "sluice_serial");
        end
        if (data == 8'h7e) begin
          if (bytes.size() >= 5 && check_of(bytes, bytes.size() - 2) == {bytes[bytes.size()-1], bytes[bytes.size()-2]}) begin
            void'(bytes.pop_back());
            void'(bytes.pop_back());
            frame.push_back(bytes);
          end else if (bytes.size() != 0) begin
            broken++;
          end
          bytes   = {};
          escaped = 1'b0;
        end else if (data == 8'h7d) begin
          escaped = 1'b1;
        end else begin
          bytes.push_back(escaped ? data ^ 8'h20 : data);
          escaped = 1'b0;
        end
      end
    end
  end
endmodule : serial_host
