// SPDX-License-Identifier: MIT
// Trajectories in one table of text: a line per body and frame (t, id, x, y, …; sorted by frame or by body), a line per frame with the
// coordinates of all bodies (t, x1, y1, x2, y2, … or t, sun_x, sun_y, …), or blocks of lines with blank lines between them.
#include "pipeline/formats/text_frames.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "common/error.hpp"
#include "pipeline/formats/text_table.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/scenario/columns.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

/// What the column of a trajectory is for; the first are numbers of a body, in the order of a row in memory.
enum class Item : std::size_t {
  x,
  y,
  z,
  vx,
  vy,
  vz,
  mass,
  charge,
  radius,
  component,
  name,
  id,
  time,
  step,
  frame,
  none
};
constexpr std::size_t items = static_cast<std::size_t>(Item::none), coordinates = 6,
                      numbers_of_a_body = static_cast<std::size_t>(Item::component);
constexpr std::array<std::string_view, items> item_names{
    "x", "y", "z", "vx", "vy", "vz", "mass", "charge", "radius", "component", "name", "id", "time", "step", "frame"};
constexpr std::string_view usual_columns = "time,id,x,y,z,vx,vy,vz,mass";

constexpr std::size_t at(Item item) {
  return static_cast<std::size_t>(item);
}

Item item_named(std::string_view name) {
  const auto* const found = std::ranges::find(item_names, usual_name(name));
  return static_cast<Item>(found - item_names.begin());
}

std::string_view dimension_of(Item item) {
  switch (item) {
    case Item::x:
    case Item::y:
    case Item::z:
    case Item::radius:
      return "length";
    case Item::vx:
    case Item::vy:
    case Item::vz:
      return "length/time";
    case Item::mass:
      return "mass";
    case Item::charge:
      return "charge";
    case Item::time:
      return "time";
    default:
      return "";
  }
}

/// A column of all bodies, "x", or of one of them, "x_1", "earth_x".
struct TrajectoryColumn {
  Item item = Item::none;
  std::string body{};  ///< empty: of all
  double factor = 1;   ///< of its unit
};

constexpr std::string_view between = "_.- []()";

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

TrajectoryColumn column_of(const std::string& name) {
  const auto coordinate = [](std::string_view base) {
    const Item item = item_named(base);
    return at(item) < numbers_of_a_body ? item : Item::none;
  };
  if (const Item item = item_named(name); item != Item::none) return {item};
  // x1, vx_12, pos_x[3]
  std::size_t end = name.find_last_not_of(between), begin = end;
  while (begin != std::string::npos && begin > 0 && is_digit(name[begin])) --begin;
  if (begin != end && end != std::string::npos) {
    const std::size_t last = name.find_last_not_of(between, begin);
    if (last != std::string::npos)
      if (const Item item = coordinate(std::string_view(name).substr(0, last + 1)); item != Item::none)
        return {item, name.substr(begin + 1, end - begin)};
  }
  // earth_x, earth.vx, x_earth
  for (std::size_t k = name.find_first_of(between); k != std::string::npos; k = name.find_first_of(between, k + 1)) {
    const std::string left = name.substr(0, k), right = name.substr(k + 1);
    if (left.empty() || right.empty()) continue;
    if (const Item item = coordinate(right); item != Item::none) return {item, left};
    if (const Item item = coordinate(left); item != Item::none) return {item, right};
  }
  // r1x, v1_x
  const std::size_t digit = name.find_first_of("0123456789");
  if (digit != std::string::npos && digit > 0) {
    std::size_t after = digit;
    while (after < name.size() && is_digit(name[after])) ++after;
    const std::size_t axis = std::min(name.find_first_not_of(between, after), name.size());
    if (const Item item = coordinate(name.substr(0, digit) + name.substr(axis)); item != Item::none)
      return {item, name.substr(digit, after - digit)};
  }
  return {};
}

/// Whether a name or symbol is that of an element of orbits; M may be the mass.
bool is_element(const std::string& name) {
  return std::ranges::any_of(sim::orbital_element_list, [&](const sim::OrbitalElement& one) {
    return name == one.name || (name == one.symbol && name != "M");
  });
}

class FrameTable {
 public:
  FrameTable(const std::filesystem::path& file, const BodyFileOptions& options) : table_(file), options_(options) {}

