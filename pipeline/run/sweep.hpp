// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/error.hpp"
#include "pipeline/scenario/scenario_text.hpp"

namespace orrery::pipeline {

/// One run of a [sweep]: the scenario with one value from each of its lists.
struct Member {
  std::size_t task;                              ///< counted from 0
  std::vector<std::string> overrides;            ///< "integrator.dt=0.005", in the order of the keys
  std::vector<std::string> places;               ///< where each value stands: "file:line:column"
  std::string folder{};                          ///< its name; empty: the number of the task
  std::shared_ptr<const ScenarioText> source{};  ///< its scenario; null: that of the sweep

  /// "integrator.dt=0.005, seed=2"; the folder, if it has no values
  [[nodiscard]] std::string name() const;
  /// Returns `given`, the overrides of --set, followed by those of the member.
  [[nodiscard]] std::vector<std::string> added_to(std::vector<std::string> given) const {
    given.insert(given.end(), overrides.begin(), overrides.end());
    return given;
  }
  /// Calls `work`. An Error about the member's scenario is rethrown with the place of the value and the member's name.
  template <class Work>
  auto with_context(const Work& work) const {
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
  std::vector<Member> members;    ///< in the order of their tasks; empty: the scenario has no [sweep]
  /// The tables of a picture that shows all members, of which only the picture itself is drawn; empty: the pictures are
  /// those of the scenario.
  std::string pictures{};

  /// Returns the folder of a member, "003": three digits, or as many as the last member needs; or its own name.
  [[nodiscard]] std::string folder(const Member& member) const;
};

/// Returns the canonical spelling of a dotted key: without blanks and without the index [0].
std::string plain_key(std::string key);

/// Reads the [sweep] of a scenario's text; `file` names it in messages. `overrides` are those of --set: they may
/// replace a list, but not set a key that has one. Throws Error, Fault::request.
Sweep parse_sweep(const std::string& text, const std::string& file, const std::vector<std::string>& overrides = {});

}  // namespace orrery::pipeline
