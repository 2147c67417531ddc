// SPDX-License-Identifier: MIT
#include "pipeline/judge/given_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline::judging {
namespace {

constexpr std::size_t most_numbers = std::size_t{8} << 20U;

GivenFrames read_run(const std::filesystem::path& file) {
  const TrajectoryReader reader(file);
  GivenFrames given{
      .name = file.string(), .times = {}, .frames = {}, .names = reader.bodies().names, .all = reader.size()};
  const std::size_t n = reader.bodies().size();
  for (std::size_t f = 0; f < reader.size() && f * 6 * n <= most_numbers; ++f) {
    const sim::Snapshot snapshot = reader.snapshot(f);
    State state;
    for (std::size_t i = 0; i < n; ++i) {
      state.x.insert(state.x.end(), {snapshot.position.x[i], snapshot.position.y[i], snapshot.position.z[i]});
      if (snapshot.velocity.size() == n)
        state.v.insert(state.v.end(), {snapshot.velocity.x[i], snapshot.velocity.y[i], snapshot.velocity.z[i]});
    }
    given.frames.push_back(std::move(state));
    given.times.push_back(reader.times()[f]);
  }
  return given;
}

class Table {
 public:
  explicit Table(const std::filesystem::path& file) : name_(file.string()), input_(file) {}

  GivenFrames read() {
    GivenFrames given{.name = name_, .times = {}, .frames = {}, .names = {}, .all = 0};
    std::string_view line;
    do {
      if (!input_.next_line(line))
        throw Error(name_ + ": no line of a table: give frames as t,id,x,y,z", Fault::request);
    } while (line.empty() || line.front() == '#');
    read_header(line);
    std::map<std::string, std::size_t> places;
    std::vector<bool> seen;
    while (input_.next_line(line)) {
      if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.front() == '#') continue;
      const std::vector<std::string> fields = fields_of(line, separator_);
      if (fields.size() < width_) refuse(fmt::format("{} fields, where the first line has {}", fields.size(), width_));
      const std::string id = fields[at_.at("id")];
      const double t = at_.contains("t") ? number(fields[at_.at("t")], "t") : 0;
      const auto known = places.find(id);
      const bool next = given.frames.empty() || (known != places.end() && seen[known->second]);
      if (next) {
        if (!given.frames.empty()) finish(given, seen);
        if (given.frames.size() * 6 * places.size() > most_numbers) break;
        given.frames.emplace_back();
        if (at_.contains("t")) given.times.push_back(t);
        seen.assign(seen.size(), false);
      }
      State& frame = given.frames.back();
      std::size_t place = places.size();
      if (known != places.end()) {
        place = known->second;
      } else if (given.frames.size() > 1) {
        refuse(fmt::format("body `{}` is in no frame before", id));
      } else {
        places.emplace(id, place);
        given.names.push_back(id);
        seen.push_back(false);
      }
      seen[place] = true;
      frame.x.resize(3 * places.size());
      if (at_.contains("vx")) frame.v.resize(3 * places.size());
      for (std::size_t k = 0; k < 3; ++k) {
        const std::string axis(1, static_cast<char>('x' + k));
        if (at_.contains(axis)) frame.x[3 * place + k] = number(fields[at_.at(axis)], axis);
        if (at_.contains("v" + axis)) frame.v[3 * place + k] = number(fields[at_.at("v" + axis)], "v" + axis);
      }
    }
    if (given.frames.empty())
      throw Error(name_ + ": no frame: a line for each body and moment has t,id,x,y,z", Fault::request);
    // A last frame that was cut off does not count.
    if (given.frames.size() > 1 && std::ranges::find(seen, false) != seen.end()) {
      given.frames.pop_back();
      if (!given.times.empty()) given.times.pop_back();
    }
    given.all = given.frames.size();
    return given;
  }

 private:
  void read_header(std::string_view line) {
    separator_ = separator_of(line);
    const std::vector<std::string> fields = fields_of(line, separator_);
    width_ = fields.size();
    for (std::size_t k = 0; k < fields.size(); ++k) {
      std::string name = usual_name(column_name(fields[k]).name);
      if (name == "time") name = "t";
      if (name == "name" || name == "body" || name == "i" || name == "particle") name = "id";
      at_.emplace(name, k);
    }
    if (!at_.contains("x") || !at_.contains("y") || !at_.contains("id"))
      refuse("the first line names the columns: t,id,x,y,z and, if there are velocities, vx,vy,vz");
  }
  double number(const std::string& field, const std::string& column) {
    try {
      if (const auto value = decimals_.read(field)) return *value;
    } catch (const LineError& error) {
      refuse(error.what());
    }
    const std::string lower = field.substr(0, 4);
    if (lower == "nan" || lower == "NaN" || lower == "-nan" || lower == "inf" || lower == "-inf")
      return std::stod(field);
    refuse(fmt::format("`{}` in column {} is no number", field.substr(0, 40), column));
  }
  void finish(const GivenFrames& given, const std::vector<bool>& seen) {
    const auto missing = std::ranges::find(seen, false);
    if (missing != seen.end())
      refuse(fmt::format("frame {} before this line lacks body `{}`", given.frames.size() - 1,
                         given.names[static_cast<std::size_t>(missing - seen.begin())]));
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(fmt::format("{}:{}: {}", name_, input_.line_number(), why), Fault::request);
  }

  std::string name_;
  InputFile input_;
  char separator_ = ',';
  std::size_t width_ = 0;
  std::map<std::string, std::size_t> at_;
  Decimals decimals_;
};

}  // namespace

GivenFrames read_frames(const std::filesystem::path& file) {
  const std::string extension = extension_of(file);
  if (extension == ".h5" || extension == ".hdf5" || extension == ".vtkhdf") return read_run(file);
  return Table(file).read();
}

}  // namespace orrery::pipeline::judging
