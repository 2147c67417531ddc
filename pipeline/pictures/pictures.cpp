// SPDX-License-Identifier: MIT
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/compare/key_differences.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "pipeline/memory.hpp"
#include "pipeline/pictures/charts.hpp"
#include "pipeline/pictures/picture_job.hpp"
#include "pipeline/pictures/picture_plan.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/run/carried_runs.hpp"
#include "pipeline/scenario/frame_range.hpp"
#include "pipeline/version.hpp"
#include "render/chart/chart_sheet.hpp"
#include "render/film/film.hpp"
#include "render/metadata/provenance.hpp"
#include "render/module.hpp"
#include "render/point_cloud/gpu_light.hpp"

namespace orrery::pipeline {
namespace {

/// Locks a folder, so that `run` and `render --follow` do not draw the same pictures at the end of a run. The
/// constructor waits for the lock, with a warning after a second; a stop ends the waiting. Pieces of
/// films, which have different files, share it. No-op if the file system does not support locks.
class FolderLock {
 public:
  FolderLock(const std::filesystem::path& folder, bool shared, Context& context)
      : descriptor_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    using namespace std::chrono_literals;
    using Clock = std::chrono::steady_clock;
    const auto since = Clock::now();
    bool warned = false;
    // A blocking flock would not be interrupted, since signals are only recorded.
    while (descriptor_ >= 0 && ::flock(descriptor_, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 &&
           errno == EWOULDBLOCK) {
      if (context.stopped()) return;
      if (!warned && Clock::now() - since > 1s) {
        context.warning("waiting for another orrery that draws in {}",
                        folder.empty() ? "this folder" : folder.string());
        warned = true;
      }
      context.pause(50ms);
    }
  }
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

/// A TOML comment that names the drawn part of the run; "" for all of it.
std::string comment_for(const std::string& frames, const TrajectoryReader& trajectory, const FrameRange& part) {
  if (frames.empty()) return "";
  const auto& times = trajectory.times();
  return fmt::format("# drawn with --frames {}: frames {} to {}{} of 0 to {}, t = {:.6g} to {:.6g}\n", frames,
                     part.begin, part.last(), part.stride > 1 ? fmt::format(", every {} frames,", part.stride) : "",
                     trajectory.size() - 1, times[part.begin], times[part.last()]);
}

/// The text of a picture of several runs: its own table, and the scenario of each. "" if it shows one run.
std::string text_of_several(const PicturePlan& plan, const TrajectoryReader& trajectory) {
  const std::filesystem::path folder = trajectory.path().parent_path(), own = trajectory.path().lexically_normal();
  std::vector<std::filesystem::path> files{own};
  (void)with_other_runs(plan, [&](const std::string& file) {
    const std::filesystem::path path = (folder / file).lexically_normal();
    if (std::ranges::find(files, path) == files.end()) files.push_back(path);
    return file;
  });
  if (files.size() == 1) return "";
  const std::vector<CarriedRun> carried = carried_runs(files);
  const Picture portable = with_other_runs(plan, [&](const std::string& file) {
    const auto k = std::ranges::find(files, (folder / file).lexically_normal()) - files.begin();
    const CarriedRun& run = carried[static_cast<std::size_t>(k)];
    return fmt::format("../{}/{}", run.name, run.file);
  });
  return fmt::format(
      "# A picture of {} runs. Each has a table [[run]] with its scenario; `orrery run` on the picture makes them in\n"
      "# folders of these names and draws it again.\n{}{}",
      files.size(), to_toml(portable), to_toml(carried));
}

/// What an interrupted film leaves; `left` is its playable file, if any.
std::string remains_of(const PicturePlan& plan, const std::filesystem::path& left) {
  if (!left.empty()) return "what there is of it plays: " + left.string();
  if (plan.numbered()) return fmt::format("the frames so far stay: draw {} again for all", plan.file);
  return fmt::format("{} leaves nothing: draw {} again", plan.film.codec ? "so early a film" : "a GIF",
                     plan.written_file());
}

/// Returns the piece of a film whose number of frames is known. Throws Error, Fault::request, if it would have no frame.
render::Piece piece_of(const PicturePlan& plan, render::Piece piece) {
  if (piece.count > plan.frames)
    throw Error(fmt::format("--piece {}: {} has {} frames: divide it into {} pieces or fewer", piece.name(), plan.file,
                            plan.frames, plan.frames),
                Fault::request);
  piece.frames = plan.frames;
  return piece;
}

/// Whether this build can draw a picture.
bool can_draw(const PicturePlan& plan) {
  return plan.format->numbers || draws_pictures();
}

/// Throws Error, Fault::request, if one of the files exists and may not be replaced.
void check_replaceable(const std::vector<PicturePlan>& plans, const std::filesystem::path& folder, Replacing replacing,
                       std::string_view elsewhere) {
  for (const PicturePlan& plan : plans) {
    if (!can_draw(plan)) continue;
    const int begin = plan.numbered() ? plan.begin() : 0, end = plan.numbered() ? plan.end() : 1;
    for (int k = begin; k < end; ++k) {
      const std::string file = plan.numbered() ? render::numbered(plan.file, k) : plan.written_file();
      orrery::refuse_to_replace(folder / file, replacing, render::drawn_by_orrery, elsewhere);
    }
  }
}

/// Returns the GPU that adds the light of many bodies in films; null if it is not there, with a warning unless it is GPU 0, or if
/// bodies are so few that the processor is as fast.
std::shared_ptr<render::GpuLight> gpu_for_films(int device, std::size_t bodies, Context& context) {
  constexpr std::size_t min_bodies = 1U << 15U;
  if (bodies < min_bodies || (device == 0 && render::GpuLight::count() == 0)) return nullptr;
  try {
    return std::make_shared<render::GpuLight>(device);
  } catch (const Error& error) {
    context.warning("films are drawn on the processor: {}", error.what());
    return nullptr;
  }
}

/// Warns about pictures that do not show what lies between their frames. `remarks`: what they say → files.
void warn_of(const std::map<std::string, std::vector<std::string>>& remarks, Context& context) {
  std::string all;
  for (const auto& [words, files] : remarks)
    all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", fmt::join(files, ", "), words);
  if (!all.empty())
    context.warning("{}; more `frames` in [trajectory], and a longer `duration` of a film, show it", all);
}

}  // namespace

struct Pictures::Impl {
  Subject subject;  ///< without bodies and system
  std::vector<PicturePlan> plans{}, of_sweep{};
  std::size_t bodies = 0;
  render::RunInfo info{};                ///< before the run
  std::optional<render::Piece> piece{};  ///< of each film; nullopt: all pictures are drawn, whole
  bool answer = true;                    ///< pictures carry the scenario

