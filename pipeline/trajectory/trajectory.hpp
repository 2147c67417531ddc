// SPDX-License-Identifier: MIT
// The public interface of the trajectory file run.h5 (HDF5). No other part of the program uses HDF5.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/calendar.hpp"
#include "common/parameter.hpp"
#include "render/frame.hpp"
#include "sim/analysis/density_profile.hpp"
#include "sim/analysis/thermodynamics.hpp"
#include "sim/bodies.hpp"
#include "sim/domain.hpp"
#include "sim/snapshot.hpp"

namespace orrery::pipeline {

/// The observables over the whole run, one entry per row. Virial, temperature and pressure are empty unless forces have a cutoff;
/// the pressure also needs a box with a length along every axis (see sim/analysis/thermodynamics.hpp). The vectors after those cover
/// the states since the previous row and the row itself; they are empty if the file does not store them.
struct History {
  std::vector<std::int64_t> step;
  std::vector<double> time;
  std::vector<double> kinetic_energy, potential_energy, total_energy;
  std::vector<std::array<double, 3>> momentum, angular_momentum, center_of_mass;
  std::vector<double> virial, temperature, pressure;
  std::vector<std::int64_t> states;                   ///< number of states covered
  std::vector<std::array<double, 2>> energy_range;    ///< minimum and maximum total energy
  std::vector<std::array<double, 6>> momentum_range;  ///< minimum x, y, z of the angular momentum, then the maximum
  std::vector<double> closest_approach;               ///< least distance of two bodies; also empty beyond few_bodies
  std::vector<std::array<std::int64_t, 2>> closest_bodies;  ///< these two
};

/// What is stored of every frame, and how often it is committed and synced.
struct TrajectoryOptions {
  bool single_precision = false;  ///< frames as float32 instead of float64
  bool velocities = true;
  bool extremes = true;                ///< rows store extremes since the previous row: see has_approach, too
  std::vector<std::int64_t> bodies{};  ///< indices of the bodies stored in frames, ascending; empty: all
  double commit = 1.0;                 ///< seconds between commits
  double sync = 10.0;                  ///< seconds between fdatasync
};

/// Whether the closest approach of this many bodies is kept.
constexpr bool has_approach(std::size_t bodies) {
  return bodies >= 2 && bodies <= sim::few_bodies;
}

/// One resumption of a run.
struct RunPart {
  std::int64_t step = 0;                          ///< the run was resumed from
  std::map<std::string, std::string> provenance;  ///< of the program that resumed it
};

/// Properties of the initial state that pictures of a run need.
struct InitialFacts {
  double G = 1;                                  ///< the gravitational constant of the run
  double timescale = 0;                          ///< unit of the durations of the run; 0: none
  std::string timescale_name;                    ///< "period", "crossing time", …
  double mass = 0;                               ///< total mass of all bodies
  std::optional<sim::DensityProfile> density{};  ///< the bodies were sampled from, if it has a closed form
};

/// Everything that a file stores about its run, except frames, rows and restart states.
struct RunRecord {
  std::string title;
  std::string author;    ///< required by H5MD; empty: "unknown"
  std::string scenario;  ///< the TOML text, verbatim
  std::string resolved;  ///< the same with all defaults filled in
  std::uint64_t seed = 0;
  double dt = 0;
  std::int64_t steps = 0;                         ///< of the whole run
  std::int64_t frames = 0;                        ///< of the whole run; 0: unknown
  std::size_t expected_rows = 0;                  ///< of observables in a new file; 0: unknown; not read back
  std::map<std::string, std::string> provenance;  ///< version, commit, compiler, backend, kernel, device, …
  std::vector<RunPart> parts;                     ///< resumptions; a new file has none
  std::vector<std::string> components;            ///< names of the species
  std::string length_unit, time_unit, mass_unit;  ///< as H5MD writes units, "kpc km-1 s"; empty in N-body units
  std::string units;                              ///< name of the unit system
  std::optional<Date> epoch{};                    ///< of t = 0; a file without one has no attribute of that name
  InitialFacts initial_facts;
  /// Bodies listed by [[initial]] tables, by index of the table. Not read back: see TrajectoryReader::initial.
  std::map<std::size_t, SharedColumns> initial;
  std::vector<std::string> columns;  ///< names of the integrator's columns, in the order of Snapshot::columns
  sim::Domain domain{};              ///< of the run; frames store images if an axis is periodic
  bool virial = false;               ///< rows have virial, temperature and pressure (forces have a cutoff)
};

/// The size in bytes, to about 10 %, of the file of a run with the frames, rows, columns and domain of `record`.
double trajectory_size(const sim::Bodies& bodies, const RunRecord& record, const TrajectoryOptions& options);

/// Files that could not be closed because the disk was full make HDF5 crash in its exit handler. A program that calls this before any
/// other use of HDF5 has no such handler: nothing is lost, because every writer closes its file.
void close_nothing_at_exit();

/// Appends snapshots to a file. Holds an exclusive lock on the file for its lifetime. Not thread-safe. Every member throws
/// orrery::Error with one line that names the file and the cause.
class TrajectoryWriter {
 public:
  /// Creates the file, which must not exist. It appears under its name atomically, with its complete schema.
  TrajectoryWriter(const std::filesystem::path& path, const sim::Bodies& bodies, const RunRecord& record,
                   const TrajectoryOptions& options);
  /// Resumes an unfinished file: drops everything after its newest restart state. Takes only `commit` and `sync` from
  /// `options`, the rest from the file. Stores `provenance` as a new RunPart.
  TrajectoryWriter(const std::filesystem::path& path, const TrajectoryOptions& options,
                   const std::map<std::string, std::string>& provenance = {});
  /// Closes the file. Whatever was appended since the last commit is lost.
  ~TrajectoryWriter();
  TrajectoryWriter(TrajectoryWriter&&) noexcept;
  TrajectoryWriter& operator=(TrajectoryWriter&&) noexcept;

