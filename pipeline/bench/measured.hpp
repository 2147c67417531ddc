// SPDX-License-Identifier: MIT
// Which backends are measured, and what is said of the machine that they are measured on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/report.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/backend.hpp"

namespace orrery::pipeline {

/// The one that [backend] asks for, else all that can be used here but the reference, which is there to be read. `absences` says
/// why others cannot. Throws Error, exit code 2, where there is none.
std::vector<const sim::BackendKind*> kinds_to_measure(const Section& section, std::vector<std::string>& absences);

/// What the numbers are measured on; before any work is done, since it looks whether others work here.
void describe_machine(Report& report, std::string_view suite, const std::vector<const sim::BackendKind*>& kinds,
                      const sim::BackendOptions& options);

void add_absences(Report& report, const std::vector<std::string>& absences);

}  // namespace orrery::pipeline