  std::optional<ForeignFrames> read() {
    std::vector<std::string> names = table_.begin(
        options_.columns,
        [](std::string_view name) { return column_of(column_name(name).name).item != Item::none || is_left_out(name); },
        usual_columns);
    if (names.empty() && table_.columns() == 2 && is_count_and_size()) names = {"x", "y"};
    if (names.empty()) return std::nullopt;
    for (const std::string& name : names) add_column(name);
    if (on_orbits_) return std::nullopt;
    require_columns();
    while (table_.next_row()) bodies_.empty() ? read_body() : read_frame();
    return frames();
  }

 private:
  /// Whether the first row is the number of bodies and the size of their box, as the course CS267 of Berkeley writes them; it is left then.
  bool is_count_and_size() {
    std::string_view field;
    if (!table_.next_row() || !table_.next_field(field)) return false;
    const double bodies = table_.number(field).value_or(0);
    if (!(bodies >= 1) || bodies != std::floor(bodies)) return false;
    counted_ = true;
    remarks_.emplace_back("the first line is the number of bodies and the size of their box");
    return true;
  }

  void add_column(const std::string& field) {
    const auto [name, unit] = column_name(field);
    TrajectoryColumn column = name == "-" || is_left_out(name) ? TrajectoryColumn{} : column_of(name);
    const bool wide = !column.body.empty();
    if (column.item == Item::none && name != "-") left_out_.push_back(name);
    on_orbits_ = on_orbits_ || name == "around" || name == "plane" || is_element(name);
    if (!unit.empty() && !dimension_of(column.item).empty()) column.factor = factor(field, unit, column.item);
    if (wide && std::ranges::find(bodies_, column.body) == bodies_.end()) bodies_.push_back(column.body);
    if (column.item != Item::none && std::ranges::any_of(columns_, [&](const TrajectoryColumn& other) {
          return other.item == column.item && other.body == column.body;
        }))
      table_.fail(fmt::format("column `{}` is given twice", field));
    columns_.push_back(std::move(column));
  }

  [[nodiscard]] double factor(const std::string& field, const std::string& unit, Item item) const {
    try {
      return in_units(unit, dimension_of(item), *options_.units);
    } catch (const std::invalid_argument& error) {
      table_.fail(fmt::format("`{}` {}", field, error.what()));
    }
  }

  [[nodiscard]] bool has(Item item, const std::string& body = "") const {
    return std::ranges::any_of(columns_, [&](const TrajectoryColumn& c) { return c.item == item && c.body == body; });
  }

