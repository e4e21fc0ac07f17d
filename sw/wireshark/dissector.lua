-- SPDX-License-Identifier: Apache-2.0
-- Wireshark's view of reconfiguration packets and their answers (docs/machine.md, Configuration). `make build/sluice.lua` puts
-- what layouts.def says in front of this text, as three tables:
--   values[enumeration][number] = {name, doc}
--   layouts[name] = {bits = width, {field, msb, lsb, doc}, ...}
--   tables[n] = {name, module = , sub = , rest = , bits = , staged = , layout = }
-- The one-line texts of entries are those of `sluice packets --decode`, made by other code; sw/tests/cli/wireshark.sh compares them.

local sluice = Proto("sluice", "Sluice reconfiguration")
local port = 0xf1f2
local header_bytes = 18                  -- of the layout RECONFIG; entries follow, each at its own multiple of 64 bytes
local fields, shown = {}, {}

local function field_name(layout, name) return "sluice." .. layout:lower() .. "." .. name:lower() end

-- Fields up to 32 bits are numbers, wider ones bytes in hexadecimal.
for layout, list in pairs(layouts) do
  for _, field in ipairs(list) do
    local abbreviation, width = field_name(layout, field[1]), field[2] - field[3] + 1
    local proto_field
    if width > 32 then
      proto_field = ProtoField.string(abbreviation, field[1], field[4])
    else
      proto_field = ProtoField.uint32(abbreviation, field[1], base.DEC_HEX, nil, nil, field[4])
    end
    fields[abbreviation] = proto_field
    shown[#shown + 1] = proto_field
  end
end
fields.summary = ProtoField.string("sluice.summary", "Message")
fields.entry = ProtoField.string("sluice.entry", "Entry")
fields.index = ProtoField.uint32("sluice.entry.index", "Index")
for _, name in ipairs({"summary", "entry", "index"}) do shown[#shown + 1] = fields[name] end
sluice.fields = shown

-- ---- bits of left-justified words. A word is a string of bytes; bit width - 1 is its first one.
local function bits_of(word, width, msb, lsb)
  local value = 0
  for bit = msb, lsb, -1 do
    local at = width - 1 - bit
    local byte = word:byte(math.floor(at / 8) + 1)
    value = value * 2 + math.floor(byte / 2 ^ (7 - at % 8)) % 2
  end
  return value
end

local function field_of(word, layout, name)
  for _, field in ipairs(layouts[layout]) do
    if field[1] == name then return bits_of(word, layouts[layout].bits, field[2], field[3]) end
  end
  error("no field " .. layout .. "." .. name)
end

-- The same of a number.
local function part_of(number, layout, name)
  for _, field in ipairs(layouts[layout]) do
    if field[1] == name then return math.floor(number / 2 ^ field[3]) % 2 ^ (field[2] - field[3] + 1) end
  end
  error("no field " .. layout .. "." .. name)
end

local function hexadecimal(word, width, msb, lsb)
  local text, top = "", msb
  while top >= lsb do
    local low = top - (top - lsb) % 4
    text = text .. string.format("%x", bits_of(word, width, top, low))
    top = low - 1
  end
  return (text:gsub("^0+", ""))
end

-- ---- words
local function name_of(enumeration, number)
  local value = values[enumeration][number]
  return value and value[1] or "?"
end

local function doc_of(enumeration, number)
  local value = values[enumeration][number]
  return value and value[2] or "0"
end

local function container(kind, index) return string.format("%dB[%d]", 2 * kind, index) end

local function operand(bits)
  local kind, index = math.floor(bits / 8), bits % 8
  return kind == 0 and tostring(math.floor(index)) or container(kind, index)
end

-- In FUNC with DATA set: a data word of the entry, or a number.
local function func_operand(bits, data)
  if not data or bits >= 8 then return operand(bits) end
  return string.format("%s%d", bits < 4 and "d" or "", bits % 4)
end

local function constant(value)
  local number = value >= 2 ^ 31 and value - 2 ^ 32 or value
  if number > -65536 and number < 65536 then return string.format("%d", number) end
  return string.format("0x%08x", value)
end

local function swapped(sentence, swap)
  sentence = sentence:gsub(" %[M%]$", "")
  return (sentence:gsub("[%w_]+", function(word) return swap[word] end))
end

local function in_brackets(condition) return "if (" .. condition .. ") " end

-- ---- actions
local function metadata_slot(word)
  local op, a, b = name_of("OP", part_of(word, "INSTR", "OP")), operand(part_of(word, "INSTR", "A")), operand(part_of(word, "INSTR", "B"))
  if op == "PORT" then return string.format("destination = 0x%02x", part_of(word, "INSTR_MD", "DEST")) end
  if op == "DISCARD" then return string.format("discard = %d", part_of(word, "INSTR_MD", "DISCARD")) end
  if op == "FUNC" then return "port = " .. func_operand(part_of(word, "INSTR", "A"), part_of(word, "INSTR_FUNC", "DATA") == 1) end
  if op == "FUNCI" then return "discard = " .. a .. " != 0" end
  if op == "SETHI" then return "port = " .. a .. ", discard = " .. b .. " != 0" end
  return op .. " without effect in slot 0"
end

local function slot_text(word, slot)
  if slot == 0 then return metadata_slot(word) end
  local kind = 1 + math.floor((slot - 1) / 8)
  local d = container(kind, (slot - 1) % 8)
  local op = name_of("OP", part_of(word, "INSTR", "OP"))
  local a, b = part_of(word, "INSTR", "A"), part_of(word, "INSTR", "B")
  local own_a, own_b = container(kind, a % 8), container(kind, b % 8)
  local immediate, low = part_of(word, "INSTR_IMM", "IMM"), part_of(word, "INSTR_FUNCI", "IMM")
  local data = op == "FUNC" and part_of(word, "INSTR_FUNC", "DATA") == 1
  local swap = {A = func_operand(a, data), B = func_operand(b, data), C = func_operand(part_of(word, "INSTR_FUNC", "C"), data),
                I = tostring(math.floor(low >= 2048 and low - 4096 or low))}
  local memory = "mem[" .. container(2, b % 8) .. "]"
  local texts = {
    ADD = function() return d .. " = " .. own_a .. " + " .. own_b end,
    SUB = function() return d .. " = " .. own_a .. " - " .. own_b end,
    ADDI = function() return string.format("%s = %s + %d", d, own_a, immediate) end,
    SUBI = function() return string.format("%s = %s - %d", d, own_a, immediate) end,
    SET = function() return string.format("%s = %d", d, immediate) end,
    SETHI = function() return string.format("%s = {0x%04x, %s[15:0]}", d, immediate, swap.A) end,
    EXT = function() return d .. " = " .. (values.EXT[immediate % 16] and name_of("EXT", immediate % 16) or "0") end,
    FUNC = function() return d .. " = " .. swapped(doc_of("FUNC", part_of(word, "INSTR_FUNC", "F")), swap) end,
    FUNCI = function() return d .. " = " .. swapped(doc_of("FUNCI", part_of(word, "INSTR_FUNCI", "F")), swap) end,
    LOAD = slot == 16 and function() return d .. " = " .. memory end,
    LOADD = slot == 16 and function() return d .. " = " .. memory .. " + 1, stored" end,
    STORE = slot == 16 and function() return memory .. " = " .. container(2, a % 8) end,
  }
  if texts[op] then return texts[op]() end
  return string.format("%s without effect in slot %d", op, slot)
end

local function action_text(word, width)
  local parts = {}
  for slot = 0, 24 do
    local instruction = bits_of(word, width, 25 * slot + 24, 25 * slot)
    local op = name_of("OP", part_of(instruction, "INSTR", "OP"))
    if op ~= "NOP" and op ~= "NOP_FILL" then parts[#parts + 1] = slot_text(instruction, slot) end
  end
  return #parts > 0 and table.concat(parts, "; ") or "nothing"
end

-- ---- parser, deparser, key
local function parse_text(word, preposition)
  local parts = {}
  for a = 0, 9 do
    local action = word:sub(2 * a + 1, 2 * a + 2)
    local kind, from = field_of(action, "PARSE_ACTION", "KIND"), field_of(action, "PARSE_ACTION", "OFFSET")
    if field_of(action, "PARSE_ACTION", "VALID") == 1 and kind > 0 then
      local source = field_of(action, "PARSE_ACTION", "METADATA") == 1 and "metadata" or "bytes"
      parts[#parts + 1] = string.format("%s %d..%d %s %s", source, from, from + 2 * kind - 1, preposition,
                                        container(kind, field_of(action, "PARSE_ACTION", "IDX")))
    end
  end
  return #parts > 0 and table.concat(parts, ", ") or "nothing"
end

local function compared(number)
  if part_of(number, "CMP_OPERAND", "IMMEDIATE") == 1 then return tostring(math.floor(number % 256)) end
  local kind = part_of(number, "CMP_OPERAND", "KIND")
  return kind == 3 and "0" or container(kind + 1, part_of(number, "CMP_OPERAND", "IDX"))
end

local function key_text(word)
  local function get(name) return field_of(word, "KEY_EXTRACT", name) end
  local picked = {}
  for kind = 3, 1, -1 do
    for _, which in ipairs({"FIRST", "SECOND"}) do
      picked[#picked + 1] = container(kind, get(string.format("B%d_%s", 2 * kind, which)))
    end
  end
  picked[#picked + 1] = swapped(doc_of("CMP", get("CMP_OP")), {A = compared(get("CMP_A")), B = compared(get("CMP_B"))})
  return table.concat(picked, ", ")
end

-- ---- state instructions
local function state_text(word)
  local function get(name) return field_of(word, "STATE_INSTR", name) end
  if get("VALID") == 0 then return "nothing" end
  local stands = {P1 = operand(get("P1")), P2 = operand(get("P2")), S1 = "S1", S2 = "S2"}
  for k = 0, 3 do stands["K" .. k] = constant(get("K" .. k)) end

  local function predicate_text(bits)
    local state = stands[name_of("PRED_S", part_of(bits, "PREDICATE", "X_STATE"))]
    local packet = swapped(doc_of("PRED_P", part_of(bits, "PREDICATE", "X_PACKET")), {P1 = stands.P1, P2 = stands.P2})
    if packet:find(" ") then packet = "(" .. packet .. ")" end
    local sum = state or packet
    if state and packet ~= "0" then sum = "(" .. state .. " + " .. packet .. ")" end
    local y = stands[name_of("PRED_Y", part_of(bits, "PREDICATE", "Y"))]
    return swapped(doc_of("REL", part_of(bits, "PREDICATE", "REL")), {X = sum, Y = y})
  end

  local function truth_of(bits)                -- true, false, or nil: it depends
    local relation = name_of("REL", part_of(bits, "PREDICATE", "REL"))
    if relation == "TRUE" then return true end
    if relation == "FALSE" then return false end
    return nil
  end

  local function update_text(update, number)
    local keep, minus = part_of(update, "UPDATE", "KEEP") == 1, part_of(update, "UPDATE", "SUB") == 1
    local a = stands[name_of("ARM", part_of(update, "UPDATE", "A"))] or "0"
    local b = stands[name_of("ARM", part_of(update, "UPDATE", "B"))] or "0"
    local sum = keep and "S" .. number or ""
    if a ~= "0" then sum = sum .. (sum ~= "" and " + " or "") .. a end
    if b ~= "0" then
      if sum ~= "" then sum = sum .. (minus and " - " or " + ") .. b else sum = (minus and "-" or "") .. b end
    end
    if keep and a == "0" and b == "0" then return nil end
    return string.format("S%d' = %s", number, sum ~= "" and sum or "0")
  end

  local function arm_text(arm)
    local parts = {}
    for number = 1, 2 do parts[#parts + 1] = update_text(get(arm .. number), number) end
    return #parts > 0 and table.concat(parts, ", ") or "nothing changes"
  end

  local function choice_text(predicate, yes, no)
    local truth = truth_of(predicate)
    if truth ~= nil then return arm_text(truth and yes or no) end
    return in_brackets(predicate_text(predicate)) .. "{" .. arm_text(yes) .. "} else {" .. arm_text(no) .. "}"
  end

  local first, other = get("PRED_1"), get("PRED_4")
  local upper = choice_text(get("PRED_2"), "A", "B")
  if truth_of(first) == true then return upper end
  local lower
  if truth_of(other) ~= false then
    lower = (truth_of(other) == nil and in_brackets(predicate_text(other)) or "") .. "{" .. choice_text(get("PRED_3"), "C", "D") .. "}"
  end
  if truth_of(first) == false then return lower or "nothing changes" end
  return in_brackets(predicate_text(first)) .. "{" .. upper .. "}" .. (lower and " else " .. lower or "")
end

-- ---- accesses, hashes, and what has no text of its own
local function access_text(word)
  local function get(name) return field_of(word, "ACCESS", name) end
  if get("ENABLE") == 0 then return "nothing" end
  local text = get("PINNED") == 1 and string.format("pinned to pipeline %d,", get("PIPE")) or "sharded,"
  text = text .. " index " .. operand(get("INDEX"))
  if get("PREDICATE") < 8 then return text end
  return text .. ", if " .. operand(get("PREDICATE")) .. " is " .. (get("INVERT") == 1 and "" or "not ") .. "0"
end

local function hash_text(word)
  local function get(name) return field_of(word, "HASH_INSTR", name) end
  if get("VALID") == 0 then return "nothing" end
  local words = {}
  for w, name in ipairs({"A", "B", "C"}) do
    if w <= get("NUM_WORDS") then words[#words + 1] = operand(get(name)) end
  end
  local text = name_of("HASH", get("ALGORITHM")) .. " (" .. table.concat(words, ", ") .. ")"
  return get("MODULUS") > 0 and string.format("%s modulo %.0f", text, get("MODULUS")) or text
end

local function multiply_text(word)
  return "PRODUCT = " .. operand(field_of(word, "MULTIPLY", "A")) .. " * " .. operand(field_of(word, "MULTIPLY", "B"))
end

local function compare_text(word)
  local function get(name) return field_of(word, "KEY_COMPARE", name) end
  local op = name_of("WIDE", get("OP"))
  if op == "ZERO" or not values.WIDE[get("OP")] then return "nothing" end
  local b = operand(get("B"))
  if get("IMMEDIATE") == 1 then
    local k, with_sign = get("K"), op == "GT" or op == "GE"
    b = string.format("%.0f", with_sign and k >= 2 ^ 31 and k - 2 ^ 32 or k)
  end
  return swapped(doc_of("WIDE", get("OP")), {A = operand(get("A")), B = b})
end

local function fields_text(word, layout)
  local parts, width = {}, layouts[layout].bits
  for _, field in ipairs(layouts[layout]) do
    local digits = hexadecimal(word, width, field[2], field[3])
    if #digits == 1 and tonumber(digits) and field[2] - field[3] < 64 then parts[#parts + 1] = field[1] .. " " .. digits
    elseif digits ~= "" then parts[#parts + 1] = field[1] .. " 0x" .. digits end
  end
  return #parts > 0 and table.concat(parts, ", ") or "0"
end

-- ---- arrays: rows of words
local row_texts = {KEEP = "row", ADD = "row + words", ADDS = "add_sat(row, words)", MAX = "max(row, words)", MIN = "min(row, words)",
  SET = "words", CLEAR = "0", OR = "row | words"}
local function array_text(word)
  local function get(name) return field_of(word, "ARRAY_INSTR", name) end
  if get("VALID") == 0 then return "none" end
  local yes, no = row_texts[name_of("ARRAY_OP", get("ON_TRUE"))], row_texts[name_of("ARRAY_OP", get("ON_FALSE"))]
  local select, result = get("SELECT"), get("RESULT")
  local text = "row = " .. yes
  if select >= 1 and select <= 4 then text = string.format("row = predicate %d ? %s : %s", select, yes, no) end
  if result == 1 then return text .. ", words = row before" end
  return result == 0 and text or text .. ", words = row"
end

-- Numbers of bits that are set, runs as first..last.
local function bit_numbers(number, width)
  local parts, i = {}, 0
  local function is_set(n) return n < width and math.floor(number / 2 ^ n) % 2 == 1 end
  while i < width do
    if is_set(i) then
      local last = i
      while is_set(last + 1) do last = last + 1 end
      parts[#parts + 1] = last > i and string.format("%d..%d", i, last) or string.format("%d", i)
      i = last
    end
    i = i + 1
  end
  return table.concat(parts, ", ")
end

local function keys_text(word)
  local function get(name) return field_of(word, "ARRAY_KEYS", name) end
  if get("VALID") == 0 then return "no words are keys" end
  local words = bit_numbers(get("WORDS"), 16)
  local text = (words == "" and "no words" or "words " .. words) .. " are keys; one without an entry "
    .. (get("STAY") == 1 and "stays" or "becomes 0")
  return get("FOUND_VALID") == 1 and string.format("%s; 2B[%d] = which are found", text, get("FOUND")) or text
end

local entry_texts = {
  PARSER = function(word) return parse_text(word, "to") end,
  DEPARSER = function(word) return parse_text(word, "from") end,
  EGRESS_PARSER = function(word) return parse_text(word, "to") end,
  EGRESS_DEPARSER = function(word) return parse_text(word, "from") end,
  KEY_EXTRACT = key_text, STATE_INSTR = state_text, ACCESS = access_text, HASH_INSTR = hash_text, MULTIPLY = multiply_text,
  KEY_COMPARE = compare_text,
  ARRAY_INSTR = array_text, ARRAY_KEYS = keys_text,
}

local function entry_text(which, word)
  if which.name == "ACTION" then return action_text(word, which.bits) end
  if entry_texts[which.name] then return entry_texts[which.name](word) end
  return fields_text(word, which.layout)
end

-- ---- the packet
local function table_of(module, sub)
  local rest
  for _, candidate in ipairs(tables) do
    if candidate.module == module then
      if candidate.rest then rest = candidate elseif candidate.sub == sub then return candidate end
    end
  end
  return rest
end

local operations = {[0] = "write", "read", "erase", "answer", "refused"}

local function summary_text(get, which)
  local op = get("OP")
  local text = operations[op] or string.format("operation %d", op)
  if which then text = text .. " " .. which.name
  else text = text .. string.format(" of no table (resource %d, sub-table %d)", get("RESOURCE"), get("SUB")) end
  if not which or which.staged then text = text .. string.format(" stage %d", get("STAGE")) end
  local name = which and which.name
  if name == "STATE" or name == "STATE_ROW" or name == "FILL" or name == "TAKE" or name == "CUT" or
    name == "TENANT" or name == "REGION" or name == "ADDRESS" then text = text .. string.format(" row %d", get("ROW")) end
  if name ~= "FILL" then text = text .. string.format(" index %d", get("INDEX_HI") * 256 + get("INDEX_LO")) end
  if operations[op] == "read" then
    local count = get("COUNT")
    text = text .. string.format(" count %d copy %d", count > 0 and count or 1, get("COPY"))
  end
  return get("SERIAL") > 0 and text .. string.format(" serial %d", get("SERIAL")) or text
end

-- The bytes that a field of a word touches, for the line that is marked when one clicks on it.
local function add_fields(tree, range, word, layout)
  local width = layouts[layout].bits
  for _, field in ipairs(layouts[layout]) do
    local first = math.floor((width - 1 - field[2]) / 8)
    local last = math.floor((width - 1 - field[3]) / 8)
    local value
    if field[2] - field[3] + 1 > 32 then
      local digits = hexadecimal(word, width, field[2], field[3])
      value = "0x" .. (digits ~= "" and digits or "0")
    else
      value = bits_of(word, width, field[2], field[3])
    end
    tree:add(fields[field_name(layout, field[1])], range:range(first, last - first + 1), value)
  end
end

function sluice.dissector(buffer, packet, root)
  if buffer:len() < header_bytes then return 0 end
  local header = buffer:raw(0, header_bytes)
  local function get(name) return field_of(header, "RECONFIG", name) end
  local which = table_of(get("RESOURCE"), get("SUB"))
  local summary = summary_text(get, which)
  packet.cols.protocol = "Sluice"
  packet.cols.info = summary
  local tree = root:add(sluice, buffer(), "Sluice, " .. summary)
  tree:add(fields.summary, buffer(0, header_bytes), summary)
  add_fields(tree:add(sluice, buffer(0, header_bytes), "Header"), buffer(0, header_bytes), header, "RECONFIG")
  if not which or operations[get("OP")] == "read" then return buffer:len() end

  local bytes = math.ceil(which.bits / 8)
  local stride = math.ceil(bytes / 64) * 64
  local index, at = get("INDEX_HI") * 256 + get("INDEX_LO"), header_bytes
  while at + bytes <= buffer:len() do
    local word, range = buffer:raw(at, bytes), buffer(at, bytes)
    local branch = tree:add(fields.entry, range, entry_text(which, word))
    branch:add(fields.index, range, index)
    if which.layout then add_fields(branch, range, word, which.layout) end
    index, at = index + 1, at + stride
  end
  return buffer:len()
end

DissectorTable.get("udp.port"):add(port, sluice)

-- ---- programs in packets (docs/active.md)
-- Behind the EtherType: the header, and what its flags say: arguments and instructions up to EOF, a request, or the ranges of an answer.
local capsule = Proto("sluice_capsule", "Sluice capsule")
local text_field = {
  summary = ProtoField.string("sluice_capsule.summary", "Capsule"),
  instruction = ProtoField.string("sluice_capsule.instruction", "Instruction"),
  range = ProtoField.string("sluice_capsule.range", "Words"),
}
capsule.fields = {text_field.summary, text_field.instruction, text_field.range}
local ethertype, signature, ranges = 0x83b2, 0x12345678, 20

local function octets(layout) return layouts[layout].bits / 8 end
-- The part of the packet from `at` on that a layout takes; nothing if it is cut short.
local function part(buffer, at, layout)
  local bytes = octets(layout)
  if at + bytes <= buffer:len() then return buffer:raw(at, bytes), buffer(at, bytes) end
end

local function capsule_kind(get)
  if get("REQUEST") == 1 then return "request" end
  if get("REQUEST") == 2 then return get("EXTRA") == 1 and "words" or get("ALLOCATED") == 1 and "answer" or "poll" end
  return get("DONE") == 1 and "done" or "program"
end

local function instruction_text(word)
  local opcode = field_of(word, "CAPSULE_INSTR", "OPCODE")
  local known = values.OPCODE[opcode]
  return string.format("%02x %02x  %s", word:byte(1), opcode, known and known[1] or "WORD")
end

local function add_instructions(tree, buffer, at)
  while true do
    local word, range = part(buffer, at, "CAPSULE_INSTR")
    if not word then return end
    local opcode = field_of(word, "CAPSULE_INSTR", "OPCODE")
    if values.OPCODE[opcode] and values.OPCODE[opcode][1] == "EOF" then return end
    add_fields(tree:add(text_field.instruction, range, instruction_text(word)), range, word, "CAPSULE_INSTR")
    at = at + 2
  end
end

local function add_part(tree, buffer, at, layout, title)
  local word, range = part(buffer, at, layout)
  if word then add_fields(tree:add(capsule, range, title), range, word, layout) end
end

function capsule.dissector(buffer, packet, root)
  local header, range = part(buffer, 0, "CAPSULE")
  if not header or field_of(header, "CAPSULE", "SIGNATURE") ~= signature then return 0 end
  local function get(name) return field_of(header, "CAPSULE", name) end
  local kind = capsule_kind(get)
  local summary = string.format("%s, FID %d, seq %d", kind, get("FID"), get("SEQ"))
  for _, field in ipairs(layouts.CAPSULE) do
    if field[2] == field[3] and get(field[1]) == 1 then summary = summary .. ", " .. field[1] end
  end
  packet.cols.protocol = "Capsule"
  packet.cols.info = summary
  local tree, at = root:add(capsule, buffer(), "Sluice capsule, " .. summary), octets("CAPSULE")
  tree:add(text_field.summary, range, summary)
  add_fields(tree:add(capsule, range, "Header"), range, header, "CAPSULE")
  if kind == "request" then add_part(tree, buffer, at, "CAPSULE_REQUEST", "Request") end
  if kind == "program" or kind == "done" and get("ARGS") == 1 then add_part(tree, buffer, at, "CAPSULE_ARGS", "Arguments") end
  if kind == "program" then add_instructions(tree, buffer, at + octets("CAPSULE_ARGS")) end
  for stage = 0, kind == "answer" and ranges - 1 or -1 do
    local word, place = part(buffer, at + stage * octets("CAPSULE_RANGE"), "CAPSULE_RANGE")
    if not word then break end
    local first, last = field_of(word, "CAPSULE_RANGE", "FIRST") % 2 ^ 31, field_of(word, "CAPSULE_RANGE", "LAST")
    if first + last > 0 then
      add_fields(tree:add(text_field.range, place, string.format("stage %d: words %d to %d", stage, first, last)), place, word, "CAPSULE_RANGE")
    end
  end
  return buffer:len()
end

DissectorTable.get("ethertype"):add(ethertype, capsule)
