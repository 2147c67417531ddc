// SPDX-License-Identifier: MIT
// The check: nothing committed is lost, nothing is wrong, and a resumed run ends like an undisturbed one.
#include "tests/faults/scene.hpp"

#include <algorithm>
#include <random>

namespace orrery::pipeline::testing {
namespace {

namespace fs = std::filesystem;

// Throws what it calls throws; run in a child process if that may crash.
void go_on_from(const SyntheticRun& run, const fs::path& path, const Report& committed) {
  const auto state = TrajectoryReader(path).restart();
  if (!state) throw Error("no state to resume from");
  TrajectoryWriter writer(path, run.options);
  run.write(writer, state->step + 1, run.last_step(), committed);
  writer.finish(run.at(run.last_step()));
}

void tell_all(const SyntheticRun& run, const fs::path& path, const Report& committed) {
  TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
  run.write(writer, 0, run.last_step(), committed);
  writer.finish(run.at(run.last_step()));
}

template <class T>
bool begins_with(const std::vector<T>& all, const std::vector<T>& first) {
  return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
}

}  // namespace

void expect_no_loss(const std::string& mode, const FaultCounts& counts) {
  EXPECT_GT(counts.faults, 0) << mode << ": nothing was disturbed";
  EXPECT_EQ(counts.lost, 0) << mode;
  EXPECT_EQ(counts.unequal, 0) << mode;
  for (const auto& reason : counts.reasons) ADD_FAILURE() << mode << ", " << reason;
  char row[200];
  std::snprintf(row, sizeof row, "%-52s %6d %9d %5d %8d %6d", mode.c_str(), counts.faults, counts.committed,
                counts.lost, counts.resumed, counts.resumed - counts.unequal);
  std::string line = row;
  if (counts.unreadable > 0) line += "   " + std::to_string(counts.unreadable) + " not readable before a repair";
  ::testing::Test::RecordProperty(mode, line);
}

Scene::Scene(SyntheticRun run, std::int64_t begun) : run_(std::move(run)), begun_(begun) {
  tell_all(run_, calm_, {});
  content_ = content_of(calm_);
  objects_ = objects(calm_, "/");
  const TrajectoryReader reader(calm_);
  for (std::size_t i = 0; i < reader.size(); ++i) frames_.push_back(reader.snapshot(i));
  history_ = reader.history();
  if (begun_ == 0) return;
  if (begun_ > run_.last_step()) {
    clear_finished_mark();
    return;
  }
  TrajectoryWriter writer(begun_file_, run_.initial_bodies(), run_.record(), run_.options);
  run_.write(writer, 0, begun_ - 1);
}

void Scene::clear_finished_mark() const {
  const Work all = [this](const Report& report) { tell_all(run_, path_, report); };
  long at = static_cast<long>(calls_of(path_, all).size());
  do {
    fs::remove(path_);
    in_child(path_, {.what = "kill", .at = at--}, all);
  } while (TrajectoryReader(path_).finished());
  fs::copy_file(path_, begun_file_);
}

Work Scene::work() const {
  return [this](const Report& report) { begun_ > 0 ? go_on_from(run_, path_, report) : tell_all(run_, path_, report); };
}

Work Scene::go_on() const {
  return [this](const Report& report) { go_on_from(run_, path_, report); };
}

void Scene::prepare() const {
  fs::remove(path_);
  const std::string drafts =
      path_.filename().string() + ".part-";  // of writers that were killed before it had its name
  std::vector<fs::path> left;
  for (const auto& entry : fs::directory_iterator(path_.parent_path())) {
    if (entry.path().filename().string().starts_with(drafts)) left.push_back(entry.path());
  }
  for (const fs::path& draft : left) fs::remove(draft);
  if (begun_ > 0) fs::copy_file(begun_file_, path_);
}

std::vector<Call> Scene::calls() const {
  prepare();
  return calls_of(path_, work());
}

void Scene::run_with_fault(const Fault& fault, bool resume, FaultCounts& counts) const {
  prepare();
  const End end = in_child(path_, fault, work());
  const std::string what = fault.what + " at call " + std::to_string(fault.at);
  const bool meant =
      fault.what != "fail" && fault.what != "short" && fault.what != "sleep" ? end.signal == SIGKILL : end.signal == 0;
  if (meant || end.signal == 0) {
    if (end.signal != 0 || end.code != 0) ++counts.faults;
    if (end.complaint.find('\n') != std::string::npos) counts.blame(what + ": not one line: " + end.complaint);
    if (end.signal == 0 && end.code == 1 && end.complaint.find(path_.string() + ": ") != 0)
      counts.blame(what + ": does not name the file: " + end.complaint);
  } else {
    ++counts.lost;
    counts.blame(what + ": ended by signal " + std::to_string(end.signal));
  }
  check(what + (end.complaint.empty() ? "" : " (" + end.complaint + ")"), end.committed, resume, counts);
}

FaultCounts Scene::repeated_kills(int count, std::uint64_t seed) const {
  FaultCounts counts;
  std::mt19937_64 random(seed);
  // Kills before the file has its name leave nothing to go on from, so that some must be later.
  const auto all = calls();
  const auto named = std::ranges::find(all, "rename", &Call::kind) - all.begin();
  const auto range = static_cast<std::uint64_t>(named + 150);
  for (int k = 0; k < count; ++k) {
    prepare();
    std::int64_t committed = -1;
    for (bool over = false; !over;) {
      const long at = 1 + static_cast<long>(random() % range);
      const bool begun = fs::exists(path_) && TrajectoryReader(path_).restart();
      if (!begun) fs::remove(path_);
      const End end = in_child(path_, {.what = "kill", .at = at}, [&](const Report& report) {
        begun ? go_on_from(run_, path_, report) : tell_all(run_, path_, report);
      });
      committed = std::max(committed, end.committed);
      over = end.signal == 0 || counts.lost > 0;
      if (end.signal != 0) ++counts.faults;
      check("kill at call " + std::to_string(at) + " of relay " + std::to_string(k), committed, over, counts);
    }
  }
  return counts;
}

void Scene::kill_after(std::int64_t microseconds, FaultCounts& counts) const {
  prepare();
  const End end = killed_after(microseconds, work());
  if (end.signal == SIGKILL) ++counts.faults;
  check("kill after " + std::to_string(microseconds) + " µs", end.committed, true, counts);
}

FaultCounts Scene::kills(const std::string& what, std::size_t step, int resume_every) const {
  const auto all = calls();
  std::vector<long> affected_calls;  // calls in which this fault is possible
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (what == "kill" || (what == "tear" ? all[k].size != 1 : all[k].pages > 0))
      affected_calls.push_back(static_cast<long>(k) + 1);
  }
  FaultCounts counts;
  int done = 0;
  for (std::size_t k = step / 2; k < affected_calls.size(); k += step) {
    run_with_fault({.what = what, .at = affected_calls[k], .seed = affected_calls[k]}, done++ % resume_every == 0,
                   counts);
  }
  return counts;
}

