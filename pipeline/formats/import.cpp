// SPDX-License-Identifier: MIT
#include "pipeline/formats/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "common/error.hpp"
#include "common/parameter.hpp"
#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/named.hpp"
#include "pipeline/quantity.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/scenario/turning.hpp"
#include "sim/initial_state.hpp"

namespace orrery::pipeline {
namespace {

/// Up to here every step of ias15 is cheap.
constexpr std::size_t few_bodies_imported = 64;

const sim::InitialState& table_plugin() {
  return named(sim::initial_states(), "table", "initial state");
}

/// The keys of one table, typed as its plug-in declares them.
Arguments values_of(const std::map<std::string, std::string>& keys) {
  Arguments values;
  for (const auto& [key, text] : keys) {
    const auto parameter = std::ranges::find(table_plugin().parameters, key, &Parameter::name);
    switch (parameter->kind) {
      case Kind::texts:
        values.set(key, fields_of(text, ','));
        break;
      case Kind::text:
        values.set(key, text);
        break;
      default:
        values.set(key, value_of(fmt::format("{}={}", key, text)));
    }
  }
  return values;
}

/// The system of units nearest to those of a file; in a tie the first.
const sim::Units& nearest_units(const FileUnits& units) {
  const sim::Units* nearest = sim::all_units().data();
  double least = std::numeric_limits<double>::infinity();
  for (const sim::Units& system : sim::all_units()) {
    if (system.length.empty()) continue;
    double distance = 0;
    const auto add = [&](const std::string& unit, std::string_view dimension) {
      if (unit.empty()) return;
      distance += std::abs(std::log10(in_units(unit, dimension, system)));
    };
    add(units.length, "length");
    add(units.mass, "mass");
    add(units.velocity, "length/time");
    if (distance >= least) continue;
    least = distance;
    nearest = &system;
  }
  return *nearest;
}

/// Sums over the bodies that are placed.
struct Extent {
  double mass = 0, radius = 0;  ///< rms of the distances from the centre of mass, for which every body counts the same
  double low[3], high[3], speed = 0;
  bool placed = false;
};

Extent extent_of(const Columns& bodies) {
  Extent all;
  const auto& mass = bodies.numbers.at("mass");
  for (const double m : mass) all.mass += m;
  const auto places = bodies.numbers.find("position"), speeds = bodies.numbers.find("velocity");
  if (places == bodies.numbers.end() || speeds == bodies.numbers.end()) return all;
  const auto &x = places->second, &v = speeds->second;
  all.placed = std::ranges::none_of(x, [](double one) { return std::isnan(one); });
  double squares = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    all.low[k] = std::numeric_limits<double>::infinity();
    all.high[k] = -all.low[k];
    double centre = 0;
    for (std::size_t n = 0; n < bodies.rows; ++n) {
      all.low[k] = std::min(all.low[k], x[3 * n + k]);
      all.high[k] = std::max(all.high[k], x[3 * n + k]);
      if (all.mass > 0) centre += mass[n] / all.mass * x[3 * n + k];
    }
    for (std::size_t n = 0; n < bodies.rows; ++n) squares += (x[3 * n + k] - centre) * (x[3 * n + k] - centre);
  }
  all.radius = std::sqrt(squares / static_cast<double>(bodies.rows));
  for (std::size_t n = 0; n < bodies.rows; ++n)
    all.speed = std::max(all.speed, std::hypot(v[3 * n], v[3 * n + 1], v[3 * n + 2]));
  return all;
}

std::string with(double value, std::string_view dimension, const sim::Units& units) {
  const std::string unit = unit_in(dimension, units);
  return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
}

Report report_of(const std::filesystem::path& file, const BodyFormat& format, const BodyFile& read,
                 const Extent& summary, const sim::Units& units) {
  Report facts;
  facts.add("file", file.string());
  facts.add("format", std::string(format.name), fmt::format("{}: {}", format.name, format.meaning));
  const Columns& bodies = *read.bodies;
  std::string parts;
  if (const auto components = bodies.texts.find("component"); components != bodies.texts.end()) {
    std::map<std::string_view, std::pair<std::size_t, double>> counts;
    for (std::size_t n = 0; n < bodies.rows; ++n) {
      auto& [count, mass] = counts[components->second[n]];
      ++count;
      mass += bodies.numbers.at("mass")[n];
    }
    std::size_t shown = 0;
    for (const auto& [name, of] : counts)
      if (++shown <= 12)
        parts += fmt::format("\n{} {} of mass {}", of.first, name.empty() ? "without a component" : name,
                             with(of.second, "mass", units));
    if (shown > 12) parts += fmt::format("\nand {} components more", shown - 12);
  }
  facts.add("bodies", static_cast<std::int64_t>(bodies.rows), fmt::format("{}{}", bodies.rows, parts));
  facts.add("mass", summary.mass, with(summary.mass, "mass", units));
  if (summary.placed) {
    std::vector<double> box;
    std::string extent;
    for (std::size_t k = 0; k < 3; ++k) {
      box.insert(box.end(), {summary.low[k], summary.high[k]});
      extent += fmt::format("{}{} {:.6g} … {:.6g}", k == 0 ? "" : ", ", "xyz"[k], summary.low[k], summary.high[k]);
    }
    const std::string unit = unit_in("length", units);
    facts.add("extent", std::move(box), extent + (unit.empty() ? "" : " ") + unit);
    facts.add("greatest_speed", summary.speed, with(summary.speed, "length/time", units));
  }
  if (read.frames != 1)
    facts.add("frames", read.frames,
              read.frames == 0 ? "several: `--frame N` chooses one, else it is the last"
                               : fmt::format("{}: `--frame N` chooses one, else it is the last", read.frames));
  if (read.time)
    facts.add("time", *read.time, fmt::format("{:.9g} in the file's units; a run of them begins at 0", *read.time));
  if (read.edges != std::array<double, 3>{}) {
    std::string ends;
    for (std::size_t k = 0; k < 3; ++k)
      ends += fmt::format("{}{}", k == 0 ? "" : ", ", read.periodic[k] ? "periodic" : "open");
    facts.add("box", std::vector<double>(read.edges.begin(), read.edges.end()),
              fmt::format("{:g} × {:g} × {:g} in the file's units ({}): see [domain]", read.edges[0], read.edges[1],
                          read.edges[2], ends));
  }
  const FileUnits stated = read.units.value_or(FileUnits{});
  const bool states = !stated.length.empty() || !stated.mass.empty() || !stated.velocity.empty();
  facts.add("units", std::string(units.name),
            fmt::format(
                "{}{}",
                units.length.empty() ? "none: numbers are as they are, with G = 1; `--units` names a system"
                                     : fmt::format("{} ({}, {}, {})", units.name, units.length, units.mass, units.time),
                states ? fmt::format("; the file has {}, {}, {}", stated.length, stated.mass, stated.velocity) : ""));
  return facts;
}

std::string step_text(const std::vector<Extent>& all, const std::vector<BodyFile>& files, const sim::Units& units) {
  std::size_t bodies = 0;
  double mass = 0, radius = 0;
  bool placed = true;
  for (const Extent& one : all) {
    mass += one.mass;
    radius = std::max(radius, one.radius);
    placed = placed && one.placed;
  }
  for (const BodyFile& file : files) bodies += file.bodies->rows;
  const double crossing = placed && mass > 0 && radius > 0 ? std::sqrt(radius * radius * radius / (units.G * mass)) : 1;
  const double time = std::isfinite(crossing) && crossing > 0 ? crossing : 1;
  if (bodies <= few_bodies_imported)
    return fmt::format(
        "\n[integrator]\nkind = \"ias15\"  # chooses its steps\ntime = {:.3g}  # 20 √(R³/GM) of these bodies\n",
        20 * time);
  return fmt::format(
      "\n[integrator]\nkind = \"leapfrog\"\ndt   = {:.3g}  # √(R³/GM) of these bodies, divided by 200\n"
      "time = {:.3g}  # 5 √(R³/GM)\n",
      time / 200, 5 * time);
}

/// Reads the files of an import one by one, in the same system of units.
class Files {
 public:
  explicit Files(const ImportOptions& options)
      : units_(options.units.empty() ? nullptr : &named(sim::all_units(), options.units, "system of units")),
        values_(values_of(options.keys)),
        parameters_(table_plugin().parameters.begin(), table_plugin().parameters.end()) {}

