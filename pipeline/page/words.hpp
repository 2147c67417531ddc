// SPDX-License-Identifier: MIT
// What a page says of a run, in words and rows made of its file: plain UTF-8 text without markup, which may hold any character
// that names and titles of the run have.
#pragma once

#include <string>
#include <vector>

#include "pipeline/run/energy_record.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

/// One line of a table.
struct WordsRow {
  std::string name;       ///< "energy"
  std::string value;      ///< "ΔE/|E₀| = −1.2·10⁻⁹"
  std::string meaning{};  ///< a sentence or a part of one; may be empty
};

/// A published work in the list of references.
struct Cited {
  std::string key;  ///< of BibTeX, "yoshida1990"; unique in the list
  std::string
      text;  ///< "H. Yoshida, Construction of higher order symplectic integrators, Physics Letters A 150, 262 (1990)"
  std::string link{};  ///< https://doi.org/…; empty: unknown
  std::string bibtex;  ///< its entry, several lines
};

/// A command to paste into a shell, and what it does.
struct ShellLine {
  std::string command, meaning;
};

struct RunWords {
  std::string title;      ///< of the scenario, else a name made of file or folder; one line, never empty
  std::string brief;      ///< "6 bodies · 2000 steps · t = 0 … 100000 d (273.8 yr) · 2001 frames"
  std::string simulated;  ///< a paragraph: bodies, forces, space, method, times, what is stored
  std::vector<WordsRow>
      conserved;  ///< quantities that the run conserves and by how much they changed, or why they are not
  std::vector<std::string>
      cautions;                   ///< sentences, the most important first; none if there is nothing to be careful about
  std::string methods;            ///< a paragraph for a paper, with citations as [1], [2], …
  std::vector<Cited> references;  ///< [1], [2], … in this order
  std::vector<WordsRow> provenance;  ///< by what and where it was computed
  std::vector<ShellLine>
      commands;          ///< which run `scenario` again and verify the file; none if that needs another program
  std::string scenario;  ///< the TOML text, verbatim; with all defaults and its bodies if it needs other files

  /// All entries of `references`, for a .bib file.
  [[nodiscard]] std::string bibtex() const;
};

/// `errors` are those of the run. Reads rows, the restart state and up to some hundred frames of few bodies. Throws Error if the file is
/// damaged.
RunWords words_of(const TrajectoryReader& run, const EnergyErrors& errors);
/// The same, with the errors, which take up to a second.
RunWords words_of(const TrajectoryReader& run);

/// Several runs side by side. A column that has no value in a row is empty there.
struct RunsSideBySide {
  std::vector<std::string> titles;             ///< distinct labels of the runs, [runs]
  std::vector<std::string> swept;              ///< keys of the sweep of which all runs are members; else empty
  std::vector<std::string> columns;            ///< the differing keys, those of the sweep first, then results
  std::vector<std::vector<std::string>> rows;  ///< [runs][columns]
  std::size_t keys = 0;                        ///< the first so many columns are keys, the others results
};

/// At least one run.
RunsSideBySide side_by_side(const std::vector<const TrajectoryReader*>& runs);

}  // namespace orrery::pipeline
