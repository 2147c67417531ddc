// SPDX-License-Identifier: MIT
// Every command, one file each.
#pragma once

#include "pipeline/stage.hpp"

namespace orrery::pipeline {

extern const Stage run_stage;
extern const Stage simulate_stage;
extern const Stage resume_stage;
extern const Stage verify_stage;
extern const Stage diff_stage;
extern const Stage repair_stage;
extern const Stage render_stage;
extern const Stage check_stage;
extern const Stage info_stage;
extern const Stage export_stage;
extern const Stage table_stage;
extern const Stage matrix_stage;
extern const Stage list_stage;
extern const Stage new_stage;
extern const Stage study_stage, bench_stage;
extern const Stage validate_stage;

}  // namespace orrery::pipeline
