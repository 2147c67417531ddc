// SPDX-License-Identifier: MIT
#include "pipeline/scenario/bodies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "pipeline/formats/body_format.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/scenario/columns.hpp"

namespace orrery::pipeline {
namespace {

/// The values of a key, if it is given.
template <class Get>
auto given(const Section& section, const char* key, Get get) {
  return section.given(key) ? std::optional(get(key)) : std::nullopt;
}

BodyFileOptions options_of(const Section& section, const FileUse& use) {
  const Arguments& keys = section.values();
  const auto number = [&](const char* key) { return keys.number(key); };
  BodyFileOptions options{.hubble = given(section, "hubble", number),
                          .scale_factor = given(section, "scale_factor", number),
                          .plane = use.plane,
                          .epoch = use.epoch,
                          .ids = use.frames,
                          .units = &section.units()};
  options.frame = given(section, "frame", [&](const char* key) { return keys.integer(key); });
  options.mass = given(section, "mass", number);
  options.comoving = given(section, "comoving", [&](const char* key) { return keys.boolean(key); });
  if (section.given("columns")) options.columns = keys.texts("columns");
  if (section.given("components")) options.components = keys.texts("components");
  return options;
}

/// The file of a table, with the frame that its name has.
struct NamedFile {
  std::filesystem::path path;
  std::optional<std::int64_t> frame{};
};

NamedFile file_of(const Section& section, const std::filesystem::path& folder) {
  NamedFile file{.path = folder / section->text("file")};
  if (const auto named = frame_in_name(file.path)) {
    if (section.given("frame"))
      section.complain("frame", "give the frame either by `frame` or by the name of the file");
    file = {.path = named->first, .frame = named->second};
  }
  return file;
}

void load_file(Section& section, const std::filesystem::path& folder, const FileUse& use) {
  const NamedFile file = file_of(section, folder);
  try {
    (void)InputFile(file.path);
  } catch (const Error& error) {
    section.complain("file",
                     fmt::format("{}{}", error.what(),
                                 section.given("xxh3") ? "; the bodies of this run are stored only there" : ""));
  }
  try {
    BodyFile read = read_body_file(section, folder, use);
    convert(read, units_given(section), section.units());
    if (!read.asked.empty()) {
      std::vector<std::string> all;
      for (const AskedKey& one : read.asked) all.push_back(fmt::format("`{}` ({})", one.key, one.why));
      section.complain("file", fmt::format("{}: give {}", file.path.string(), fmt::join(all, ", ")));
    }
    section.set_columns("bodies", std::move(read.bodies), std::move(read.where));
  } catch (const ArgumentError& error) {
    section.complain(error.name(), fmt::format("{}: {}", file.path.string(), error.what()));
  }
}

}  // namespace

const BodyFormat& format_for(const Section& section, const std::filesystem::path& folder) {
  if (!section.given("format")) return format_of(file_of(section, folder).path);
  try {
    return format_named(section->text("format"));
  } catch (const Error& error) {
    section.complain("format", error.what());
  }
}

FileUnits units_given(const Section& section) {
  const auto text = [&](const char* key) { return section.given(key) ? section->text(key) : std::string(); };
  return {.length = text("length_unit"), .mass = text("mass_unit"), .velocity = text("velocity_unit")};
}

namespace {

/// Calls use(format, file, options) for the file of a table. Refuses keys that its format has no use for.
template <class Use>
auto with_file(const Section& section, const std::filesystem::path& folder, const FileUse& use, const Use& work) {
  const NamedFile file = file_of(section, folder);
  const BodyFormat& format = format_for(section, folder);
  BodyFileOptions options = options_of(section, use);
  if (file.frame) options.frame = file.frame;
  for (const std::string_view key : {"frame", "columns", "components", "hubble", "comoving", "scale_factor", "mass"}) {
    if ((section.given(key) || (key == "frame" && options.frame)) &&
        std::ranges::find(format.keys, key) == format.keys.end())
      section.complain(key, fmt::format("`{}` is for other files: {} has none{}", key, file.path.string(),
                                        format.name == "horizons" ? "; the scenario's `epoch` is its date" : ""));
  }
  return work(format, file.path, options);
}

}  // namespace

BodyFile read_body_file(const Section& section, const std::filesystem::path& folder, const FileUse& use) {
  return with_file(section, folder, use, [](const BodyFormat& format, const auto& file, const auto& options) {
    return format.read(file, options);
  });
}

ForeignFrames read_frames(const Section& section, const std::filesystem::path& folder, const FileUse& use) {
  return with_file(section, folder, use, [](const BodyFormat& format, const auto& file, BodyFileOptions options) {
    if (format.read_frames != nullptr && !options.frame) return format.read_frames(file, options);
    FrameJoiner frames;
    const bool one = options.frame.has_value();
    std::int64_t there = 1;
    for (std::int64_t k = 0; k < there; ++k) {
      if (!one) options.frame = k;
      BodyFile read = format.read(file, options);
      if (!one) there = read.frames;
      frames.add(std::move(read), fmt::format("{}: frame {}", file.string(), k));
    }
    return frames.take();
  });
}

bool lists_bodies(const sim::InitialState& plugin) {
  return std::ranges::find(plugin.parameters, Kind::columns, &Parameter::kind) != plugin.parameters.end();
}

void load_bodies(Section& section, std::size_t i, const ScenarioText& source, const FileUse& use) {
  if (section.given("bodies") && section.given("file")) section.complain("file", "give either `bodies` or `file`");
  for (const std::string_view key : keys_of_file) {
    if (section.given(key) && !section.given("file")) section.complain(key, fmt::format("`{}` goes with `file`", key));
  }
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
