// SPDX-License-Identifier: MIT
// Bodies that a scenario lists, changes and keeps. All functions throw Error, Fault::request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/formats/body_format.hpp"
#include "pipeline/formats/foreign_frames.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/scenario/section.hpp"
#include "sim/bodies.hpp"
#include "sim/initial_state.hpp"

namespace orrery::pipeline {

/// Whether the initial state reads its bodies from columns, under the key `bodies`.
bool lists_bodies(const sim::InitialState& plugin);

/// The keys of an [[initial]] table that go with its `file`.
inline constexpr std::string_view keys_of_file[] = {"format",      "frame",        "columns",       "components",
                                                    "length_unit", "mass_unit",    "velocity_unit", "hubble",
                                                    "comoving",    "scale_factor", "mass"};

/// What a file of bodies is read for.
struct FileUse {
  bool plane = false;             ///< CSV files need no z
  std::optional<double> epoch{};  ///< of t = 0, a Julian date (TDB)
  bool frames = false;            ///< several of them, so bodies need their numbers
};

/// That of a scenario with these keys at its top, whose `epoch` is a date.
FileUse file_use(const Section& top, bool plane);

/// The format of the file that a table names, by its key or its contents.
const BodyFormat& format_for(const Section& section, const std::filesystem::path& folder);
/// Reads that file, without the conversion of units that convert() does. Also throws ArgumentError, as BodyFormat::read.
BodyFile read_body_file(const Section& section, const std::filesystem::path& folder, const FileUse& use = {});
/// All frames of that file.
ForeignFrames read_frames(const Section& section, const std::filesystem::path& folder, const FileUse& use = {});
/// What the keys of the table say of its units.
FileUnits units_given(const Section& section);

/// Sets `bodies` and `xxh3` (their hash) of [[initial]] table i of such a plug-in. Bodies come from ScenarioText::bodies, the text,
/// or the file in key `file` (formats/body_format.hpp). Throws if there are none or their hash differs from a given `xxh3`.
void load_bodies(Section& section, std::size_t i, const ScenarioText& source, const FileUse& use);

/// Applies the [[perturb]] tables in order: adds to position, velocity and mass of one body each.
void perturb(sim::Bodies& bodies, const std::vector<Section>& tables);

/// The bodies selected by `bodies`, `bodies_every` and `components` of [trajectory]: sorted indices, empty for all. Species of
/// `bodies` are indices into `components`.
std::vector<std::int64_t> kept_bodies(const Section& trajectory, const sim::Bodies& bodies,
                                      const std::vector<std::string>& components);

}  // namespace orrery::pipeline
