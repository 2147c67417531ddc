// SPDX-License-Identifier: MIT
#include "sim/initial_states/listed_orbits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/two_doubles.hpp"

namespace orrery::sim {
namespace {

/// The sum of masses, and of mass times position and velocity, in two doubles: a barycentre is as exact as its bodies.
struct Moments {
  TwoDoubles mass = 0.0, moment[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};

  void add(double m, const double (&state)[6]) {
    mass = mass + m;
    for (int k = 0; k < 6; ++k) moment[k] = moment[k] + TwoDoubles::product(m, state[k]);
  }
};

class Reader {
 public:
  Reader(const Columns& table, double G)
      : table_(table),
        G_(G),
        mass_(table.numbers.at("mass")),
        position_(numbers("position")),
        velocity_(numbers("velocity")),
        names_(texts("name")),
        around_(texts("around")),
        planes_(texts("plane")) {
    for (std::size_t k = 0; k < std::size(orbital_element_list); ++k)
      elements_[k] = numbers(orbital_element_list[k].name);
    orbits_ = std::ranges::any_of(elements_, [](const auto* column) { return column != nullptr; }) ||
              position_ == nullptr || velocity_ == nullptr;
  }

  ListedStates read() {
    for (row_ = 0; row_ < table_.rows; ++row_) {
      double state[6];
      const OrbitalElements elements = orbits_ ? elements_in_row() : OrbitalElements();
      if (orbits_ && has_elements(elements)) {
        on_orbit(elements, state);
      } else {
        as_given(state);
      }
      states_.position.push_back(state[0], state[1], state[2]);
      states_.velocity.push_back(state[3], state[4], state[5]);
      // Sums only where an orbit may need them: NaN or overflow elsewhere is of no matter.
      if (!orbits_) continue;
      all_.add(mass_[row_], state);
      if (names_ != nullptr && !(*names_)[row_].empty()) rows_.emplace((*names_)[row_], row_);
    }
    return std::move(states_);
  }

 private:
  [[nodiscard]] OrbitalElements elements_in_row() const {
    OrbitalElements found;
    for (std::size_t k = 0; k < std::size(orbital_element_list); ++k)
      if (elements_[k] != nullptr) found.*orbital_element_list[k].value = (*elements_[k])[row_];
    return found;
  }