  /// The system of units so far; null: none, unless a file states some.
  [[nodiscard]] const sim::Units* units() const { return units_; }
  [[nodiscard]] const sim::Units& system() const { return units_ == nullptr ? sim::all_units().front() : *units_; }
  [[nodiscard]] const Arguments& values() const { return values_; }

  /// Calls use(format, section) for the table of a file, whose complaints name the flag.
  template <class Use>
  auto with(const std::filesystem::path& file, const Use& use) {
    Arguments own = values_;
    own.set("file", file.string());
    const auto section_in = [&](const sim::Units& system) {
      return section_of({.values = own, .place = file.string(), .units = &system}, "initial", parameters_);
    };
    try {
      const BodyFormat& format = format_for(section_in(sim::all_units().front()), {});
      if (units_ == nullptr && format.name == "horizons") units_ = &named(sim::all_units(), "astronomical", "system");
      return use(format, section_in(system()));
    } catch (const ArgumentError& error) {
      throw Error(fmt::format("{}: {} (the flag is {})", file.string(), error.what(), flag_for(error.name())),
                  Fault::request);
    }
  }

  /// Turns the numbers of a file into those of the system, which is the nearest to its own, if there was none so far.
  Converted convert_to_system(BodyFile& read, const Section& section) {
    if (units_ == nullptr && read.units && !read.units->length.empty()) units_ = &nearest_units(*read.units);
    return convert(read, units_given(section), system());
  }

