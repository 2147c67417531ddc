// SPDX-License-Identifier: MIT
// Files of bodies that other programs wrote: `kind = "table"` with `file`, and `orrery import`. The formats in which orrery writes for
// others are in pipeline/export.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/parameter.hpp"
#include "sim/units.hpp"

namespace orrery::pipeline {

/// What a user states of a file, by keys of the table that names it.
struct BodyFileOptions {
  std::optional<std::int64_t> frame{};  ///< from 0, negative: from the end; absent: the last
  std::optional<double> hubble{};       ///< h, where a file has units per h
  std::optional<bool> comoving{};       ///< whether lengths are comoving
  std::optional<double> scale_factor{};
  std::optional<double> mass{};           ///< of each body, where a file has no masses
  std::vector<std::string> columns{};     ///< names of a table's columns, in place of its own; "-": left out
  std::vector<std::string> components{};  ///< to be read; empty: all
  bool plane = false;                     ///< bodies are in a plane: z may be absent
  std::optional<double> epoch{};          ///< of t = 0, a Julian date (TDB)
  bool ids = false;                       ///< BodyFile::ids is asked for
  const sim::Units* units = sim::all_units().data();  ///< of the scenario
};

/// Units of a file's numbers as quantities, "3.085678e21 cm"; empty: the file does not say, and the user must.
struct FileUnits {
  std::string length, mass, velocity;
};

/// What a file does not say and cannot be guessed.
struct AskedKey {
  std::string key, why;  ///< "hubble", "its lengths are in kpc/h"
};

/// The bodies of one frame of a file, and what the file says of them.
struct BodyFile {
  /// mass, position and velocity (3 numbers per row); charge, radius, name and component if the file has them; elements of orbits,
  /// around and plane likewise: then numbers are NaN where they are not given, and there are no positions if none is given.
  std::shared_ptr<Columns> bodies;
  /// Where the body of a row is: "FILE:LINE:1".
  std::function<std::string(std::size_t)> where;
  std::optional<FileUnits> units{};  ///< nullopt: numbers are in those of BodyFileOptions
  std::vector<AskedKey> asked{};     ///< keys without which the numbers have no meaning
  std::optional<double> time{};      ///< in units of length/velocity
  std::int64_t frames = 1;           ///< that the file has; 0: not counted
  std::array<double, 3> edges{};     ///< of the box; 0: none
  std::array<bool, 3> periodic{};    ///< whether its axes are
  bool told_apart = false;           ///< several frames, by a column rather than by blank lines
  bool at_rest = false;              ///< the file has no velocities: they are 0
  /// Numbers of the bodies, by which those of several frames are matched; empty: the file has none, or they are not asked for.
  std::vector<std::int64_t> ids{};
  std::vector<std::string> remarks{};  ///< guesses, and what the file holds that bodies have not, in one line each
};

struct ForeignFrames;  // foreign_frames.hpp

/// A format, in one file of this folder; list: body_formats.cpp.
struct BodyFormat {
  std::string_view name;
  std::string_view meaning;
  /// Whether a file is of this format, by its first bytes, at most 4096.
  bool (*recognises)(const std::filesystem::path& file, std::string_view begin);
  /// Reads a regular file, in memory that its bodies need, for which usable_memory() is asked. Throws Error, Fault::request, with the
  /// place in the file, and ArgumentError with the key for options that cannot be met. What is missing is `asked`, not thrown.
  BodyFile (*read)(const std::filesystem::path& file, const BodyFileOptions& options);
  /// All frames of a file; null: as many as the first of them says, each by `read`. Throws as `read`.
  ForeignFrames (*read_frames)(const std::filesystem::path& file, const BodyFileOptions& options) = nullptr;
  /// The keys that it heeds of frame, columns, components, hubble, comoving, scale_factor, mass; others are refused.
  std::span<const std::string_view> keys{};
};

/// All formats, in the order in which they are tried; the last takes any text.
std::span<const BodyFormat* const> body_formats();

/// Throws Error, Fault::request, that lists all.
const BodyFormat& format_named(std::string_view name);
/// The format of a regular file. Throws Error, Fault::request, if none recognises it or it cannot be read.
const BodyFormat& format_of(const std::filesystem::path& file);

/// The frame that the options choose of those there are, from 0. Throws ArgumentError.
std::int64_t frame_among(const BodyFileOptions& options, std::int64_t there);

/// The number of units of the system in a quantity or unit of a file, "3.085678e21 cm", "kpc". Throws std::invalid_argument.
double in_units(const std::string& unit, std::string_view dimension, const sim::Units& system);

/// A name "run.h5#12" as the file and its frame; nullopt if there is a file of the whole name or no number after the last "#".
std::optional<std::pair<std::filesystem::path, std::int64_t>> frame_in_name(const std::filesystem::path& file);

/// Turns the numbers of a file into those of `system`. The units are those of `given` where it has some, else the file's; a system
/// without units takes numbers as they are, if the file does not state units. Throws ArgumentError with the key length_unit,
/// mass_unit, velocity_unit or units; appends to `asked` what nobody states.
/// Returns what lengths and velocities were multiplied by.
struct Converted {
  double length = 1, velocity = 1;
};
Converted convert(BodyFile& file, const FileUnits& given, const sim::Units& system);

}  // namespace orrery::pipeline
