// SPDX-License-Identifier: MIT
#include "pipeline/measure/drawing.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>

#include "pipeline/measure/timing.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "render/film/film.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;
constexpr double turns = 1.5;  // of a body near the middle

/// A star with planets for elements, otherwise a random cube for few bodies and a Plummer sphere for many.
std::string text_of(const DrawingRow& row) {
  std::string initial =
      fmt::format("kind = \"{}\"\nn = {}\n", row.bodies <= 64 ? "random-cube" : "plummer", row.bodies);
  if (row.planets) {
    initial = "kind = \"table\"\n";
    for (std::size_t i = 0; i < row.bodies; ++i)
      initial += fmt::format("[[initial.bodies]]\nmass = {}\nposition = [{}, 0, 0]\nvelocity = [0, 0, 0]\n",
                             i == 0 ? 1 : 1e-6, i);
  }
  return fmt::format(
      "title = \"A run to draw\"\nseed = 1\n[initial]\n{}[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = {}\n{}",
      initial, row.stored - 1, row.pictures);
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

void write_run(const fs::path& file, const DrawingRow& row, const Scenario& scenario, const Setup& setup) {
  RunRecord record;
  record.title = scenario.title;
  record.resolved = scenario.text;
  record.dt = setup.model.dt;
  record.steps = setup.model.steps;
  record.components = setup.model.components;
  sim::Snapshot now;
  now.position = setup.model.bodies.position;
  now.velocity = sim::Vectors(row.bodies);
  fs::remove(file);
  TrajectoryWriter writer(file, setup.model.bodies, record, {});
  for (std::size_t k = 0; k < row.stored; ++k) {
    now.step = static_cast<std::int64_t>(k);
    now.time = static_cast<double>(k) * setup.model.dt;
    row.planets ? orbit(now.time, now)
                : turn(setup.model.bodies, static_cast<double>(k) / static_cast<double>(row.stored - 1),
                       setup.model.end(), now);
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

constexpr std::string_view orbiting_camera = "kind = \"view3d\"\ncamera = \"orbit\"\n",
                           elements = "kind = \"elements\"\n";

std::string film(std::string_view kind, std::string_view file, std::size_t frames, double fps, std::string_view size) {
  return fmt::format("[[film]]\n{}file = \"{}\"\nfps = {:.1f}\nduration = {}\n{}", kind, file, fps,
                     static_cast<double>(frames) / fps, size);
}

}  // namespace

std::vector<DrawingRow> drawing_rows(bool quick) {
  const auto mp4 = [&](std::size_t bodies, std::size_t stored, std::size_t frames,
                       std::string_view kind = orbiting_camera) {
    return DrawingRow{
        .what = fmt::format("MP4, {}{}", kind == elements ? "elements, " : "", quick ? "320 × 180" : "1920 × 1080"),
        .bodies = bodies,
        .stored = stored,
        .frames = frames,
        .pictures = film(kind, "film.mp4", frames, 30, quick ? "size = [320, 180]\n" : "size = [1920, 1080]\n"),
        .planets = kind == elements};
  };
  std::string figures;
  for (const char* kind : {"projection", "projections", "view3d", "energy-error"})
    figures += fmt::format("[[figure]]\nkind = \"{0}\"\nfile = \"{0}.png\"\n", kind);
  const auto gif = [&](std::size_t bodies) {
    const std::size_t frames = quick ? 25 : 300;
    return DrawingRow{.what = quick ? "GIF, 480 wide, 1 s" : "GIF, 480 wide, 12 s",
                      .bodies = bodies,
                      .stored = 301,
                      .frames = frames,
                      .pictures = film(orbiting_camera, "film.gif", frames, 25, "")};
  };
  const DrawingRow stills{
      .what = "four figures", .bodies = 6, .stored = quick ? std::size_t{100} : 2000, .pictures = figures};
  if (quick) return {mp4(4096, 11, 10), mp4(13, 1001, 10, elements), stills, gif(6)};
  return {mp4(4096, 601, 600),
          mp4(65'536, 61, 180),
          mp4(1'000'000, 9, 120),
          mp4(6, 601, 600),
          mp4(13, 20'001, 600, elements),
          stills,
          gif(6),
          gif(4096)};
}

void measure_drawing(DrawingRow& row, const fs::path& folder) {
  const fs::path file = folder / "run.h5";
  const Scenario scenario = parse_scenario(text_of(row), "bench", {});
  std::optional<Setup> setup(set_up(scenario));
  const Pictures pictures(scenario, *setup);
  write_run(file, row, scenario, *setup);
  setup.reset();
  give_back_freed_memory();
  reset_peak_memory();
  const double cpu = cpu_seconds();
  Messages silent;
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
