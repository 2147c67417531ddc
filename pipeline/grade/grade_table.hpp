// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/grade/grade.hpp"
#include "pipeline/run/run_table.hpp"

namespace orrery::pipeline::grading {

struct GradeTable {
  RunTable table;       ///< a row for each hand-in
  std::string summary;  ///< "60 hand-ins: 31 same bits, 20 same physics, …"
};

/// The best grade of each hand-in. Equal frames are named, if they are not the exercise's own bits.
GradeTable grade_table(const std::vector<HandIn>& hand_ins, const std::vector<std::vector<Grade>>& grades,
                       const std::string& expected_state);

struct GradeTableFormat {
  std::string (*write)(const GradeTable& table, const std::string& title, const std::string& state);
};
/// By its name, or the ending of the file; default: markdown. Throws Error, Fault::request.
GradeTableFormat grade_table_format(const std::string& name, const std::optional<std::filesystem::path>& file);

}  // namespace orrery::pipeline::grading
