// SPDX-License-Identifier: MIT
#include "pipeline/scenario/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "pipeline/input_file.hpp"
#include "pipeline/scenario/columns.hpp"
#include "pipeline/scenario/horizons_file.hpp"
#include "pipeline/scenario/table_file.hpp"
#include "pipeline/scenario/units.hpp"

namespace orrery::pipeline {
namespace {

void load_file(Section& section, const std::filesystem::path& folder, const FileUse& use) {
  const std::filesystem::path file = folder / section->text("file");
  try {
    (void)InputFile(file);
  } catch (const Error& error) {
    section.complain("file",
                     fmt::format("{}{}", error.what(),
                                 section.given("xxh3") ? "; the bodies of this run are stored only there" : ""));
  }
  const auto frame = section.given("frame") ? std::optional(section->integer("frame")) : std::nullopt;
  const bool horizons = is_horizons_file(file);
  if (horizons && frame)
    section.complain("frame", "a text of JPL Horizons has no frames: the scenario's `epoch` is its date");
  TableFile table = horizons ? read_horizons_file(file, use.epoch, in_si(section.units()))
                             : read_table_file(file, frame, use.plane, section.units());
  section.set_columns("bodies", std::move(table.bodies), [file, lines = std::move(table.lines)](std::size_t row) {
    return fmt::format("{}:{}:1", file.string(), lines.at(row));
  });
}

}  // namespace

bool lists_bodies(const sim::InitialState& plugin) {
  return std::ranges::find(plugin.parameters, Kind::columns, &Parameter::kind) != plugin.parameters.end();
}

void load_bodies(Section& section, std::size_t i, const ScenarioText& source, const FileUse& use) {
  if (section.given("bodies") && section.given("file")) section.complain("file", "give either `bodies` or `file`");
  if (section.given("frame") && !section.given("file")) section.complain("frame", "`frame` goes with `file`");
  const SharedColumns kept = source.bodies && !section.given("bodies") ? source.bodies(i) : nullptr;
  if (kept) {
    section.set_columns("bodies", kept, [here = section.where("")](std::size_t) { return here; });
  } else if (section.given("file")) {
    load_file(section, source.folder, use);
  } else if (!section.given("bodies") && section.given("xxh3")) {
    section.complain("xxh3", "the bodies are not here: give a CSV file that holds them, `file = \"….csv\"`");
  }
  if (!section->has("bodies")) return;  // the plug-in reports what is missing
  const Columns& bodies = section->columns("bodies");
  constexpr std::size_t longest_name = 255;
  for (const auto& [column, texts] : bodies.texts) {
    for (std::size_t row = 0; row < bodies.rows; ++row) {
      const std::string& name = texts[row];
      if (name.size() > longest_name || name.find('\0') != std::string::npos)
        section.complain(fmt::format("bodies[{}]", row),
                         fmt::format("a {} can have at most {} bytes, and no zero byte", column, longest_name));
    }
  }
  const std::string hash = hash_text(bodies);
  if (section.given("xxh3") && section->text("xxh3") != hash) {
    section.complain("xxh3",
                     fmt::format("these are other bodies: their XXH3 is {}, not {}", hash, section->text("xxh3")));
  }
  section.set("xxh3", hash);
}

}  // namespace orrery::pipeline
