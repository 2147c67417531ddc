// SPDX-License-Identifier: MIT
// Frames go by, every still takes them in, and is saved; then each film is shot.
#include "pipeline/pictures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>

#include "pipeline/film_frames.hpp"
#include "pipeline/frame_range.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/picture_keys.hpp"
#include "pipeline/picture_plan.hpp"
#include "pipeline/picture_provenance.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/series.hpp"
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
/// to measure by.
void survey(const TrajectoryReader& trajectory, const FrameRange& part, render::Cast& cast) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  cast.extent = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  const std::size_t bodies = std::max<std::size_t>(trajectory.bodies().size(), 1);
  const auto chosen = sampled(part, std::max<std::size_t>(100, 20'000'000 / bodies));
  const std::size_t most = std::clamp<std::size_t>(200'000 / bodies, 2, 200);
  const std::size_t stride = std::max<std::size_t>(1, chosen.size() / most);
  std::vector<render::Frame> samples;
  for (std::size_t k = 0; k < chosen.size() && Interrupt::signal() == 0; ++k) {
    render::Frame frame = trajectory.frame(chosen[k]);
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
      cast.extent.low[i % 3] = std::min<double>(cast.extent.low[i % 3], frame.position[i]);
      cast.extent.high[i % 3] = std::max<double>(cast.extent.high[i % 3], frame.position[i]);
    }
    if (k % stride == 0 || k + 1 == chosen.size()) samples.push_back(std::move(frame));
  }
  cast.samples = std::move(samples);
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

render::Cast cast_of(const TrajectoryReader& trajectory, const FrameRange& part) {
  const RunRecord& record = trajectory.record();
  render::Cast cast = cast_of(trajectory.bodies(), record.components);
  cast.title = record.title;
  cast.length_unit = record.length_unit;
  cast.time_unit = record.time_unit;
  cast.mass_unit = record.mass_unit;
  cast.speed_unit = speed_unit(record.length_unit, record.time_unit);
  cast.start = trajectory.times()[part.begin];
  cast.end = trajectory.times()[part.last()];
  cast.history = trajectory.history();
  return cast;
}

/// A canvas, the cast under its own title, and the figure on it.
struct Sheet {
  const PicturePlan& plan;
  render::Canvas canvas;
  render::Cast cast;
  std::unique_ptr<render::Figure> figure;

  /// Without a trajectory it is there to check the keys.
  Sheet(const PicturePlan& of, const render::Cast& all, double G, const TrajectoryReader* trajectory)
      : plan(of), canvas(of.size, of.theme, of.dpi), cast(all) {
    if (plan.section.given("title")) cast.title = plan.section->text("title");
    try {
      cast.series = series_of(plan.kind->name, {plan.section, cast, G, trajectory});
      figure = plan.kind->make(canvas, cast, plan.section.values(), render::Trails{plan.trails, !plan.moving});
    } catch (const ArgumentError& error) {
      plan.section.complain(error.name(), error.what());
    }
  }
};

