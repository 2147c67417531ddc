// SPDX-License-Identifier: MIT
#include "pipeline/page/stage_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "common/base64.hpp"
#include "pipeline/page/phrases.hpp"
#include "pipeline/page/stage_view.hpp"
#include "pipeline/page/ways.hpp"
#include "pipeline/pictures/run_info.hpp"
#include "pipeline/run/energy_record.hpp"
#include "render/between.hpp"
#include "render/chosen.hpp"
#include "render/figure.hpp"
#include "render/page/html.hpp"
#include "render/page/packed_frames.hpp"
#include "render/point_cloud/point_cloud.hpp"
#include "render/style/coloring.hpp"
#include "render/view/reference.hpp"

namespace orrery::pipeline {
namespace {

using render::Theme;

/// Fewer are not thinned out: what moves between frames is interpolated.
constexpr std::size_t least_frames = 100, least_bodies = 2048;
constexpr std::size_t few_bodies = 256;  // fewer are left only if nothing else helps
constexpr std::size_t most_samples = 128;

constexpr int least_bits = 10;

/// The part of a run that a page holds.
struct Part {
  std::vector<std::size_t> frames, bodies;
  std::vector<float> positions;          ///< [frames][bodies][3]
  int bits;                              ///< of a coordinate across the view
  std::vector<render::Frame> samples{};  ///< [frames], of all bodies if there are few, otherwise of some

