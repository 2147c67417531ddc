// SPDX-License-Identifier: MIT
// Tables kept column by column: rows in and out, and the hash that tells one table from another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/parameter.hpp"

namespace orrery::pipeline {

/// Appends a record: its numbers, lists of numbers and texts. A field that came before and is missing now counts as 0 or "",
/// as does one that comes now in the rows before.
void add_row(Columns& table, const Arguments& record);
/// Row `row` as a record.
Arguments row_of(const Columns& table, std::size_t row);
/// Takes away columns of texts that are empty in every row.
void drop_empty_texts(Columns& table);

/// XXH3 (64 bits) of all columns, those of numbers first, each in the order of their names: the bytes of the name, then of its
/// doubles (little-endian), or of its texts with a zero byte behind each.
std::uint64_t hash_of(const Columns& table);
/// The same as 16 hexadecimal digits.
std::string hash_text(const Columns& table);

}  // namespace orrery::pipeline