  [[nodiscard]] bool draws(const PicturePlan& plan) const { return !piece || plan.divisible(); }
  /// The run when it is there.
  [[nodiscard]] render::RunInfo info_of(const TrajectoryReader& trajectory, const FrameRange& part) const {
    render::RunInfo all = run_info_of(trajectory, part);
    all.timescale_name = subject.timescale_name;
    all.timescale = subject.timescale;
    return all;
  }
};

Pictures::Pictures(Subject of, const std::vector<Picture>& pictures, bool whole)
    : impl_(std::make_unique<Impl>(Impl{std::move(of)})) {
  Subject& subject = impl_->subject;
  impl_->plans = plan_pictures(subject, pictures);
  impl_->info = run_info_of(subject.bodies, subject.components, subject.domain);
  impl_->info.end = subject.end;
  impl_->bodies = std::exchange(subject.bodies, {}).size();
  const auto forces = [](const PicturePlan& plan) {
    return chart_of(*plan.kind).forces ||
           std::ranges::any_of(plan.parts, [](const PicturePart& part) { return chart_of(*part.kind).forces; });
  };
  if (subject.system && std::ranges::any_of(impl_->plans, forces)) subject.physics.system = subject.system();
  subject.system = nullptr;
  // Errors in pictures are reported before the run.
  for (const PicturePlan& plan : impl_->plans) {
    if (whole) plan.check_digits();
    (void)PictureJob(plan, impl_->info, impl_->subject, nullptr);
    for (const PicturePart& part : plan.parts) {
      if (chart_of(*part.kind).shows_a_sweep(part.keys))
        part.keys.complain("kind", fmt::format("\"{}\" as a part must name its runs, others = [\"../other/run.h5\"]",
                                               part.kind->name));
    }
    if (!chart_of(*plan.kind).shows_a_sweep(plan.keys)) continue;
    if (!subject.of_sweep || plan.moving) {
      plan.keys.complain("kind", fmt::format("\"{}\" is drawn once for all members of a [sweep]: add a [sweep], or "
                                             "name runs, others = [\"../other/run.h5\"]",
                                             plan.kind->name));
    }
    impl_->of_sweep.push_back(plan);
  }
  std::erase_if(impl_->plans, [](const PicturePlan& plan) { return chart_of(*plan.kind).shows_a_sweep(plan.keys); });
}
Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;
Pictures& Pictures::operator=(Pictures&&) noexcept = default;

std::size_t Pictures::count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(impl_->plans, [&](const PicturePlan& plan) { return impl_->draws(plan); }));
}