  [[nodiscard]] double coordinates() const { return 3.0 * static_cast<double>(frames.size() * bodies.size()); }
};

/// Every k-th frame, since differences in time of even steps are the smallest, and the last: at most `count`.
std::vector<std::size_t> some_frames(std::size_t count, std::size_t of) {
  const std::size_t stride = count >= of ? 1 : (of + count - 2) / (std::max<std::size_t>(count, 2) - 1);
  std::vector<std::size_t> some;
  for (std::size_t k = 0; k < of; k += stride) some.push_back(k);
  if (of > 0 && some.back() + 1 != of) some.push_back(of - 1);
  return some;
}

std::vector<std::size_t> some_bodies(std::size_t count, std::size_t of) {
  std::vector<std::size_t> some(std::min(count, of));
  for (std::size_t k = 0; k < some.size(); ++k) some[k] = k * of / some.size();
  return some;
}

void read(Part& part, const TrajectoryReader& trajectory, const Context& context) {
  part.positions.clear();
  part.positions.reserve(static_cast<std::size_t>(part.coordinates()));
  const auto sampled = some_bodies(most_samples, trajectory.bodies().size());
  render::Frame frame;
  for (const std::size_t k : part.frames) {
    if (context.stopped()) return;
    frame = trajectory.frame(k, std::move(frame));
    for (const std::size_t body : part.bodies) {
      const float* at = &frame.position[3 * body];
      part.positions.insert(part.positions.end(), at, at + 3);
    }
    part.samples.push_back(render::picked(frame, sampled));
  }
}

/// So many of its frames and bodies.
Part thinned(const Part& part, std::size_t frames, std::size_t bodies) {
  const auto keep_frames = some_frames(frames, part.frames.size()),
             keep_bodies = some_bodies(bodies, part.bodies.size());
  Part less{.frames = {}, .bodies = {}, .positions = {}, .bits = part.bits};
  for (const std::size_t f : keep_frames) {
    less.frames.push_back(part.frames[f]);
    less.samples.push_back(part.samples[f]);
    for (const std::size_t b : keep_bodies) {
      const float* at = &part.positions[3 * (f * part.bodies.size() + b)];
      less.positions.insert(less.positions.end(), at, at + 3);
    }
  }
  for (const std::size_t b : keep_bodies) less.bodies.push_back(part.bodies[b]);
  return less;
}

/// The positions at some moments, the last one among them.
std::vector<float> moments_of(const Part& part) {
  constexpr std::size_t most = 1'000'000;  // bodies at moments
  const std::size_t n = part.bodies.size(), frames = part.frames.size();
  const std::size_t stride = std::max<std::size_t>(1, n * frames / most);
  std::vector<float> some;
  for (std::size_t f = (frames - 1) % stride; f < frames; f += stride) {
    const auto begin = part.positions.begin() + static_cast<std::ptrdiff_t>(3 * f * n);
    some.insert(some.end(), begin, begin + static_cast<std::ptrdiff_t>(3 * n));
  }
  return some;
}

/// What the facts hold of each body: mass, colour, number and name.
double bytes_per_body(const render::RunInfo& info) {
  const std::vector<double>& masses = info.mass;
  const std::vector<std::string>& all_names = info.names;
  const bool equal = std::ranges::all_of(masses, [&](double m) { return m == masses.front(); });
  double names = 0;
  for (const std::string& name : all_names) names += 3 + static_cast<double>(name.size());
  return (equal ? 0 : 9) + 1.4 + 6 + names / static_cast<double>(std::max<std::size_t>(info.mass.size(), 1));
}

double quantum_of(const StageView& view, int bits) {
  return std::ldexp(view.radius, 1 - bits);
}

/// Leaves out what does not fit into `budget` bytes of the page, of which each body takes some besides its positions, and packs
/// the rest.
render::PackedFrames packed(Part& part, const StageView& view, double budget, double bytes_per_body) {
  const auto pack = [&](const Part& some) {
    return render::packed_frames(some.positions, some.frames.size(), some.bodies.size(), view.centre,
                                 quantum_of(view, some.bits));
  };
  const auto estimate = [&] {
    constexpr std::size_t enough = 256;  // bodies
    const Part some = thinned(part, part.frames.size(), part.bodies.size() > 2 * enough ? enough : part.bodies.size());
    return base64_size(pack(some).bytes.size()) * part.coordinates() / some.coordinates() +
           bytes_per_body * static_cast<double>(part.bodies.size());
  };
  for (double size = estimate(); size > budget; size = estimate()) {
    const double share = 0.97 * budget / size;
    const auto shared = [&](std::size_t count, std::size_t least) {
      return std::max(least, static_cast<std::size_t>(share * static_cast<double>(count)));
    };
    if (part.frames.size() >= 2 * least_frames) {
      part = thinned(part, shared(part.frames.size(), least_frames), part.bodies.size());
    } else if (part.bodies.size() > least_bodies) {
      part = thinned(part, part.frames.size(), shared(part.bodies.size(), least_bodies));
    } else if (part.bits > least_bits) {
      --part.bits;
    } else if (part.bodies.size() > few_bodies) {
      part = thinned(part, part.frames.size(), shared(part.bodies.size(), few_bodies));
    } else {
      throw Error(fmt::format("positions take {:.2g} MB, of {:.2g} MB that are left: a larger page, --size",
                              1e-6 * size, 1e-6 * budget),
                  Fault::request);
    }
  }
  return pack(part);
}

double to_six_digits(double x) {
  return std::stod(fmt::format("{:.6g}", x));
}

std::string hexadecimal(render::Color color) {
  return fmt::format("#{:06x}", render::pixel_of(color));
}

void add_colors(nlohmann::json& facts, const std::vector<std::size_t>& bodies, const std::string& by,
                const render::RunInfo& info) {
  const render::Reference inertial("inertial", info);
  const auto coloring = [&](Theme theme) { return render::Coloring(by, theme, info, inertial); };
  const render::Coloring dark = coloring(Theme::dark), light = coloring(Theme::light);
  const auto all = [](const render::Coloring& some) {
    std::vector<std::string> colors;
    for (const render::Color color : some.palette()) colors.push_back(hexadecimal(color));
    return colors;
  };
  facts["colors"] = {{"dark", all(dark)}, {"light", all(light)}};
  std::string indices;
  for (const std::size_t body : bodies) indices += static_cast<char>(dark.index(body, 0));
  facts["color"] = base64(indices);
  nlohmann::json legend = nlohmann::json::array();
  if (const auto& scale = dark.scale()) {
    legend.push_back({{"name", scale->unit.empty() ? scale->name : scale->name + " / " + scale->unit}});
    constexpr int values = 5;
    for (int k = values - 1; k >= 0; --k) {
      const double share = static_cast<double>(k) / (values - 1),
                   x = scale->limits.low + share * scale->limits.length();
      const auto last = static_cast<double>(dark.palette().size() - 1);
      legend.push_back(
          {{"name", number(scale->logarithmic ? std::pow(10, x) : x, 3)}, {"color", std::lround(share * last)}});
    }
  } else if (by == "component" || bodies.size() > render::max_bodies_with_paths) {
    for (std::size_t k = 0; k < dark.names().size(); ++k) {
      const auto place = std::ranges::find(dark.palette(), dark.color_of_name(k)) - dark.palette().begin();
      legend.push_back({{"name", render::html::plain(dark.names()[k])}, {"color", place}});
    }
  }
  facts["legend"] = std::move(legend);
}

/// The error of the energy and what it is relative to, thinned out.
void add_energy(nlohmann::json& facts, const History& rows, double unit) {
  const sim::InitialEnergy start = rows.total_energy.empty() ? sim::InitialEnergy() : initial_energy(rows);
  std::vector<double> times, errors;
  for (const std::size_t row : some_frames(500, rows.time.size())) {
    times.push_back(rows.time[row] / unit);
    errors.push_back(start.error(rows.total_energy[row]));
  }
  const double scale = start.scale() > 0 ? start.scale() : 1;
  facts["energy"] = {{"time", times}, {"error", errors}, {"scale", scale}, {"name", start.magnitude_name()}};
}

/// What the stage needs to know of what lies between its frames, and a sentence about it.
void add_ways(StageData& data, const Part& part, const render::RunInfo& info, double quantum) {
  const Ways ways = ways_between(part.samples, info.bounds);
  const bool many = part.bodies.size() > render::max_bodies_with_paths;
  nlohmann::json& facts = data.facts;
  if (!many) {
    const PackedVelocities velocities = packed_velocities(part.samples, info.time_unit_length, quantum);
    if (data.velocities = velocities.packed.bytes; !data.velocities.empty())
      facts["velocity"] = {
          {"order", velocities.packed.order}, {"planes", velocities.packed.planes}, {"quantum", velocities.quantum}};
  }
  constexpr double rarely = 0.01;
  if (many && ways.share > rarely) {
    facts["points"] = true;
    data.between = fmt::format(
        "About {} % of the ways from frame to frame are not known, since bodies turn too much between them: there the "
        "stage only guesses, and it draws paths as points at the frames.",
        number(100 * ways.share, 2));
  } else if (!many && ways.share > 0) {
    facts["unknown"] = base64(ways.unknown);
    data.between = fmt::format(
        "Where frames are too far apart to know how {} moved between them, the stage shows the nearer frame, and "
        "points "
        "in place of a path.",
        render::html::plain(render::names_of(ways.bodies, info)));
  } else {
    return;
  }
  nlohmann::json& note = facts["view"]["note"];
  note = note.get<std::string>() + (note == "" ? "" : "; ") + std::string(render::no_path);
}

std::string what_was_left_out(const Part& part, std::size_t frames, std::size_t bodies, int bits) {
  std::vector<std::string> left;
  const auto some = [](std::size_t count) { return static_cast<std::int64_t>(count); };
  if (part.frames.size() < frames)
    left.push_back(fmt::format("{} of {}", part.frames.size(), counted(some(frames), "frame")));
  if (part.bodies.size() < bodies)
    left.push_back(fmt::format("{} of {}", part.bodies.size(), counted(some(bodies), "body", "bodies")));
  std::string text = listed(left);
  if (!text.empty()) text = fmt::format("This page holds {}.", text);
  if (part.bits < bits)
    text += fmt::format("{}Positions have {} bits across the view.", text.empty() ? "" : " ", part.bits);
  return text;
}

}  // namespace

StageData stage_data(const TrajectoryReader& trajectory, double budget, const std::string& color_by,
                     const Context& context) {
  if (trajectory.size() == 0)
    throw Error(fmt::format("{}: there are no frames to show yet", trajectory.path().string()));
  const std::size_t n = trajectory.bodies().size(), frames = trajectory.size();
  const bool many = n > render::max_bodies_with_paths;
  const RunRecord& record = trajectory.record();
  render::RunInfo info = run_info_of(trajectory, {0, frames});
  choose_time_unit(info, "", record.time_unit);
  survey(trajectory, {0, frames}, {}, info, context.stop());

  // Hardly a coordinate takes less than a third of a byte of the page: more are not read.
  const int bits = !many ? 20 : n <= 4096 ? 16 : 14;
  constexpr std::size_t most_frames = 5000;
  Part part{some_frames(std::min(frames, most_frames), frames), {}, {}, bits};
  const double fit = budget / std::max<double>(1, static_cast<double>(n));
  if (fit < static_cast<double>(part.frames.size()))
    part.frames = some_frames(std::max(least_frames, static_cast<std::size_t>(fit)), frames);
  part.bodies = some_bodies(
      std::max(least_bodies, static_cast<std::size_t>(budget / static_cast<double>(part.frames.size()))), n);
  read(part, trajectory, context);

  StageData data;
  if (context.stopped()) return data;
  const StageView view = stage_view(moments_of(part), part.bodies.size(), info);
  const bool with_velocities = !many && !part.samples.front().velocity.empty();
  const render::PackedFrames frames_packed =
      packed(part, view, with_velocities ? budget / 2 : budget, bytes_per_body(info));
  data.thinned = what_was_left_out(part, frames, n, bits);
  data.frames = frames_packed.bytes;

  nlohmann::json& facts = data.facts;
  facts = {{"title", render::html::plain(record.title)},
           {"bodies", part.bodies.size()},
           {"units",
            {{"length", info.length_unit},
             {"time", info.time_unit},
             {"mass", info.mass_unit},
             {"velocity", info.speed_unit}}},
           {"timeScale", 1 / info.time_unit_length},
           {"position",
            {{"order", frames_packed.order},
             {"planes", frames_packed.planes},
             {"quantum", quantum_of(view, part.bits)},
             {"centre", view.centre}}},
           {"view",
            {{"centre", view.centre},
             {"radius", view.radius},
             {"dimensions", info.bounds.dimensions},
             {"flat", view.flat},
             {"note", view.note},
             {"extremes", view.extremes}}},
           {"lines", {{"grid", view.grid}, {"walls", view.walls}, {"ends", view.ends}}},
           {"light", many},
           {"seconds", part.frames.size() > 60 ? 12 : 6},
           {"trail", std::max(2.0, std::round(static_cast<double>(part.frames.size()) *
                                              (part.frames.size() > 60 ? 0.06 : 0.3)))}};
  std::vector<double> times, masses;
  for (const std::size_t frame : part.frames) times.push_back(trajectory.times()[frame] / info.time_unit_length);
  facts["times"] = times;
  const double span = std::abs(times.back() - times.front());
  facts["decimals"] = span > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(span))), 0, 12) : 2;
  const auto& ids = trajectory.ids();
  std::vector<std::int64_t> shown;
  std::vector<std::string> names;
  for (const std::size_t body : part.bodies) {
    masses.push_back(many ? to_six_digits(info.mass[body]) : info.mass[body]);
    shown.push_back(ids[body]);
    if (!info.names.empty()) names.push_back(render::html::plain(info.names[body]));
  }
  std::vector<std::size_t> all(part.bodies.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  facts["spheres"] = many ? render::outweighing(masses) : all;
  const bool equal = std::ranges::all_of(masses, [&](double m) { return m == masses.front(); });
  facts["mass"] = equal && !masses.empty() ? std::vector<double>{masses.front()} : masses;
  if (!shown.empty() && shown.back() + 1 != static_cast<std::int64_t>(shown.size())) facts["ids"] = shown;
  if (std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); })) facts["names"] = names;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr double far = 1e30;
    const bool closed = info.bounds.closed[axis];
    facts["axes"].push_back({{"low", closed ? info.bounds.low[axis] - view.centre[axis] : -far},
                             {"high", closed ? info.bounds.high[axis] - view.centre[axis] : far},
                             {"period", info.bounds.period(axis)}});
  }
  add_ways(data, part, info, quantum_of(view, part.bits));
  add_colors(facts, part.bodies, color_by, info);
  add_energy(facts, trajectory.history(), info.time_unit_length);
  data.engine = engine_facts(trajectory, part.frames, context);
  if (data.engine.why_not.empty()) facts["engine"] = data.engine.json;
  return data;
}

}  // namespace orrery::pipeline
