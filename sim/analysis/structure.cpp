// SPDX-License-Identifier: MIT
#include "sim/analysis/structure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "sim/initial_state.hpp"

namespace orrery::sim {
namespace {

using std::size_t;

/// A body that counts: its index, weight, and distance from some centre or axis.
struct Member {
  size_t body;
  double weight, distance;
};

/// `alike`: all bodies, with weight 1.
std::vector<Member> members_of(const ParticleState& state, bool alike = false) {
  const auto& [x, y, z] = state.position;
  const bool massive = !alike && std::ranges::any_of(state.mass, [](double m) { return m > 0; });
  std::vector<Member> members;
  members.reserve(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double weight = massive ? state.mass[i] : 1;
    if (weight > 0 && std::isfinite(x[i] + y[i] + z[i])) members.push_back({i, weight, 0});
  }
  return members;
}

Vec3 mean(std::span<const Member> members, const Vectors& of) {
  double weight = 0, x = 0, y = 0, z = 0;
  for (const Member& m : members) {
    weight += m.weight;
    x += m.weight * of.x[m.body];
    y += m.weight * of.y[m.body];
    z += m.weight * of.z[m.body];
  }
  return weight > 0 ? Vec3{x / weight, y / weight, z / weight} : Vec3{};
}

void measure_from(std::vector<Member>& members, const Vectors& position, const Vec3& center) {
  for (Member& m : members) {
    m.distance =
        std::hypot(position.x[m.body] - center.x, position.y[m.body] - center.y, position.z[m.body] - center.z);
  }
}

/// Divides sorted members into `outputs` groups of equal size; a group is smaller, down to a quarter, if its distances
/// would differ by more than a factor of `widest`.
std::vector<std::span<const Member>> groups_of(std::span<const Member> sorted, double outputs, double widest) {
  const auto most = static_cast<size_t>(std::ceil(static_cast<double>(sorted.size()) / outputs));
  const size_t least = std::max<size_t>(1, most / 4);
  std::vector<std::span<const Member>> groups;
  for (size_t from = 0; from < sorted.size();) {
    size_t to = std::min(sorted.size(), from + least);
    while (to < std::min(sorted.size(), from + most) &&
           (from == 0 || sorted[to].distance <= widest * sorted[from].distance))
      ++to;
    if (sorted.size() - to < least) to = sorted.size();
    groups.push_back(sorted.subspan(from, to - from));
    from = to;
  }
  return groups;
}

/// Bodies of a group with more mass than all others in it together (at least six), not counting up to three others with
/// at least half its mass.
std::vector<size_t> dominant_in(std::span<const Member> group) {
  constexpr size_t min_others = 6, max_peers = 3;
  std::vector<Member> sorted(group.begin(), group.end());
  std::ranges::stable_sort(sorted, std::greater{}, &Member::weight);
  std::vector<size_t> dominant;
  for (size_t k = 0; k < std::min(sorted.size(), max_peers + 1); ++k) {
    const double weight = sorted[k].weight;
    const auto rest = std::ranges::find_if(sorted, [&](const Member& m) { return m.weight < weight / 2; });
    const auto peers = static_cast<size_t>(rest - sorted.begin()) - 1;
    double sum = 0;
    for (auto m = rest; m != sorted.end(); ++m) sum += m->weight;
    if (peers <= max_peers && sorted.size() - peers > min_others && sum < weight) dominant.push_back(sorted[k].body);
  }
  return dominant;
}

double median_distance(std::span<const Member> group) {
  return (group[(group.size() - 1) / 2].distance + group[group.size() / 2].distance) / 2;
}

}  // namespace

Vec3 center_of_mass(const ParticleState& state) {
  return mean(members_of(state), state.position);
}

Vec3 mean_velocity(const ParticleState& state) {
  return mean(members_of(state), state.velocity);
}

double virial(std::span<const double> mass, const Vectors& position, const Vectors& a, const Vec3& center) {
  double sum = 0;
  for (size_t i = 0; i < mass.size(); ++i) {
    sum += mass[i] * ((position.x[i] - center.x) * a.x[i] + (position.y[i] - center.y) * a.y[i] +
                      (position.z[i] - center.z) * a.z[i]);
  }
  return sum;
}

Vec3 center_of_density(const ParticleState& state) {
  std::vector<Member> members = members_of(state);
  const size_t least = std::max<size_t>(12, members.size() / 10);
  Vec3 center = mean(members, state.position);
  while (members.size() > least) {
    const size_t kept = std::max(least, members.size() * 4 / 5);
    measure_from(members, state.position, center);
    std::ranges::nth_element(members, members.begin() + static_cast<std::ptrdiff_t>(kept), {}, &Member::distance);
    members.resize(kept);
    center = mean(members, state.position);
  }
  return center;
}

std::vector<double> lagrangian_radii(const ParticleState& state, const Vec3& center, std::span<const double> shares) {
  std::vector<Member> members = members_of(state);
  measure_from(members, state.position, center);
  std::ranges::sort(members, {}, &Member::distance);
  std::vector<double> within;
  double sum = 0;
  for (const Member& m : members) within.push_back(sum += m.weight);
  std::vector<double> radii;
  for (const double share : shares) {
    // Tolerates rounding of the sum, for example of ten bodies of 0.1.
    const auto found = std::ranges::lower_bound(within, share * sum * (1 - 1e-12));
    const auto i = std::min(static_cast<size_t>(found - within.begin()), members.size() - 1);
    radii.push_back(members.empty() ? 0 : members[i].distance);
  }
  return radii;
}

std::vector<Shell> radial_profile(const ParticleState& state, const Vec3& center) {
  std::vector<Member> members = members_of(state);
  measure_from(members, state.position, center);
  std::ranges::sort(members, {}, &Member::distance);
  std::vector<Shell> shells;
  double inner = 0;
  const Member* const end = members.data() + members.size();
  const double outputs = std::clamp(std::sqrt(static_cast<double>(members.size())), 12.0, 40.0);
  for (const auto group : groups_of(members, outputs, 1.5)) {
    const Member* const next = group.data() + group.size();
    const double outer = next == end ? group.back().distance : (group.back().distance + next->distance) / 2;
    std::vector<size_t> apart = dominant_in(group);
    double mass = 0;
    for (const Member& m : group) mass += std::ranges::find(apart, m.body) == apart.end() ? m.weight : 0;
    const double volume = 4 * pi / 3 * (outer - inner) * (outer * outer + outer * inner + inner * inner);
    const double middle = inner > 0 ? std::sqrt(inner * outer) : median_distance(group);
    if (volume > 0) shells.push_back({middle, mass / volume, group.size() - apart.size(), std::move(apart)});
    inner = outer;
  }
  return shells;
}

std::vector<Dispersion> dispersion_profile(const ParticleState& state, const Vec3& center, const Vec3& drift) {
  const Vectors &p = state.position, &v = state.velocity;
  std::vector<Member> members = members_of(state, true);
  measure_from(members, p, center);
  std::erase_if(members, [](const Member& m) { return m.distance == 0; });
  if (members.size() < 16) return {};
  std::ranges::sort(members, {}, &Member::distance);
  std::vector<Dispersion> shells;
  const double outputs = std::clamp(static_cast<double>(members.size()) / 64, 8.0, 40.0);
  for (const auto group : groups_of(members, outputs, std::numeric_limits<double>::infinity())) {
    double sum = 0, radial2 = 0, all2 = 0;
    const auto bodies = static_cast<double>(group.size());
    for (const Member& m : group) {
      const double u = v.x[m.body] - drift.x, w = v.y[m.body] - drift.y, s = v.z[m.body] - drift.z;
      const double along =
          ((p.x[m.body] - center.x) * u + (p.y[m.body] - center.y) * w + (p.z[m.body] - center.z) * s) / m.distance;
      sum += along, radial2 += along * along, all2 += u * u + w * w + s * s;
    }
    const double mean = sum / bodies;
    shells.push_back({median_distance(group), std::sqrt(std::max(0.0, radial2 / bodies - mean * mean)),
                      std::sqrt(std::max(0.0, (all2 - radial2) / bodies / 2)), group.size()});
  }
  return shells;
}

double unbound_share(const ParticleState& state, const Vec3& center, const Vec3& drift, double G) {
  const Vectors& v = state.velocity;
  std::vector<Member> members = members_of(state);
  measure_from(members, state.position, center);
  std::ranges::sort(members, {}, &Member::distance);
  double beyond = 0, within = 0, unbound = 0;  // beyond: ∫ dM/r
  for (const Member& m : members) within += m.weight;
  const double all = within;
  for (size_t k = members.size(); k-- > 0;) {
    const Member& m = members[k];
    within -= m.weight;
    const double u = v.x[m.body] - drift.x, w = v.y[m.body] - drift.y, s = v.z[m.body] - drift.z;
    const double depth = G * ((m.distance > 0 ? within / m.distance : 0) + beyond);
    if ((u * u + w * w + s * s) / 2 > depth) unbound += m.weight;
    if (m.distance > 0) beyond += m.weight / m.distance;
  }
  return all > 0 ? unbound / all : 0;
}

std::vector<Ring> rotation_curve(const ParticleState& state, const Vec3& center, const Vec3& drift, int axis) {
  const Vectors &p = state.position, &v = state.velocity;
  const std::vector<double>* const places[]{&p.x, &p.y, &p.z};
  const std::vector<double>* const speeds[]{&v.x, &v.y, &v.z};
  const double centers[]{center.x, center.y, center.z};
  std::vector<Member> members = members_of(state, true);
  const double drifts[]{drift.x, drift.y, drift.z};
  const int right = (axis + 1) % 3, up = (axis + 2) % 3;
  const auto at = [&](const Member& m, int k) { return (*places[k])[m.body] - centers[k]; };
  for (Member& m : members) m.distance = std::hypot(at(m, right), at(m, up));
  std::erase_if(members, [](const Member& m) { return m.distance == 0; });  // on the axis
  std::ranges::sort(members, {}, &Member::distance);
  const auto along = [&](const Member& m) {
    const double u = (*speeds[right])[m.body] - drifts[right], w = (*speeds[up])[m.body] - drifts[up];
    return (at(m, right) * w - at(m, up) * u) / m.distance;
  };
  std::vector<Ring> rings;
  const auto count = static_cast<double>(members.size());
  const double outputs = count <= 16 ? std::max(count, 1.0) : std::clamp(count / 64, 12.0, 40.0);
  for (const auto group : groups_of(members, outputs, std::numeric_limits<double>::infinity())) {
    double sum = 0, squares = 0;
    const auto bodies = static_cast<double>(group.size());
    for (const Member& m : group) sum += along(m);
    const double speed = sum / bodies;
    if (group.size() > 1)
      for (const Member& m : group) squares += (along(m) - speed) * (along(m) - speed);
    rings.push_back({median_distance(group), speed, std::sqrt(squares / bodies), group.size()});
  }
  return rings;
}

}  // namespace orrery::sim
