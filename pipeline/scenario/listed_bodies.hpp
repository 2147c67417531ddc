// SPDX-License-Identifier: MIT
// Initial states that list their bodies, wherever the list is kept.
#pragma once

#include <cstddef>

#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/initial_state.hpp"

namespace orrery::pipeline {

/// Whether it takes its bodies from columns, under the key `bodies`.
bool lists_bodies(const sim::InitialState& plugin);

/// Gives [[initial]] table i of such a plug-in its columns: those that a run's file holds (ScenarioText::bodies), those of the text,
/// or of the CSV file that it names; and its key `xxh3` their hash. Throws Error, exit code 2, where there are none, or others than
/// that key asks for.
void load_bodies(Section& section, std::size_t i, const ScenarioText& source);

}  // namespace orrery::pipeline
