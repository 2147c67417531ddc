// SPDX-License-Identifier: MIT
// Parts of sentences about a model, for the description of a run and for the methods paragraph. All but the first need a run whose
// scenario is known.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pipeline/page/known_run.hpp"
#include "sim/integrator.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {

/// The description of a plug-in without the remarks after its first colon or semicolon; that of another program's as it is.
std::string brief_meaning(std::string_view meaning, bool foreign = false);

/// The keys of a plug-in with their values, "G = 1 and no softening"; "" if it has none.
std::string keys_in_words(std::span<const Parameter> parameters, const Arguments& values, const RunUnits& units);
/// The same after a comma, ", with G = 1"; "" if there are none.
std::string with_keys(const std::string& keys);

/// Whether the pair force acts between any bodies.
bool pairs_act(const KnownRun& run);
/// "“gravity”, Newtonian gravity of all pairs, …, with G = 1 and no softening"
std::string pair_force_in_words(const KnownRun& run);
std::string field_in_words(const KnownRun& run, std::size_t k);
/// "“plummer” (Plummer's sphere, a star cluster) with n = 100, …"; `introduced`: without the description.
std::string initial_state_in_words(const KnownRun& run, std::size_t k, bool introduced = false);

const sim::ForceSolver& solver_of(const KnownRun& run);
/// "“tree”, a fast multipole method, …, with accuracy = 10⁻³"
std::string solver_in_words(const KnownRun& run);
/// "in float64"
std::string precision_in_words(const KnownRun& run);

/// "“leapfrog”, kick-drift-kick (velocity Verlet), of second order, symplectic and symmetric in time, with …"
std::string integrator_in_words(const KnownRun& run);
/// "in 1500 steps of dt = 0.0126518 (1/500 period)", or how many steps it chose
std::string steps_in_words(const KnownRun& run);
/// "t = 73000 d (200 yr), 3 periods"
std::string end_in_words(const KnownRun& run);

}  // namespace orrery::pipeline
