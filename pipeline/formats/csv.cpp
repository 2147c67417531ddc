// SPDX-License-Identifier: MIT
// Tables of text. The first line names the columns name,mass,x,y,z,vx,vy,vz,charge,component in any order, or others for these
// (usual_name), also as a comment; only mass, x and y are required, and z is 0 without a column. A file without names needs the key
// `columns`, or has 7 columns of numbers. Fields are separated by commas, semicolons, tabs or blanks; numbers may have decimal commas
// and exponents with D; texts are UTF-8 or UTF-16. If there is a column `frame`, as `orrery export` writes it, only the bodies of that
// frame are read; columns step, time, id and ix, iy, iz are ignored. Fields may be quoted, with "" for a quote (RFC 4180, but without
// line breaks). Columns around, plane and those of orbital elements, by their names or symbols, describe orbits in place of
// positions; fields may then be empty, and times of pericentre count from the zero of a column time. Numbers may have units,
// "1.37 Mearth", or their column, "x [kpc]", and become those of the scenario. Blank lines and lines that begin with # are ignored.
#include "pipeline/formats/body_format.hpp"
#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/formats/text_frames.hpp"
#include "pipeline/formats/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "common/error.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

/// Columns after `frame` are written by `orrery export` and ignored here.
constexpr std::string_view known_columns[] = {"name", "mass",   "x",      "y",         "z",      "vx",   "vy",
                                              "vz",   "charge", "radius", "component", "frame",  "step", "time",
                                              "id",   "ix",     "iy",     "iz",        "around", "plane"};
/// The columns after these are orbital elements.
constexpr std::size_t time_column = 13, around_column = 18, plane_column = 19, first_element = std::size(known_columns),
                      elements = std::size(sim::orbital_element_list), all_columns = first_element + elements;
static_assert(known_columns[time_column] == "time" && known_columns[plane_column] == "plane");
constexpr std::size_t name_column = 0, mass_column = 1, x_column = 2, y_column = 3, z_column = 4, vx_column = 5,
                      vz_column = 7, charge_column = 8, radius_column = 9, component_column = 10, frame_column = 11;
constexpr std::size_t no_column = all_columns;  ///< is left out
constexpr std::string_view usual = "name,mass,x,y,z,vx,vy,vz,charge,radius,component";

std::string_view name_of_column(std::size_t k) {
  return k < first_element ? known_columns[k] : sim::orbital_element_list[k - first_element].name;
}

/// The column of that name, or of that symbol of an element; nullopt if there is none.
std::optional<std::size_t> column_named(std::string_view name) {
  for (std::size_t k = 0; k < all_columns; ++k)
    if (name_of_column(k) == name) return k;
  for (std::size_t k = 0; k < elements; ++k)
    if (sim::orbital_element_list[k].symbol == name) return first_element + k;
  return std::nullopt;
}

/// Whether a comment may name such a column.
bool is_known_column(std::string_view name) {
  const std::string plain = column_name(name).name;
  return column_named(plain) || column_named(usual_name(plain)) || is_left_out(plain);
}

/// Memory per body while it is read and set up: its columns and the state, and per text.
constexpr double bytes_of_a_body = 2 * 8 * 8 + 4, bytes_of_a_text = 2 * 64;

constexpr std::array<double, all_columns> filled(double value) {
  std::array<double, all_columns> all{};
  for (double& x : all) x = value;
  return all;
}

