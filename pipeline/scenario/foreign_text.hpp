// SPDX-License-Identifier: MIT
// Foreign plug-ins in the file of a run: what they say of themselves, as TOML. Their functions are in the program that made it.
#pragma once

#include <memory>
#include <string>

#include "sim/foreign.hpp"

namespace orrery::pipeline {

/// The key of RunRecord::provenance that has the text.
inline constexpr auto foreign_key = "plug_ins";

/// The foreign plug-ins of a model; "" if it has none.
std::string foreign_text(const sim::Model& model);

/// What such a text is about, in a line: law "my-gravity", integrator "my-leapfrog", of the program that made the run.
std::string foreign_names(const std::string& text);

/// `known` (null: those of the library), and the plug-ins of the text that are not among them, which are only described. `file` is
/// that of the run. Throws Error, Fault::request.
std::shared_ptr<const sim::PlugIns> with_described(const std::shared_ptr<const sim::PlugIns>& known,
                                                   const std::string& text, const std::string& file);

}  // namespace orrery::pipeline
