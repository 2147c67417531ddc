// SPDX-License-Identifier: MIT
// `run` is repeatable: the same physics is not computed twice, other physics is not overwritten unasked.
#include "pipeline/run_folder.hpp"

#include <fmt/format.h>

#include <sstream>

#include "pipeline/backend_choice.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/progress.hpp"
#include "sim/simulation.hpp"

namespace orrery::pipeline {
namespace {

std::filesystem::path folder_of(const Request& request, const std::filesystem::path& scenario) {
  return request.output ? *request.output : scenario.stem();
}

std::map<std::string, std::string> parse_physics(const std::string& text) {
  std::map<std::string, std::string> keys;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const auto equals = line.find(" = ");
    if (equals != std::string::npos) keys[line.substr(0, equals)] = line.substr(equals + 3);
  }
  return keys;
}

/// "integrator.dt (there 0.01, here 0.02), …": the keys in which the file and the scenario differ; empty
/// where they agree.
std::string differences(const std::map<std::string, std::string>& there,
                        const std::map<std::string, std::string>& here) {
  std::string all;
  const auto note = [&](const std::string& key, const std::string& a, const std::string& b) {
    all += fmt::format("{}{} (there {}, here {})", all.empty() ? "" : ", ", key, a, b);
  };
  for (const auto& [key, value] : there) {
    const auto found = here.find(key);
    const std::string mine = found == here.end() ? "nothing" : found->second;
    if (mine != value) note(key, value, mine);
  }
  for (const auto& [key, value] : here) {
    if (!there.contains(key)) note(key, "nothing", value);
  }
  return all;
}

/// The kind of backend that a file names; "" where it names none.
std::string recorded_backend(const std::filesystem::path& file) {
  const TrajectoryReader trajectory(file);
  const auto& provenance = trajectory.record().provenance;
  const auto found = provenance.find("backend");
  return found == provenance.end() ? "" : found->second;
}

}  // namespace

RunFolder::RunFolder(const Request& request)
    : request_(request),
      scenario_file_(request.operands.front()),
      scenario_(read_scenario(scenario_file_, request.overrides)),
      setup_(set_up_to_step(scenario_)),
      pictures_(scenario_, setup_),
      folder_(folder_of(request, scenario_file_)),
      file_(folder_ / scenario_.trajectory->text("file")),
      found_(look()) {}

RunFolder::Found RunFolder::look() const {
  std::error_code error;
  if (std::filesystem::exists(folder_, error) && !std::filesystem::is_directory(folder_, error)) {
    throw Error(fmt::format("{}: is a file; give another folder with -o", folder_.string()), 2);
  }
  if (being_written(file_)) throw Error(fmt::format("{}: another orrery is writing it", file_.string()), 2);
  if (request_.force || !std::filesystem::exists(file_, error)) {
    refuse_too_large(scenario_, setup_, folder_);
    return Found::nothing;
  }
  const std::string advice = "; --force replaces it, -o DIR writes elsewhere";
  try {
    const TrajectoryReader trajectory(file_);
    const std::string differ = differences(parse_physics(trajectory.record().physics), physics(scenario_, setup_));
    if (!differ.empty()) throw Error(fmt::format("{}: holds another run: {}{}", file_.string(), differ, advice), 2);
    if (trajectory.finished()) return Found::finished;
    if (!trajectory.restart()) throw Error(fmt::format("{}: stopped before its first commit", file_.string()), 2);
    return Found::unfinished;
  } catch (const Error& cause) {
    if (cause.exit_code() == 2) throw;
    throw Error(cause.what() + advice, 2);
  }
}

int RunFolder::simulate() {
  if (found_ == Found::finished) {
    if (!request_.quiet) fmt::print("{}: reused, the same physics\n", file_.string());
    return 0;
  }
  const ChosenBackend chosen =
      make_backend(scenario_, setup_, found_ == Found::unfinished ? recorded_backend(file_) : "");
  // Bodies that have no forces from the start are refused here, before there is a folder.
  if (found_ == Found::nothing)
    (void)sim::Simulation(*chosen.backend, *scenario_.integrator.plugin, setup_.dt, setup_.bodies.names).observe();
  std::optional<Origin> origin;
  std::optional<TrajectoryWriter> writer;
  if (found_ == Found::unfinished) {
    writer.emplace(file_, trajectory_options(scenario_, setup_),
                   make_record(scenario_, setup_, chosen, pictures_.resolved(), request_.command_line).provenance);
    const TrajectoryReader trajectory(file_);
    origin = Origin{*trajectory.restart(), trajectory.history().total_energy.front()};
    if (!request_.quiet)
      fmt::print("{}: goes on from step {} of {}\n", file_.string(), origin->state.step, setup_.steps);
  } else {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) throw Error(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
    std::filesystem::remove(file_, error);
    writer.emplace(file_, setup_.bodies,
                   make_record(scenario_, setup_, chosen, pictures_.resolved(), request_.command_line),
                   trajectory_options(scenario_, setup_));
  }
  if (!writer->warning().empty()) fmt::print(stderr, "orrery: {}\n", writer->warning());
  const Stepping stepping =
      step_through(scenario_, setup_, *chosen.backend, *writer, origin ? &*origin : nullptr, request_.quiet);
  writer.reset();
  if (stepping.signal != 0) {
    fmt::print(stderr, "orrery: stopped at step {} of {}; the same command{} goes on from there\n", stepping.last.step,
               setup_.steps, request_.force ? " without --force" : "");
  } else if (!request_.quiet) {
    const std::size_t n = setup_.bodies.size();
    fmt::print("{}: {} {}, {} steps in {} on {} ({} steps/s), ΔE/E₀ = {:+.2e}\n", file_.string(), n,
               n == 1 ? "body" : "bodies", stepping.steps, in_words(std::chrono::duration<double>(stepping.seconds)),
               chosen.kind, with_prefix(static_cast<double>(stepping.steps) / stepping.seconds), stepping.energy_error);
  }
  return stepping.signal;
}

void RunFolder::draw() {
  const TrajectoryReader trajectory(file_);
  for (const auto& picture : pictures_.draw(trajectory, folder_, request_.quiet)) {
    if (!request_.quiet) fmt::print("{}\n", picture.string());
  }
}

void RunFolder::conclude() const {
  const sim::Snapshot last = TrajectoryReader(file_).restart().value();
  const bool everywhere = scenario_.backend->text("precision") == "float64";
  fmt::print("state {} after {} steps, reproducible {}\n", state_hash(last), last.step,
             everywhere ? "everywhere" : "on this device with this build");
}

}  // namespace orrery::pipeline
