// SPDX-License-Identifier: MIT
// Rows of a suite: measured one after another, and written as a table and as records. What is measured of a failed row is
// absent, and the reason, `failure`, in its place.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/parameter.hpp"
#include "pipeline/context.hpp"
#include "pipeline/measure/columns.hpp"
#include "pipeline/measure/timing.hpp"
#include "pipeline/progress.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// Measures rows until it is stopped, and removes those that were not completed. `name(row)` is shown meanwhile. `measure(row, show)`
/// may call show(share of it that is done), which returns whether to stop; an Error is the failure of the row.
template <class Row, class Name, class Measure>
void measure_rows(std::vector<Row>& rows, Context& context, const Name& name, const Measure& measure) {
  struct Task {
    Row row;
  };
  std::vector<Task> tasks;
  for (Row& row : rows) tasks.push_back({std::move(row)});
  rows.clear();
  const Context::During orderly(context, Context::Phase::orderly);
  Progress progress("bench", context);
  const auto show = [&](const Row& row, double share) {
    progress.show((static_cast<double>(rows.size()) + share) / static_cast<double>(tasks.size()),
                  [&] { return name(row); });
    return context.stopped();
  };
  measure_rows<Task, Row>(
      tasks, rows, [&](const Row& row) { return show(row, 0); },
      [&](Task& task) { measure(task.row, [&](double share) { return show(task.row, share); }); });
}

using Cells = std::vector<std::string>;

/// Columns of words, then columns of numbers.
inline std::vector<Column> columns_of(const Cells& words, const Cells& numbers) {
  std::vector<Column> columns;
  for (const std::string& name : words) columns.push_back({name, true});
  for (const std::string& name : numbers) columns.push_back({name, false});
  return columns;
}

/// Appends the cells identify(row) of each row, and measured(row) in the columns after them.
template <class Row, class Identify, class Measured>
void add_rows(std::vector<Column>& columns, const std::vector<Row>& rows, const Identify& identify,
              const Measured& measured) {
  for (const Row& row : rows) {
    Cells cells = identify(row);
    if (row.failure.empty()) std::ranges::move(measured(row), std::back_inserter(cells));
    cells.resize(columns.size());
    add_row(columns, std::move(cells));
  }
}

/// A table of rows whose cells are in these columns.
template <class Row>
std::string table_of(const std::vector<Row>& rows, std::vector<Column> columns) {
  Cells failures;
  for (const Row& row : rows) failures.push_back(row.failure);
  return aligned(std::move(columns), failures);
}
template <class Row, class Identify, class Measured>
std::string table_of(const std::vector<Row>& rows, std::vector<Column> columns, const Identify& identify,
                     const Measured& measured) {
  add_rows(columns, rows, identify, measured);
  return table_of(rows, std::move(columns));
}

/// Records identify(row), to which measured(record, row) adds the rest.
template <class Row, class Identify, class Measured>
std::vector<Arguments> records_of(const std::vector<Row>& rows, const Identify& identify, const Measured& measured) {
  std::vector<Arguments> all;
  for (const Row& row : rows) {
    Arguments& record = all.emplace_back(identify(row));
    if (row.failure.empty()) {
      measured(record, row);
    } else {
      record.set("failure", row.failure);
    }
  }
  return all;
}

/// Sets a number unless it is 0: not measured.
inline void set_measured(Arguments& record, std::string_view key, double value) {
  if (value != 0) record.set(key, value);
}

/// What a row of a backend, or of its rate, ran on.
template <class Row>
Arguments record_of_backend(const Row& row) {
  Arguments record{{"backend", std::string(row.backend)}};
  if (row.threads > 0) record.set("threads", std::int64_t{row.threads});
  if (!row.hardware.empty()) record.set("hardware", row.hardware);
  return record;
}

/// The same with the precision, the kernel and the number of bodies of a run.
template <class Row>
Arguments record_of_run(const Row& row) {
  Arguments record = record_of_backend(row);
  record.set("precision", std::string(name_of(row.precision)));
  record.set("kernel", row.kernel);
  record.set("bodies", static_cast<std::int64_t>(row.bodies));
  return record;
}

/// The cells of the same: backend, precision, kernel, threads and bodies.
template <class Row>
Cells cells_of_run(const Row& row) {
  return {std::string(row.backend), std::string(name_of(row.precision)), row.kernel,
          row.threads > 0 ? fmt::format("{}", row.threads) : "", fmt::format("{}", row.bodies)};
}

template <class Row>
bool has_failed(const Row& row) {
  return !row.failure.empty();
}

}  // namespace orrery::pipeline
