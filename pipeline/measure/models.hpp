// SPDX-License-Identifier: MIT
// Models of measurements, without a scenario.
#pragma once

#include "sim/initial_state.hpp"
#include "sim/model.hpp"

namespace orrery::pipeline {

// Keys that are not given have their defaults.

/// A law with its default solver, and one step of leapfrog of 1e-6.
sim::Model model_without_bodies(const sim::ForceLaw& law, const Arguments& of_law = {}, const sim::Domain& domain = {});

struct MadeModel {
  sim::Model model;
  double timescale;  ///< of the initial state; 0: it has none
};
/// The same with the bodies of an initial state with seed 1; if `recentred`, and there is no box, about their centre of mass.
MadeModel with_bodies(sim::Model model, const sim::InitialState& state, const Arguments& of_state = {},
                      bool recentred = true);

/// Both, with `n` bodies. Throws Error, Fault::request, if this machine cannot hold the bodies.
sim::Model model_of(const sim::InitialState& state, std::size_t n, Arguments of_state, const sim::ForceLaw& law,
                    const Arguments& of_law = {}, const sim::Domain& domain = {});

/// A box in the plane with reflecting walls.
sim::Domain walled_plane(double edge);

}  // namespace orrery::pipeline
