// SPDX-License-Identifier: MIT
// Quantities that a run conserves: by how much they changed, or why they are not.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pipeline/page/known_run.hpp"
#include "pipeline/run/conserved_momenta.hpp"

namespace orrery::pipeline {
namespace {

using Angular = ConservedMomenta::Angular;

std::array<double, 3> difference(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// The change of a quantity: at the end, and the greatest. `scale`: what it is relative to; 0: nothing.
struct Change {
  double last = 0, greatest = 0, scale = 0;
};

std::string in_words(const Change& change, const std::string& relative, const std::string& absolute,
                     const PhysicalUnit& unit) {
  if (change.scale > 0) {
    return fmt::format("{} = {} at the end, at most {}", relative, small(change.last / change.scale),
                       small(change.greatest / change.scale));
  }
  return fmt::format("{} = {} at the end, at most {}", absolute, quantity(change.last, unit, 3),
                     quantity(change.greatest, unit, 3));
}

WordsRow energy(const KnownRun& run) {
  if (has_bath(run.record)) return {"energy", "not conserved", "The heat bath exchanges energy with the bodies."};
  const auto& all = run.errors.all;
  if (!all) return {"energy", "not measured", "The file has no rows of energies."};
  const PhysicalUnit unit = all->start.scale() > 0 ? PhysicalUnit() : run.units.energy();
  return {"energy",
          fmt::format("{} = {} at the end, at most {}", all->start.error_name(), with_unit(small(all->error), unit),
                      with_unit(small(all->greatest_error), unit)),
          fmt::format("E₀ = {}; looked at {}", quantity(all->first, run.units.energy()), all->states_used)};
}

std::string why_no_momentum(const KnownRun& run) {
  if (has_bath(run.record)) return "The heat bath changes it.";
  if (run.scenario && !run.scenario->model.fields.empty()) return "External fields change it.";
  return "Walls change it.";
}

WordsRow momentum(const KnownRun& run, bool is_conserved) {
  if (!is_conserved) return {"momentum", "not conserved", why_no_momentum(run)};
  const auto& all = run.history.momentum;
  Change change;
  for (const auto& each : all) change.greatest = std::max(change.greatest, length(difference(each, all.front())));
  change.last = length(difference(all.back(), all.front()));
  const double kinetic = *std::ranges::max_element(run.history.kinetic_energy);
  change.scale = std::sqrt(2 * run.record.initial_facts.mass * kinetic);
  return {"momentum", in_words(change, "|ΔP|/√(2MK)", "|ΔP|", run.units.mass * run.units.speed()),
          fmt::format("|P₀| = {}; M is the mass of all bodies and K their greatest kinetic energy",
                      quantity(length(all.front()), run.units.mass * run.units.speed(), 3))};
}

/// The drift of the centre of mass from where its first momentum takes it.
WordsRow centre(const KnownRun& run, bool is_conserved) {
  if (!is_conserved) return {"centre of mass", "not conserved", why_no_momentum(run)};
  const double mass = run.record.initial_facts.mass;
  if (run.record.domain.is_periodic())
    return {"centre of mass", "not conserved", "It jumps when a body crosses a periodic end of the box."};
  if (!(mass > 0)) return {"centre of mass", "not defined", "No body has mass."};
  const auto &all = run.history.center_of_mass, &momentum = run.history.momentum;
  Change change;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::array<double, 3> off = difference(all[i], all.front());
    const double time = run.history.time[i] - run.history.time.front();
    for (std::size_t k = 0; k < 3; ++k) off.at(k) -= momentum.front().at(k) / mass * time;
    change.last = length(off);
    change.greatest = std::max(change.greatest, change.last);
  }
  return {"centre of mass", in_words(change, "", "|Δx|", run.units.length),
          "distance from uniform motion with the momentum of the start"};
}

std::string why_no_angular_momentum(const KnownRun& run) {
  if (has_bath(run.record)) return "The heat bath changes it.";
  if (!run.record.domain.is_open()) return "A box is not isotropic.";
  return "The external fields are not isotropic about the origin.";
}

WordsRow angular_momentum(const KnownRun& run, Angular kept) {
  if (kept == Angular::none) return {"angular momentum", "not conserved", why_no_angular_momentum(run)};
  const History& history = run.history;
  const PhysicalUnit unit = run.units.mass * run.units.length * run.units.speed();
  const auto &first = history.angular_momentum.front(), &last = history.angular_momentum.back();
  const bool all = kept == Angular::all;
  Change change;
  for (std::size_t i = 0; i < history.time.size(); ++i) {
    change.greatest =
        std::max(change.greatest, all ? angular_momentum_change(history, i) : angular_momentum_changes(history, i)[2]);
  }
  change.last = all ? length(difference(last, first)) : std::abs(last[2] - first[2]);
  const double whole = initial_angular_momentum(history, run.file);
  change.scale = all || whole == 0 ? whole : std::abs(first[2]);
  if (all)
    return {"angular momentum", in_words(change, "|ΔL|/|L₀|", "|ΔL|", unit),
            fmt::format("|L₀| = {} about the origin", quantity(length(first), unit, 3))};
  return {"angular momentum", in_words(change, "|ΔL_z|/|L_z₀|", "|ΔL_z|", unit),
          "only its z component is conserved in the external fields"};
}

}  // namespace

std::vector<WordsRow> conserved(const KnownRun& run) {
  std::vector<WordsRow> rows{energy(run)};
  if (const auto& massless = run.errors.massless) {
    rows.push_back({"energy without mass",
                    massless->not_measured.empty()
                        ? fmt::format("{} at most {}", massless->name, small(massless->greatest))
                        : "not measured",
                    massless->not_measured.empty()
                        ? fmt::format("greatest of {}, looked at {}", printable(massless->body), massless->looked_at)
                        : printable(massless->not_measured)});
  }
  if (run.history.time.empty()) return rows;
  const ConservedMomenta kept = conserved_momenta(run.file);
  rows.push_back(momentum(run, kept.momentum));
  rows.push_back(angular_momentum(run, kept.angular));
  rows.push_back(centre(run, kept.momentum));
  return rows;
}

}  // namespace orrery::pipeline
