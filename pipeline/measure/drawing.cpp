// SPDX-License-Identifier: MIT
#include "pipeline/measure/drawing.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>

#include "pipeline/measure/models.hpp"
#include "pipeline/measure/timing.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "render/film/film.hpp"
#include "sim/forces/gravity.hpp"
#include "sim/initial_states/list.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;
constexpr double turns = 1.5;  // of a body near the middle

/// A star with planets for elements, otherwise a random cube for few bodies and a Plummer sphere for many.
sim::Model model_to_draw(const DrawingRow& row) {
  sim::Model model = model_of(row.bodies <= 64 ? sim::random_cube : sim::plummer, row.bodies, {}, sim::Gravity::law);
  model.dt = 0.01;
  model.steps = static_cast<std::int64_t>(row.stored - 1);
  if (!row.planets) return model;
  for (std::size_t i = 0; i < row.bodies; ++i) {
    model.bodies.mass[i] = i == 0 ? 1 : 1e-6;
    model.bodies.position.x[i] = static_cast<double>(i);
    model.bodies.position.y[i] = model.bodies.position.z[i] = 0;
  }
  return model;
}

/// Moves planet i at a distance i about the first body, at a speed about that of a circular orbit, so that curves of elements
/// oscillate.
void orbit(double time, sim::Snapshot& now) {
  for (std::size_t i = 1; i < now.position.x.size(); ++i) {
    const auto r = static_cast<double>(i);
    const double phase = time / std::pow(r, 1.5), wave = 0.05 * std::sin((1 + 0.3 * r) * time), v = 1 / std::sqrt(r);
    now.position.x[i] = r * std::cos(phase);
    now.position.y[i] = r * std::sin(phase);
    now.velocity.x[i] = -v * (1 + wave) * std::sin(phase);
    now.velocity.y[i] = v * (1 + wave) * std::cos(phase);
    now.velocity.z[i] = v * wave;
  }
}

/// Moves each body along a circle about the z axis to its place after `share` of the run; outer bodies are slower.
void turn(const sim::Bodies& bodies, double share, double time, sim::Snapshot& now) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double x = bodies.position.x[i], y = bodies.position.y[i];
    const double rate = 2 * M_PI * turns / std::pow(1 + x * x + y * y, 0.75) / time;
    const double c = std::cos(rate * share * time), s = std::sin(rate * share * time);
    now.position.x[i] = c * x - s * y;
    now.position.y[i] = s * x + c * y;
    now.velocity.x[i] = -rate * now.position.y[i];
    now.velocity.y[i] = rate * now.position.x[i];
  }
  now.observables.potential_energy = -1 - 1e-7 * std::sin(40 * share) * std::sin(900 * share);
}

void write_run(const fs::path& file, const DrawingRow& row) {
  const sim::Model model = model_to_draw(row);
  RunRecord record;
  record.title = "A run to draw";
  record.dt = model.dt;
  record.steps = model.steps;
  record.components = model.components;
  sim::Snapshot now;
  now.position = model.bodies.position;
  now.velocity = sim::Vectors(row.bodies);
  fs::remove(file);
  TrajectoryWriter writer(file, model.bodies, record, {});
  for (std::size_t k = 0; k < row.stored; ++k) {
    now.step = static_cast<std::int64_t>(k);
    now.time = static_cast<double>(k) * model.dt;
    row.planets ? orbit(now.time, now)
                : turn(model.bodies, static_cast<double>(k) / static_cast<double>(row.stored - 1), model.end(), now);
    writer.append(now, true);
  }
  writer.finish(now);
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Resets the peak memory of this process (Linux).
void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

double peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return 1024 * kilobytes;
  }
  return 0;
}

}  // namespace

Picture film_of_frames(const std::string& file, std::size_t frames, double fps, Arguments keys) {
  keys.set("file", file);
  keys.set("fps", fps);
  keys.set("duration", static_cast<double>(frames) / fps);
  return make_picture(true, {std::move(keys)});
}

std::vector<DrawingRow> drawing_rows(bool quick) {
  const std::vector<double> size = quick ? std::vector{320.0, 180.0} : std::vector{1920.0, 1080.0};
  const auto mp4 = [&](std::size_t bodies, std::size_t stored, std::size_t frames, bool planets = false) {
    Arguments keys{{"kind", planets ? "elements" : "view3d"}, {"size", size}};
    if (!planets) keys.set("camera", "orbit");
    return DrawingRow{
        .what = fmt::format("MP4, {}{}", planets ? "elements, " : "", quick ? "320 × 180" : "1920 × 1080"),
        .bodies = bodies,
        .stored = stored,
        .frames = frames,
        .pictures = {film_of_frames("film.mp4", frames, 30, keys)},
        .planets = planets};
  };
  std::vector<Picture> figures;
  for (const std::string kind : {"projection", "projections", "view3d", "energy-error"})
    figures.push_back(make_picture(false, {{{"kind", kind}, {"file", kind + ".png"}}}));
  const auto gif = [&](std::size_t bodies) {
    const std::size_t frames = quick ? 25 : 300;
    return DrawingRow{.what = quick ? "GIF, 480 wide, 1 s" : "GIF, 480 wide, 12 s",
                      .bodies = bodies,
                      .stored = 301,
                      .frames = frames,
                      .pictures = {film_of_frames("film.gif", frames, 25, {{"kind", "view3d"}, {"camera", "orbit"}})}};
  };
  const DrawingRow stills{
      .what = "four figures", .bodies = 6, .stored = quick ? std::size_t{100} : 2000, .pictures = figures};
  if (quick) return {mp4(4096, 11, 10), mp4(13, 1001, 10, true), stills, gif(6)};
  return {mp4(4096, 601, 600),
          mp4(65'536, 61, 180),
          mp4(1'000'000, 9, 120),
          mp4(6, 601, 600),
          mp4(13, 20'001, 600, true),
          stills,
          gif(6),
          gif(4096)};
}

void measure_drawing(DrawingRow& row, const fs::path& folder) {
  const fs::path file = folder / "run.h5";
  write_run(file, row);
  const TrajectoryReader run(file);
  const Pictures pictures(subject_of(run), row.pictures);
  give_back_freed_memory();
  reset_peak_memory();
  const double cpu = cpu_seconds();
  Context silent;
  std::vector<fs::path> drawn;
  row.seconds = seconds_of([&] { drawn = pictures.draw(TrajectoryReader(file), folder, silent); });
  row.cpu = cpu_seconds() - cpu;
  row.peak = peak_memory();
  row.bytes = 0;
  for (const fs::path& picture : drawn) row.bytes += static_cast<double>(fs::file_size(picture));
  std::error_code ignored;
  for (const fs::path& left : {file, render::unfinished(folder / "film.mp4")}) fs::remove(left, ignored);
  for (const fs::path& picture : drawn) fs::remove(picture, ignored);
}

}  // namespace orrery::pipeline
