// SPDX-License-Identifier: MIT
#include "pipeline/scenario/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "pipeline/trajectory/hash.hpp"

namespace orrery::pipeline {
namespace {

/// The column of that name, extended to `length` by `missing`.
template <class T>
std::vector<T>& column(std::map<std::string, std::vector<T>, std::less<>>& columns, const std::string& name,
                       std::size_t length, const T& missing) {
  std::vector<T>& values = columns[name];
  values.resize(length, missing);
  return values;
}

}  // namespace

void add_row(Columns& table, const Arguments& record, const Missing& missing) {
  for (const auto& [name, value] : record) {
    if (const auto* number = std::get_if<double>(&value)) {
      column(table.numbers, name, table.rows, missing(name)).push_back(*number);
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      auto& values = column(table.numbers, name, table.rows * list->size(), missing(name));
      values.insert(values.end(), list->begin(), list->end());
    } else {
      column(table.texts, name, table.rows, std::string()).push_back(std::get<std::string>(value));
    }
  }
  const std::size_t before = table.rows++;
  for (auto& [name, values] : table.numbers) {
    const std::size_t count = before == 0 ? values.size() : std::max<std::size_t>(1, values.size() / before);
    if (!record.has(name)) values.resize(table.rows * count, missing(name));
  }
  for (auto& [name, values] : table.texts) values.resize(table.rows);
}

Arguments row_of(const Columns& table, std::size_t row) {
  Arguments record;
  for (const auto& [name, values] : table.numbers) {
    const std::size_t count = values.size() / table.rows;
    const double* first = values.data() + row * count;
    if (std::isnan(*first)) continue;  // Parameter::missing
    count == 1 ? record.set(name, *first) : record.set(name, std::vector<double>(first, first + count));
  }
  for (const auto& [name, values] : table.texts) record.set(name, values[row]);
  return record;
}

std::vector<double> rows_of(const sim::Vectors& vectors, std::size_t begin, std::size_t end) {
  std::vector<double> rows;
  rows.reserve(3 * (end - begin));
  for (std::size_t i = begin; i < end; ++i) rows.insert(rows.end(), {vectors.x[i], vectors.y[i], vectors.z[i]});
  return rows;
}

void drop_empty_texts(Columns& table) {
  std::erase_if(table.texts,
                [](const auto& column) { return std::ranges::all_of(column.second, &std::string::empty); });
}

std::uint64_t hash_of(const Columns& table) {
  trajectory::Hash hash;
  for (const auto& [name, values] : table.numbers) {
    hash.add(std::span<const char>(name));
    hash.add(std::span<const double>(values));
  }
  for (const auto& [name, values] : table.texts) {
    hash.add(std::span<const char>(name));
    for (const std::string& text : values) hash.add(std::span<const char>(text.c_str(), text.size() + 1));
  }
  return hash.value();
}

std::string hash_text(const Columns& table) {
  return fmt::format("{:016x}", hash_of(table));
}

}  // namespace orrery::pipeline