 private:
  const sim::Units* units_;
  Arguments values_;
  std::vector<Parameter> parameters_;
};

/// Turns positions, velocities and times of all frames into those of the system.
void scale(ForeignFrames& all, const Converted& by) {
  const auto multiply = [](std::vector<sim::Vectors>& frames, double factor) {
    if (factor == 1) return;
    for (sim::Vectors& one : frames)
      for (auto* axis : {&one.x, &one.y, &one.z})
        for (double& x : *axis) x *= factor;
  };
  multiply(all.position, by.length);
  multiply(all.velocity, by.velocity);
  // Tables of text have times of the scenario, or in units of their own.
  if (all.first.units)
    for (double& t : all.time) t *= by.length / by.velocity;
}

/// Files of one frame each.
ForeignFrames joined_in_time(std::vector<ForeignFrames> read, const std::vector<std::filesystem::path>& files) {
  FrameJoiner frames;
  for (std::size_t k = 0; k < read.size(); ++k) {
    if (!read[k].time.empty()) read[k].first.time = read[k].time.front();
    frames.add(std::move(read[k].first), files[k].string());
  }
  return frames.take();
}

/// Files of all frames of some bodies each, which have the name of the file, if it is one body without a name.
ForeignFrames joined_bodies(std::vector<ForeignFrames> read, const std::vector<std::filesystem::path>& files) {
  ForeignFrames all = std::move(read.front());
  const auto named = [&](std::size_t k, Columns& bodies) {
    auto& names = bodies.texts["name"];
    if (names.empty()) names.assign(bodies.rows, bodies.rows == 1 ? files[k].stem().string() : std::string());
  };
  named(0, *all.first.bodies);
  for (std::size_t k = 1; k < read.size(); ++k) {
    ForeignFrames& more = read[k];
    if (more.size() != all.size() || more.time != all.time || more.velocity.empty() != all.velocity.empty())
      refuse(files[k], fmt::format("has other times, or other columns, than {}: files of one body each need the same",
                                   files.front().string()));
    named(k, *more.first.bodies);
    Columns &to = *all.first.bodies, &from = *more.first.bodies;
    const auto same_name = [](const auto& p, const auto& q) { return p.first == q.first; };
    if (!std::ranges::equal(to.numbers, from.numbers, same_name))
      refuse(files[k], fmt::format("has other columns than {}", files.front().string()));
    all.first.ids.clear();  // each file counts its own
    std::ranges::copy(more.first.asked, std::back_inserter(all.first.asked));
    for (auto& [name, column] : to.numbers) {
      const std::vector<double>& further = from.numbers.at(name);
      column.insert(column.end(), further.begin(), further.end());
    }
    for (auto& [name, column] : to.texts) {
      const auto found = from.texts.find(name);
      column.resize(to.rows);
      if (found != from.texts.end()) column.insert(column.end(), found->second.begin(), found->second.end());
      column.resize(to.rows + from.rows);
    }
    to.rows += from.rows;
    const auto append = [](std::vector<sim::Vectors>& there, const std::vector<sim::Vectors>& further) {
      for (std::size_t frame = 0; frame < there.size(); ++frame)
        for (std::size_t i = 0; i < further[frame].size(); ++i)
          there[frame].push_back(further[frame].x[i], further[frame].y[i], further[frame].z[i]);
    };
    append(all.position, more.position);
    append(all.velocity, more.velocity);
  }
  return all;
}

}  // namespace

