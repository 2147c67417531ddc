// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/bodies.hpp"

namespace orrery::pipeline {

/// What stands in rows for a number that they lack, by its name.
using Missing = std::function<double(std::string_view)>;

/// Appends a record of numbers, lists of numbers and texts. Numbers that this or an earlier record lacks are `missing` there,
/// texts are "".
void add_row(
    Columns& table, const Arguments& record, const Missing& missing = [](std::string_view) { return 0.0; });
/// A row without the numbers that are NaN.
Arguments row_of(const Columns& table, std::size_t row);
/// The vectors from `begin` to `end`, three numbers a row.
std::vector<double> rows_of(const sim::Vectors& vectors, std::size_t begin, std::size_t end);
inline std::vector<double> rows_of(const sim::Vectors& vectors) {
  return rows_of(vectors, 0, vectors.size());
}
/// Removes columns of texts that are empty in every row.
void drop_empty_texts(Columns& table);

/// XXH3 (64 bits) of the columns of numbers, then those of texts, each sorted by name: the bytes of the name, then of its
/// doubles (little-endian), or of its zero-terminated texts.
std::uint64_t hash_of(const Columns& table);
/// The same as 16 hexadecimal digits.
std::string hash_text(const Columns& table);

}  // namespace orrery::pipeline