std::vector<std::string> Pictures::files() const {
  std::vector<std::string> names;
  for (const PicturePlan& plan : impl_->plans) {
    if (impl_->draws(plan) && can_draw(plan)) names.push_back(plan.last_file());
  }
  return names;
}

std::vector<std::string> Pictures::plan() const {
  std::vector<std::string> lines;
  for (const PicturePlan& plan : impl_->plans) {
    if (impl_->draws(plan)) lines.push_back(plan.summary());
  }
  for (const PicturePlan& plan : impl_->of_sweep) lines.push_back(plan.summary() + ", of all members together");
  return lines;
}

void Pictures::check_other_runs(const std::filesystem::path& file, const Outliner& own,
                                const RunsToCome& to_come) const {
  const auto check = [&](const render::FigureKind& kind, const Section& keys) {
    const ChartKind& chart = chart_of(kind);
    pipeline::check_other_runs(chart, {keys, impl_->info, impl_->subject.physics, impl_->subject.stored}, file,
                               to_come);
    return chart.of_runs;
  };
  std::optional<RunOutline> outline;  // made once, if at all
  for (const PicturePlan& plan : impl_->plans) {
    bool shows_runs = check(*plan.kind, plan.keys);
    for (const PicturePart& part : plan.parts) shows_runs = check(*part.kind, part.keys) || shows_runs;
    if (!shows_runs) continue;
    if (!outline) outline = own();
    (void)PictureJob(plan, impl_->info, impl_->subject, nullptr, {},
                     [&](const Section& keys) { return outlines_of(keys, *outline, to_come); });
  }
}

void Pictures::check_sweep_figures(const std::vector<RunOutline>& members) const {
  for (const PicturePlan& plan : impl_->of_sweep) {
    (void)PictureJob(plan, impl_->info, impl_->subject, nullptr, {}, [&](const Section&) { return members; });
  }
}

void Pictures::refuse_too_large() const {
  for (const auto* plans : {&impl_->plans, &impl_->of_sweep}) {
    for (const PicturePlan& plan : *plans)
      if (can_draw(plan)) pipeline::refuse_too_large(plan, impl_->bodies);
  }
}

void Pictures::refuse_to_replace(const std::filesystem::path& folder, Replacing replacing,
                                 std::string_view elsewhere) const {
  check_replaceable(impl_->plans, folder, replacing, elsewhere);
  check_replaceable(impl_->of_sweep, folder.parent_path(), replacing, elsewhere);
}

bool Pictures::draws(const std::string& file) const {
  return std::ranges::any_of(impl_->plans, [&](const PicturePlan& plan) {
    return plan.numbered() ? render::is_numbered(plan.file, file) : plan.file == file;
  });
}

void Pictures::hide_answer() {
  impl_->answer = false;
}

void Pictures::make_previews() {
  check_preview_names(impl_->plans);
  for (PicturePlan& plan : impl_->plans) plan = plan.preview();
}

std::vector<std::string> Pictures::divide(const render::Piece& piece) {
  impl_->piece = piece;
  std::vector<std::string> left_out;
  for (const PicturePlan& plan : impl_->plans) {
    if (!plan.moving || plan.divisible()) continue;
    if (count() == 0) {
      plan.keys.complain("file", fmt::format("{}: a GIF is not drawn in pieces, since its colours are chosen from all "
                                             "frames: draw it without --piece, or use .mp4, .webm or frames-####.png",
                                             plan.file));
    }
    left_out.push_back(plan.file);
  }
  return left_out;
}

Pictures::Divisible Pictures::divisible() const {
  Divisible films;
  for (const PicturePlan& plan : impl_->plans) {
    if (!plan.divisible()) continue;
    films.frames = films.files.empty() ? plan.frames : std::min(films.frames, plan.frames);
    films.files.push_back(plan.file);
  }
  return films;
}

std::string Pictures::resolved() const {
  std::string text;
  for (const PicturePlan& plan : impl_->plans) text += "\n" + to_toml(plan);
  return text;
}

std::vector<Picture> Pictures::sweep_figures() const {
  return {impl_->of_sweep.begin(), impl_->of_sweep.end()};
}