  /// Appends a row of observables, and the snapshot as a frame if `is_frame`. Steps must increase.
  void append(const sim::Snapshot& snapshot, bool is_frame);
  /// Returns true once `options.commit` seconds have passed since the last commit.
  [[nodiscard]] bool commit_due() const;
  /// Commits everything appended so far, with `state` as the restart state. Its step must not precede the last one
  /// appended, and it must have as many columns as the record names.
  void commit(const sim::Snapshot& state);
  /// Commits, writes the view for ParaView and marks the run as finished. No other call may follow.
  void finish(const sim::Snapshot& state);
  /// One line for the user if the file system does not support locks, otherwise empty.
  [[nodiscard]] const std::string& warning() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the bodies that frames store with these options.
sim::Bodies stored_bodies(const sim::Bodies& bodies, const TrajectoryOptions& options);

/// Returns the row of observables that a file stores for this snapshot, as a history of one entry.
History history_of(const sim::Snapshot& snapshot, const sim::Ensemble& ensemble);

/// Progress of a run.
struct RunStatus {
  bool finished = false;
  std::size_t frames = 0;
  std::int64_t step = 0, steps = 0;  ///< last committed step; steps of the whole run
  sim::InitialEnergy first_energy{};
  double energy_error = 0;  ///< first_energy.error() in the newest row of observables
  double seconds = 0;       ///< wall time for which writers had the file open
};

/// Reads the progress of a run from a file in any state, in time independent of the number of frames. Throws Error, with exit
/// code 2 if the file does not exist.
RunStatus run_status(const std::filesystem::path& path);

/// Returns whether a writer has the file open.
bool being_written(const std::filesystem::path& path);

/// Removes a file if it exists. Throws Error Fault::request if a writer has it open or, unless `forced`, if it contains a
/// restart state.
void remove_trajectory(const std::filesystem::path& path, bool forced = true);

/// Reads a file as it is when opened: finished, being written, or left by a writer that was killed. Every member throws
/// orrery::Error with one line. Not thread-safe. Frames are read chunk row by chunk row, so reading them in order is fastest. A
/// process must destroy its readers of a file before it opens the file for writing.
class TrajectoryReader {
 public:
  explicit TrajectoryReader(const std::filesystem::path& path);
  ~TrajectoryReader();
  TrajectoryReader(TrajectoryReader&&) noexcept;
  TrajectoryReader& operator=(TrajectoryReader&&) noexcept;

  [[nodiscard]] const std::filesystem::path& path() const;  ///< as passed to the constructor
  [[nodiscard]] std::size_t size() const;                   ///< number of frames
  /// Number of frames in position/value, where other programs find them; the rest is in /tail.
  [[nodiscard]] std::size_t in_place() const;
  [[nodiscard]] bool finished() const;  ///< whether the run is complete
  [[nodiscard]] const RunRecord& record() const;
  [[nodiscard]] const TrajectoryOptions& options() const;
  /// Number of bodies listed by [[initial]] table i; 0 if the file has no such list.
  [[nodiscard]] std::size_t initial_rows(std::size_t i) const;
  /// Bodies listed by [[initial]] table i; null if the file has no such list.
  [[nodiscard]] SharedColumns initial(std::size_t i) const;
  /// The stored bodies, with empty positions and velocities, which are in the frames.
  [[nodiscard]] const sim::Bodies& bodies() const;
  /// Indices of the stored bodies in the run: [bodies().size()], ascending, from 0.
  [[nodiscard]] const std::vector<std::int64_t>& ids() const;
  /// Number of bodies in the run; restart states hold all of them.
  [[nodiscard]] std::size_t whole() const;
  [[nodiscard]] const std::vector<double>& times() const;        ///< [size()], checked
  [[nodiscard]] const std::vector<std::int64_t>& steps() const;  ///< [size()], checked
  /// XXH3 of the stored bytes of each frame: positions, then velocities and images, if they are stored. [size()], checked.
  [[nodiscard]] const std::vector<std::uint64_t>& checksums() const;
  /// Frame i in single precision, for pictures. Throws Error if it does not match its checksum. Takes the memory of `reused`,
  /// a frame that is no longer needed, if that is not shared.
  [[nodiscard]] render::Frame frame(std::size_t i, render::Frame reused = {}) const;
  /// Frame i as stored; observables are zero, velocities and images empty if not stored. Throws like frame().
  [[nodiscard]] sim::Snapshot snapshot(std::size_t i) const;
  /// All rows of observables. Throws Error if a row does not match its checksum.
  [[nodiscard]] History history() const;
  /// The newest restart state; while a writer has the file open, at the time of the call. Empty before the first commit.
  [[nodiscard]] std::optional<sim::Snapshot> restart() const;
  /// Wall time for which writers had the file open up to that state, as it was read last; 0 without a state.
  [[nodiscard]] double seconds() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::pipeline
