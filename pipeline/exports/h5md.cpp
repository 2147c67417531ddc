// SPDX-License-Identifier: MIT
// h5md: the frames as H5MD 1.1 (de Buyl, Colberg and Höfling 2014, Comput. Phys. Commun. 185, 1546; https://nongnu.org/h5md) and nothing
// else. The trajectory is H5MD, too, but programs that take each row of an observable for one of a frame, or want edges of the box at each
// frame, do not open it: MDAnalysis is one.
#include <algorithm>
#include <array>
#include <limits>

#include "pipeline/exports/particle_groups.hpp"
#include "pipeline/trajectory/hdf5_output.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

using Stored = Hdf5Output::Number;
constexpr std::uint64_t at_once = 65536;

/// The frames of an export as an H5MD file.
class H5mdFile {
 public:
  explicit H5mdFile(const ExportJob& job)
      : job_(job),
        out_(job.out.draft()),
        units_(units_of(job)),
        frames_(job.end - job.begin),
        bodies_(job.trajectory.bodies().size()),
        real_(in_double(job) ? Stored::float64 : Stored::float32) {}

  void write() {
    write_head();
    write_steps();
    write_box();
    write_bodies();
    write_observables();
    create_element("position", real_, 3, units_.length);
    if (job_.trajectory.options().velocities) create_element("velocity", real_, 3, units_.velocity);
    if (job_.trajectory.record().domain.is_periodic()) create_element("image", Stored::int32, 3, "");
    job_.for_each_frame([&](std::size_t i, const sim::Snapshot& frame) {
      write_vectors("position", i, frame.position);
      if (job_.trajectory.options().velocities) write_vectors("velocity", i, frame.velocity);
      if (frame.image.size() > 0) write_vectors("image", i, frame.image);
    });
    out_.close();
  }

 private:
  static constexpr const char *all = "/particles/all", *first = "/particles/all/position";

  void write_head() {
    out_.group("/h5md");
    out_.attribute("/h5md", "version", Stored::int32, std::array<std::int64_t, 2>{1, 1});
    out_.group("/h5md/author");
    const std::string& author = job_.trajectory.record().author;
    out_.attribute("/h5md/author", "name", author.empty() ? "unknown" : author);
    out_.group("/h5md/creator");
    out_.attribute("/h5md/creator", "name", std::string("orrery"));
    out_.attribute("/h5md/creator", "version", std::string(version()));
    out_.group("/particles");
    out_.group(all);
    out_.group(first);
  }

  /// The steps and times that all elements share.
  void write_steps() {
    const auto begin = static_cast<std::ptrdiff_t>(job_.begin), end = static_cast<std::ptrdiff_t>(job_.end);
    const auto& steps = job_.trajectory.steps();
    const auto& times = job_.trajectory.times();
    steps_.assign(steps.begin() + begin, steps.begin() + end);
    const std::string step = std::string(first) + "/step", time = std::string(first) + "/time";
    out_.dataset(step, Stored::int64, {frames_});
    out_.write(step, std::span<const std::int64_t>(steps_));
    out_.dataset(time, Stored::float64, {frames_});
    out_.write(time, std::vector<double>(times.begin() + begin, times.begin() + end));
  }

  void write_box() {
    const sim::Domain& domain = job_.trajectory.record().domain;
    const std::string box = std::string(all) + "/box";
    out_.group(box);
    out_.attribute(box, "dimension", Stored::int32, std::array<std::int64_t, 1>{3});
    std::vector<std::string> words;
    for (const sim::Boundary* boundary : domain.boundary) words.emplace_back(boundary->periodic ? "periodic" : "none");
    out_.attribute(box, "boundary", words);
    if (std::ranges::any_of(domain.edges, [](double edge) { return !(edge > 0); })) return;
    // As a matrix at each frame, which H5MD allows for any box and MDAnalysis needs.
    group_with_steps(box + "/edges");
    out_.dataset(box + "/edges/value", Stored::float64, {frames_, 3, 3});
    const auto& edges = domain.edges;
    const std::array<double, 9> matrix{edges[0], 0, 0, 0, edges[1], 0, 0, 0, edges[2]};
    for (std::uint64_t k = 0; k < frames_; ++k) out_.write(box + "/edges/value", matrix, {k, 0, 0}, {1, 3, 3});
  }

