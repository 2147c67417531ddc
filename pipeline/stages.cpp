// SPDX-License-Identifier: MIT
// The list of commands: one declaration and one entry each.
#include "pipeline/stages/stages.hpp"

namespace orrery::pipeline {

std::span<const Stage* const> stages() {
  static constexpr const Stage* list[] = {
      &run_stage,    &simulate_stage, &resume_stage, &verify_stage, &diff_stage,     &repair_stage,
      &render_stage, &check_stage,    &info_stage,   &export_stage, &table_stage,    &matrix_stage,
      &list_stage,   &new_stage,      &bench_stage,  &study_stage,  &validate_stage,
  };
  return list;
}

}  // namespace orrery::pipeline
