// SPDX-License-Identifier: MIT
// A small reader of comma-separated numbers: a header, a body a line, every complaint with its line.
#include "pipeline/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace orrery::pipeline {
namespace {

constexpr std::string_view columns[] = {"name", "mass", "x", "y", "z", "vx", "vy", "vz"};
constexpr std::size_t required[] = {1, 2, 3, 4};
constexpr std::size_t absent = std::size(columns);

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view field = line.substr(0, comma);
    field.remove_prefix(std::min(field.find_first_not_of(" \t"), field.size()));
    field = field.substr(0, field.find_last_not_of(" \t") + 1);
    fields.push_back(field);
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

class TableFile {
 public:
  explicit TableFile(const std::filesystem::path& path) : path_(path), in_(path) {}

  std::vector<Arguments> read() {
    if (!next_line()) fail("is empty: the first line names the columns, name,mass,x,y,z,vx,vy,vz");
    read_header();
    std::vector<Arguments> bodies;
    while (next_line()) bodies.push_back(read_body());
    if (bodies.empty()) fail("has no bodies below its first line");
    return bodies;
  }
  [[nodiscard]] bool readable() const { return in_.good(); }

 private:
  /// The next line that is neither blank nor a comment.
  bool next_line() {
    while (std::getline(in_, line_)) {
      ++number_;
      if (!line_.empty() && line_.back() == '\r') line_.pop_back();
      if (line_.find_first_not_of(" \t") != std::string::npos && line_.front() != '#') return true;
    }
    return false;
  }

  void read_header() {
    for (const std::string_view name : split(line_)) {
      const auto found = std::ranges::find(columns, name);
      if (found == std::end(columns)) fail(fmt::format("unknown column `{}`{}", name, suggestion(name, columns)));
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
    double values[absent] = {};
    for (std::size_t k = 0; k < fields.size(); ++k) {
      if (order_[k] == 0) {
        name = fields[k];
        continue;
      }
      double& value = values[order_[k]];
      const char* end = fields[k].data() + fields[k].size();
      const auto [stop, error] = std::from_chars(fields[k].data(), end, value);
      if (error != std::errc() || stop != end || !std::isfinite(value)) {
        fail(fmt::format("`{}` is no number, in column `{}`", fields[k], columns[order_[k]]));
      }
    }
    if (values[1] < 0) fail("`mass` must be at least 0");
    return Arguments{{"name", name},
                     {"mass", values[1]},
                     {"position", std::vector<double>(values + 2, values + 5)},
                     {"velocity", std::vector<double>(values + 5, values + 8)}};
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_.string(), std::max<std::size_t>(number_, 1), what), 2);
  }

  std::filesystem::path path_;
  std::ifstream in_;
  std::string line_;
  std::size_t number_ = 0;
  std::vector<std::size_t> order_;  ///< which column stands where
};

}  // namespace

void load_table_file(Section& section, const std::string& scenario) {
  if (!section.given("file")) return;
  if (section.given("bodies")) section.complain("file", "give either `bodies` or `file`");
  const auto path = std::filesystem::path(scenario).parent_path() / section->text("file");
  TableFile file(path);
  if (!file.readable()) section.complain("file", fmt::format("{} cannot be read", path.string()));
  section.replace("file", "bodies", file.read());
}

}  // namespace orrery::pipeline
