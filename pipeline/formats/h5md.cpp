// SPDX-License-Identifier: MIT
// H5MD of other programs: de Buyl, Colberg and Höfling 2014, Comput. Phys. Commun. 185, 1546; https://nongnu.org/h5md/h5md.html (version 1.1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "common/error.hpp"
#include "pipeline/formats/binary_file.hpp"
#include "pipeline/formats/body_format.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/trajectory/hdf5_input.hpp"

namespace orrery::pipeline {
namespace {

using Shape = std::vector<std::uint64_t>;

/// One group of particles, at one frame of its positions.
class Particles {
 public:
  Particles(const Hdf5Input& in, const std::string& name) : in_(in), group_("/particles/" + name) {
    if (!in_.contains(group_ + "/position")) in_.fail(group_, "has no position");
    fixed_ = in_.is_dataset(group_ + "/position");
    const Shape shape = in_.shape(values("position"));
    if (shape.size() != (fixed_ ? 2 : 3) || shape.back() < 2 || shape.back() > 3)
      in_.fail(values("position"), "is not positions of 2 or 3 coordinates, [frames][particles][coordinates]");
    frames_ = fixed_ ? 1 : shape[0];
    size_ = shape[shape.size() - 2];
    axes_ = shape.back();
    if (frames_ == 0 || size_ == 0) in_.fail(values("position"), "has no frames or no particles");
  }

  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t axes() const { return axes_; }
  [[nodiscard]] bool contains(const std::string& element) const { return in_.contains(group_ + "/" + element); }
  /// The unit of an element, which `orrery export` gives its group.
  [[nodiscard]] std::string unit(const std::string& element) const {
    if (!contains(element)) return "";
    const std::string of_value = in_.text(values(element), "unit");
    return of_value.empty() ? in_.text(group_ + "/" + element, "unit") : of_value;
  }

  /// Chooses a frame.
  void choose(std::uint64_t frame) {
    frame_ = frame;
    step_ = step_of("position", frame);
  }
  /// An element of each particle, `width` numbers, in the chosen frame; what does not depend on time is the same in all.
  void read(const std::string& element, std::uint64_t width, std::span<double> numbers,
            double least = std::numeric_limits<double>::lowest()) const {
    const std::string dataset = values(element);
    const Shape shape = in_.shape(dataset);
    const Shape one = width == 1 ? Shape{size_} : Shape{size_, width};
    if (in_.is_dataset(group_ + "/" + element)) {
      if (shape != one) in_.fail(dataset, wrong(shape, one));
      in_.read(dataset, numbers);
    } else {
      if (shape.size() != one.size() + 1 || !std::equal(one.begin(), one.end(), shape.begin() + 1))
        in_.fail(dataset, wrong(shape, one));
      if (frame_ >= shape[0]) in_.fail(dataset, fmt::format("has no frame {}", frame_));
      const auto step = step_of(element, frame_);
      if (step && step_ && *step != *step_)
        in_.fail(dataset, fmt::format("has no values at the step of frame {} of the positions, {}", frame_, *step_));
      in_.read_row(dataset, frame_, numbers);
    }
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (!std::isfinite(numbers[k]) || numbers[k] < least)
        in_.fail(dataset, fmt::format("{} of particle {} is not a {}", numbers[k], k / width,
                                      least == 0 ? "number ≥ 0" : "finite number"));
  }

