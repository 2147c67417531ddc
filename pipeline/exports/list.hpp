// SPDX-License-Identifier: MIT
// Declarations of all export formats.
#pragma once

#include "pipeline/export.hpp"

namespace orrery::pipeline {

extern const ExportFormat csv_format;
extern const ExportFormat xdmf_format;
extern const ExportFormat json_format;
extern const ExportFormat cs267_format;

}  // namespace orrery::pipeline