  void require_columns() {
    const std::string first = bodies_.empty() ? "" : bodies_.front();
    for (const std::string& body : bodies_.empty() ? std::vector<std::string>{""} : bodies_) {
      const std::string of = body.empty() ? "" : fmt::format(" of `{}`", body);
      for (const Item item : {Item::x, Item::y})
        if (!has(item, body))
          table_.fail(fmt::format("column `{}`{} is missing; `columns` gives others their names, \"-\" leaves one out",
                                  item_names[at(item)], of));
      if (has(Item::vx, body) != has(Item::vy, body) || (has(Item::vz, body) && !has(Item::vx, body)) ||
          (has(Item::vx, body) && has(Item::vz, body) != has(Item::z, body)))
        table_.fail(fmt::format("velocities{} lack a column: give as many as of positions, or none", of));
      for (std::size_t item = 0; item < numbers_of_a_body; ++item)
        if (has(static_cast<Item>(item), body) != has(static_cast<Item>(item), first))
          table_.fail(fmt::format("`{}` has other columns than `{}`", body, first));
    }
    for (TrajectoryColumn& column : columns_) {  // of a line per frame
      if (bodies_.empty() || !column.body.empty() || at(column.item) >= at(Item::time)) continue;
      left_out_.emplace_back(item_names[at(column.item)]);
      column.item = Item::none;
    }
    const std::string& one = bodies_.empty() ? columns_.front().body : bodies_.front();
    const std::string& body = bodies_.empty() ? std::string() : one;
    moves_ = has(Item::vx, body);
    masses_ = has(Item::mass, body);
    if (!has(Item::z, body)) remarks_.emplace_back("without a column z bodies are in the plane z = 0");
    const auto found = std::ranges::find_if(columns_, [](const TrajectoryColumn& c) {
      return c.item == Item::frame || c.item == Item::step || c.item == Item::time;
    });
    if (found != columns_.end()) {  // of several the one that rounding does not join: frame, step, time
      frame_item_ = has(Item::frame) ? Item::frame : has(Item::step) ? Item::step : Item::time;
    }
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      body_of_.emplace(bodies_[k], k);
      labels_.push_back(bodies_[k]);
    }
  }

  /// The fields of a row, which must be as many as there are columns.
  template <class Use>
  void for_each_field(const Use& use) {
    std::string_view field;
    std::size_t count = 0;
    for (; table_.next_field(field); ++count)
      if (count < columns_.size() && columns_[count].item != Item::none) use(columns_[count], field);
    if (count != columns_.size())
      table_.fail(fmt::format("has {} fields, but there are {} columns", count, columns_.size()));
  }

  double number(const TrajectoryColumn& column, std::string_view field) {
    std::optional<double> value = table_.number(field);
    if (value) {
      *value *= column.factor;
    } else if (looks_like_quantity(field) && !dimension_of(column.item).empty()) {
      value = factor(std::string(item_names[at(column.item)]), std::string(field), column.item);
    }
    if (!value || !std::isfinite(*value))
      table_.fail(fmt::format("`{}` in column `{}` is not a number", field.substr(0, 40), item_names[at(column.item)]));
    return *value;
  }

  /// A row of one body.
  void read_body() {
    std::array<double, numbers_of_a_body> values{};
    double key = 0;
    std::string_view id, name, component;
    std::array<double, 2> moment{};  // time and frame_item_
    for_each_field([&](const TrajectoryColumn& column, std::string_view field) {
      if (at(column.item) < numbers_of_a_body) {
        values[at(column.item)] = number(column, field);
      } else if (column.item == Item::id || column.item == Item::name || column.item == Item::component) {
        std::string& text = column.item == Item::id ? id_ : column.item == Item::name ? name_ : component_;
        text = field;
        (column.item == Item::id ? id : column.item == Item::name ? name : component) = text;
      } else {
        const double value = number(column, field);
        if (column.item == Item::time) moment[0] = value;
        if (column.item == frame_item_) key = value;
      }
    });
    const bool labelled = !id.empty() || !name.empty();
    const std::string_view label = id.empty() ? name : id;
    std::size_t body = labelled ? body_labelled(label) : no_body;
    const std::size_t frame = frame_of(key, body);
    if (!labelled) body = rows_in_[frame];
    if (body >= labels_.size()) labels_.emplace_back(labelled ? label : std::string_view());
    if (body >= constants_.size()) {
      constants_.push_back({values[at(Item::mass)], values[at(Item::charge)], values[at(Item::radius)]});
      names_.emplace_back(name);
      components_.emplace_back(component);
    } else if (constants_[body][0] != values[at(Item::mass)]) {
      changing_masses_ = true;
    }
    ++rows_in_[frame];
    times_[frame] = moment[0];
    add(frame, body, values);
  }

  static constexpr std::size_t no_body = std::numeric_limits<std::size_t>::max();

  std::size_t body_labelled(std::string_view label) {
    // Most rows are of the body after the last one.
    if (next_ < labels_.size() && labels_[next_] == label) return next_++;
    const auto [found, added] = body_of_.emplace(label, labels_.size());
    next_ = found->second + 1;
    return found->second;
  }

  /// The frame of a row: that of its key, or without a key the next after a blank line or when a body comes again.
  std::size_t frame_of(double key, std::size_t body) {
    const bool blank = table_.after_blank();
    blanks_ = blanks_ || (blank && !rows_in_.empty());
    if (frame_item_ != Item::none) {
      if (!rows_in_.empty() && key == last_key_) return last_frame_;
      last_key_ = key;
      const auto [found, added] = frame_keyed_.emplace(key, rows_in_.size());
      if (added) new_frame();
      return last_frame_ = found->second;
    }
    const bool again = body != no_body && body < seen_.size() && seen_[body];
    if (rows_in_.empty() || blank || again) {
      new_frame();
      std::fill(seen_.begin(), seen_.end(), false);
    }
    if (body != no_body) {
      if (body >= seen_.size()) seen_.resize(body + 1, false);
      seen_[body] = true;
    }
    return rows_in_.size() - 1;
  }

  void new_frame() {
    rows_in_.push_back(0);
    times_.push_back(0);
  }

  /// A row of all bodies.
  void read_frame() {
    std::vector<std::array<double, numbers_of_a_body>> values(bodies_.size());
    const std::size_t frame = rows_in_.size();
    new_frame();
    for_each_field([&](const TrajectoryColumn& column, std::string_view field) {
      if (!column.body.empty()) {
        values[body_of_.find(column.body)->second][at(column.item)] = number(column, field);
      } else if (column.item == Item::time) {
        times_[frame] = number(column, field);
      }
    });
    if (frame == 0) {
      for (const auto& one : values)
        constants_.push_back({one[at(Item::mass)], one[at(Item::charge)], one[at(Item::radius)]});
      names_ = bodies_;
      components_.resize(bodies_.size());
    }
    rows_in_[frame] = bodies_.size();
    for (std::size_t body = 0; body < bodies_.size(); ++body) add(frame, body, values[body]);
  }

  void add(std::size_t frame, std::size_t body, const std::array<double, numbers_of_a_body>& values) {
    if (frames_.size() == frames_.capacity()) refuse_too_large();
    frames_.push_back(static_cast<std::uint32_t>(frame));
    bodies_of_rows_.push_back(static_cast<std::uint32_t>(body));
    lines_.push_back(table_.line_number());
    rows_.insert(rows_.end(), values.begin(), values.begin() + (moves_ ? coordinates : 3));
  }

  /// Before the arrays double: each row is there twice at the end, here and in its frame.
  void refuse_too_large() const {
    const double need = static_cast<double>(std::max<std::size_t>(2 * frames_.size(), 1000)) * (moves_ ? 112 : 64),
                 have = static_cast<double>(usable_memory());
    if (need > have)
      table_.fail(
          fmt::format("the rows so far need {} of memory, this machine has {}", in_bytes(need), in_bytes(have)));
  }

  ForeignFrames frames() {
    if (frames_.empty()) table_.fail("has no bodies after its first line");
    const std::size_t bodies = constants_.size(), frames = rows_in_.size();
    for (std::size_t k = 0; k < frames_.size(); ++k)
      if (rows_in_[frames_[k]] != bodies) refuse_frame(k);
    ForeignFrames all;
    all.position.assign(frames, sim::Vectors(bodies));
    if (moves_) all.velocity.assign(frames, sim::Vectors(bodies));
    std::vector<std::uint32_t> last(bodies * frames, 0);
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const std::size_t frame = frames_[k], body = bodies_of_rows_[k];
      if (const std::uint32_t before = std::exchange(last[frame * bodies + body], lines_[k]); before != 0)
        throw Error(
            fmt::format("{}:{}: has body {} again in the frame of line {}: {}", table_.path().string(), lines_[k],
                        labels_[body].empty() ? std::to_string(body) : labels_[body], before,
                        frame_item_ == Item::time ? "is its time printed with too few digits?" : "each is there once"),
            Fault::request);
      const double* row = rows_.data() + k * (moves_ ? coordinates : 3);
      set(all.position[frame], body, row);
      if (moves_) set(all.velocity[frame], body, row + 3);
    }
    if (has(Item::time)) all.time = std::move(times_);
    all.first = first(all);
    return all;
  }

  static void set(sim::Vectors& to, std::size_t body, const double* from) {
    to.x[body] = from[0], to.y[body] = from[1], to.z[body] = from[2];
  }

  [[noreturn]] void refuse_frame(std::size_t row) const {
    throw Error(fmt::format("{}:{}: its frame has {} bodies, others have {}: all frames need the same{}",
                            table_.path().string(), lines_[row], rows_in_[frames_[row]], constants_.size(),
                            frame_item_ == Item::none && blanks_ ? "; blank lines are between frames" : ""),
                Fault::request);
  }

  BodyFile first(const ForeignFrames& all) {
    auto bodies = std::make_shared<Columns>();
    bodies->rows = constants_.size();
    const auto constant = [&](std::size_t k) {
      std::vector<double> column;
      for (const auto& one : constants_) column.push_back(one[k]);
      return column;
    };
    bodies->numbers["position"] = rows_of(all.position.front());
    bodies->numbers["velocity"] = moves_ ? rows_of(all.velocity.front()) : std::vector<double>(3 * bodies->rows);
    bodies->numbers["mass"] = masses_ ? constant(0) : std::vector<double>(bodies->rows, options_.mass.value_or(0));
    const std::string& one = bodies_.empty() ? std::string() : bodies_.front();
    if (has(Item::charge, one)) bodies->numbers["charge"] = constant(1);
    if (has(Item::radius, one)) bodies->numbers["radius"] = constant(2);
    const bool numbered =
        std::ranges::all_of(bodies_, [](const std::string& body) { return std::ranges::all_of(body, is_digit); });
    if (has(Item::name) || (!bodies_.empty() && !numbered)) bodies->texts["name"] = names_;
    if (has(Item::component)) bodies->texts["component"] = components_;
    BodyFile file{.bodies = std::move(bodies),
                  .where = [path = table_.path().string()](std::size_t) { return path + ":1:1"; }};
    file.frames = static_cast<std::int64_t>(all.size());
    file.at_rest = !moves_;
    file.told_apart = frame_item_ != Item::none || !bodies_.empty() || counted_;
    if (has(Item::id)) file.ids = numbers_of(labels_);
    file.remarks = table_.remarks();
    file.remarks.insert(file.remarks.end(), remarks_.begin(), remarks_.end());
    if (!left_out_.empty()) file.remarks.push_back(fmt::format("left out: {}", fmt::join(left_out_, ", ")));
    if (changing_masses_) file.remarks.emplace_back("masses change; those of the first frame are taken");
    if (!bodies_.empty())
      file.remarks.push_back(fmt::format("a line per frame, of the bodies {}", fmt::join(bodies_, ", ")));
    if (frame_item_ == Item::none && all.size() > 1 && bodies_.empty())
      file.remarks.emplace_back(blanks_ ? "blank lines are between frames"
                                        : "a frame begins where the first body comes again");
    if (!masses_ && !options_.mass) file.asked.push_back({"mass", "the file has no masses"});
    return file;
  }

  /// Empty unless all of them are integers.
  static std::vector<std::int64_t> numbers_of(const std::vector<std::string>& labels) {
    std::vector<std::int64_t> numbers(labels.size());
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const char* end = labels[k].data() + labels[k].size();
      if (const auto [stop, error] = std::from_chars(labels[k].data(), end, numbers[k]);
          error != std::errc() || stop != end)
        return {};
    }
    return numbers;
  }

  TextTable table_;
  const BodyFileOptions& options_;
  std::vector<TrajectoryColumn> columns_;
  std::vector<std::string> bodies_;  ///< of columns that are of one each
  std::vector<std::string> left_out_, remarks_;
  bool on_orbits_ = false, moves_ = false, masses_ = false, changing_masses_ = false, blanks_ = false, counted_ = false;
  Item frame_item_ = Item::none;  ///< the column by which frames are told apart

  std::string id_, name_, component_;  ///< of the row
  std::vector<std::string> labels_;    ///< [bodies]
  std::unordered_map<std::string, std::size_t> body_of_;
  std::size_t next_ = 0;  ///< body, if they have the order of the last frame
  std::vector<bool> seen_;
  std::map<double, std::size_t> frame_keyed_;
  double last_key_ = 0;
  std::size_t last_frame_ = 0;

  std::vector<std::array<double, 3>> constants_;                ///< [bodies]: mass, charge, radius
  std::vector<std::string> names_, components_;                 ///< [bodies]
  std::vector<std::size_t> rows_in_;                            ///< [frames]
  std::vector<double> times_;                                   ///< [frames]
  std::vector<std::uint32_t> frames_, bodies_of_rows_, lines_;  ///< [rows]
  std::vector<double> rows_;                                    ///< [rows][6], or [3] without velocities
};

}  // namespace

std::optional<ForeignFrames> read_text_frames(const std::filesystem::path& file, const BodyFileOptions& options) {
  return FrameTable(file, options).read();
}

}  // namespace orrery::pipeline