ImportedFrames import_frames(const ImportOptions& options) {
  ImportedFrames result;
  Files files(options);
  std::set<std::string> said;
  const auto note = [&](const std::filesystem::path& file, const BodyFile& read) {
    // Frames of one program have the same remarks.
    for (const std::string& remark : read.remarks)
      if (said.insert(remark).second) result.remarks.push_back(fmt::format("{}: {}", file.string(), remark));
    for (const AskedKey& one : read.asked)
      if ((options.masses || one.key != "mass") &&
          std::ranges::find(result.asked, one.key, &AskedKey::key) == result.asked.end())
        result.asked.push_back(one);
  };
  const bool several = options.files.size() > 1;
  std::vector<ForeignFrames> read;
  for (const std::filesystem::path& file : options.files) {
    files.with(file, [&](const BodyFormat& format, const Section& section) {
      ForeignFrames all = read_frames(section, {}, {.frames = true});
      scale(all, files.convert_to_system(all.first, section));
      note(file, all.first);
      result.format = format.name;
      read.push_back(std::move(all));
    });
  }
  if (!several) {
    result.frames = std::move(read.front());
  } else if (are_numbered(options.files) &&
             std::ranges::all_of(read, [](const ForeignFrames& one) { return one.size() == 1; })) {
    result.frames = joined_in_time(std::move(read), options.files);
  } else {
    result.frames = joined_bodies(std::move(read), options.files);
    result.remarks.push_back(fmt::format("each of the {} files has its own bodies", options.files.size()));
  }
  result.units = &files.system();
  return result;
}

namespace {

/// One, if the table has what frames cannot have, as orbits, or if nothing says that it has several: blank lines may be between groups.
std::int64_t frames_in_table(const Section& section) {
  try {
    const ForeignFrames all = read_frames(section, {}, {.frames = true});
    return all.first.told_apart ? static_cast<std::int64_t>(all.size()) : 1;
  } catch (const Error&) {
    return 1;  // what is wrong is said when it is read
  }
}

}  // namespace

std::int64_t frames_in(const std::filesystem::path& file, const ImportOptions& options) {
  ImportOptions one = options;
  one.files = {file};
  return Files(one).with(file, [&](const BodyFormat& format, const Section& section) -> std::int64_t {
    if (format.name == "run") return 1;  // needs no import: it is for a scenario that begins with its last frame
    if (format.name == "csv") return frames_in_table(section);
    return read_body_file(section, {}).frames;
  });
}

std::vector<Parameter> import_keys() {
  std::vector<Parameter> keys;
  for (const Parameter& key : table_plugin().parameters)
    if (std::ranges::find(keys_of_file, key.name) != std::end(keys_of_file)) keys.push_back(key);
  return keys;
}

std::string flag_for(std::string_view key) {
  std::string flag = "--" + std::string(key);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

Imported import_bodies(const ImportOptions& options) {
  Imported result;
  Files readers(options);
  std::vector<BodyFile> files;
  std::vector<Extent> summaries;
  std::string tables;
  for (const std::filesystem::path& file : options.files) {
    readers.with(file, [&](const BodyFormat& format, const Section& section) {
      BodyFile read = read_body_file(section, {});
      (void)readers.convert_to_system(read, section);
      result.asked.insert(result.asked.end(), read.asked.begin(), read.asked.end());
      for (const std::string& remark : read.remarks)
        result.remarks.push_back(fmt::format("{}: {}", file.string(), remark));
      summaries.push_back(extent_of(*read.bodies));
      result.files.push_back(report_of(file, format, read, summaries.back(), readers.system()));
      files.push_back(std::move(read));
    });
    Arguments own = readers.values();
    const std::filesystem::path folder = options.folder.empty() ? "." : options.folder;
    own.set("file", std::filesystem::proximate(file, folder).string());
    tables += "\n[[initial]]\n" + toml_line("kind", std::string("table"));
    for (const auto& [key, value] : own) tables += toml_line(key, value);
    tables += "recentre = false\n";
  }
  result.scenario = toml_line("title", options.files.front().stem().string());
  if (readers.units() != nullptr) result.scenario += toml_line("units", std::string(readers.system().name));
  result.scenario += tables + step_text(summaries, files, readers.system());
  return result;
}

}  // namespace orrery::pipeline
