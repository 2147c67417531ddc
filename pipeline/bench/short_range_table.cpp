// SPDX-License-Identifier: MIT
// Columns for people, keys for programs, and the figures of others beside their problems.
#include "pipeline/bench/short_range_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/measure/columns.hpp"
#include "pipeline/measure/forces.hpp"

namespace orrery::pipeline {
namespace {

bool is_of(const Published& theirs, const ShortRangeRow& row) {
  return theirs.problem == row.problem && theirs.bodies == row.bodies;
}

/// "V100 2.6 s, A100 1.0 s"
std::string elsewhere(const ShortRangeRow& row) {
  std::string text;
  for (const Published& theirs : published_times()) {
    if (is_of(theirs, row)) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", theirs.hardware, theirs.words);
  }
  return text;
}

std::string in_seconds(double seconds) {
  return seconds < 99.95 ? fmt::format("{:.3g}", seconds) : fmt::format("{:.0f}", seconds);
}

}  // namespace

std::string table(const std::vector<ShortRangeRow>& rows) {
  std::vector<Column> columns{{"problem", true},
                              {"backend", true},
                              {"precision", true},
                              {"kernel", true},
                              {"threads", false},
                              {"bodies", false},
                              {"µs a step", false},
                              {"spread", false},
                              {"steps/s", false},
                              {"s of 1000 steps", false},
                              {"set-up", false},
                              {"wall", false},
                              {"ns a particle-step", false},
                              {"of copy rate", false},
                              {"elsewhere", true}};
  std::vector<std::string> failures;
  for (const ShortRangeRow& row : rows) {
    const bool measured = row.failure.empty();
    std::size_t next = 0;
    const auto put = [&](bool known, const auto& text) {
      columns[next++].cells.push_back(known ? std::string(text()) : "");
    };
    put(true, [&] { return name_of(row.problem); });
    put(true, [&] { return row.backend; });
    put(true, [&] { return name_of(row.precision); });
    put(true, [&] { return row.kernel; });
    put(row.threads > 0, [&] { return fmt::format("{}", row.threads); });
    put(true, [&] { return fmt::format("{}", row.bodies); });
    put(measured, [&] { return in_microseconds(row.timing.median); });
    put(measured, [&] { return percent(row.timing.spread()); });
    put(measured, [&] { return fmt::format("{:.0f}", 1 / row.timing.median); });
    put(measured, [&] { return in_seconds(row.of_a_run()); });
    put(measured, [&] { return in_seconds(row.set_up); });
    put(measured, [&] { return in_seconds(row.set_up + row.of_a_run()); });
    put(measured, [&] { return fmt::format("{:.3g}", 1e9 * row.of_a_particle_step()); });
    put(measured && row.share_of_copy() > 0, [&] { return percent(row.share_of_copy()); });
    put(true, [&] { return elsewhere(row); });
    failures.push_back(row.failure);
  }
  return aligned(std::move(columns), failures);
}

std::vector<Arguments> records(const std::vector<ShortRangeRow>& rows) {
  std::vector<Arguments> all;
  for (const ShortRangeRow& row : rows) {
    Arguments record{{"problem", std::string(name_of(row.problem))},
                     {"backend", std::string(row.backend)},
                     {"precision", std::string(name_of(row.precision))},
                     {"kernel", row.kernel},
                     {"bodies", static_cast<std::int64_t>(row.bodies)}};
    if (row.threads > 0) record.set("threads", std::int64_t{row.threads});
    if (!row.hardware.empty()) record.set("hardware", row.hardware);
    if (!row.failure.empty()) {
      record.set("failure", row.failure);
    } else {
      record.set("seconds_per_step", row.timing.median);
      record.set("least_seconds_per_step", row.timing.least);
      record.set("greatest_seconds_per_step", row.timing.greatest);
      record.set("spread", row.timing.spread());
      record.set("repetitions", std::int64_t{row.timing.repetitions});
      record.set("steps_per_repetition", row.timing.steps);
      record.set("steps_per_second", 1 / row.timing.median);
      record.set("seconds_of_1000_steps", row.of_a_run());
      record.set("seconds_of_set_up", row.set_up);
      record.set("seconds_per_particle_step", row.of_a_particle_step());
      record.set("least_bytes_per_particle_step", row.least_bytes());
      if (row.copy_rate > 0) record.set("share_of_copy_rate", row.share_of_copy());
    }
    all.push_back(std::move(record));
  }
  return all;
}

std::vector<Arguments> records(const std::vector<CopyRate>& rates) {
  std::vector<Arguments> all;
  for (const CopyRate& rate : rates) {
    Arguments record{{"backend", std::string(rate.backend)},
                     {"hardware", rate.hardware},
                     {"bytes_per_second", rate.bytes_per_second}};
    if (rate.threads > 0) record.set("threads", std::int64_t{rate.threads});
    all.push_back(std::move(record));
  }
  return all;
}

std::vector<Arguments> published_records(const std::vector<ShortRangeRow>& rows) {
  std::vector<Arguments> all;
  for (const Published& theirs : published_times()) {
    if (std::ranges::none_of(rows, [&](const ShortRangeRow& row) { return is_of(theirs, row); })) continue;
    all.push_back(Arguments{{"problem", std::string(name_of(theirs.problem))},
                            {"bodies", static_cast<std::int64_t>(theirs.bodies)},
                            {"steps_per_second", theirs.steps_per_second},
                            {"hardware", std::string(theirs.hardware)},
                            {"source", std::string(theirs.source)}});
  }
  return all;
}

}  // namespace orrery::pipeline
