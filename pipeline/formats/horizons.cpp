// SPDX-License-Identifier: MIT
// Texts of JPL Horizons (https://ssd.jpl.nasa.gov/horizons/): tables of vectors or of osculating elements. Bodies are on axes of the
// ecliptic of J2000 in the scenario's units. The mass is G M of the text's header (0 without one) over G; `around` is the text's centre
// unless that is the barycentre of the solar system. Elements are turned into a state with the "Keplerian GM" of the text, whose
// orientation is its "Reference frame".
#include "pipeline/formats/body_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/number_text.hpp"
#include "pipeline/scenario/units.hpp"
#include "pipeline/text_encoding.hpp"
#include "sim/orbit.hpp"

namespace orrery::pipeline {
namespace {

constexpr double au = 149597870700.0, day = 86400;
constexpr std::string_view vector_columns[] = {"X", "Y", "Z", "VX", "VY", "VZ"};
constexpr std::string_view element_columns[] = {"EC", "QR", "IN", "OM", "W", "Tp"};

/// Returns the number at the beginning of a text, and whether there is one; removes it.
std::optional<double> leading_number(std::string_view& text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::size_t length = std::min(text.find_first_not_of("0123456789+-.eEdD"), text.size());
  std::string digits(text.substr(0, length));
  std::ranges::replace(digits, 'D', 'E');
  text.remove_prefix(length);
  const auto value = number_of(digits);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// One date of the table, with the line on which it begins.
struct Row {
  double date = 0;
  std::uint32_t line = 0;
  std::map<std::string, double, std::less<>> values;
};

class HorizonsReader {
 public:
  explicit HorizonsReader(const std::filesystem::path& path) : path_(path), in_(path) {}

  BodyFile read(const std::optional<double>& epoch, const std::optional<sim::SystemOfUnits>& units) {
    if (!units) fail(1, "has units, the scenario none: give it `units`, for example \"astronomical\"");
    read_header();
    read_table();
    const Row& row = row_at(epoch);
    const sim::RelativeState state = state_in(row);
    const double length = length_ / units->length, speed = length_ / time_ / (units->length / units->time);
    const auto &r = state.position, &v = state.velocity;

    auto bodies = std::make_shared<Columns>();
    bodies->rows = 1;
    bodies->numbers = {{"mass", {gm_ / newton / units->mass}},
                       {"position", {length * r.x, length * r.y, length * r.z}},
                       {"velocity", {speed * v.x, speed * v.y, speed * v.z}}};
    bodies->texts = {{"name", {target_}}};
    if (!centre_.empty()) bodies->texts.emplace("around", std::vector{centre_});
    return {
        .bodies = std::move(bodies),
        .where = [path = path_, line = row.line](std::size_t) { return fmt::format("{}:{}:1", path.string(), line); },
        .frames = static_cast<std::int64_t>(rows_.size())};
  }

 private:
  static constexpr double newton = 6.67430e-11;  // CODATA 2018

  bool next_line() {
    if (!in_.next_line(line_)) return false;
    require_utf8(line_, path_.string(), in_.line_number());
    return true;
  }

  /// "Halley" of "1P/Halley                 {source: JPL#75}", "Earth" of "Earth (399)".
  static std::string name_in(std::string_view value) {
    value = trimmed(value.substr(0, value.find('{')));
    const std::string_view name = trimmed(value.substr(0, value.rfind('(')));
    return std::string(name.empty() ? value : name);
  }

  void read_header() {
    bool centred = false;
    while (next_line()) {
      if (trimmed(line_) == "$$SOE") {
        if (target_.empty() || !centred || length_ == 0)
          fail(in_.line_number(),
               "lacks lines of its header: save all that Horizons shows, from \"Target body name\" on");
        return;
      }
      if (line_.find("JDTDB,") != std::string_view::npos) names_ = fields(line_);
      if (line_.find("Date__(UT)") != std::string_view::npos)
        fail(in_.line_number(),
             "is an observer table: choose the ephemeris type \"Vector Table\" or \"Osculating Orbital Elements\"");
      const std::size_t colon = line_.find(':');
      if (colon == std::string_view::npos) {
        find_mass();
        continue;
      }
      const std::string_view key = trimmed(line_.substr(0, colon)), value = trimmed(line_.substr(colon + 1));
      if (key == "Target body name") target_ = name_in(value);
      if (key == "Center body name") set_centre(value), centred = true;
      if (key == "Center-site name" && value != "BODY CENTER" && value != "GEOCENTRIC")
        fail(in_.line_number(),
             fmt::format("has the centre `{}`: choose the centre of a body, for example @sun", value));
      if (key == "Output units") set_units(value);
      if (key == "Reference frame") set_frame(value);
      if (key == "Output type") elements_ = check_type(value);
      if (key == "Keplerian GM") keplerian_ = number_in(value);
      find_mass();
    }
    fail(in_.line_number(), "has no table: there is no line \"$$SOE\"");
  }

  void set_centre(std::string_view value) {
    centre_ = name_in(value);
    if (centre_ == "Solar System Barycenter") centre_.clear();
  }

  void set_units(std::string_view value) {
    value = value.substr(0, value.find(','));  // "AU-D, deg, Julian Day Number (Tp)"
    if (value == "AU-D")
      length_ = au, time_ = day;
    else if (value == "KM-S")
      length_ = 1000, time_ = 1;
    else if (value == "KM-D")
      length_ = 1000, time_ = day;
    else
      fail(in_.line_number(), fmt::format("has the units `{}`: choose AU-D, KM-S or KM-D", value));
  }

  void set_frame(std::string_view value) {
    equatorial_ = value.starts_with("ICRF");
    if (!equatorial_ && !value.starts_with("Ecliptic of J2000"))
      fail(in_.line_number(), fmt::format("has the axes `{}`: choose those of the ecliptic of J2000 or ICRF", value));
  }

  /// Whether the table has elements rather than vectors.
  bool check_type(std::string_view value) {
    if (value.find("GEOMETRIC") == std::string_view::npos)
      fail(in_.line_number(),
           fmt::format("has states of the type `{}`: choose geometric ones, without aberration", value));
    return value.find("elements") != std::string_view::npos;
  }

  double number_in(std::string_view text) const {
    const auto value = leading_number(text);
    if (!value) fail(in_.line_number(), fmt::format("`{}` is not a number", trimmed(line_).substr(0, 40)));
    return *value;
  }

  /// G M in the body's data: "GM (km^3/s^2)         = 22031.86855", "GM, km^3/s^2 = 398600.435436", "GM= 62.6284"; not its error.
  void find_mass() {
    if (gm_ > 0) return;
    for (std::size_t at = line_.find("GM"); at != std::string_view::npos; at = line_.find("GM", at + 2)) {
      if (at > 0 && line_[at - 1] != ' ') continue;
      std::string_view rest = line_.substr(at + 2);
      const std::size_t equals = rest.find('=');
      if (equals == std::string_view::npos) continue;
      std::string unit(trimmed(rest.substr(0, equals)));
      std::erase_if(unit, [](char c) { return c == '(' || c == ')' || c == ',' || c == ' '; });
      if (!unit.empty() && unit != "km^3/s^2") continue;
      rest.remove_prefix(equals + 1);
      if (const auto value = leading_number(rest); value && *value > 0) {
        gm_ = *value * 1e9;
        return;
      }
    }
  }

  static std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> all;
    while (!line.empty()) {
      const std::size_t comma = std::min(line.find(','), line.size());
      all.push_back(trimmed(line.substr(0, comma)));
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
    return all;
  }
  static std::vector<std::string> fields(std::string_view line) {
    const auto views = split(line);
    return {views.begin(), views.end()};
  }

  void read_table() {
    while (next_line()) {
      const std::string_view line = trimmed(line_);
      if (line == "$$EOE") {
        if (rows_.empty()) fail(in_.line_number(), "has no states between $$SOE and $$EOE");
        return;
      }
      if (line.empty()) continue;
      names_.empty() ? read_labelled(line) : read_fields(line);
    }
    fail(in_.line_number(), "ends before its line \"$$EOE\"");
  }

  void read_fields(std::string_view line) {
    const auto values = split(line);
    Row& row = begin_row(values.front());
    for (std::size_t k = 2; k < std::min(values.size(), names_.size()); ++k)
      if (is_wanted(names_[k])) row.values.insert_or_assign(names_[k], number_in(values[k]));
  }

  /// "2461371.5 = A.D. 2026-Nov-27 …" begins a date; " X = 1.2E-01 Y =-3.4E+00" has its values.
  void read_labelled(std::string_view line) {
    if (std::isdigit(static_cast<unsigned char>(line.front())) != 0) {
      begin_row(line);
      return;
    }
    if (rows_.empty()) fail(in_.line_number(), "a date such as \"2461371.500000000 = A.D. …\" should stand here");
    while (!line.empty()) {
      const std::size_t equals = line.find('=');
      if (equals == std::string_view::npos) return;
      const std::string name(trimmed(line.substr(0, equals)));
      line.remove_prefix(equals + 1);
      const auto value = leading_number(line);
      if (!value) fail(in_.line_number(), fmt::format("`{}` has no number", name.substr(0, 40)));
      if (is_wanted(name)) rows_.back().values.insert_or_assign(name, *value);
      line = trimmed(line);
    }
  }

  static bool is_wanted(std::string_view name) {
    return std::ranges::find(vector_columns, name) != std::end(vector_columns) ||
           std::ranges::find(element_columns, name) != std::end(element_columns);
  }

  Row& begin_row(std::string_view date) {
    if (rows_.size() == 1'000'000) fail(in_.line_number(), "has more than a million dates");
    return rows_.emplace_back(Row{.date = number_in(date), .line = in_.line_number(), .values = {}});
  }

  /// The row of the epoch, within a tenth of a second.
  [[nodiscard]] const Row& row_at(const std::optional<double>& epoch) const {
    if (!epoch) {
      if (rows_.size() == 1) return rows_.front();
      fail(rows_[1].line, fmt::format("has {} dates: give the scenario the `epoch` of one, for example \"JD {}\"",
                                      rows_.size(), rows_.front().date));
    }
    const auto nearest =
        std::ranges::min_element(rows_, {}, [&](const Row& row) { return std::fabs(row.date - *epoch); });
    if (std::fabs(nearest->date - *epoch) > 0.1 / day)
      fail(nearest->line,
           fmt::format("has no state at the `epoch`, JD {}; the nearest is of JD {}", *epoch, nearest->date));
    return *nearest;
  }

  [[nodiscard]] sim::RelativeState state_in(const Row& row) const {
    double values[6];
    for (std::size_t k = 0; k < 6; ++k) {
      const std::string_view name = elements_ ? element_columns[k] : vector_columns[k];
      const auto found = row.values.find(name);
      if (found == row.values.end()) fail(row.line, fmt::format("lacks `{}`", name));
      values[k] = found->second;
    }
    sim::RelativeState state{{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
    if (elements_) {
      if (!(keplerian_ > 0)) fail(row.line, "lacks the line \"Keplerian GM\" in its header");
      const sim::OrbitalElements elements{.pericentre = values[1],
                                          .eccentricity = values[0],
                                          .inclination = values[2],
                                          .ascending_node = values[3],
                                          .argument_of_pericentre = values[4],
                                          .time_of_pericentre = values[5] - row.date};
      // Horizons has days throughout in AU-D and KM-D, seconds in KM-S, but dates always in days.
      const double mu = keplerian_ * (day / time_) * (day / time_);
      if (const auto faults = sim::faults_of(elements, mu); !faults.empty()) fail(row.line, faults.front());
      state = sim::state_of(elements, mu);
      for (double* v : {&state.velocity.x, &state.velocity.y, &state.velocity.z}) *v *= time_ / day;
    }
    if (!equatorial_) return state;
    return {sim::ecliptic_of_equatorial(state.position), sim::ecliptic_of_equatorial(state.velocity)};
  }

  [[noreturn]] void fail(std::uint32_t line, const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_.string(), std::max(line, 1U), what), Fault::request);
  }

  std::filesystem::path path_;
  InputFile in_;
  std::string_view line_;
  std::string target_, centre_;
  double length_ = 0, time_ = 0, gm_ = 0, keplerian_ = 0;  ///< in m and s; m³/s²; in the text's units
  bool equatorial_ = false, elements_ = false;
  std::vector<std::string> names_;  ///< of columns, in a table of fields separated by commas
  std::vector<Row> rows_;
};

bool is_horizons(const std::filesystem::path&, std::string_view begin) {
  const std::size_t at = begin.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos) return false;
  begin.remove_prefix(at);
  return begin.starts_with("*****") || begin.starts_with("API VERSION") || begin.starts_with("$$SOE");
}

BodyFile read_horizons(const std::filesystem::path& file, const BodyFileOptions& options) {
  return HorizonsReader(file).read(options.epoch, in_si(*options.units));
}

}  // namespace

extern const BodyFormat horizons_bodies{.name = "horizons",
                                        .meaning = "JPL Horizons' texts of vectors or elements, one body each",
                                        .recognises = is_horizons,
                                        .read = read_horizons};

}  // namespace orrery::pipeline
