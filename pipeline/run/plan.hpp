// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pipeline/context.hpp"
#include "pipeline/report.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/body_error.hpp"

namespace orrery::pipeline {

/// The estimated cost of a run, and probable mistakes in its scenario.
struct Plan {
  Report facts;
  double seconds = 0;  ///< of stepping
  std::vector<std::string> warnings;
};

/// Returns how far all bodies were moved and slowed to put their centre of mass to rest at the origin; "" if not at all.
std::string words_for_recentring(const Setup& setup);

/// Measures a few steps to estimate the time of the run, of some bodies if those of all would take longer than about a second
/// together; then energies and errors of forces are not among the facts.
Plan make_plan(const Scenario& scenario, const Setup& setup, const Resources& resources = {});

/// Throws Error, Fault::request, if the end of the run was rounded to whole steps: figures that compare the members of a sweep need
/// one end.
void refuse_rounded_end(const Scenario& scenario, const Setup& setup);

/// An error about bodies of the initial state, with the place of the first of them that the scenario lists.
Error placed(const Scenario& scenario, const Setup& setup, const sim::BodyError& error);
/// Returns work() and adds their places to such errors.
template <class Work>
auto with_places(const Scenario& scenario, const Setup& setup, const Work& work) {
  try {
    return work();
  } catch (const sim::BodyError& error) {
    throw placed(scenario, setup, error);
  }
}

/// Returns the bytes of memory for a run of so many bodies: the cpu backend, the initial bodies and seven snapshots, five of
/// them queued.
double run_memory(const sim::Model& model, const sim::BackendOptions& options, std::size_t bodies);

/// Returns set_up(scenario). Throws Error, Fault::request, if memory cannot hold the bodies, before they are made.
Setup set_up_to_step(const Scenario& scenario, const Resources& resources = {});

/// Throws Error, Fault::request, if the disk of `folder` cannot hold the trajectory.
void refuse_too_large(const Scenario& scenario, const Setup& setup, const std::filesystem::path& folder);

/// Returns the number of frames and their distance, "601, every 3 steps". If the distance varies, the result names the
/// nearest number of frames for which it would not.
std::string frames_in_words(const Setup& setup);

}  // namespace orrery::pipeline