  /// The time of the chosen frame, if the file has it without a unit.
  [[nodiscard]] std::optional<double> time() const {
    const std::string time = group_ + "/position/time";
    if (fixed_ || !in_.contains(time) || !in_.text(time, "unit").empty() || in_.shape(time) != Shape{frames_})
      return std::nullopt;
    double value = 0;
    in_.read_row(time, frame_, {&value, 1});
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  void read_box(BodyFile& read) const {
    const std::string box = group_ + "/box", edges = box + "/edges";
    if (!in_.contains(box)) return;
    const auto words = in_.texts(box, "boundary");
    for (std::size_t axis = 0; axis < std::min<std::size_t>(words.size(), 3); ++axis)
      read.periodic[axis] = words[axis] == "periodic";
    if (!in_.contains(edges)) return;
    const bool always = in_.is_dataset(edges);
    const std::string dataset = always ? edges : edges + "/value";
    Shape shape = in_.shape(dataset);
    if (!always && !shape.empty() && frame_ >= shape[0]) in_.fail(dataset, fmt::format("has no frame {}", frame_));
    if (!always && !shape.empty()) shape.erase(shape.begin());
    std::array<double, 9> numbers{};
    const bool matrix = shape == Shape{axes_, axes_};
    if (!matrix && shape != Shape{axes_}) in_.fail(dataset, "is neither an edge for each axis nor a matrix of edges");
    const auto some = std::span(numbers).first(matrix ? axes_ * axes_ : axes_);
    always ? in_.read(dataset, some) : in_.read_row(dataset, frame_, some);
    for (std::size_t k = 0; k < some.size(); ++k) {
      const std::size_t axis = matrix ? k / axes_ : k;
      if (matrix && k % axes_ != axis) {
        if (some[k] != 0) in_.fail(dataset, "is a box whose edges are not along the axes");
      } else if (!std::isfinite(some[k]) || some[k] < 0) {
        in_.fail(dataset, fmt::format("has an edge of {}", some[k]));
      } else {
        read.edges[axis] = some[k];
      }
    }
  }

 private:
  [[nodiscard]] std::string values(const std::string& element) const {
    const std::string path = group_ + "/" + element;
    return in_.is_dataset(path) ? path : path + "/value";
  }

  static std::string wrong(const Shape& shape, const Shape& one) {
    return fmt::format("has the shape {}, which holds no {} for each frame", fmt::join(shape, "×"),
                       fmt::join(one, "×"));
  }

  /// The step of a row of an element, if the file has it: listed, or by a constant increment from an offset on.
  [[nodiscard]] std::optional<double> step_of(const std::string& element, std::uint64_t row) const {
    const std::string step = group_ + "/" + element + "/step";
    if (in_.is_dataset(group_ + "/" + element) || !in_.contains(step)) return std::nullopt;
    double value = 0;
    if (in_.shape(step).empty()) {
      in_.read(step, {&value, 1});
      return in_.number(step, "offset").value_or(0) + value * static_cast<double>(row);
    }
    in_.read_row(step, row, {&value, 1});
    return value;
  }

  const Hdf5Input& in_;
  std::string group_;
  bool fixed_ = false;
  std::uint64_t frames_ = 0, size_ = 0, axes_ = 0, frame_ = 0;
  std::optional<double> step_{};
};

/// The groups of particles to be read: those of the options, or the only one.
std::vector<std::string> groups_of(const Hdf5Input& in, const BodyFileOptions& options) {
  std::vector<std::string> groups;
  for (const std::string& name : in.members("/particles"))
    if (!in.is_dataset("/particles/" + name) && in.contains("/particles/" + name + "/position")) groups.push_back(name);
  if (groups.empty()) in.fail("/particles", "has no group with positions");
  for (const std::string& name : options.components)
    if (std::ranges::find(groups, name) == groups.end())
      throw ArgumentError("components",
                          fmt::format("`{}` is no group of particles in the file: {}", name, fmt::join(groups, ", ")));
  if (!options.components.empty()) return options.components;
  if (groups.size() > 1)
    throw ArgumentError("components",
                        fmt::format("the file has several groups of particles, which may overlap: {}; name those to "
                                    "be read, `components = [\"{}\"]`",
                                    fmt::join(groups, ", "), groups.front()));
  return groups;
}

void read_group(const Particles& group, Columns& columns, std::uint64_t row) {
  const std::uint64_t count = group.size(), axes = group.axes();
  const auto rows = [&](const char* name, std::uint64_t width) {
    return std::span(columns.numbers.find(name)->second).subspan(width * row, width * count);
  };
  for (const char* element : {"position", "velocity"}) {
    if (!group.contains(element)) continue;
    const auto to = rows(element, 3);
    group.read(element, axes, to.first(axes * count));
    for (std::uint64_t n = count; axes == 2 && n-- > 0;) {  // from the end on: a row of two begins before one of three
      const double x = to[2 * n], y = to[2 * n + 1];
      to[3 * n] = x, to[3 * n + 1] = y, to[3 * n + 2] = 0;
    }
  }
  if (group.contains("mass")) group.read("mass", 1, rows("mass", 1), 0);
  if (group.contains("charge")) group.read("charge", 1, rows("charge", 1));
}

/// The species of each body as texts; empty unless there are several.
std::vector<std::string> species_of(const Particles& group) {
  std::vector<double> numbers(group.size());
  group.read("species", 1, numbers);
  if (std::ranges::all_of(numbers, [&](double x) { return x == numbers.front(); })) return {};
  std::vector<std::string> texts;
  for (const double x : numbers) texts.push_back(fmt::format("{}", x));
  return texts;
}

BodyFile read_h5md(const std::filesystem::path& file, const BodyFileOptions& options) {
  const Hdf5Input in(file);
  const auto names = groups_of(in, options);
  std::vector<Particles> groups;
  std::uint64_t bodies = 0;
  bool charges = false, velocities = true, masses = true;
  for (const std::string& name : names) {
    Particles& group = groups.emplace_back(in, name);
    const auto frames = static_cast<std::int64_t>(group.frames());
    group.choose(static_cast<std::uint64_t>(frame_among(options, frames)));
    masses = masses && group.contains("mass");
    bodies += group.size();
    charges = charges || group.contains("charge");
    velocities = velocities && group.contains("velocity");
  }
  require_memory_for(file, bodies, 1);
  const auto columns = std::make_shared<Columns>();
  columns->rows = bodies;
  columns->numbers["position"].resize(3 * bodies);
  columns->numbers["velocity"].resize(3 * bodies);
  columns->numbers["mass"].resize(bodies, options.mass.value_or(0));
  if (charges) columns->numbers["charge"].resize(bodies);
  std::vector<std::string> components;
  std::uint64_t row = 0;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    read_group(groups[k], *columns, row);
    row += groups[k].size();
    if (groups.size() > 1) components.resize(row, names[k]);
  }
  const Particles& first = groups.front();
  if (groups.size() == 1 && first.contains("species")) components = species_of(first);
  if (!components.empty()) columns->texts.emplace("component", std::move(components));