/// The beginning of a field, for error messages.
std::string_view shown(std::string_view field) {
  return field.substr(0, 40);
}

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, std::optional<std::int64_t> frame, const BodyFileOptions& options)
      : table_(path), wanted_(frame), options_(options) {}

  /// Returns the number of the frame that a negative one stands for: -1 is the last in the file, -2 the one before.
  std::int64_t number_of_frame(std::int64_t from_end) {
    counts_ = true;
    read_lines();
    std::ranges::sort(frames_);
    frames_.erase(std::unique(frames_.begin(), frames_.end()), frames_.end());
    const auto there = static_cast<std::int64_t>(frames_.size());
    if (from_end < -there)
      fail(fmt::format("has no frame {}: counted from the end there are {} to -1", from_end, -there));
    return frames_[static_cast<std::size_t>(there + from_end)];
  }

  BodyFile read() {
    read_lines();
    if (mass_.empty() && last_frame_ >= 0)
      fail(fmt::format("has no frame {}: the last is frame {}", wanted_.value_or(0), last_frame_));
    if (mass_.empty()) fail("has no bodies after its first line");
    auto bodies = std::make_shared<Columns>();
    bodies->rows = mass_.size();
    bodies->numbers = {{"mass", std::move(mass_)}};
    const auto some = [](const std::vector<double>& all) {
      return std::ranges::any_of(all, [](double x) { return !std::isnan(x); });
    };
    if (!on_orbits_ || some(x_)) {
      bodies->numbers.emplace("position", std::move(x_));
      bodies->numbers.emplace("velocity", std::move(v_));
    }
    for (std::size_t k = 0; k < elements; ++k)
      if (some(elements_[k])) bodies->numbers.emplace(name_of_column(first_element + k), std::move(elements_[k]));
    if (has(around_column)) bodies->texts.emplace("around", std::move(around_));
    if (has(plane_column)) bodies->texts.emplace("plane", std::move(planes_));
    if (has(charge_column)) bodies->numbers.emplace("charge", std::move(charge_));
    if (has(radius_column)) bodies->numbers.emplace("radius", std::move(radius_));
    if (has(name_column)) bodies->texts.emplace("name", std::move(names_));
    if (has(component_column)) bodies->texts.emplace("component", std::move(components_));
    drop_empty_texts(*bodies);
    std::vector<std::string> remarks = table_.remarks();
    remarks.insert(remarks.end(), remarks_.begin(), remarks_.end());
    return {.bodies = std::move(bodies),
            .where = [path = table_.path(), lines = std::move(lines_)](
                         std::size_t row) { return fmt::format("{}:{}:1", path.string(), lines.at(row)); },
            .frames = has(frame_column) ? 0 : 1,
            .at_rest = !has(vx_column) && !on_orbits_,
            .remarks = std::move(remarks)};
  }

 private:
  void read_lines() {
    read_header();
    while (table_.next_row()) read_body();
  }

  /// Decides which columns there are: by the keys, the first line, the comment before it, or their number.
  void read_header() {
    const std::vector<std::string> names = table_.begin(options_.columns, is_known_column, usual);
    if (!names.empty()) {
      name_columns(names);
    } else if (table_.columns() == 7) {
      guessed_ = true;
      remarks_.emplace_back(
          "columns have no names and are taken as mass, x, y, z, vx, vy, vz; `columns` says otherwise");
      name_columns({"mass", "x", "y", "z", "vx", "vy", "vz"});
    } else {
      throw ArgumentError("columns", fmt::format("its {} columns have no names: give `columns`, for example [\"x\", "
                                                 "\"y\", \"z\", \"mass\"], with \"-\" for what is left out",
                                                 table_.columns()));
    }
    require_columns();
  }

  void name_columns(const std::vector<std::string>& names) {
    std::vector<std::string> others, left_out;
    for (const std::string& field : names) {
      const auto [name, unit] = column_name(field);
      const std::string ours = usual_name(name);
      auto found = column_named(name);
      if (!found && (found = column_named(ours))) others.push_back(fmt::format("`{}` is {}", name, ours));
      if (!found && (name == "-" || is_left_out(name))) {
        if (name != "-") left_out.push_back(name);
        found = no_column;
      }
      if (!found) refuse_column(field);
      if (*found != no_column && has(*found)) fail(fmt::format("column `{}` is given twice", field));
      order_.push_back(*found);
      if (!unit.empty() && *found != no_column && !dimension_of(*found).empty())
        factors_[*found] = in_units(unit, looks_like_quantity(unit) ? unit : "1 " + unit, *found);
    }
    // M is the mass, if there are no orbits with a mean anomaly.
    const std::size_t anomaly = *column_named("M");
    const bool others_are_elements =
        std::ranges::any_of(order_, [&](std::size_t k) { return k >= first_element && k < no_column && k != anomaly; });
    if (has(anomaly) && !has(mass_column) && !others_are_elements) {
      std::ranges::replace(order_, anomaly, mass_column);
      others.emplace_back("`M` is mass");
    }
    if (!others.empty()) remarks_.push_back(listed(others));
    if (!left_out.empty()) remarks_.push_back(fmt::format("left out: {}", listed(left_out)));
  }

  [[noreturn]] void refuse_column(const std::string& name) const {
    std::vector<std::string_view> known;
    for (std::size_t k = 0; k < all_columns; ++k) known.push_back(name_of_column(k));
    fail(
        fmt::format("unknown column `{}`{} (columns: {}, or elements of orbits; the key `columns` has other names, "
                    "\"-\" leaves one out)",
                    shown(name), suggestion(shown(name), known), usual));
  }

  void require_columns() {
    on_orbits_ = std::ranges::any_of(order_, [](std::size_t k) { return k >= first_element && k < no_column; });
    const auto lacks = [&](std::size_t k) { fail(fmt::format("column `{}` is missing", known_columns[k])); };
    if (!has(mass_column) && !options_.mass) fail("column `mass` is missing; the key `mass` is that of each body");
    const bool placed = !on_orbits_ || has(x_column);
    for (const std::size_t k : {x_column, y_column})
      if (placed && !has(k)) lacks(k);
    if (placed && !has(z_column)) {
      if (has(vz_column)) lacks(z_column);
      if (!options_.plane) remarks_.emplace_back("without a column z bodies are in the plane z = 0");
    }
    has_mass_ = has(mass_column);
    if (wanted_ && !has(frame_column)) fail("`frame` is given, but there is no column `frame`");
    if (has(frame_column) && !has(vx_column) && !on_orbits_)
      fail("has no velocities: make the run again with `velocities = true` in [trajectory]");
    if (!has(vx_column) && !on_orbits_) remarks_.emplace_back("without velocities bodies are at rest");
  }

  [[nodiscard]] bool has(std::size_t column) const { return std::ranges::find(order_, column) != order_.end(); }

  void read_body() {
    double values[all_columns] = {};
    std::fill(values + first_element, std::end(values), sim::OrbitalElements::none);
    std::string_view field;
    std::string around, plane;
    bool placed = has(x_column);
    std::size_t count = 0;
    for (; table_.next_field(field); ++count) {
      if (count >= order_.size()) continue;
      const std::size_t k = order_[count];
      if (k == no_column) continue;
      const bool time = k == time_column && on_orbits_ && !field.empty();
      if (k > frame_column && k < around_column && !time) continue;
      if (k == around_column || k == plane_column) {
        (k == around_column ? around : plane) = field;
      } else if (field.empty() && (k >= first_element || (on_orbits_ && (k == charge_column || k == radius_column)))) {
        // not given
      } else if (on_orbits_ && k >= x_column && k <= vx_column + 2 && field.empty()) {
        placed = false;
      } else if (order_[count] == name_column || order_[count] == component_column) {
        (order_[count] == name_column ? name_ : component_) = field;
      } else {
        values[order_[count]] = number(field, order_[count]);
      }
    }
    if (count != order_.size()) fail(fmt::format("has {} fields, but the first line names {}", count, order_.size()));
    if (!has_mass_) values[mass_column] = *options_.mass;
    for (const std::size_t k : {mass_column, radius_column}) {
      if (values[k] < 0)
        fail(fmt::format("`{}` must be at least 0{}", known_columns[k],
                         guessed_ ? ": columns have no names, so `columns` must say which they are" : ""));
    }
    if (has(frame_column) && !keeps_frame(values[frame_column])) return;
    if (mass_.size() == capacity_) reserve();
    if (!placed && on_orbits_) std::fill_n(values + x_column, 6, sim::OrbitalElements::none);
    values[first_element + elements - 1] -= values[time_column];  // T on the clock of a run that begins there
    for (std::size_t k = 0; on_orbits_ && k < elements; ++k)
      if (has(first_element + k)) elements_[k].push_back(values[first_element + k]);
    if (has(around_column)) around_.push_back(std::move(around));
    if (has(plane_column)) planes_.push_back(std::move(plane));
    mass_.push_back(values[mass_column]);
    x_.insert(x_.end(), values + x_column, values + x_column + 3);
    v_.insert(v_.end(), values + x_column + 3, values + x_column + 6);
    if (has(charge_column)) charge_.push_back(values[charge_column]);
    if (has(radius_column)) radius_.push_back(values[radius_column]);
    if (has(name_column)) names_.push_back(std::exchange(name_, {}));
    if (has(component_column)) components_.push_back(std::exchange(component_, {}));
    lines_.push_back(table_.line_number());
  }

  /// Whether a body of frame `number` is to be kept. If no frame is given, a later frame replaces the bodies read so far.
  bool keeps_frame(double number) {
    if (!(number >= 0) || number != std::floor(number) || number > 0x1p53) fail("`frame` must be an integer ≥ 0");
    const auto frame = static_cast<std::int64_t>(number);
    const bool later = frame > last_frame_;
    last_frame_ = std::max(last_frame_, frame);
    if (counts_) {
      if (frames_.empty() || frames_.back() != frame) frames_.push_back(frame);
      return false;
    }
    if (wanted_) return frame == *wanted_;
    if (!later) return frame == last_frame_;
    for (auto* column : {&mass_, &x_, &v_, &charge_, &radius_}) column->clear();
    for (auto& column : elements_) column.clear();
    for (auto* texts : {&names_, &components_, &around_, &planes_}) texts->clear();
    lines_.clear();
    return true;
  }

  /// Reserves memory for the number of bodies estimated from the lines so far, so that no vector doubles its size.
  void reserve() {
    const auto bodies = static_cast<double>(mass_.size());
    const double lines =
        bodies == 0 ? 1000 : static_cast<double>(table_.size()) * bodies / static_cast<double>(table_.bytes_read());
    // The file size does not tell the number of bodies per frame.
    const double bound =
        has(frame_column) ? std::max(1000.0, 2 * bodies) : std::max({1000.0, 1.02 * lines, 1.1 * bodies});
    const auto texts = static_cast<double>(std::ranges::count_if(order_, [](std::size_t k) {
      return k == name_column || k == component_column || k == around_column || k == plane_column;
    }));
    const auto own =
        static_cast<double>(std::ranges::count_if(order_, [](std::size_t k) { return k >= first_element; }));
    const double need = bound * (bytes_of_a_body + 8 * own + texts * bytes_of_a_text);
    const auto have = static_cast<double>(usable_memory());
    if (need > have) {
      fail(fmt::format("about {:.3g} bodies need {} of memory, this machine has {}", bound, in_bytes(need),
                       in_bytes(have)));
    }
    capacity_ = static_cast<std::size_t>(bound);
    mass_.reserve(capacity_);
    x_.reserve(3 * capacity_);
    v_.reserve(3 * capacity_);
    for (std::size_t k = 0; k < elements; ++k)
      if (has(first_element + k)) elements_[k].reserve(capacity_);
    if (has(charge_column)) charge_.reserve(capacity_);
    if (has(radius_column)) radius_.reserve(capacity_);
    if (has(name_column)) names_.reserve(capacity_);
    if (has(component_column)) components_.reserve(capacity_);
    lines_.reserve(capacity_);
  }

  [[nodiscard]] double number(std::string_view field, std::size_t column) {
    std::optional<double> value = table_.number(field);
    if (value) {
      *value *= factors_[column];
    } else if (looks_like_quantity(field) && !dimension_of(column).empty()) {
      value = in_units(name_of_column(column), field, column);
    }
    if (!value || !std::isfinite(*value))
      fail(fmt::format("`{}` in column `{}` is not a number", shown(field), name_of_column(column)));
    return *value;
  }

  /// The number of the scenario's units in a quantity.
  [[nodiscard]] double in_units(std::string_view what, std::string_view quantity, std::size_t column) const {
    try {
      return quantity_in(quantity, dimension_of(column), *options_.units);
    } catch (const std::invalid_argument& error) {
      fail(fmt::format("`{}` {}", what, error.what()));
    }
  }

  /// As Parameter::unit; empty: a number without one.
  static std::string_view dimension_of(std::size_t column) {
    if (column == mass_column) return "mass";
    if (column == charge_column) return "charge";
    if (column == radius_column) return "length";
    if (column >= first_element) return sim::orbital_element_list[column - first_element].unit;
    if (column < x_column || column > vx_column + 2) return "";
    return column < vx_column ? "length" : "length/time";
  }

  [[noreturn]] void fail(const std::string& what) const { table_.fail(what); }

  TextTable table_;
  std::string name_, component_;    ///< of the row
  std::vector<std::size_t> order_;  ///< columns in the order of the file
  std::array<double, all_columns> factors_ = filled(1.0);
  bool has_mass_ = true, guessed_ = false;
  std::vector<std::string> remarks_;
  std::optional<std::int64_t> wanted_;  ///< frame to read; nullopt: the last
  const BodyFileOptions& options_;
  std::int64_t last_frame_ = -1;      ///< maximum frame number so far
  bool counts_ = false;               ///< reads only the numbers of the frames
  std::vector<std::int64_t> frames_;  ///< these
  std::size_t capacity_ = 0;
  std::vector<double> mass_, x_, v_, charge_, radius_;
  std::vector<double> elements_[elements];
  bool on_orbits_ = false;  ///< there are columns of elements; other fields may be empty then
  std::vector<std::string> names_, components_, around_, planes_;
  std::vector<std::uint32_t> lines_;
};

bool is_csv(const std::filesystem::path&, std::string_view) {
  return true;
}

BodyFile read_csv(const std::filesystem::path& file, const BodyFileOptions& options) {
  std::optional<std::int64_t> frame = options.frame;
  if (frame && *frame < 0) frame = Reader(file, frame, options).number_of_frame(*frame);
  return Reader(file, frame, options).read();
}

ForeignFrames read_csv_frames(const std::filesystem::path& file, const BodyFileOptions& options) {
  if (auto all = read_text_frames(file, options)) return std::move(*all);
  FrameJoiner one;
  one.add(read_csv(file, options), file.string());
  return one.take();
}

constexpr std::string_view csv_keys[] = {"frame", "columns", "mass"};

}  // namespace

extern const BodyFormat csv_bodies{.name = "csv",
                                   .meaning = "a table of text, one line per body: commas, semicolons, tabs or blanks",
                                   .recognises = is_csv,
                                   .read = read_csv,
                                   .read_frames = read_csv_frames,
                                   .keys = csv_keys};

}  // namespace orrery::pipeline
