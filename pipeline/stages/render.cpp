// SPDX-License-Identifier: MIT
// orrery render: draw the figures and films of a trajectory, as its own scenario says or as --set changes it; or one
// figure that --figure names, of one run or several.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "pipeline/following.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/pictures/one_figure.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/say.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output,  Flag::set,    Flag::figure, Flag::against, Flag::frames,
                          Flag::preview, Flag::follow, Flag::force,  Flag::quiet};

/// What is to be drawn of a file, and where it goes.
class Studio {
 public:
  Studio(const Request& request, const std::filesystem::path& file, const TrajectoryReader& trajectory)
      : Studio(request.figure.empty() ? own_pictures(request, trajectory) : one_figure(request, trajectory), file,
               trajectory) {
    replacing_ = request.replacing();
    if (request.preview) pictures_.make_previews();
  }

  [[nodiscard]] std::size_t count() const { return pictures_.files().size(); }
  [[nodiscard]] std::string hindrance() const { return pictures_.hindrance(); }
  [[nodiscard]] std::vector<std::string> plan() const { return pictures_.plan(); }
  std::vector<std::filesystem::path> draw(const TrajectoryReader& trajectory, bool quiet, Pictures::What what,
                                          const std::string& frames = "") const {
    return pictures_.draw(trajectory, folder_, quiet, what, frames, replacing_);
  }

 private:
  Studio(const Commission& commission, const std::filesystem::path& file, const TrajectoryReader& trajectory)
      : pictures_(subject_of(trajectory, commission.document), false), folder_(commission.folder) {
    say_notes(commission.document);
    if (pictures_.count() == 0) throw Error(file.string() + ": its scenario asks for no [[figure]] and no [[film]]", 2);
    std::error_code error;
    if (std::filesystem::exists(folder_, error) && !std::filesystem::is_directory(folder_, error))
      throw Error(folder_.string() + ": is not a folder; give another with -o", 2);
    if (!folder_.empty()) std::filesystem::create_directories(folder_, error);
    if (error) throw Error(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
  }

  Pictures pictures_;
  std::filesystem::path folder_;
  Replacing replacing_ = Replacing::ours;
};

constexpr std::chrono::seconds time_for_a_folder{5};  // of a run that is begun at the same moment

/// A run makes its folder before its file: whoever waits for the one without the other has the name wrong.
void refuse_absent_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code none;
  if (!folder.empty() && !std::filesystem::is_directory(folder, none))
    throw Error(fmt::format("{}: there is no such folder: begin the run, or mend the name", folder.string()), 2);
}

/// Draws the figures again and again while the run goes on, every two seconds and half of the time at most. Returns the
/// signal that came, or 0 once the run is finished.
int follow(const Request& request, const std::filesystem::path& file) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  const Interrupt interrupt;
  LiveLine line(stderr, true);
  std::optional<Studio> studio;
  std::size_t drawn = 0;
  bool waiting = false;
  const auto since = Clock::now();
  auto next = since;
  while (Interrupt::signal() == 0) {
    const Look look = look_at(file);
    if (look.run && look.run->finished) return 0;
    if (!look.run && !request.quiet && !std::exchange(waiting, true)) say_waiting(stderr, file);
    if (!look.run && Clock::now() - since > time_for_a_folder) refuse_absent_folder(file);
    if (look.run && look.run->frames > 0 && look.run->frames != drawn && (Clock::now() >= next || look.abandoned())) {
      const auto begin = Clock::now();
      const TrajectoryReader trajectory(file);
      if (!studio) {
        studio.emplace(request, file, trajectory);
        if (const std::string hindrance = studio->hindrance(); !hindrance.empty())
          say(stderr, "orrery: {}\n", hindrance);
      }
      (void)studio->draw(trajectory, true, Pictures::What::figures);
      drawn = trajectory.size();
      if (!request.quiet && line.due())
        line.show(fmt::format("{}: drawn at t = {:.6g}, {} frames", file.string(), trajectory.times().back(), drawn));
      next = Clock::now() + std::max<Clock::duration>(2s, Clock::now() - begin);
    }
    if (look.abandoned()) {
      line.clear();
      throw writer_is_gone(file, *look.run);
    }
    Interrupt::pause(500ms);
  }
  return Interrupt::signal();
}

/// What is there of a run that has not come to its end is drawn; that it is not all is said.
void say_unfinished(const std::filesystem::path& file, const TrajectoryReader& trajectory) {
  const Look look = look_at(file);
  if (trajectory.finished() || !look.run) return;
  say(stderr, "{} is not finished (step {} of {}): drawn to t = {:.6g}; {}\n", file.string(), look.run->step,
      look.run->steps, trajectory.times().back(),
      look.written ? "`--follow` draws it until it is" : fmt::format("`orrery resume {}` goes on", quoted(file)));
}

int render(const Request& asked) {
  const Request request = with_runs_of_folders(asked);
  const std::filesystem::path file = request.operands.front();
  if (request.figure.empty() && request.operands.size() > 1)
    throw Error("several runs are drawn into one figure: say which, --figure energy-error or convergence", 2);
  if (request.figure.empty() && !request.against.empty())
    throw Error("--against goes with a figure: --figure energy-error", 2);
  if (request.follow && !request.frames.empty())
    throw Error("--frames is of a run that stands still: leave out --follow", 2);
  if (request.follow) {
    if (const int signal = follow(request, file); signal != 0) return 128 + signal;
  }
  const TrajectoryReader trajectory(file);
  const Interrupt interrupt;
  const Studio studio(request, file, trajectory);
  if (request.preview && !request.quiet) {
    for (const std::string& line : studio.plan()) say("preview: {}\n", line);
  }
  const auto drawn = studio.draw(trajectory, request.quiet, Pictures::What::all, request.frames);
  for (const auto& picture : drawn) {
    if (!request.quiet) say("{}\n", picture.string());
  }
  if (!request.quiet && request.frames.empty()) say_unfinished(file, trajectory);
  if (drawn.size() < studio.count() && Interrupt::signal() != 0) {
    if (!request.quiet)
      say(stderr, "orrery: stopped at picture {} of {}; the same command draws them all\n", drawn.size() + 1,
          studio.count());
    return 128 + Interrupt::signal();
  }
  if (const std::string hindrance = studio.hindrance(); !hindrance.empty()) throw Error(hindrance);
  return 0;
}

}  // namespace

const Stage render_stage{.name = "render",
                         .meaning = "draw the figures and films of a trajectory again, or one figure of several",
                         .operands = "RUN.h5",
                         .least = 1,
                         .most = 1000,
                         .flags = flags,
                         .run = [](const Request& request) {
                           try {
                             return render(request);
                           } catch (const Error& error) {
                             throw of_flags(request, error);
                           }
                         }};

}  // namespace orrery::pipeline