std::int64_t Scene::committed_before() const {
  if (begun_ > run_.last_step()) return begun_ - 1;
  return begun_ == 0 ? -1 : begun_ / run_.commit_every * run_.commit_every - 1;
}

void Scene::check(const std::string& what, std::int64_t committed, bool resume, FaultCounts& counts) const {
  committed = std::max(committed, committed_before());
  if (committed >= 0) ++counts.committed;
  try {
    const std::string lost = loss(committed);
    if (!lost.empty()) {
      ++counts.lost;
      return counts.blame(what + ": " + lost);
    }
    if (!resume) return;
    ++counts.resumed;
    const std::string different = difference_when_resumed();
    if (different.empty()) return;
    ++counts.unequal;
    counts.blame(what + ": " + different);
  } catch (const std::exception& error) {
    ++counts.lost;
    counts.blame(what + ": " + error.what());
  }
}

std::string Scene::loss(std::int64_t committed) const {
  if (!fs::exists(path_)) return committed < 0 ? "" : "the file is gone";
  const TrajectoryReader reader(path_);
  const auto least = committed < 0 ? 0 : static_cast<std::size_t>(committed / run_.rows_a_frame) + 1;
  if (reader.size() < least) return "it holds " + std::to_string(reader.size()) + " frames of " + std::to_string(least);
  if (reader.size() > frames_.size() || reader.times().size() != reader.size()) return "it holds too much";
  const std::size_t stride = 1 + reader.size() / 1000;  // all frames if few, otherwise a sample and the last 300
  for (std::size_t i = 0; i < reader.size(); i += i + 300 < reader.size() ? stride : 1) {
    const sim::Snapshot frame = reader.snapshot(i);
    const sim::Snapshot& written = frames_[i];
    if (frame.step != written.step || frame.time != written.time || reader.steps()[i] != written.step ||
        frame.position != written.position || frame.velocity != written.velocity || frame.image != written.image)
      return "frame " + std::to_string(i) + " differs from what was written";
  }
  const History history = reader.history();
  if (history.time.size() < static_cast<std::size_t>(committed + 1)) return "rows of observables are missing";
  if (!begins_with(history_.time, history.time) || !begins_with(history_.total_energy, history.total_energy) ||
      !begins_with(history_.angular_momentum, history.angular_momentum) ||
      !begins_with(history_.pressure, history.pressure))
    return "observables differ from what was written";
  const auto state = reader.restart();
  if (!state) return committed < 0 ? "" : "there is no state to resume from";
  if (state->step < committed)
    return "the state is of step " + std::to_string(state->step) + ", not " + std::to_string(committed);
  const sim::Snapshot written = run_.at(state->step);
  if (state->position != written.position || state->velocity != written.velocity || state->columns != written.columns ||
      state->image != written.image || state->time != written.time || state->observables != written.observables)
    return "the state differs from what was written";
  if (reader.record().seed != run_.record().seed || reader.bodies().mass != run_.initial_bodies().mass)
    return "the record differs from what was written";
  return "";
}

std::string Scene::difference_when_resumed() const {
  bool finished = false, anything = false;
  if (fs::exists(path_)) {
    const TrajectoryReader reader(path_);
    finished = reader.finished();
    anything = reader.restart().has_value();
  }
  if (!anything) fs::remove(path_);  // nothing was committed: a run starts again
  if (!anything) {
    tell_all(run_, path_, {});
  } else if (!finished) {
    go_on_from(run_, path_, {});
  }
  if (!TrajectoryReader(path_).finished()) return "the run is not marked as finished";
  auto there = objects(path_, "/");
  std::erase_if(
      there, [](const std::string& name) { return name.starts_with("/parameters/parts/"); });  // records of resumptions
  if (there != objects_) return "the file does not hold the objects that it should";
  const auto content = content_of(path_);
  for (const auto& [name, bytes] : content_) {
    const auto found = content.find(name);
    if (found == content.end()) return "there is no " + name;
    if (found->second != bytes) return name + " is not what it should be";
  }
  return "";
}

}  // namespace orrery::pipeline::testing