  BodyFile read;
  read.bodies = columns;
  read.where = [file](std::size_t body) { return fmt::format("{}: particle {}", file.string(), body); };
  read.units = FileUnits{first.unit("position"), first.unit("mass"), first.unit("velocity")};
  read.time = first.time();
  read.frames = static_cast<std::int64_t>(first.frames());
  first.read_box(read);
  if (!masses && !options.mass) read.asked.push_back({"mass", "some particles have no mass in the file"});
  read.at_rest = !velocities;
  if (!velocities) read.remarks.emplace_back("some particles have no velocities in the file: theirs are 0");
  return read;
}

bool is_h5md(const std::filesystem::path& file, std::string_view begin) {
  if (!begin.starts_with(hdf5_signature)) return false;
  try {
    const Hdf5Input in(file);
    return in.contains("/h5md") && in.contains("/particles") && !in.contains("/restart");  // ours are runs
  } catch (const Error&) {
    return false;
  }
}

constexpr std::string_view keys[] = {"frame", "components", "mass"};

}  // namespace

extern const BodyFormat h5md_bodies{.name = "h5md",
                                    .meaning = "H5MD 1.0 and 1.1 of other programs",
                                    .recognises = is_h5md,
                                    .read = read_h5md,
                                    .keys = keys};

}  // namespace orrery::pipeline
