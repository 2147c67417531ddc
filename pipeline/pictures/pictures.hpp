// SPDX-License-Identifier: MIT
// The figures and films of a scenario: checked early, drawn from the trajectory late.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/pictures/subject.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/chart/chart.hpp"
#include "render/chart/heat_map.hpp"

namespace orrery::pipeline {

class Pictures {
 public:
  /// Reads every [[figure]] and [[film]]. `whole`: films are to have the length that they ask for, else `draw` is told.
  /// Throws Error, exit code 2. A build without pictures reads nothing.
  explicit Pictures(const Subject& subject, bool whole = true);
  Pictures(const Scenario& scenario, const Setup& setup) : Pictures(subject_of(scenario, setup)) {}
  ~Pictures();
  Pictures(Pictures&&) noexcept;
  Pictures& operator=(Pictures&&) noexcept;

  [[nodiscard]] std::size_t count() const;
  /// Their names in the folder; of a film in many files the last of them.
  [[nodiscard]] std::vector<std::string> files() const;
  /// "film orbit.mp4: 300 frames, 10 s", one line each, for the plan.
  [[nodiscard]] std::vector<std::string> plan() const;
  /// Their tables as TOML with every default written out.
  [[nodiscard]] std::string resolved() const;
  /// Throws Error, exit code 2, where another run that one of them compares with is not there; `trajectory` is that of this
  /// run, and `to_come` are those that will be there in time.
  void refuse_absent_runs(const std::filesystem::path& trajectory,
                          const std::set<std::filesystem::path>& to_come = {}) const;
  /// Throws Error, exit code 2, where this machine has not the memory to draw one of them; says which size it has it for.
  void refuse_too_large() const;
  /// Throws Error, exit code 2, where one of their files is in `folder` and may not be replaced; `elsewhere` says what else
  /// to do.
  void refuse_to_replace(const std::filesystem::path& folder, Replacing replacing, std::string_view elsewhere) const;
  /// Whether `file` is the name of one of them, or of a frame of one.
  [[nodiscard]] bool draws(const std::string& file) const;
  /// Figures that show all members of a sweep at once are drawn into the folder around this one, once all are done: their
  /// [[figure]] tables, each without the runs that it shows. They are not among `count`, `files`, `resolved` and `draw`.
  [[nodiscard]] std::vector<std::string> tables_of_sweep() const;
  /// From here on they are small and quick to draw, under names of their own: see PicturePlan::preview.
  void make_previews();
  /// Which of them cannot be drawn here, why and what to do; "" where all can.
  [[nodiscard]] std::string hindrance() const;
  /// Draws them all, or the figures alone, into `folder`, each whole before it takes the place of an older one; what was
  /// written, in order: fewer where a signal came (see Interrupt) or there
  /// is a hindrance, which the caller tells. Of a part of the run where `frames` says so, as in frame_range with strides:
  /// a film shows the stretch of time from the first to the last, or each k-th frame once. Throws Error: exit code 2 where a
  /// file may not be replaced or memory is too small, if possible before anything is drawn.
  enum class What { all, figures };
  [[nodiscard]] std::vector<std::filesystem::path> draw(const TrajectoryReader& trajectory,
                                                        const std::filesystem::path& folder, Messages& messages,
                                                        What what = What::all, const std::string& frames = "",
                                                        Replacing replacing = Replacing::ours) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Draws charts in rows of `columns` into `file`, a .png, .svg or .pdf, which appears whole. False in a build without
/// pictures, which draws nothing. Throws Error.
bool write_chart(const std::filesystem::path& file, render::Size size, render::Theme theme,
                 const std::vector<render::Chart>& charts, int columns = 1, Replacing replacing = Replacing::ours);

/// The same of a field of colours.
bool write_heat_map(const std::filesystem::path& file, render::Size size, render::Theme theme,
                    const render::HeatMap& map, Replacing replacing = Replacing::ours);

/// The descriptions of what can be drawn, for `orrery list`, with the keys of a `section`, "figure" or "film"; empty in a
/// build without pictures.
struct FigureDescription {
  std::string_view name, meaning;
  std::vector<Parameter> parameters;
};
std::vector<FigureDescription> figure_descriptions(std::string_view section = "figure");

}  // namespace orrery::pipeline
