// SPDX-License-Identifier: MIT
#include "pipeline/commands/command.hpp"

namespace orrery::pipeline {

std::span<const Command* const> commands() {
  static constexpr const Command* list[] = {
      &run_command,    &simulate_command, &resume_command, &verify_command, &diff_command,     &repair_command,
      &render_command, &check_command,    &info_command,   &export_command, &table_command,    &matrix_command,
      &list_command,   &new_command,      &bench_command,  &study_command,  &validate_command,
  };
  return list;
}

}  // namespace orrery::pipeline
