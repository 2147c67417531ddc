// SPDX-License-Identifier: MIT
// A paragraph for a paper, and the works that it cites.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "pipeline/compare/key_differences.hpp"
#include "pipeline/literature.hpp"
#include "pipeline/page/model_words.hpp"
#include "pipeline/printable.hpp"
#include "pipeline/run/run_record.hpp"
#include "pipeline/run/summary.hpp"
#include "sim/foreign.hpp"
#include "sim/literature.hpp"

namespace orrery::pipeline {
namespace {

/// The list of references as it grows with the text.
class Bibliography {
 public:
  /// " [1, 2]"; "" without citations. A place in a book stands with its number: " [3, I.2.4]".
  std::string cite(const sim::Citations& citations) {
    std::vector<std::string> numbers;
    for (const sim::Citation& each : citations) {
      const std::size_t number = number_of({.key = std::string(each.of->key),
                                            .text = full_text(*each.of),
                                            .link = link_to(*each.of),
                                            .bibtex = bibtex_of(*each.of)});
      const bool section = each.of->kind == sim::Publication::Kind::book && !each.place.empty();
      numbers.push_back(section ? fmt::format("{}, {}", number, each.place) : std::to_string(number));
    }
    return numbers.empty() ? "" : fmt::format(" [{}]", fmt::join(numbers, "; "));
  }
  /// The same of what another program says of its plug-in; its name has letters, digits and hyphens only.
  std::string cite(std::string_view name, const std::string& text) {
    if (text.empty()) return "";
    const std::string shown = printable(text), key(name);
    return fmt::format(" [{}]", number_of({.key = key, .text = shown, .link = "", .bibtex = bibtex_of(key, shown)}));
  }

  std::vector<Cited> works{};

 private:
  std::size_t number_of(Cited work) {
    const auto found = std::ranges::find(works, work.key, &Cited::key);
    const auto place = static_cast<std::size_t>(found - works.begin());
    if (found == works.end()) works.push_back(std::move(work));
    return place + 1;
  }
};

/// What a law cites; that of its softening only if there is one.
sim::Citations citations_of(const sim::ForceLaw& law, const Arguments& values) {
  sim::Citations kept;
  for (const sim::Citation& each : law.references) {
    if (each.place != sim::softening_place || sim::softening_in(values) > 0) kept.add(each);
  }
  return kept;
}

std::string program(const KnownRun& run, Bibliography& bibliography) {
  const auto of = [&](const char* key) { return printable(provenance_of(run.record, key)); };
  const std::string version = of("version"), device = of("device"), imported = printable(imported_from(run.record));
  if (!imported.empty())
    return fmt::format(
        "The frames were computed by another program and imported from {} with orrery {}{}, which computed their "
        "energies.",
        imported, version, bibliography.cite({program_publication(version)}));
  return fmt::format("The simulation was carried out with orrery {} (commit {}){} on its backend {}{}.", version,
                     of("commit"), bibliography.cite({program_publication(version)}), of("backend"),
                     device.empty() ? "" : fmt::format(" ({})", device));
}

std::string start(const KnownRun& run, Bibliography& bibliography) {
  const std::vector<InitialTable>& tables = run.scenario->tables.initial;
  std::vector<std::string> states;
  std::set<const sim::InitialState*> introduced;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const bool known = !introduced.insert(tables[k].plugin).second;
    states.push_back(initial_state_in_words(run, k, known) + bibliography.cite(tables[k].plugin->references));
  }
  std::string words = fmt::format("The initial state of {} was {}",
                                  counted_in_words(static_cast<std::int64_t>(run.file.whole()), "body", "bodies"),
                                  fmt::format("{}", fmt::join(states, "; ")));
  if (has_random_bodies(*run.scenario)) {
    words += fmt::format(", with random numbers of the seed {}{}", run.record.seed,
                         bibliography.cite({sim::literature::salmon2011}));
  }
  return words + ".";
}

std::string forces(const KnownRun& run, Bibliography& bibliography) {
  const sim::Model& model = run.scenario->model;
  std::vector<std::string> sentences;
  if (pairs_act(run)) {
    sentences.push_back(fmt::format("Bodies interacted by {}{}.", pair_force_in_words(run),
                                    bibliography.cite(citations_of(*model.force.plugin, model.force.values))));
    sentences.push_back(fmt::format("These forces were computed by {}{}, {}.", solver_in_words(run),
                                    bibliography.cite(solver_of(run).references), precision_in_words(run)));
    // Measured on a sample, at the start, by runs whose forces have errors.
    if (const std::string errors = provenance_of(run.record, "force_error_start"); !errors.empty())
      sentences.push_back(fmt::format("Their relative errors at the start were {}.", printable(errors)));
  }
  for (std::size_t k = 0; k < model.fields.size(); ++k) {
    sentences.push_back(fmt::format("An external field acted on {}: {}{}.", run.alone() ? "it" : "all bodies",
                                    field_in_words(run, k), bibliography.cite(model.fields[k].plugin->references)));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string steps(const KnownRun& run, Bibliography& bibliography) {
  const sim::Integrator& method = *run.scenario->model.integrator;
  const std::string cited = method.foreign != nullptr ? bibliography.cite(method.name, method.foreign->reference)
                                                      : bibliography.cite(method.references);
  const std::string noise = method.bath
                                ? fmt::format(" The noise of the heat bath is made by a counter-based generator{}.",
                                              bibliography.cite({sim::literature::salmon2011}))
                                : "";
  return fmt::format("The equations of motion were integrated by {}{}, {}, from t = 0 to {}.{}",
                     integrator_in_words(run), cited, steps_in_words(run), end_in_words(run), noise);
}

std::string results(const KnownRun& run) {
  std::string words;
  if (const auto& energy = run.errors.all; energy && !has_bath(run.record)) {
    words = fmt::format("The error of the total energy, {}, was {} at the end and at most {}.",
                        energy->start.error_name(), small(energy->error), small(energy->greatest_error));
  }
  if (run.state && run.file.finished()) {
    const std::string where = reproducible(provenance_of(run.record, "precision"));
    words += fmt::format("{}The state after {} has the XXH3 hash {}{}.", words.empty() ? "" : " ",
                         counted(run.state->step, "step"), state_hash(*run.state),
                         imported_from(run.record).empty() ? fmt::format(", reproducible {}", where) : "");
  }
  return words;
}

}  // namespace

Methods methods(const KnownRun& run) {
  Bibliography bibliography;
  std::vector<std::string> parts{program(run, bibliography)};
  if (run.scenario) {
    parts.push_back(start(run, bibliography));
    parts.push_back(forces(run, bibliography));
    if (imported_from(run.record).empty()) parts.push_back(steps(run, bibliography));
  }
  parts.push_back(results(run));
  std::erase(parts, "");
  return {fmt::format("{}", fmt::join(parts, " ")), std::move(bibliography.works)};
}

}  // namespace orrery::pipeline
