// SPDX-License-Identifier: MIT
// Frames go by, every still takes them in, and is saved; then each film is shot.
#include "pipeline/pictures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "pipeline/film_frames.hpp"
#include "pipeline/frame_range.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/key_differences.hpp"
#include "pipeline/picture_keys.hpp"
#include "pipeline/picture_plan.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/series.hpp"
#include "pipeline/stepping.hpp"
#include "render/film.hpp"

namespace orrery::pipeline {
namespace {

/// One process at a time draws in a folder: `run` and `render --follow` come to the end of a run together. Waits for its
/// turn; where folders cannot be locked there are no turns.
class Turn {
 public:
  explicit Turn(const std::filesystem::path& folder)
      : descriptor_(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
  }
  ~Turn() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int descriptor_;
};

/// Goes through the run for what a picture of bodies must know beforehand: how far they go, and some moments
/// to measure by; of few bodies about as many as a still shows.
void survey(const TrajectoryReader& trajectory, render::Cast& cast) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  cast.extent = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  const std::size_t bodies = std::max<std::size_t>(trajectory.bodies().size(), 1);
  const auto chosen = sampled(trajectory.size(), std::max<std::size_t>(100, 20'000'000 / bodies));
  const std::size_t most = bodies <= render::most_bodies_with_paths ? std::min<std::size_t>(400'000 / bodies, 20'000)
                                                                    : std::clamp<std::size_t>(200'000 / bodies, 4, 200);
  const std::size_t stride = std::max<std::size_t>(1, chosen.size() / most);
  for (std::size_t k = 0; k < chosen.size() && Interrupt::signal() == 0; ++k) {
    render::Frame frame = trajectory.frame(chosen[k]);
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      if (!std::isfinite(frame.position[i])) continue;
      cast.extent.low[i % 3] = std::min<double>(cast.extent.low[i % 3], frame.position[i]);
      cast.extent.high[i % 3] = std::max<double>(cast.extent.high[i % 3], frame.position[i]);
    }
    if (k % stride == 0 || k + 1 == chosen.size()) cast.samples.push_back(std::move(frame));
  }
}

/// What speeds are counted in: "km/s" where time is counted in "kpc s/km".
std::string speed_unit(const std::string& length, const std::string& time) {
  if (length.empty() || time.empty()) return "";
  return time == length + " s/km" ? "km/s" : length + "/" + time;
}

/// Who is there, before anything moves.
render::Cast cast_of(const sim::Bodies& bodies, const std::vector<std::string>& components) {
  render::Cast cast;
  cast.mass = bodies.mass;
  cast.names = bodies.names;
  cast.species = bodies.species;
  cast.components = components;
  return cast;
}

render::Cast cast_of(const TrajectoryReader& trajectory) {
  const RunRecord& record = trajectory.record();
  render::Cast cast = cast_of(trajectory.bodies(), record.components);
  cast.title = record.title;
  cast.length_unit = record.length_unit;
  cast.time_unit = record.time_unit;
  cast.mass_unit = record.mass_unit;
  cast.speed_unit = speed_unit(record.length_unit, record.time_unit);
  cast.start = trajectory.times().front();
  cast.end = trajectory.times().back();
  cast.history = trajectory.history();
  return cast;
}

/// What its pictures say of a run, which `scenario` makes again.
render::Provenance told_of(const TrajectoryReader& trajectory, std::string scenario) {
  const RunRecord& record = trajectory.record();
  const auto state = trajectory.restart();
  return {.version = fmt::format("orrery {} ({}, {})", provenance_of(record, "version"),
                                 provenance_of(record, "commit"), provenance_of(record, "compiler")),
          .state = state ? state_hash(*state) : "",
          .scenario = std::move(scenario)};
}

/// A canvas, the cast under its own title, and the figure on it.
struct Sheet {
  const PicturePlan& plan;
  render::Canvas canvas;
  render::Cast cast;
  std::unique_ptr<render::Figure> figure;