std::vector<std::string> Pictures::unseen() const {
  std::vector<std::string> joined, stepping, warnings;
  for (const PicturePlan& plan : impl_->plans) {
    const bool joins = plan.kind->has_paths || chart_of(*plan.kind).joined;
    if (!joins || impl_->bodies > render::max_bodies_with_paths) continue;
    if (impl_->subject.gap * impl_->subject.turning.pericentre > 1.2 * followed_angle) joined.push_back(plan.file);
    if (plan.moving && std::abs(impl_->subject.end) * impl_->subject.turning.mean > M_PI * (plan.frames - 1))
      stepping.push_back(plan.file);
  }
  const double period = 2 * M_PI / impl_->subject.turning.mean;
  if (!joined.empty()) {
    const bool enough = static_cast<double>(impl_->subject.follow) <= max_drawn_frames;
    warnings.push_back(fmt::format(
        "{}: frames are {:.3g} periods of the fastest orbit apart, too far for what lies between, which is drawn as "
        "points; {}",
        fmt::join(joined, ", "), impl_->subject.gap / period,
        enough ? fmt::format("`frames = {}` in [trajectory] follows it", impl_->subject.follow)
               : fmt::format("{} frames would follow it, of which a picture reads {}: draw parts of such a run with "
                             "`orrery render --frames`",
                             impl_->subject.follow, max_drawn_frames)));
  }
  if (!stepping.empty()) {
    warnings.push_back(fmt::format(
        "{}: pictures step over more than half a turn of the fastest orbit; a longer `duration`, or `orrery "
        "render --frames` for a part of the run, shows it",
        fmt::join(stepping, ", ")));
  }
  return warnings;
}

std::string Pictures::why_not_drawn() const {
  const auto cannot = [&](const PicturePlan& plan) { return impl_->draws(plan) && !can_draw(plan); };
  if (std::ranges::any_of(impl_->plans, cannot) && render::has_module()) return render::why_no_drawing();
  std::vector<std::string_view> names;
  for (const PicturePlan& plan : impl_->plans) {
    if (impl_->draws(plan) && can_draw(plan) && plan.needs_opengl(impl_->bodies)) names.push_back(plan.file);
  }
  const std::string why = names.empty() ? "" : render::why_no_opengl();
  return why.empty() ? "" : fmt::format("{}: {}; a .svg or .pdf needs none", fmt::join(names, ", "), why);
}