  [[nodiscard]] const std::vector<double>* numbers(std::string_view name) const {
    const auto found = table_.numbers.find(name);
    return found == table_.numbers.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::vector<std::string>* texts(std::string_view name) const {
    const auto found = table_.texts.find(name);
    return found == table_.texts.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string_view text(const std::vector<std::string>* column) const {
    return column == nullptr ? std::string_view() : (*column)[row_];
  }
  /// Whether the row has this vector.
  [[nodiscard]] bool has(const std::vector<double>* vectors) const {
    return vectors != nullptr && !std::isnan((*vectors)[3 * row_]);
  }
  static bool has_elements(const OrbitalElements& of) {
    return std::ranges::any_of(orbital_element_list, [&](const auto& e) { return !std::isnan(of.*e.value); });
  }

  [[noreturn]] void fail(const std::vector<std::string>& faults) const {
    throw ArgumentError(fmt::format("bodies[{}]", row_), fmt::format("{}", fmt::join(faults, "; ")));
  }

  void as_given(double (&state)[6]) const {
    std::vector<std::string> faults;
    if (!has(position_))
      faults.emplace_back("this entry of `bodies` needs `position` and `velocity`, or an orbit: `semi_major_axis`, …");
    else if (!has(velocity_))
      faults.emplace_back("this entry of `bodies` needs `velocity`: [vx, vy, vz]");
    if (!text(around_).empty())
      faults.push_back(fmt::format("`around` = \"{}\" goes with orbital elements", text(around_)));
    if (!text(planes_).empty())
      faults.push_back(fmt::format("`plane` = \"{}\" goes with orbital elements", text(planes_)));
    if (!faults.empty()) fail(faults);
    std::copy_n(position_->data() + 3 * row_, 3, state);
    std::copy_n(velocity_->data() + 3 * row_, 3, state + 3);
  }

  void on_orbit(const OrbitalElements& elements, double (&state)[6]) const {
    std::vector<std::string> faults;
    for (const auto& [name, column] : {std::pair{"position", position_}, {"velocity", velocity_}}) {
      if (has(column)) faults.push_back(fmt::format("`{}` and orbital elements exclude each other", name));
    }
    if (const auto plane = text(planes_); !plane.empty() && plane != "ecliptic" && plane != "equatorial")
      faults.push_back(fmt::format("`plane` = \"{}\" must be ecliptic or equatorial", plane));
    const Moments centre = centre_of(text(around_), faults);
    const double mu = G_ * (centre.mass + mass_[row_]).high;
    if (!(centre.mass.high > 0) || !(mu > 0)) {
      if (row_ > 0 && faults.empty()) {
        faults.emplace_back(G_ > 0 ? "no orbit: what it is around has no mass"
                                   : "no orbit: these masses do not attract each other");
      }
    } else {
      std::ranges::move(faults_of(elements, mu), std::back_inserter(faults));
    }
    if (!faults.empty()) fail(faults);
    RelativeState relative = state_of(elements, mu);
    if (text(planes_) == "equatorial")
      relative = {ecliptic_of_equatorial(relative.position), ecliptic_of_equatorial(relative.velocity)};
    const auto& [r, v] = relative;
    const double parts[] = {r.x, r.y, r.z, v.x, v.y, v.z};
    for (int k = 0; k < 6; ++k) state[k] = (centre.moment[k] / centre.mass + parts[k]).high;
  }

  /// What a body is around.
  Moments centre_of(std::string_view around, std::vector<std::string>& faults) const {
    if (row_ == 0) {
      faults.emplace_back("the first body has nothing to orbit: give its `position` and `velocity`");
      return {};
    }
    if (const auto one = rows_.find(around); one != rows_.end()) return of_rows({one->second});
    if (around.empty() || around == "all") return all_;
    std::vector<std::size_t> rows;
    for (std::size_t begin = 0; begin <= around.size();) {
      const std::size_t plus = std::min(around.find('+', begin), around.size());
      std::string_view name = around.substr(begin, plus - begin);
      name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
      name = name.substr(0, name.find_last_not_of(' ') + 1);
      begin = plus + 1;
      const auto found = rows_.find(name);
      if (found == rows_.end()) {
        faults.push_back(fmt::format("`around`: no body above it in this table is named \"{}\"", name));
      } else if (std::ranges::find(rows, found->second) != rows.end()) {
        faults.push_back(fmt::format("`around` names \"{}\" twice", name));
      } else {
        rows.push_back(found->second);
      }
    }
    return of_rows(rows);
  }

  [[nodiscard]] Moments of_rows(const std::vector<std::size_t>& rows) const {
    Moments sum;
    for (const std::size_t i : rows) {
      const auto &x = states_.position, &v = states_.velocity;
      sum.add(mass_[i], {x.x[i], x.y[i], x.z[i], v.x[i], v.y[i], v.z[i]});
    }
    return sum;
  }

  const Columns& table_;
  std::size_t row_ = 0;
  double G_;
  const std::vector<double>& mass_;
  const std::vector<double>*position_, *velocity_;
  const std::vector<std::string>*names_, *around_, *planes_;
  const std::vector<double>* elements_[std::size(orbital_element_list)] = {};
  bool orbits_ = false;  ///< some row may have one
  ListedStates states_;
  Moments all_;
  std::unordered_map<std::string_view, std::size_t> rows_;
};

}  // namespace

ListedStates states_of(const Columns& table, double G) {
  return Reader(table, G).read();
}

}  // namespace orrery::sim
