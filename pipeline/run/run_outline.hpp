// SPDX-License-Identifier: MIT
// What figures of several runs depend on, which is known before the runs are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// What the file of a run stores, or will store. Figures refuse what they cannot draw by it, before the first step too.
struct StoredData {
  bool velocities = true;                            ///< in frames
  std::size_t bodies = 0;                            ///< of the run; frames may have fewer
  std::int64_t steps = 0;                            ///< of the whole run
  std::string time_unit{};                           ///< as H5MD writes it; empty: dimensionless
  std::optional<Date> epoch{};                       ///< of t = 0
  std::function<std::vector<double>()> times{};      ///< makes the times of all frames
  std::function<std::vector<std::int64_t>()> ids{};  ///< makes the indices in the run of the bodies in frames
};

/// Of a run to come; the result holds no reference.
StoredData stored_data(const Scenario& scenario, const Setup& setup);
/// Of a run that is there, which the result refers to.
StoredData stored_data(const TrajectoryReader& trajectory);

struct RunOutline {
  std::filesystem::path file;          ///< the trajectory
  std::string scenario;                ///< the TOML text
  std::vector<std::string> overrides;  ///< of --set and of the sweep
  Keys physics;                        ///< the keys that decide the bits
  StoredData stored;
  bool finished = true;        ///< or will be
  double end = 0;              ///< time of the last step
  bool keplerian = false;      ///< two bodies whose orbit has a closed form
  bool has_energy = true;      ///< the bodies with mass have energy at the start
  bool has_massless = false;   ///< frames have bodies without mass
  bool several_masses = true;  ///< frames have two bodies with mass, or more

  /// Whether the errors of the bodies without mass are drawn apart from that of the energy: then the others have energy.
  [[nodiscard]] bool massless_apart() const { return has_massless && (several_masses || has_energy); }
};

/// Makes the outline of a run when it is needed.
using Outliner = std::function<RunOutline()>;
/// Runs that will be there when a picture is drawn, by the lexically normal paths of their trajectories.
using RunsToCome = std::map<std::filesystem::path, Outliner>;

/// Of a run to come, whose trajectory will be `file`.
RunOutline outline_of(const Scenario& scenario, const Setup& setup, std::filesystem::path file);
/// Of a run that is there.
RunOutline outline_of(const TrajectoryReader& trajectory);

}  // namespace orrery::pipeline
