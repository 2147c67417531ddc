// SPDX-License-Identifier: MIT
#include "pipeline/pictures/render_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "pipeline/following.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {
namespace {

/// Reads --piece.
std::optional<render::Piece> piece_of(const RenderOptions& options) {
  if (options.piece.empty()) return std::nullopt;
  const auto piece = render::piece_from(options.piece);
  if (!piece)
    throw Error(
        fmt::format("--piece {}: write i/n, as 3/8 for the third of eight pieces, i from 1 to n", options.piece),
        Fault::request);
  return piece;
}

/// The pictures of a trajectory and their output folder.
struct Output {
  Pictures pictures;
  std::filesystem::path folder;
};

/// Makes the folder.
Output output_of(const RenderOptions& options, const TrajectoryReader& trajectory, Context& context) {
  const auto [scenario, shown, folder] =
      options.figure.empty() ? own_pictures(options, trajectory) : one_figure(options, trajectory);
  Pictures pictures(subject_of(trajectory, scenario, context.resources), shown, false);
  if (options.preview) pictures.make_previews();
  if (options.without_answer) pictures.hide_answer();
  const bool pictured = pictures.count() > 0;
  if (const auto piece = piece_of(options)) {
    const auto left_out = pictures.divide(*piece);
    for (const std::string& gif : piece->index == 1 ? left_out : std::vector<std::string>())
      context.warning("{} is left out: a GIF is not drawn in pieces", gif);
  }
  report_notes(scenario, context);
  if (!pictured)
    throw Error(options.runs.front().string() + ": its scenario has no [[figure]] and no [[film]]", Fault::request);
  if (pictures.count() == 0)
    throw Error(options.runs.front().string() + ": its scenario has no [[film]], and only films are drawn in pieces",
                Fault::request);
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error))
    throw Error(folder.string() + ": is not a folder; give another with -o", Fault::request);
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw Error(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
  return {std::move(pictures), folder};
}

constexpr std::chrono::seconds time_for_folder{5};  // for a run that is started at the same time

/// A run makes its folder before its file: without a folder, the name is probably wrong.
void check_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code none;
  if (!folder.empty() && !std::filesystem::is_directory(folder, none))
    throw Error(fmt::format("{}: there is no such folder: start the run, or correct the name", folder.string()),
                Fault::request);
}

/// Redraws the figures while the run is in progress, at most every two seconds and half of the time. Returns whether the run is
/// finished, rather than the drawing stopped.
bool follow(const RenderOptions& options, Context& context) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  const std::filesystem::path& file = options.runs.front();
  const Context::During orderly(context, Context::Phase::orderly);
  Silenced silent(context);
  const auto line = context.progress_line(true);
  std::optional<Output> output;
  std::size_t drawn = 0;
  bool waiting = false;
  const auto since = Clock::now();
  auto next = since;
  while (!context.stopped()) {
    const LiveRun live = live_run(file);
    if (live.run && live.run->finished) return true;
    if (!live.run && !std::exchange(waiting, true)) context.note("waiting for {}", file.string());
    if (!live.run && Clock::now() - since > time_for_folder) check_folder(file);
    if (live.run && live.run->frames > 0 && live.run->frames != drawn && (Clock::now() >= next || live.abandoned())) {
      const auto begin = Clock::now();
      const TrajectoryReader trajectory(file);
      if (!output) {
        output = output_of(options, trajectory, context);
        if (const std::string why_not_drawn = output->pictures.why_not_drawn(); !why_not_drawn.empty())
          context.warning("{}", why_not_drawn);
      }
      (void)output->pictures.draw(trajectory, output->folder, silent, Pictures::What::figures, "", options.replacing);
      drawn = trajectory.size();
      if (line != nullptr && line->due())
        line->show(fmt::format("{}: drawn at t = {:.6g}, {} frames", file.string(), trajectory.times().back(), drawn));
      next = Clock::now() + std::max<Clock::duration>(2s, Clock::now() - begin);
    }
    if (live.abandoned()) {
      if (line != nullptr) line->clear();
      throw writer_is_gone(file, *live.run);
    }
    context.pause(500ms);
  }
  return false;
}

/// Prints a note if the run is not finished.
void note_unfinished(const std::filesystem::path& file, const TrajectoryReader& trajectory, Context& context) {
  const LiveRun live = live_run(file);
  if (trajectory.finished() || !live.run) return;
  context.note(
      "{} is not finished (step {} of {}): drawn to t = {:.6g}; {}", file.string(), live.run->step, live.run->steps,
      trajectory.times().back(),
      live.written ? "`--follow` draws it until it is" : fmt::format("`orrery resume {}` goes on", quoted(file)));
}

bool draw_once(const RenderOptions& options, Context& context) {
  const TrajectoryReader trajectory(options.runs.front());
  const Context::During orderly(context, Context::Phase::orderly);
  const auto [pictures, folder] = output_of(options, trajectory, context);
  if (options.preview) {
    for (const std::string& line : pictures.plan()) context.info("preview: {}", line);
  }
  const bool is_whole = options.frames.empty() && options.piece.empty() && options.figure.empty();
  RenderOptions here = options;
  here.output.reset();
  if (!folder.empty()) here.output = folder;
  const auto drawn =
      is_whole ? draw_on_ranks(pictures, trajectory, here, context)
               : pictures.draw(trajectory, folder, context, Pictures::What::all, options.frames, options.replacing);
  for (const auto& picture : drawn) context.info("{}", picture.string());
  if (options.frames.empty()) note_unfinished(options.runs.front(), trajectory, context);
  if (const std::size_t count = pictures.count(); drawn.size() < count && context.stopped()) {
    context.note("stopped at picture {} of {}; the same command draws them all", drawn.size() + 1, count);
    return false;
  }
  if (const std::string why_not_drawn = pictures.why_not_drawn(); !why_not_drawn.empty()) throw Error(why_not_drawn);
  return true;
}

void refuse_contradictions(const RenderOptions& options) {
  if (options.figure.empty() && options.runs.size() > 1)
    throw Error("several runs need a figure: --figure energy-error, separation, convergence, …", Fault::request);
  if (options.figure.empty() && !options.against.empty())
    throw Error("--against needs a figure: --figure energy-error", Fault::request);
  if (options.figure.empty() && !(options.data.empty() && options.columns.empty()))
    throw Error("--data needs a figure: --figure energy-error", Fault::request);
  if (options.figure.empty() && !options.from.empty())
    throw Error("--from needs a figure: --figure divergence", Fault::request);
  if (options.figure.empty() && !options.labels.empty())
    throw Error("--labels needs a figure: --figure energy-error", Fault::request);
  if (options.follow && !options.frames.empty())
    throw Error("--frames and --follow exclude each other", Fault::request);
  if (options.follow && !options.piece.empty()) throw Error("--piece and --follow exclude each other", Fault::request);
  (void)piece_of(options);
}

}  // namespace

bool render(const RenderOptions& given, Context& context) {
  const RenderOptions options = expand_folders(given, context);
  refuse_contradictions(options);
  if (options.follow && !follow(options, context)) return false;
  return draw_once(options, context);
}

}  // namespace orrery::pipeline
