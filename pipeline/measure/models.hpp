// SPDX-License-Identifier: MIT
// Models of measurements, without a scenario.
#pragma once

#include "sim/initial_state.hpp"
#include "sim/model.hpp"

namespace orrery::pipeline {

struct MadeModel {
  sim::Model model;
  double timescale;  ///< of the initial state; 0: it has none
};
/// Bodies of an initial state with seed 1, between which a law acts, with its default solver, in one step of leapfrog of 1e-6. Keys
/// that are not given have their defaults. Throws Error, exit code 2, if this machine cannot hold the bodies.
MadeModel make_model(const sim::InitialState& state, const Arguments& of_state, const sim::ForceLaw& law,
                     const Arguments& of_law, const sim::Domain& domain = {}, bool recentred = true);
/// The same for a state of `n` bodies.
sim::Model model_of(const sim::InitialState& state, std::size_t n, Arguments of_state, const sim::ForceLaw& law,
                    const Arguments& of_law = {}, const sim::Domain& domain = {});

/// A box in the plane with reflecting walls.
sim::Domain walled_plane(double edge);

}  // namespace orrery::pipeline
