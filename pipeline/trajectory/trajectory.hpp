// SPDX-License-Identifier: MIT
// The trajectory file run.h5: written while a run goes on, read by everything after. No other part knows HDF5.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/parameter.hpp"
#include "render/frame.hpp"
#include "sim/analysis/density_profile.hpp"
#include "sim/bodies.hpp"
#include "sim/domain.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline {

/// The observables over the whole run, one entry a row. The three before the last are there where forces have a cutoff, the
/// pressure only of a box of which every axis has a length (see sim/analysis/thermodynamics.hpp); the last three are of the states that
/// were met since the row before, and of the row itself. They are empty where the file does not keep them.
struct History {
  std::vector<std::int64_t> step;
  std::vector<double> time;
  std::vector<double> kinetic_energy, potential_energy, total_energy;
  std::vector<std::array<double, 3>> momentum, angular_momentum, center_of_mass;
  std::vector<double> virial, temperature, pressure;
  std::vector<std::int64_t> states;                   ///< how many were met
  std::vector<std::array<double, 2>> energy_range;    ///< least and greatest total energy
  std::vector<std::array<double, 6>> momentum_range;  ///< least x, y, z of the angular momentum, then the greatest
};

/// What is stored of every frame, and how often it is made safe.
struct TrajectoryOptions {
  bool single_precision = false;  ///< frames as float32 instead of float64
  bool velocities = true;
  bool extremes = true;                ///< rows keep the least and the greatest of what was met since the row before
  std::vector<std::int64_t> bodies{};  ///< those that frames keep, ascending; empty: all
  double commit = 1.0;                 ///< seconds between commits
  double sync = 10.0;                  ///< seconds between fdatasync
};

/// A run that was stopped and went on, here or elsewhere.
struct RunPart {
  std::int64_t step = 0;                          ///< it went on from
  std::map<std::string, std::string> provenance;  ///< of the program that went on
};

/// What the initial state came to, which pictures of a run count with.
struct InitialFacts {
  double G = 1;                                  ///< the gravitational constant of the run
  double timescale = 0;                          ///< that its durations are counted in; 0: none
  std::string timescale_name;                    ///< "period", "crossing time", …
  double mass = 0;                               ///< of all bodies together
  std::optional<sim::DensityProfile> density{};  ///< that they were drawn from, where it has a closed form
};

/// What a file says of the run that wrote it, besides the frames.
struct RunRecord {
  std::string title;
  std::string author;    ///< H5MD asks for a name; empty: "unknown"
  std::string scenario;  ///< the TOML text, verbatim
  std::string resolved;  ///< the same with every default written out
  std::string physics;   ///< the part of `resolved` that decides the bits of the trajectory
  std::uint64_t seed = 0;
  double dt = 0;
  std::int64_t steps = 0;                         ///< of the whole run
  std::size_t expected_frames = 0;                ///< that a new file will have; 0: not known; not read back
  std::size_t expected_rows = 0;                  ///< of observables, likewise
  std::map<std::string, std::string> provenance;  ///< version, commit, compiler, backend, kernel, device, …
  std::vector<RunPart> parts;                     ///< after the first; a new file has none
  std::vector<std::string> components;            ///< names of the species
  std::string length_unit, time_unit, mass_unit;  ///< as H5MD writes units, "kpc km-1 s"; empty in N-body units
  std::string units;                              ///< the name of their system
  std::optional<InitialFacts> initial_facts;      ///< files of format 2 have none
  /// Bodies of the [[initial]] tables that list them, by the number of the table. Not read back: see TrajectoryReader::initial.
  std::map<std::size_t, SharedColumns> initial;
  std::vector<std::string> columns;  ///< names of the integrator's own columns, in the order of Snapshot::columns
  sim::Domain domain{};              ///< that the bodies move in; frames have images where an axis of it is joined
  bool virial = false;               ///< forces have a cutoff: rows have virial, temperature and pressure
};

/// Appends snapshots to a file. Every member throws orrery::Error with one line that names the file and the
/// cause. A file has one writer at a time: it holds a lock for its lifetime. One thread at a time may use it.
class TrajectoryWriter {
 public:
  /// Creates the file (it must not exist) with its schema complete; under its name it is never seen half made.
  TrajectoryWriter(const std::filesystem::path& path, const sim::Bodies& bodies, const RunRecord& record,
                   const TrajectoryOptions& options);
  /// Opens an unfinished file to go on with it; everything after its newest restart state is dropped. What is
  /// stored of a frame follows from the file; `commit` and `sync` are taken from `options`. `provenance` says who
  /// goes on, as in RunPart.
  TrajectoryWriter(const std::filesystem::path& path, const TrajectoryOptions& options,
                   const std::map<std::string, std::string>& provenance = {});
  /// Closes the file; what was appended since the last commit is lost.
  ~TrajectoryWriter();
  TrajectoryWriter(TrajectoryWriter&&) noexcept;
  TrajectoryWriter& operator=(TrajectoryWriter&&) noexcept;

