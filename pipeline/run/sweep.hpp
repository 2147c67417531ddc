// SPDX-License-Identifier: MIT
// The [sweep] of a scenario: lists of values, and the runs that their combinations make.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "pipeline/run/run_options.hpp"
#include "pipeline/scenario/scenario_text.hpp"

namespace orrery::pipeline {

/// One run of a sweep: the scenario with a value from each list.
struct Member {
  std::size_t task;                    ///< counted from 0
  std::vector<std::string> overrides;  ///< "integrator.dt=0.005", as --set has it, in the order of the keys
  std::vector<std::string> places;     ///< where each of these values stands: "file:line:column"

  /// "integrator.dt=0.005, seed=2"
  [[nodiscard]] std::string name() const;
  /// Does `work`; what is refused about this member's scenario is refused where the value stands, and with its name.
  template <class Work>
  auto in_its_name(const Work& work) const {
    try {
      return work();
    } catch (const Error& error) {
      throw placed(error);
    }
  }

 private:
  [[nodiscard]] Error placed(const Error& error) const;
};

struct Sweep {
  std::vector<std::string> keys;  ///< dotted, in the order of the file
  std::vector<Member> members;    ///< by their tasks; empty: the scenario has no [sweep]
  std::string stem{};             ///< the folder of all members where the options name none

  /// "003": the folder of a member; three digits, or as many as the last one needs.
  [[nodiscard]] std::string folder(const Member& member) const;
  /// What a single run is asked for to be this member, of the sweep that `options` ask for.
  [[nodiscard]] RunOptions options_of(const Member& member, const RunOptions& options) const;
};

/// One spelling of a dotted key: `initial[0].n` is `initial.n`, unless there are several, when that is refused.
std::string plain_key(std::string key);

/// The sweep of a scenario's text; `file` names it in complaints. `overrides` are those of --set: they may change
/// the lists, but not set what is in one. Throws Error, exit code 2.
Sweep parse_sweep(const std::string& text, const std::string& file, const std::vector<std::string>& overrides = {});
/// The same, with the stem of its scenario.
Sweep sweep_of(const ScenarioText& source, const std::vector<std::string>& overrides);

}  // namespace orrery::pipeline