std::vector<std::filesystem::path> Pictures::draw(const TrajectoryReader& trajectory,
                                                  const std::filesystem::path& folder, Context& context, What what,
                                                  const std::string& frames, Replacing replacing) const {
  std::vector<std::filesystem::path> written;
  std::vector<PicturePlan> plans;
  const bool lacks_opengl = !why_not_drawn().empty();
  if (!std::ranges::all_of(impl_->plans, can_draw) && !render::has_module())
    context.warning("{}", render::why_no_drawing());
  std::ranges::copy_if(impl_->plans, std::back_inserter(plans), [&](const PicturePlan& plan) {
    return impl_->draws(plan) && can_draw(plan) && (what != What::figures || !plan.moving) &&
           (what != What::indivisible || !plan.divisible()) && !(lacks_opengl && plan.needs_opengl(impl_->bodies));
  });
  if (plans.empty()) return written;
  if (trajectory.size() == 0)
    throw Error(fmt::format("{}: there are no frames to draw yet", trajectory.path().string()));
  const FrameRange part = frame_range(frames, trajectory.size(), true);
  for (PicturePlan& plan : plans) {
    if (plan.moving && part.stride > 0) plan.frames = static_cast<int>(part.count());
    plan.check_digits();
    if (impl_->piece) plan.film.piece = piece_of(plan, *impl_->piece);
  }
  for (const PicturePlan& plan : plans) pipeline::refuse_too_large(plan, impl_->bodies);
  check_replaceable(plans, folder, replacing, ", -o DIR writes elsewhere");
  const FolderLock lock(folder, impl_->piece.has_value(), context);
  if (context.stopped()) return written;
  render::RunInfo info = impl_->info_of(trajectory, part);
  // The survey depends on all pictures, also when only pieces of the films are drawn, which would otherwise differ.
  std::vector<PicturePlan> surveyed;
  std::ranges::copy_if(impl_->plans, std::back_inserter(surveyed),
                       [&](const PicturePlan& plan) { return what != What::figures || !plan.moving; });
  if (std::ranges::any_of(surveyed, &PicturePlan::shows_bodies))
    survey(trajectory, part, surveyed, info, context.stop());
  if (context.stopped()) return written;
  std::vector<std::unique_ptr<PictureJob>> stills;
  for (const PicturePlan& plan : plans) {
    if (!plan.moving)
      stills.push_back(std::make_unique<PictureJob>(plan, info, impl_->subject, &trajectory, part, PictureJob::Runs(),
                                                    context.stop()));
  }
  const std::string drawn = comment_for(frames, trajectory, part);
  const std::string text = drawn + carried_scenario(trajectory) + resolved();
  const Destination to{folder,
                       [&](const PicturePlan& plan) {
                         // What another program computed is not the run of any scenario.
                         if (!impl_->answer || !imported_from(trajectory.record()).empty())
                           return without_answer(picture_provenance(trajectory, ""));
                         const std::string several = text_of_several(plan, trajectory);
                         return picture_provenance(trajectory, several.empty() ? text : drawn + several);
                       },
                       replacing};
  draw_stills(stills, trajectory, part, to, written, context);
  std::map<std::string, std::vector<std::string>> remarks;
  for (const auto& job : stills) {
    if (const std::string words = job->figure->remark(); !words.empty()) remarks[words].push_back(job->plan.file);
  }
  give_back_freed_memory();
  const auto is_film_of_bodies = [](const PicturePlan& plan) { return plan.moving && plan.shows_bodies(); };
  if (std::ranges::any_of(plans, is_film_of_bodies))
    info.gpu = gpu_for_films(impl_->subject.device, impl_->bodies, context);
  for (const PicturePlan& plan : plans) {
    if (!plan.moving) continue;
    PicturePlan shown = plan;
    const auto draw_film = [&] {
      PictureJob job(shown, info, impl_->subject, &trajectory, part, PictureJob::Runs(), context.stop());
      if (std::string words = job.figure->remark(); !words.empty()) remarks[std::move(words)].push_back(plan.file);
      return render_film(job, trajectory, part, to, context);
    };
    FilmResult film = draw_film();
    for (; film.whole && film.fit.too_large > 1; film = draw_film()) {
      if (shown.film.min_rate == 0)
        plan.keys.complain("max_file_size",
                           fmt::format("two frames of {} at the minimum size are larger than that", plan.file));
      shown = shown.reduced(film.fit.too_large);
    }
    if (!film.whole) {
      context.note("stopped; {}", remains_of(plan, film.left));
      break;
    }
    const std::string reduction = plan.reduction(shown.film.frames_per_second / film.fit.every, shown.size);
    if (!reduction.empty()) context.note("{}", reduction);
    written.push_back(folder / plan.written_file());
  }
  warn_of(remarks, context);
  if (info.gpu && !info.gpu->failure.empty())
    context.warning("films were drawn on the processor: {}", info.gpu->failure);
  return written;
}

std::vector<render::Chart> Pictures::charts(const TrajectoryReader& trajectory, const Context& context) const {
  const FrameRange part = frame_range("", trajectory.size(), true);
  const PictureJob job(impl_->plans.front(), impl_->info_of(trajectory, part), impl_->subject, &trajectory, part, {},
                       context.stop());
  std::vector<render::Chart> all;
  for (const render::Chart* chart : job.figure->charts()) all.push_back(*chart);
  return all;
}

bool draws_pictures() {
  return render::why_no_drawing().empty();
}

bool write_chart(const std::filesystem::path& file, render::Size size, render::Theme theme, const render::Chart& chart,
                 Replacing replacing) {
  if (!draws_pictures()) return false;
  const render::Canvas canvas(size, theme);
  canvas.save([&](render::Drawing& drawing) { draw_charts(drawing, canvas.style(), {chart}); }, file,
              {.version = version_line()}, replacing);
  return true;
}

bool write_heat_map(const std::filesystem::path& file, render::Size size, render::Theme theme,
                    const render::HeatMap& map, Replacing replacing) {
  if (!draws_pictures()) return false;
  const render::Canvas canvas(size, theme);
  canvas.save([&](render::Drawing& drawing) { draw(drawing, canvas.style(), map); }, file, {.version = version_line()},
              replacing);
  return true;
}

std::vector<FigureDescription> figure_descriptions(std::string_view section) {
  std::vector<FigureDescription> all;
  for (const auto* kind : figure_kinds()) all.push_back({kind->name, kind->meaning, keys_of(section, *kind)});
  return all;
}

}  // namespace orrery::pipeline
