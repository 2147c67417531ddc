// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/new_file.hpp"
#include "pipeline/context.hpp"
#include "pipeline/pictures/picture.hpp"
#include "pipeline/pictures/subject.hpp"
#include "pipeline/run/run_outline.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/trajectory/trajectory.hpp"
#include "render/chart/chart.hpp"
#include "render/film/pieces.hpp"

namespace orrery::pipeline {

/// The figures and films of a scenario: checked before the run, drawn from the trajectory after it.
class Pictures {
 public:
  /// Checks pictures of a run. If not `whole`, the number of frames is not known until `draw`. Throws Error, Fault::request.
  Pictures(Subject subject, const std::vector<Picture>& pictures, bool whole = true);
  /// Those of a scenario.
  Pictures(const Scenario& scenario, const Setup& setup, const Resources& resources = {})
      : Pictures(subject_of(scenario, setup, resources), read_pictures(scenario.document)) {}
  ~Pictures();
  Pictures(Pictures&&) noexcept;
  Pictures& operator=(Pictures&&) noexcept;

  [[nodiscard]] std::size_t count() const;
  /// The names of the files that this build draws; the last one of a film with one file per frame.
  [[nodiscard]] std::vector<std::string> files() const;
  /// One line each: "film orbit.mp4: 300 frames, 10 s".
  [[nodiscard]] std::vector<std::string> plan() const;
  /// Their tables as TOML with all defaults.
  [[nodiscard]] std::string resolved() const;
  /// Throws Error, Fault::request, if a run that a picture compares with does not exist or does not fit, except this run (`own`,
  /// whose trajectory is `file`) and those in `to_come`, which will exist when it is drawn; or if a key does not fit all of them.
  void check_other_runs(const std::filesystem::path& file, const Outliner& own, const RunsToCome& to_come = {}) const;
  /// Throws Error, Fault::request, if one of `sweep_figures` cannot show these runs, all members of the sweep.
  void check_sweep_figures(const std::vector<RunOutline>& members) const;
  /// Throws Error, Fault::request, if there is not enough memory to draw one of them, with a size that fits.
  void refuse_too_large() const;
  /// Throws Error, Fault::request, if one of their files exists in `folder` and may not be replaced; `elsewhere` is an alternative
  /// for the message.
  void refuse_to_replace(const std::filesystem::path& folder, Replacing replacing, std::string_view elsewhere) const;
  /// Whether `file` is the name of a picture or of a frame of one.
  [[nodiscard]] bool draws(const std::string& file) const;
  /// The figures that show all members of a sweep, without key `others`. They are drawn into the parent
  /// folder after the last member, and are not included in `count`, `files`, `resolved` and `draw`.
  [[nodiscard]] std::vector<Picture> sweep_figures() const;
  /// From now on pictures carry neither the scenario, which could be run, nor the hash of its final state.
  void hide_answer();
  /// Replaces all pictures by previews: see PicturePlan::preview.
  void make_previews();
  /// From now on, only this piece of each film is drawn, and counted in `count`, `files` and `plan`; figures and GIFs
  /// are left out. Returns the names of the GIFs. Throws Error, Fault::request, if all films are GIFs.
  std::vector<std::string> divide(const render::Piece& piece);
  /// The films that can be drawn in pieces, and the least number of frames of one of them.
  struct Divisible {
    std::vector<std::string> files{};
    int frames = 0;
  };
  [[nodiscard]] Divisible divisible() const;
  /// Which of them cannot be drawn on this machine, why, and what to do; "" if all can.
  [[nodiscard]] std::string why_not_drawn() const;
  /// Which pictures of a run to come will not show what lies between its frames, judged by the orbits of the initial state, and
  /// what to do.
  [[nodiscard]] std::vector<std::string> unseen() const;
  /// Draws all pictures, only figures, or all but the films that can be drawn in pieces, into `folder`. Each file is complete before it replaces an older one. `frames` selects
  /// a part of the run as in frame_range() with strides: a film shows the interval of time, or with a stride each selected frame
  /// once. Returns the files written, fewer if it is stopped or if `why_not_drawn` gives a reason, which is not reported
  /// here. Throws Error: Fault::request if a file may not be replaced or memory is too small, checked before drawing.
  enum class What { all, figures, indivisible };
  [[nodiscard]] std::vector<std::filesystem::path> draw(const TrajectoryReader& trajectory,
                                                        const std::filesystem::path& folder, Context& context,
                                                        What what = What::all, const std::string& frames = "",
                                                        Replacing replacing = Replacing::ours) const;
  /// The charts of the first figure, as the file of its numbers has them; none of a figure of bodies.
  [[nodiscard]] std::vector<render::Chart> charts(const TrajectoryReader& trajectory, const Context& context) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether this build draws pictures. One that does not knows and checks them all, and writes the numbers of charts.
bool draws_pictures();

/// Draws a chart into `file`: .png, .svg or .pdf. Returns false in a build that draws no pictures. Throws Error.
bool write_chart(const std::filesystem::path& file, render::Size size, render::Theme theme, const render::Chart& chart,
                 Replacing replacing = Replacing::ours);
/// The same for a heat map.
bool write_heat_map(const std::filesystem::path& file, render::Size size, render::Theme theme,
                    const render::HeatMap& map, Replacing replacing = Replacing::ours);

/// Whether a film of that name can have this value of a key; true of names and values that are refused in any case.
bool fits_film(const std::string& file, std::string_view key, const Value& value);

/// All kinds of figures with their keys, for `orrery list`; `section` is "figure" or "film".
struct FigureDescription {
  std::string_view name, meaning;
  std::vector<Parameter> parameters;
};
std::vector<FigureDescription> figure_descriptions(std::string_view section = "figure");

}  // namespace orrery::pipeline