void draw_stills(const std::vector<std::unique_ptr<Sheet>>& sheets, const TrajectoryReader& trajectory,
                 const FrameRange& part, const std::filesystem::path& folder,
                 std::vector<std::filesystem::path>& written) {
  const bool paths = trajectory.bodies().size() <= render::most_bodies_with_paths;
  if (std::ranges::any_of(sheets, [](const auto& sheet) { return sheet->plan.kind->needs_frames; })) {
    for (const std::size_t i : sampled(part, paths ? 20'000 : 1)) {
      if (Interrupt::signal() != 0) return;
      const render::Frame frame = trajectory.frame(i);
      for (const auto& sheet : sheets) {
        if (sheet->plan.kind->needs_frames) sheet->figure->show(frame);
      }
    }
  }
  for (const auto& sheet : sheets) {
    if (Interrupt::signal() != 0) return;
    sheet->canvas.save(folder / sheet->plan.file);
    written.push_back(folder / sheet->plan.file);
  }
}

/// Whether it came to the end; a signal leaves nothing under the film's own name.
bool shoot(Sheet& sheet, const TrajectoryReader& trajectory, const FrameRange& part,
           const std::filesystem::path& folder, bool quiet) {
  const PicturePlan& plan = sheet.plan;
  render::Film film(folder / plan.file, plan.size,
                    {.frames_per_second = plan.fps, .codec = plan.codec, .provenance = provenance_of(trajectory)});
  Progress progress(plan.file, quiet);
  FilmFrames frames(trajectory);
  const bool paths = trajectory.bodies().size() <= render::most_bodies_with_paths;
  const auto& times = trajectory.times();
  std::size_t stored = part.begin;
  const auto time_of_frame = [&](int k) {
    if (part.stride > 0) return times[part.begin + static_cast<std::size_t>(k) * part.stride];
    return sheet.cast.start + (sheet.cast.end - sheet.cast.start) * k / (plan.frames - 1);
  };
  std::optional<double> last;
  for (int k = 0; k < plan.frames; ++k) {
    if (Interrupt::signal() != 0) return false;
    const double time = time_of_frame(k);
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
  double G;  ///< that bodies attract each other with; 0: they do not
  std::string timescale_name;
  double timescale;
};

Pictures::Pictures(const Scenario& scenario, const Setup& setup)
    : impl_(std::make_unique<Impl>(Impl{plan_pictures(scenario, setup),
                                        scenario.forces.front().plugin->name == "gravity" ? setup.G : 0,
                                        setup.timescale_name, setup.timescale})) {
  // What is wrong with a picture is to be known before the run, not after it.
  const sim::Bodies stored = stored_bodies(setup.bodies, trajectory_options(scenario, setup));
  const render::Cast cast = cast_of(stored, setup.components);
  for (const PicturePlan& plan : impl_->plans) (void)Sheet(plan, cast, impl_->G, nullptr);
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

void Pictures::make_previews() {
  for (PicturePlan& plan : impl_->plans) plan = plan.preview();
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
                                                  const std::filesystem::path& folder, bool quiet, What what,
                                                  const std::string& frames) const {
  std::vector<std::filesystem::path> written;
  std::vector<PicturePlan> plans;
  std::ranges::copy_if(impl_->plans, std::back_inserter(plans),
                       [&](const PicturePlan& plan) { return what == What::all || !plan.moving; });
  if (plans.empty()) return written;
  if (trajectory.size() == 0)
    throw Error(fmt::format("{}: there are no frames to draw yet", trajectory.path().string()));
  const FrameRange part = frame_range(frames, trajectory.size(), true);
  if (part.stride > 0) {
    for (PicturePlan& plan : plans) {
      if (plan.moving) plan = plan.of_length(static_cast<int>(part.count()));
    }
  }
  const Turn turn(folder);
  render::Cast cast = cast_of(trajectory, part);
  cast.timescale_name = impl_->timescale_name;
  cast.timescale = impl_->timescale;
  const auto shows_bodies = [](const PicturePlan& plan) { return plan.kind->needs_frames; };
  if (std::ranges::any_of(plans, shows_bodies)) survey(trajectory, part, cast);
  if (Interrupt::signal() != 0) return written;
  std::vector<std::unique_ptr<Sheet>> stills;
  for (const PicturePlan& plan : plans) {
    if (!plan.moving) stills.push_back(std::make_unique<Sheet>(plan, cast, impl_->G, &trajectory));
  }
  draw_stills(stills, trajectory, part, folder, written);
  give_back_freed_memory();
  for (const PicturePlan& plan : plans) {
    if (!plan.moving) continue;
    Sheet sheet(plan, cast, impl_->G, &trajectory);
    if (!shoot(sheet, trajectory, part, folder, quiet)) break;
    written.push_back(folder / plan.file);
  }
  return written;
}

bool write_chart(const std::filesystem::path& file, render::Size size, render::Theme theme,
                 std::vector<render::Chart> charts, int columns) {
  render::Canvas canvas(size, theme);
  render::add(canvas, std::move(charts), columns);
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
