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
  Reader(const Columns& table, double G, const Bodies* before)
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
              position_ == nullptr || velocity_ == nullptr || around_ != nullptr;
    if (!orbits_ || before == nullptr) return;
    const auto &x = before->position, &v = before->velocity;
    for (std::size_t i = 0; i < before->size(); ++i) {
      const double state[] = {x.x[i], x.y[i], x.z[i], v.x[i], v.y[i], v.z[i]};
      all_.add(before->mass[i], state);
      if (i < before->names.size()) know(before->names[i], before->mass[i], state);
    }
    first_ = before->size() == 0;
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
      know(text(names_), mass_[row_], state);
    }
    return std::move(states_);
  }

 private:
  /// A body that may be named.
  struct Known {
    double mass, state[6];
  };
  void know(std::string_view name, double mass, const double (&state)[6]) {
    if (name.empty() || !numbers_.emplace(name, known_.size()).second) return;
    Known& one = known_.emplace_back(Known{.mass = mass, .state = {}});
    std::copy_n(state, 6, one.state);
  }

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
    if (!text(planes_).empty())
      faults.push_back(fmt::format("`plane` = \"{}\" goes with orbital elements", text(planes_)));
    const bool relative = !text(around_).empty();
    const Moments centre = relative ? centre_of(text(around_), faults) : Moments();
    if (relative && faults.empty() && !(centre.mass.high > 0))
      faults.push_back(fmt::format("`around` = \"{}\" has no mass, and so no barycentre", text(around_)));
    if (!faults.empty()) fail(faults);
    std::copy_n(position_->data() + 3 * row_, 3, state);
    std::copy_n(velocity_->data() + 3 * row_, 3, state + 3);
    if (relative)
      for (int k = 0; k < 6; ++k) state[k] = (centre.moment[k] / centre.mass + state[k]).high;
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
      if (faults.empty()) {
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
    if (const auto one = numbers_.find(around); one != numbers_.end()) return moments_of({one->second});
    if (row_ == 0 && first_) {
      faults.emplace_back("the first body has nothing to orbit: give its `position` and `velocity`");
      return {};
    }
    if (around.empty() || around == "all") return all_;
    std::vector<std::size_t> numbers;
    for (std::size_t begin = 0; begin <= around.size();) {
      const std::size_t plus = std::min(around.find('+', begin), around.size());
      std::string_view name = around.substr(begin, plus - begin);
      name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
      name = name.substr(0, name.find_last_not_of(' ') + 1);
      begin = plus + 1;
      const auto found = numbers_.find(name);
      if (found == numbers_.end()) {
        faults.push_back(fmt::format("`around`: no body above it is named \"{}\"", name));
      } else if (std::ranges::find(numbers, found->second) != numbers.end()) {
        faults.push_back(fmt::format("`around` names \"{}\" twice", name));
      } else {
        numbers.push_back(found->second);
      }
    }
    return moments_of(numbers);
  }

  [[nodiscard]] Moments moments_of(const std::vector<std::size_t>& numbers) const {
    Moments sum;
    for (const std::size_t i : numbers) sum.add(known_[i].mass, known_[i].state);
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
  bool first_ = true;         ///< there are no bodies before the table
  std::vector<Known> known_;  ///< also of tables before this one
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

}  // namespace

ListedStates states_of(const Columns& table, double G, const Bodies* before) {
  return Reader(table, G, before).read();
}

}  // namespace orrery::sim