  /// Without a trajectory it is there to check the keys.
  Sheet(const PicturePlan& of, const render::Cast& all, const Physics& physics, const TrajectoryReader* trajectory)
      : plan(of), canvas(of.size, of.theme, of.dpi, of.lettering), cast(all) {
    const SeriesRequest request{plan.section, cast, physics, trajectory, plan.moving};
    try {
      cast.title = plan.section.given("title") ? plan.section->text("title") : common_title(request);
      cast.series = series_of(plan.kind->name, request);
      for (const PicturePart& part : plan.parts) {
        cast.part_series.push_back(series_of(part.kind->name, {part.section, cast, physics, trajectory, plan.moving}));
      }
      figure = plan.kind->make(canvas, cast, plan.section.values(), render::Trails{plan.trails, !plan.moving});
    } catch (const ArgumentError& error) {
      complain(error);
    }
  }

  /// "part[1].limits" is a key of that part.
  [[noreturn]] void complain(const ArgumentError& error) const {
    const std::string& name = error.name();
    const auto end = name.find("].");
    if (!name.starts_with("part[") || end == std::string::npos) plan.section.complain(name, error.what());
    plan.parts.at(std::stoul(name.substr(5))).section.complain(name.substr(end + 2), error.what());
  }
};

/// The frames of a still that is asked for certain moments: those alone of a crowd, else all others in between too.
void show_moments(const Sheet& sheet, const TrajectoryReader& trajectory, bool paths) {
  FilmFrames frames(trajectory);
  const auto earlier = [&](double a, double b) { return frames.earlier(a, b); };
  const auto& stored = trajectory.times();
  std::vector<double> times = sheet.plan.kind->moments(sheet.cast, sheet.plan.section.values());
  std::erase_if(times, [&](double t) { return earlier(t, stored.front()) || earlier(stored.back(), t); });
  for (const std::size_t i : sampled(stored.size(), paths ? 20'000 : 1)) times.push_back(stored[i]);
  std::ranges::stable_sort(times, earlier);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (const double time : times) {
    if (Interrupt::signal() != 0) return;
    sheet.figure->show(frames.at(time));
  }
}

void draw_stills(const std::vector<std::unique_ptr<Sheet>>& sheets, const TrajectoryReader& trajectory,
                 const std::filesystem::path& folder, const render::Provenance& told,
                 std::vector<std::filesystem::path>& written) {
  const bool paths = trajectory.bodies().size() <= render::most_bodies_with_paths;
  const auto together = [](const auto& sheet) {
    return sheet->plan.kind->needs_frames && sheet->plan.kind->moments == nullptr;
  };
  for (const auto& sheet : sheets) {
    if (sheet->plan.kind->moments != nullptr) show_moments(*sheet, trajectory, paths);
  }
  if (std::ranges::any_of(sheets, together)) {
    for (const std::size_t i : sampled(trajectory.size(), paths ? 20'000 : 1)) {
      if (Interrupt::signal() != 0) return;
      const render::Frame frame = trajectory.frame(i);
      for (const auto& sheet : sheets) {
        if (together(sheet)) sheet->figure->show(frame);
      }
    }
  }
  for (const auto& sheet : sheets) {
    if (Interrupt::signal() != 0) return;
    sheet->canvas.save(folder / sheet->plan.file, told);
    written.push_back(folder / sheet->plan.file);
  }
}

/// Whether it came to the end; a signal leaves nothing under the film's own name.
bool shoot(Sheet& sheet, const TrajectoryReader& trajectory, const std::filesystem::path& folder,
           const render::Provenance& told, bool quiet) {
  const PicturePlan& plan = sheet.plan;
  render::Film film(folder / plan.file, plan.size,
                    {.frames_per_second = plan.fps, .codec = plan.codec, .provenance = told});
  Progress progress(plan.file, quiet);
  FilmFrames frames(trajectory);
  const bool paths = trajectory.bodies().size() <= render::most_bodies_with_paths;
  const auto& times = trajectory.times();
  std::size_t stored = 0;
  std::optional<double> last;
  for (int k = 0; k < plan.frames; ++k) {
    if (Interrupt::signal() != 0) return false;
    const double time = sheet.cast.start + (sheet.cast.end - sheet.cast.start) * k / (plan.frames - 1);
    // What was stored since the last picture shapes the trails too.
    for (; paths && stored < times.size() && frames.earlier(times[stored], time); ++stored) {
      if (!last || frames.earlier(*last, times[stored])) sheet.figure->show(frames.at(times[stored]));
    }
    sheet.figure->show(frames.at(time));
    last = time;
    film.add(sheet.canvas.capture());
    progress.show(static_cast<double>(k + 1) / plan.frames,
                  [&] { return fmt::format("{} of {} frames", k + 1, plan.frames); });
  }
  film.finish();
  return true;
}

}  // namespace

struct Pictures::Impl {
  std::vector<PicturePlan> plans;
  Physics physics;
  std::string timescale_name;
  double timescale;
  std::string scenario;  ///< resolved, without pictures
};

Pictures::Pictures(const Scenario& scenario, const Setup& setup)
    : impl_(std::make_unique<Impl>(Impl{
          plan_pictures(scenario, setup), {}, setup.timescale_name, setup.timescale, pipeline::resolved(scenario)})) {
  const auto forces = [](const PicturePlan& plan) { return asks_for_forces(plan.kind->name); };
  impl_->physics = physics_of(scenario, setup, std::ranges::any_of(impl_->plans, forces));
  // What is wrong with a picture is to be known before the run, not after it.
  const sim::Bodies stored = stored_bodies(setup.bodies, trajectory_options(scenario, setup));
  render::Cast cast = cast_of(stored, setup.components);
  cast.end = setup.end();
  for (const PicturePlan& plan : impl_->plans) (void)Sheet(plan, cast, impl_->physics, nullptr);
}
Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;
Pictures& Pictures::operator=(Pictures&&) noexcept = default;

std::size_t Pictures::count() const {
  return impl_->plans.size();
}

std::vector<std::string> Pictures::files() const {
  std::vector<std::string> names;
  for (const PicturePlan& plan : impl_->plans) names.push_back(plan.sign());
  return names;
}

std::vector<std::string> Pictures::plan() const {
  std::vector<std::string> lines;
  for (const PicturePlan& plan : impl_->plans) lines.push_back(plan.line());
  return lines;
}

std::string Pictures::resolved() const {
  std::string text;
  for (const PicturePlan& plan : impl_->plans) {
    text += plan.moving ? "\n[[film]]\n" : "\n[[figure]]\n";
    for (const std::string& line : plan.section.lines()) text += line + "\n";
  }
  return text;
}

std::vector<std::filesystem::path> Pictures::draw(const TrajectoryReader& trajectory,
                                                  const std::filesystem::path& folder, bool quiet, What what) const {
  std::vector<std::filesystem::path> written;
  std::vector<PicturePlan> plans;
  std::ranges::copy_if(impl_->plans, std::back_inserter(plans),
                       [&](const PicturePlan& plan) { return what == What::all || !plan.moving; });
  if (plans.empty()) return written;
  if (trajectory.size() == 0)
    throw Error(fmt::format("{}: there are no frames to draw yet", trajectory.path().string()));
  const Turn turn(folder);
  render::Cast cast = cast_of(trajectory);
  cast.timescale_name = impl_->timescale_name;
  cast.timescale = impl_->timescale;
  const auto shows_bodies = [](const PicturePlan& plan) { return plan.kind->needs_frames; };
  if (std::ranges::any_of(plans, shows_bodies)) survey(trajectory, cast);
  if (Interrupt::signal() != 0) return written;
  std::vector<std::unique_ptr<Sheet>> stills;
  for (const PicturePlan& plan : plans) {
    if (!plan.moving) stills.push_back(std::make_unique<Sheet>(plan, cast, impl_->physics, &trajectory));
  }
  const render::Provenance told = told_of(trajectory, impl_->scenario + resolved());
  draw_stills(stills, trajectory, folder, told, written);
  for (const PicturePlan& plan : plans) {
    if (!plan.moving) continue;
    Sheet sheet(plan, cast, impl_->physics, &trajectory);
    if (!shoot(sheet, trajectory, folder, told, quiet)) break;
    written.push_back(folder / plan.file);
  }
  return written;
}

bool write_chart(const std::filesystem::path& file, render::Size size, render::Theme theme,
                 const std::vector<render::Chart>& charts, int columns) {
  render::Canvas canvas(size, theme);
  render::add(canvas, charts, columns);
  canvas.save(file);
  return true;
}

std::vector<FigureDescription> figure_descriptions(std::string_view section) {
  std::vector<FigureDescription> all;
  for (const auto* kind : render::figure_kinds()) {
    FigureDescription description{kind->name, kind->meaning, {}};
    description.parameters.assign(picture_keys(section).begin(), picture_keys(section).end());
    description.parameters.insert(description.parameters.end(), kind->parameters.begin(), kind->parameters.end());
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace orrery::pipeline
