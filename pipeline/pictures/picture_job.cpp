// SPDX-License-Identifier: MIT
#include "pipeline/pictures/picture_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "pipeline/pictures/film_frames.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/progress.hpp"
#include "render/chart/chart_data.hpp"
#include "render/chosen.hpp"

namespace orrery::pipeline {
namespace {

/// The times within the run at which the keys of the picture ask for a frame, in the order of the run.
std::vector<double> moments_of(const PictureJob& job, const FilmFrames& frames) {
  if (job.plan.kind->moments == nullptr) return {};
  std::vector<double> times = job.plan.kind->moments(job.info, job.plan.keys.values());
  std::erase_if(times, [&](double t) { return frames.earlier(t, job.info.start) || frames.earlier(job.info.end, t); });
  return times;
}

/// The times at which a still is shown a frame: its moments, and the stored frames if it has paths, else the first and the last.
std::vector<double> times_of(const PictureJob& job, const TrajectoryReader& trajectory, const FrameRange& part,
                             const FilmFrames& frames) {
  std::vector<double> times = moments_of(job, frames);
  const bool paths = job.plan.shows_paths(trajectory.bodies().size());
  for (const std::size_t i : sampled(part, paths ? frames_for_paths(trajectory.bodies().size()) : 1))
    times.push_back(trajectory.times()[i]);
  return times;
}

/// A run and the others in its picture.
std::vector<const render::RunInfo*> every_run(const render::RunInfo& info) {
  std::vector<const render::RunInfo*> all{&info};
  for (const render::RunInfo& other : info.others) all.push_back(&other);
  return all;
}

/// Shows a still the frames of the other runs in it, all of each.
void show_others(const PictureJob& job) {
  for (std::size_t k = 0; k < job.others.size(); ++k) {
    const TrajectoryReader& run = job.others[k]->trajectory;
    FilmFrames frames(run, true, job.info.others[k].between);
    for (const std::size_t i : sampled({0, run.size()}, frames_for_paths(run.bodies().size())))
      job.figure->show_other(k, frames.at(run.times()[i]));
  }
}

/// Shows all stills their frames, together, so that each frame is read once.
void show_stills(const std::vector<std::unique_ptr<PictureJob>>& jobs, const TrajectoryReader& trajectory,
                 const FrameRange& part, const Context& context) {
  FilmFrames frames(trajectory, true, jobs.empty() ? nullptr : jobs.front()->info.between);
  std::vector<std::pair<double, render::Figure*>> showings;
  for (const auto& job : jobs) {
    if (!job->plan.shows_bodies()) continue;
    for (const double time : times_of(*job, trajectory, part, frames)) showings.emplace_back(time, job->figure.get());
  }
  std::ranges::stable_sort(showings, [&](const auto& a, const auto& b) { return frames.earlier(a.first, b.first); });
  showings.erase(std::unique(showings.begin(), showings.end()), showings.end());
  for (const auto& [time, figure] : showings) {
    if (context.stopped()) return;
    figure->show(frames.at(time));
  }
  for (const auto& job : jobs) show_others(*job);
}

void save(const PictureJob& job, const std::filesystem::path& file, const Destination& to) {
  if (!job.plan.format->numbers)
    return job.canvas.save(scene_of(*job.figure), file, to.provenance(job.plan), to.replacing);
  const auto charts = job.figure->charts();
  render::write_whole(file,
                      job.plan.format->extension == ".csv"
                          ? render::csv_of(charts)
                          : render::json_of(charts, job.info.title, to.provenance(job.plan)),
                      to.replacing);
}

}  // namespace

PictureJob::PictureJob(const PicturePlan& of, const render::RunInfo& all, const Subject& subject,
                       const TrajectoryReader* trajectory, const std::optional<FrameRange>& drawn, const Runs& runs,
                       const sim::StopRequest& stop)
    : plan(of), canvas(of.size, of.theme, of.dpi, of.lettering), info(all) {
  const auto request = [&](const Section& keys) {
    ChartRequest of_keys{keys, info, subject.physics, subject.stored, trajectory, plan.moving, drawn};
    of_keys.stop = stop;
    if (plan.format->numbers) of_keys.max_rows = std::numeric_limits<std::size_t>::max() / 2;
    return of_keys;
  };
  std::vector<std::vector<render::Chart>> charts;
  const auto add_charts = [&](const render::FigureKind& kind, const Section& keys) {
    ChartRequest with_runs = request(keys);
    if (runs && chart_of(kind).of_runs) with_runs.runs = runs(keys);
    charts.push_back(charts_of(kind, with_runs));
  };
  info.pictures = plan.moving ? plan.frames : 0;
  if (trajectory != nullptr) choose_units(info, plan.units, trajectory->record());
  try {
    info.title = plan.title ? *plan.title : common_title(request(plan.keys));
    for (const Section* keys : plan.sections()) {
      if (render::chooses_bodies(keys->values())) (void)selected_bodies(request(*keys), info.mass.size());
    }
    for (const PicturePart& part : plan.parts) {
      if (part.kind->needs_frames && shows_other_runs(part.keys))
        part.keys.complain("others",
                           "a part of a picture shows the bodies of one run: draw several in a figure of its own");
    }
    if (plan.kind->needs_frames && shows_other_runs(plan.keys)) add_other_runs(request(plan.keys));
    if (plan.parts.empty()) add_charts(*plan.kind, plan.keys);
    for (const PicturePart& part : plan.parts) add_charts(*part.kind, part.keys);
    figure = plan.kind->make(canvas, info, plan.keys.values(), render::Trails{plan.trails, !plan.moving}, charts);
  } catch (const ArgumentError& error) {
    complain(error);
  }
}

void PictureJob::add_other_runs(const ChartRequest& request) {
  if (plan.moving)
    plan.keys.complain("others", "a film shows the bodies of one run: draw a figure, or a film of a chart");
  AllRuns runs = labelled_runs(request);
  info.runs = runs.names;
  others = std::move(runs.others);
  for (const auto& other : others) {
    const std::string file = other->trajectory.path().string();
    if (other->trajectory.record().length_unit != request.trajectory->record().length_unit)
      plan.keys.complain("others", file + " has another unit of length: give both runs the same `units`");
    render::RunInfo its = other->info;
    survey(other->trajectory, {0, other->trajectory.size()}, {plan}, its, request.stop);
    its.runs = info.runs;
    its.run = info.others.size() + 1;
    info.others.push_back(std::move(its));
  }
  for (const render::RunInfo* run : every_run(info)) {
    if (plan.shows_paths(run->mass.size())) continue;
    plan.keys.complain("others",
                       fmt::format("of several runs the paths are drawn, of at most {} bodies: choose `bodies`",
                                   render::max_bodies_with_paths));
  }
}

void PictureJob::complain(const ArgumentError& error) const {
  const std::string& name = error.name();
  const auto end = name.find("].");
  if (!name.starts_with("part[") || end == std::string::npos) plan.keys.complain(name, error.what());
  plan.parts.at(std::stoul(name.substr(5))).keys.complain(name.substr(end + 2), error.what());
}

void draw_stills(const std::vector<std::unique_ptr<PictureJob>>& jobs, const TrajectoryReader& trajectory,
                 const FrameRange& part, const Destination& to, std::vector<std::filesystem::path>& written,
                 const Context& context) {
  show_stills(jobs, trajectory, part, context);
  for (const auto& job : jobs) {
    if (context.stopped()) return;
    save(*job, to.folder / job->plan.file, to);
    written.push_back(to.folder / job->plan.file);
  }
}

FilmResult render_film(PictureJob& job, const TrajectoryReader& trajectory, const FrameRange& part,
                       const Destination& to, Context& context) {
  const PicturePlan& plan = job.plan;
  render::FilmOptions options = plan.film;
  options.provenance = to.provenance(plan);
  options.replacing = to.replacing;
  render::Film film(to.folder / plan.file, plan.size, options);
  Progress progress(plan.written_file(), context);
  const bool paths = plan.shows_paths(trajectory.bodies().size());
  FilmFrames frames(trajectory, paths || plan.shows_velocities(), job.info.between);
  const bool bodies = plan.shows_bodies();  // curves need only the time
  const auto& times = trajectory.times();
  // Frames shown between those of the film: requested moments, and stored frames for trails.
  std::vector<double> between = bodies ? moments_of(job, frames) : std::vector<double>{};
  if (paths && bodies)
    for (const std::size_t i : sampled(part, frames_for_paths(trajectory.bodies().size()))) between.push_back(times[i]);
  std::ranges::stable_sort(between, [&](double a, double b) { return frames.earlier(a, b); });
  std::size_t next = 0;
  const auto time_of_frame = [&](int k) {
    if (part.stride > 0) return times[part.begin + static_cast<std::size_t>(k) * part.stride];
    return job.info.start + (job.info.end - job.info.start) * k / (plan.frames - 1);
  };
  // A piece begins in the state that the whole film has there.
  const int begin = plan.begin(), count = plan.end() - begin;
  const bool remembers = plan.remembers(trajectory.bodies().size(), job.info);
  std::optional<double> last;
  for (int k = 0; k < plan.end(); ++k) {
    if (k > 0 && k < begin && !remembers) continue;
    if (context.stopped()) return {.whole = false, .left = film.stop()};
    const double time = time_of_frame(k);
    for (; next < between.size() && frames.earlier(between[next], time); ++next) {
      if (last && !frames.earlier(*last, between[next])) continue;
      job.figure->show(frames.at(between[next]));
      last = between[next];
    }
    job.figure->show(bodies ? frames.at(time) : render::Frame{time, {}, {}});
    last = time;
    if (k < begin) {
      if (k == 0) job.figure->prepare(job.canvas.blank());
      continue;
    }
    film.add(job.canvas.capture(scene_of(*job.figure)));
    const int drawn = k + 1 - begin;
    progress.show(static_cast<double>(drawn) / count, [&] { return fmt::format("{} of {} frames", drawn, count); });
  }
  return {.fit = film.finish()};
}

}  // namespace orrery::pipeline
