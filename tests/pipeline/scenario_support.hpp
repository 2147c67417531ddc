// SPDX-License-Identifier: MIT
// Shared by the tests of the scenario reader: short scenarios, and the messages of those that are refused.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/scenario/scenario.hpp"

namespace orrery::pipeline::testing {

/// A valid scenario of ten lines; text added by a test begins on line 11.
inline const std::string sound = R"([[initial]]
kind = "two-body"
masses = [1.0, 0.5]

[integrator]
kind = "leapfrog"
dt = 0.1
steps = 20


)";

/// `text` with the first `from` replaced by `to`.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// The valid scenario with text appended.
inline std::string and_then(const std::string& more) {
  return sound + more + "\n";
}

/// The valid scenario with another dt and time.
inline std::string timed(const std::string& dt, const std::string& time) {
  return with(with(sound, "dt = 0.1", "dt = " + dt), "steps = 20", "time = " + time);
}

/// The scenario in a file.
inline Scenario read_scenario(const std::filesystem::path& file, std::vector<std::string> overrides = {}) {
  Context silent;
  return parse_scenario(scenario_text(file, silent), std::move(overrides));
}

/// The message with which a scenario is refused, which must be an Error with exit code 2 and one line; "" if it is
/// accepted.
inline std::string refusal(const std::string& text, std::vector<std::string> overrides = {}) {
  try {
    (void)set_up(parse_scenario(text, "s.toml", std::move(overrides)));
  } catch (const Error& error) {
    std::string message = error.what();
    EXPECT_EQ(error.fault(), orrery::Fault::request) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  return "";
}

/// The output of `resolved`, read back with the bodies that a trajectory would store beside that text.
inline Scenario read_again(const Scenario& scenario) {
  return parse_scenario({.text = resolved(scenario), .name = "resolved.toml", .bodies = [&](std::size_t i) {
                           const Value* bodies = scenario.tables.initial.at(i).section->find("bodies");
                           return bodies == nullptr ? nullptr : std::get<SharedColumns>(*bodies);
                         }});
}

/// Keys as texts, which differ if any bit of a value does, for comparisons.
inline std::map<std::string, std::string> texts(const Keys& keys) {
  std::map<std::string, std::string> all;
  for (const auto& [key, value] : keys) all[key] = brief_toml(value);
  return all;
}

/// What determines the bits of a run of this scenario, as texts.
inline std::map<std::string, std::string> physics_texts(const Scenario& scenario, const Setup& setup) {
  return texts(physics(scenario, setup));
}

/// The set-up of a valid scenario.
inline Setup setup_of(const std::string& text, std::vector<std::string> overrides = {}) {
  return set_up(parse_scenario(text, "s.toml", std::move(overrides)));
}

}  // namespace orrery::pipeline::testing
