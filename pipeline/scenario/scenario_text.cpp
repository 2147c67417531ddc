// SPDX-License-Identifier: MIT
#include "pipeline/scenario/scenario_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "common/error.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/scenario/foreign_text.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_bodies_in_picture = 1000;

/// The comment that replaces bodies in a picture.
std::string comment_for_bodies(std::size_t bodies, std::size_t table, const std::string& source) {
  if (source.empty()) {
    return fmt::format(
        "# The {} bodies were listed in the scenario and are too many for a picture: write them to a CSV file and "
        "give\n"
        "# its name, --set 'initial[{}].file=\"bodies.csv\"'; the run's own file (orrery resume, verify) holds them "
        "too.\n",
        bodies, table);
  }
  return fmt::format(
      "# The {} bodies are too many for a picture: put the file below beside it, or name it, --set\n"
      "# 'initial[{}].file=\"PATH\"'; the run's own file (orrery resume, verify) holds them too.\n",
      bodies, table);
}

}  // namespace

bool names_scenario(const std::filesystem::path& file) {
  return file == "-" || is_picture(file) || extension_of(file) == ".toml";
}

ScenarioText scenario_text(const std::filesystem::path& file, Messages& messages) {
  std::error_code error;
  if (file == "-") return {.text = read_text(file, messages), .name = "stdin"};
  if (is_picture(file)) {
    return {.text = provenance_of_picture(file).scenario,
            .name = file.string(),
            .folder = file.parent_path(),
            .stem = file.stem().string(),
            .archived = true};
  }
  if (!std::filesystem::exists(file, error)) {
    const std::string longer = file.string() + ".toml";
    refuse(file, std::filesystem::exists(longer, error)
                     ? fmt::format("there is no such file; did you mean `{}`?", longer)
                     : "there is no such file; `orrery new` writes a scenario to start from");
  }
  ScenarioText found{.text = read_text(file, messages), .name = file.string()};
  if (found.text.starts_with("\x89HDF")) {
    try {
      (void)run_status(file);
    } catch (const Error& why) {  // says what it is
      throw Error(why.what(), Fault::request);
    }
    refuse(file, "is a trajectory: `orrery resume` goes on with it, `orrery render` draws it");
  }
  if (std::filesystem::is_regular_file(file, error)) {  // the name of a pipe means nothing
    found.folder = file.parent_path();
    found.stem = file.stem().string();
  }
  return found;
}

ScenarioText scenario_text(const TrajectoryReader& trajectory, const std::filesystem::path& file,
                           std::shared_ptr<const sim::PlugIns> plug_ins) {
  const auto& provenance = trajectory.record().provenance;
  if (const auto foreign = provenance.find(foreign_key); foreign != provenance.end())
    plug_ins = with_described(std::move(plug_ins), foreign->second, file.string());
  return {.text = trajectory.record().resolved,
          .name = file.string() + ":scenario",
          .folder = file.parent_path(),
          .archived = true,
          .bodies = [&trajectory](std::size_t i) { return trajectory.initial(i); },
          .plug_ins = std::move(plug_ins)};
}

void report_notes(const Document& document, Messages& messages) {
  for (const std::string& note : document.notes()) messages.warning("{}", note);
}

std::string without_pictures(std::string resolved) {
  for (const char* header : {"\n[[figure]]\n", "\n[[film]]\n"})
    resolved.resize(std::min(resolved.size(), resolved.find(header)));
  return resolved;
}

std::string carried_scenario(const TrajectoryReader& trajectory) {
  const std::string text = without_pictures(trajectory.record().resolved);
  std::string carried, source;
  std::size_t tables = 0, bodies = 0;  // [[initial]] tables so far; bodies of the current one
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end;
    if (line.starts_with('[')) {
      bodies = line == "[[initial]]\n" ? trajectory.initial_rows(tables++) : 0;
      source.clear();
    }
    if (bodies > 0 && (line.starts_with("file = ") || line.starts_with("frame = "))) {
      source += line;
    } else if (bodies > 0 && line.starts_with("xxh3 = ")) {
      if (bodies <= max_bodies_in_picture) {
        carried += fmt::format("bodies = {}\n", to_toml(trajectory.initial(tables - 1)));
      } else {
        carried += comment_for_bodies(bodies, tables - 1, source) + source + std::string(line);
      }
    } else {
      carried += line;
    }
  }
  return carried;
}

}  // namespace orrery::pipeline
