// SPDX-License-Identifier: MIT
#include "pipeline/scenario/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "common/error.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/text_encoding.hpp"
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
constexpr std::size_t required[] = {1, 2, 3, 4};
constexpr std::size_t name_column = 0, mass_column = 1, x_column = 2, z_column = 4, vx_column = 5, charge_column = 8,
                      radius_column = 9, component_column = 10, frame_column = 11;
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

/// Memory per body while it is read and set up: its columns and the state, and per text.
constexpr double bytes_of_a_body = 2 * 8 * 8 + 4, bytes_of_a_text = 2 * 64;

constexpr std::string_view blanks = " \t";

/// The beginning of a field, for error messages.
std::string_view shown(std::string_view field) {
  return field.substr(0, 40);
}

class Reader {
 public:
  Reader(const std::filesystem::path& path, std::optional<std::int64_t> frame, bool plane, const sim::Units& units)
      : path_(path), in_(path), wanted_(frame), plane_(plane), units_(units) {}

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

  TableFile read() {
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
    return {std::move(bodies), std::move(lines_)};
  }

 private:
  void read_lines() {
    if (!next_line()) fail(fmt::format("is empty: the first line names the columns, {}", usual));
    read_header();
    while (next_line()) read_body();
  }

  /// Reads the next line that is neither blank nor a comment into `line_`.
  bool next_line() {
    while (in_.next_line(line_)) {
      if (in_.line_number() == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);  // UTF-8 byte order mark
      require_utf8(line_, path_.string(), in_.line_number());
      const std::string_view content = trimmed(line_);
      if (!content.empty() && content.front() != '#') return true;
    }
    return false;
  }

  /// Removes one field from `line_` and returns it without blanks and quotes around it; false if none is left.
  bool next_field(std::string_view& field) {
    if (ended_) return false;
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    if (line_.starts_with('"')) {
      field = quoted_field();
    } else {
      const std::size_t comma = std::min(line_.find(','), line_.size());
      field = trimmed(line_.substr(0, comma));
      line_.remove_prefix(comma);
    }
    ended_ = line_.empty();
    if (!ended_) line_.remove_prefix(1);  // the comma
    return true;
  }

  /// A quoted field, in which "" is a quote; then blanks, and a comma or the end of the line.
  std::string_view quoted_field() {
    unquoted_.clear();
    line_.remove_prefix(1);
    while (true) {
      const std::size_t quote = line_.find('"');
      if (quote == std::string_view::npos) fail("has a quote that is not closed on its line");
      unquoted_ += line_.substr(0, quote);
      line_.remove_prefix(quote + 1);
      if (!line_.starts_with('"')) break;
      unquoted_ += '"';
      line_.remove_prefix(1);
    }
    line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
    if (!line_.empty() && line_.front() != ',')
      fail(fmt::format("has `{}` after a closing quote: write a quote within quotes twice, \"\"", shown(line_)));
    return unquoted_;
  }

  void read_header() {
    std::string_view name;
    for (ended_ = false; next_field(name);) {
      const auto found = column_named(name);
      if (!found) {
        std::vector<std::string_view> known;
        for (std::size_t k = 0; k < all_columns; ++k) known.push_back(name_of_column(k));
        fail(fmt::format("unknown column `{}`{} (separate columns by commas: {}, or elements of orbits)", shown(name),
                         suggestion(shown(name), known), usual));
      }
      order_.push_back(*found);
      if (std::ranges::count(order_, order_.back()) > 1) fail(fmt::format("column `{}` is given twice", name));
    }
    on_orbits_ = std::ranges::any_of(order_, [](std::size_t k) { return k >= first_element; });
    for (const std::size_t k : required) {
      const bool elsewhere = on_orbits_ && k != mass_column && !has(x_column);
      if (has(k) || elsewhere || (plane_ && k == z_column)) continue;
      fail(fmt::format("column `{}` is missing{}", known_columns[k],
                       k == z_column ? "; only a plane needs none, `dimensions = 2` in [domain]" : ""));
    }
    if (wanted_ && !has(frame_column)) fail("`frame` is given, but there is no column `frame`");
    if (has(frame_column) && !has(vx_column) && !on_orbits_)
      fail("has no velocities: make the run again with `velocities = true` in [trajectory]");
  }

  [[nodiscard]] bool has(std::size_t column) const { return std::ranges::find(order_, column) != order_.end(); }

  void read_body() {
    double values[all_columns] = {};
    std::fill(values + first_element, std::end(values), sim::OrbitalElements::none);
    std::string_view field;
    std::string around, plane;
    bool placed = has(x_column);
    std::size_t count = 0;
    for (ended_ = false; next_field(field); ++count) {
      if (count >= order_.size()) continue;
      const std::size_t k = order_[count];
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
    for (const std::size_t k : {mass_column, radius_column})
      if (values[k] < 0) fail(fmt::format("`{}` must be at least 0", known_columns[k]));
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
    lines_.push_back(in_.line_number());
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
        bodies == 0 ? 1000 : static_cast<double>(in_.size()) * bodies / static_cast<double>(in_.bytes_read());
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

  [[nodiscard]] double number(std::string_view field, std::size_t column_index) const {
    const std::string_view column = name_of_column(column_index);
    const std::string_view digits = field.substr(field.starts_with('+') && !field.starts_with("+-") ? 1 : 0);
    auto value = number_of(digits);
    if (!value && looks_like_quantity(digits) && !dimension_of(column_index).empty()) {
      try {
        value = quantity_in(digits, dimension_of(column_index), units_);
      } catch (const std::invalid_argument& error) {
        fail(fmt::format("`{}` {}", column, error.what()));
      }
    }
    if (!value || !std::isfinite(*value))
      fail(fmt::format("`{}` in column `{}` is not a number", shown(field), column));
    return *value;
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

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_.string(), std::max(in_.line_number(), 1U), what), Fault::request);
  }

  std::filesystem::path path_;
  InputFile in_;
  std::string_view line_;  ///< the unread rest of the line
  bool ended_ = false;     ///< the last field of the line was read
  std::string unquoted_, name_, component_;
  std::vector<std::size_t> order_;      ///< indices into known_columns, as in the file
  std::optional<std::int64_t> wanted_;  ///< frame to read; nullopt: the last
  bool plane_;                          ///< z may be absent
  const sim::Units& units_;
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

}  // namespace

TableFile read_table_file(const std::filesystem::path& file, std::optional<std::int64_t> frame, bool plane,
                          const sim::Units& units) {
  if (frame && *frame < 0) frame = Reader(file, frame, plane, units).number_of_frame(*frame);
  return Reader(file, frame, plane, units).read();
}

}  // namespace orrery::pipeline
