// SPDX-License-Identifier: MIT
// An initial state describes itself and makes bodies; the list of all initial states.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/bodies.hpp"
#include "sim/analysis/density_profile.hpp"
#include "sim/domain.hpp"
#include "sim/external_field.hpp"
#include "sim/random.hpp"

namespace orrery::sim {

/// What every initial state may need besides its own arguments.
struct Environment {
  double G = 1;  ///< what masses attract each other with; 0 where they do not
  Random random{0, 0};
  double softening = 0;                 ///< of the force between the bodies
  std::vector<ExternalField> fields{};  ///< that they will feel
  Vec3 origin{};                        ///< where in those fields the bodies' own origin will be
  Domain domain{};                      ///< that they will move in
};

/// Bodies and the time that is natural to them, which scenarios may count in.
struct InitialConditions {
  Bodies bodies;
  double timescale = 0;                        ///< 0: none is known
  std::string_view timescale_name{};           ///< "period", "crossing time", "rotation" or "free-fall time"
  std::vector<std::string_view> components{};  ///< names of the species, where there are several
};

struct InitialState {
  std::string_view name;
  std::string_view meaning;
  std::span<const Parameter> parameters;
  bool random = false;  ///< bodies may come as close to each other as chance will have it
  /// Uses no function of the library but sqrt, which IEEE 754 rounds exactly; sim/elementary.hpp has others. Throws
  /// ArgumentError.
  InitialConditions (*make)(const Arguments& arguments, const Environment& environment);
  /// The density that bodies are drawn from, over the distance from their centre; null where there is no formula.
  DensityProfile (*density)(const Arguments& arguments) = nullptr;
};

/// Every initial state, in the order of `orrery list initial`.
std::span<const InitialState* const> initial_states();

/// Takes the velocity and the position of the centre of mass from every body.
void recentre(Bodies& bodies);

inline constexpr double pi = 3.14159265358979323846;

}  // namespace orrery::sim
