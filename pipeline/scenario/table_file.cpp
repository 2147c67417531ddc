// SPDX-License-Identifier: MIT
// A small reader of comma-separated numbers: a header, a body a line, every complaint with its line.
#include "pipeline/scenario/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace orrery::pipeline {
namespace {

constexpr std::string_view columns[] = {"name", "mass", "x", "y", "z", "vx", "vy", "vz", "charge"};
constexpr std::size_t required[] = {1, 2, 3, 4};
constexpr std::size_t name_column = 0, charge_column = 8;

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The fields of a line without the blanks and quotes around them; a comma in quotes belongs to its field.
std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const std::size_t close = line.starts_with('"') ? line.find('"', 1) : std::string_view::npos;
    const std::size_t comma = line.find(',', close == std::string_view::npos ? 0 : close);
    const std::string_view field = trimmed(line.substr(0, comma));
    const bool quoted = field.size() >= 2 && field.front() == '"' && field.back() == '"';
    fields.push_back(quoted ? field.substr(1, field.size() - 2) : field);
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

class TableFile {
 public:
  explicit TableFile(const std::filesystem::path& path) : path_(path), in_(path) {}

  [[nodiscard]] bool readable() const { return in_.good() && !std::filesystem::is_directory(path_); }

  /// Fills `section` with the bodies of the file.
  void read_into(Section& section) {
    if (!next_line()) fail("is empty: the first line names the columns, name,mass,x,y,z,vx,vy,vz,charge");
    read_header();
    std::vector<Arguments> bodies;
    std::vector<std::string> places;
    while (next_line()) {
      bodies.push_back(read_body());
      places.push_back(place());
    }
    if (bodies.empty()) fail("has no bodies below its first line");
    section.replace("file", "bodies", std::move(bodies), places);
  }

 private:
  /// The next line that is neither blank nor a comment.
  bool next_line() {
    while (std::getline(in_, line_)) {
      if (++number_ == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.erase(0, 3);  // what Windows puts before UTF-8
      if (line_.ends_with('\r')) line_.pop_back();
      const std::string_view content = trimmed(line_);
      if (!content.empty() && content.front() != '#') return true;
    }
    return false;
  }

  void read_header() {
    for (const std::string_view name : split(line_)) {
      const auto found = std::ranges::find(columns, name);
      if (found == std::end(columns)) {
        fail(fmt::format("unknown column `{}`{} (commas part them: name,mass,x,y,z,vx,vy,vz,charge)", name,
                         suggestion(name, columns)));
      }
      order_.push_back(static_cast<std::size_t>(found - std::begin(columns)));
      if (std::ranges::count(order_, order_.back()) > 1) fail(fmt::format("column `{}` stands twice", name));
    }
    for (const std::size_t k : required) {
      if (std::ranges::find(order_, k) == order_.end()) fail(fmt::format("column `{}` is missing", columns[k]));
    }
  }

  Arguments read_body() {
    const auto fields = split(line_);
    if (fields.size() != order_.size()) {
      fail(fmt::format("has {} fields where the first line names {}", fields.size(), order_.size()));
    }
    std::string name;
    double values[std::size(columns)] = {};
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (order_[k] == name_column) {
        name = fields[k];
      } else {
        values[order_[k]] = number(fields[k], columns[order_[k]]);
      }
    }
    if (values[1] < 0) fail("`mass` must be at least 0");
    Arguments body{{"name", name},
                   {"mass", values[1]},
                   {"position", std::vector<double>(values + 2, values + 5)},
                   {"velocity", std::vector<double>(values + 5, values + 8)}};
    if (std::ranges::find(order_, charge_column) != order_.end()) body.set("charge", values[charge_column]);
    return body;
  }

  [[nodiscard]] double number(std::string_view field, std::string_view column) const {
    const std::string_view digits = field.substr(field.starts_with('+') && !field.starts_with("+-") ? 1 : 0);
    const char* end = digits.data() + digits.size();
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) {
      fail(fmt::format("`{}` is no number, in column `{}`", field, column));
    }
    return value;
  }

  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", path_.string(), std::max(number_, 1)); }
  [[noreturn]] void fail(const std::string& what) const { throw Error(place() + ": " + what, 2); }

  std::filesystem::path path_;
  std::ifstream in_;
  std::string line_;
  int number_ = 0;
  std::vector<std::size_t> order_;  ///< which column stands where
};

}  // namespace

void load_table_file(Section& section, const std::string& scenario) {
  if (!section.given("file")) return;
  if (section.given("bodies")) section.complain("file", "give either `bodies` or `file`");
  const auto path = std::filesystem::path(scenario).parent_path() / section->text("file");
  TableFile file(path);
  if (!file.readable()) section.complain("file", fmt::format("{} cannot be read", path.string()));
  file.read_into(section);
}

}  // namespace orrery::pipeline