  /// Adds a row of observables, and the snapshot as a frame if it is one. Steps must increase.
  void append(const sim::Snapshot& snapshot, bool is_frame);
  /// True once `options.commit` seconds have gone by since the last commit.
  [[nodiscard]] bool commit_due() const;
  /// Makes everything appended so far survive a crash, with `state` as the point to go on from: a step that
  /// is not before the last one appended, with as many columns as the record names.
  void commit(const sim::Snapshot& state);
  /// Commits, and says that the run has come to its end; adds the view for ParaView. Call once, last.
  void finish(const sim::Snapshot& state);
  /// One line for the user where something is not protected (a file system without locks); else empty.
  [[nodiscard]] const std::string& warning() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Those of the bodies that frames keep with these options.
sim::Bodies stored_bodies(const sim::Bodies& bodies, const TrajectoryOptions& options);

/// XXH3 of the bytes that a frame of this snapshot, of all bodies, has in a file with these options; with its images, if it has
/// any.
std::uint64_t frame_checksum(const sim::Snapshot& snapshot, const TrajectoryOptions& options);

/// How far a run has come, seen at little cost however many frames and bodies its file holds.
struct RunStatus {
  bool finished = false;
  std::size_t frames = 0;
  std::int64_t step = 0, steps = 0;  ///< the last one committed; of the whole run
  double energy_error = 0;           ///< (E − E₀)/|E₀| in the newest row of observables
  double seconds = 0;                ///< for how long writers had the file open
};

/// Looks at a file in whatever state it is. Throws Error: exit code 2 where there is none.
RunStatus run_status(const std::filesystem::path& path);

/// Whether another writer has the file open just now.
bool being_written(const std::filesystem::path& path);

/// Takes away a file, if there is one; not from under a writer, and one that holds a state to go on from only if that is
/// `forced`. Throws Error, exit code 2 where another orrery came first.
void remove_trajectory(const std::filesystem::path& path, bool forced = true);

/// Reads a file as it is when it is opened: finished or not, while it is being written, after its writer was
/// killed. Every member throws orrery::Error with one line. One thread at a time may use it. Reading frames
/// in order is fastest: neighbours come from the disk together. While a process reads a file it cannot open
/// it for writing: let the reader go before the writer comes.
class TrajectoryReader {
 public:
  explicit TrajectoryReader(const std::filesystem::path& path);
  ~TrajectoryReader();
  TrajectoryReader(TrajectoryReader&&) noexcept;
  TrajectoryReader& operator=(TrajectoryReader&&) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const;  ///< as it was opened
  [[nodiscard]] std::size_t size() const;                   ///< number of frames
  /// How many of them are in position/value, for all to see; the others still are in /tail.
  [[nodiscard]] std::size_t in_place() const;
  [[nodiscard]] bool finished() const;  ///< the run came to its end
  [[nodiscard]] const RunRecord& record() const;
  [[nodiscard]] const TrajectoryOptions& options() const;
  /// How many bodies [[initial]] table i lists; 0 where the file holds no list of it.
  [[nodiscard]] std::size_t initial_rows(std::size_t i) const;
  /// Those bodies; null where the file holds none.
  [[nodiscard]] SharedColumns initial(std::size_t i) const;
  /// What the stored bodies are; without places and velocities, which are in the frames.
  [[nodiscard]] const sim::Bodies& bodies() const;
  /// Which bodies of the run they are: [bodies().size()], ascending, counted from 0.
  [[nodiscard]] const std::vector<std::int64_t>& ids() const;
  /// How many bodies the run has; states to go on from hold all of them.
  [[nodiscard]] std::size_t whole() const;
  [[nodiscard]] const std::vector<double>& times() const;        ///< [size()], checked
  [[nodiscard]] const std::vector<std::int64_t>& steps() const;  ///< [size()], checked
  /// Frame i for the eye; one that does not match its checksum is refused by name.
  [[nodiscard]] render::Frame frame(std::size_t i) const;
  /// Frame i as stored (observables left at zero); velocities are empty where they were not kept, images where there are none.
  [[nodiscard]] sim::Snapshot snapshot(std::size_t i) const;
  /// The observables, row by row; a row that does not match its checksum is refused by name.
  [[nodiscard]] History history() const;
  /// The newest state that a run can go on from; where a writer has the file, at the time of the call. None before the
  /// first commit.
  [[nodiscard]] std::optional<sim::Snapshot> restart() const;
  /// For how long writers had the file open up to that state; 0 where there is none.
  [[nodiscard]] double seconds() const;
  /// XXH3 of frame i as it was written; `frame_checksum` gives that of any snapshot.
  [[nodiscard]] std::uint64_t checksum(std::size_t i) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::pipeline