  void write_bodies() {
    const sim::Bodies& bodies = job_.trajectory.bodies();
    const auto constant = [&](const char* name, Stored type, const auto& values) {
      const std::string path = std::string(all) + "/" + name;
      out_.dataset(path, type, {bodies_});
      out_.write(path, values);
      return path;
    };
    const std::string mass = constant("mass", Stored::float64, bodies.mass);
    if (!units_.mass.empty()) out_.attribute(mass, "unit", units_.mass);
    if (!bodies.charge.empty()) constant("charge", Stored::float64, bodies.charge);
    if (!bodies.radius.empty()) {
      const std::string radius = constant("radius", Stored::float64, bodies.radius);
      if (!units_.length.empty()) out_.attribute(radius, "unit", units_.length);
    }
    constant("id", Stored::int64, job_.trajectory.ids());
    constant("species", Stored::int32, std::vector<std::int64_t>(bodies.species.begin(), bodies.species.end()));
  }

  /// The rows of observables at the frames: there is one for each.
  void write_observables() {
    const History history = job_.trajectory.history();
    std::vector<std::size_t> rows;
    for (const std::int64_t step : steps_) {
      const auto row = std::ranges::lower_bound(history.step, step);
      if (row == history.step.end() || *row != step) return;
      rows.push_back(static_cast<std::size_t>(row - history.step.begin()));
    }
    out_.group("/observables");
    const auto observable = [&](const std::string& name, const auto& values, std::uint64_t width) {
      if (values.empty()) return;
      std::vector<double> numbers;
      for (const std::size_t row : rows) {
        const auto* begin = reinterpret_cast<const double*>(&values[row]);
        numbers.insert(numbers.end(), begin, begin + width);
      }
      const std::string group = "/observables/" + name;
      group_with_steps(group);
      out_.dataset(group + "/value", Stored::float64,
                   width == 1 ? Hdf5Output::Extents{frames_} : Hdf5Output::Extents{frames_, width});
      out_.write(group + "/value", numbers);
    };
    observable("kinetic_energy", history.kinetic_energy, 1);
    observable("potential_energy", history.potential_energy, 1);
    observable("total_energy", history.total_energy, 1);
    observable("momentum", history.momentum, 3);
    observable("angular_momentum", history.angular_momentum, 3);
    observable("center_of_mass", history.center_of_mass, 3);
    observable("temperature", history.temperature, 1);
    observable("pressure", history.pressure, 1);
  }

  void group_with_steps(const std::string& group) {
    out_.group(group);
    for (const char* name : {"/step", "/time"}) out_.link(std::string(first) + name, group + name);
  }

  void create_element(const std::string& name, Stored type, std::uint64_t width, const std::string& unit) {
    const std::string group = std::string(all) + "/" + name;
    if (group != first) group_with_steps(group);
    out_.dataset(group + "/value", type, {frames_, bodies_, width});
    // Not of the value, as H5MD's units module wants: MDAnalysis opens no file with units other than those of molecules.
    if (!unit.empty()) out_.attribute(group, "unit", unit);
  }

  void write_vectors(const char* name, std::size_t frame, const sim::Vectors& v) {
    for (std::uint64_t begin = 0; begin < bodies_; begin += at_once) {
      const std::uint64_t count = std::min(at_once, bodies_ - begin);
      numbers_.clear();
      for (std::uint64_t n = begin; n < begin + count; ++n) numbers_.insert(numbers_.end(), {v.x[n], v.y[n], v.z[n]});
      out_.write(fmt::format("{}/{}/value", all, name), numbers_, {frame - job_.begin, begin, 0}, {1, count, 3});
    }
  }

  const ExportJob& job_;
  Hdf5Output out_;
  ExportUnits units_;
  std::uint64_t frames_, bodies_;
  Stored real_;
  std::vector<std::int64_t> steps_;
  std::vector<double> numbers_;
};

void write_h5md(const ExportJob& job) {
  const sim::Bodies& bodies = job.trajectory.bodies();
  const sim::Domain& domain = job.trajectory.record().domain;
  const bool has_lengths = std::ranges::all_of(domain.edges, [](double edge) { return edge > 0; });
  if (!bodies.names.empty()) job.context.note("h5md has no place for names, which are left out");
  if (!domain.is_open() && !has_lengths)
    job.context.note("h5md has no place for a box that lacks a length along an axis: its edges are left out");
  H5mdFile(job).write();
}

}  // namespace

extern const ExportFormat h5md_format{.name = "h5md",
                                      .meaning = "the frames as plain H5MD 1.1, for MDAnalysis, too",
                                      .write = write_h5md,
                                      .binary = true,
                                      .precision = true};

}  // namespace orrery::pipeline
