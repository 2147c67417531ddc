// SPDX-License-Identifier: MIT
// The definition of the tree (docs/canonical-order.md), written for clarity. Shares no code with other backends.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/backends/reference/laws.hpp"
#include "sim/scaling.hpp"
#include "sim/solvers/tree/parameters.hpp"
#include "sim/solvers/tree/reference_tensors.hpp"
#include "sim/solvers/tree/tree.hpp"

namespace orrery::sim::tree {
namespace {

using reference::Components;
using reference::Partial;
using reference::Tensor;
using reference::Vector;
using std::fma;
using std::size_t;

/// Bodies begin … end − 1 in the order of the keys.
struct Cell {
  size_t begin, end;
  int level;
  size_t parent;
  std::vector<size_t> children{};

  [[nodiscard]] bool leaf() const { return children.empty(); }
  [[nodiscard]] size_t bodies() const { return end - begin; }
};

/// What a cell is to one force.
struct Expansion {
  double weight;  ///< Σ |w|
  Vector centre;
  double reach;
  Tensor moments, series;
  std::vector<size_t> far, near, left;
};

class OnReference final : public HostSolver {
 public:
  explicit OnReference(const System& system)
      : n_(system.bodies.size()),
        forces_(system.forces),
        parameters_(tree_parameters(system.solver_values)),
        components_(parameters_.order) {}

  void evaluate(const HostBodies& bodies) override {
    const bool with_potential = bodies.outputs == Outputs::potential;
    const bool in_range = sort(bodies);
    if (in_range) divide();
    for (size_t k = 0; k < forces_.size(); ++k) {
      const auto sums =
          in_range ? sums_of(forces_[k], with_potential) : std::vector(n_, std::array<double, 4>{nan, nan, nan, nan});
      const auto& s = forces_[k].target_factor;
      for (size_t i = 0; i < n_; ++i) {
        const auto respond = [&](double& to, double sum) { to = k == 0 ? s[i] * sum : fma(s[i], sum, to); };
        for (size_t q = 0; q < 3; ++q) respond(bodies.acceleration[q][i], sums[i][q]);
        if (with_potential) respond(bodies.potential[i], sums[i][3]);
      }
    }
  }

  [[nodiscard]] double min_r2() const override { return min_r2_in_doubles(forces_); }
  [[nodiscard]] std::string kernel() const override { return "tree"; }

 private:
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  /// Sorts by keys. Returns false if the positions are out of range.
  bool sort(const HostBodies& bodies) {
    order_.resize(n_);
    std::iota(order_.begin(), order_.end(), size_t{0});
    Vector low{}, high{};
    double extent = 0;
    for (size_t q = 0; q < 3 && n_ > 0; ++q) {
      low[q] = *std::min_element(bodies.position[q], bodies.position[q] + n_);
      high[q] = *std::max_element(bodies.position[q], bodies.position[q] + n_);
      extent = std::max(extent, high[q] - low[q]);
    }
    if (!(extent < 0x1p340)) return false;
    double side = 0x1p-300;
    while (side <= extent) side *= 2;
    std::vector<std::uint64_t> keys(n_, 0);
    for (size_t i = 0; i < n_; ++i) {
      std::array<std::uint64_t, 3> at{};
      for (size_t q = 0; q < 3; ++q) {
        const double t = (bodies.position[q][i] - low[q]) * (0x1p21 / side);
        at[q] = t < 0x1p21 - 1 ? static_cast<std::uint64_t>(t) : 0x1fffff;
      }
      for (int bit = 20; bit >= 0; --bit) {
        for (size_t q = 0; q < 3; ++q) keys[i] = 2 * keys[i] + (at[q] >> bit & 1);
      }
    }
    std::ranges::stable_sort(order_, {}, [&](size_t i) { return keys[i]; });
    x_.resize(n_), keys_.resize(n_);
    for (size_t k = 0; k < n_; ++k) {
      const size_t i = order_[k];
      keys_[k] = keys[i];
      x_[k] = {bodies.position[0][i], bodies.position[1][i], bodies.position[2][i]};
    }
    return true;
  }

  /// Makes the cells, level by level.
  void divide() {
    cells_.assign(1, {.begin = 0, .end = n_, .level = 0, .parent = 0});
    for (size_t c = 0; c < cells_.size(); ++c) {
      const size_t n = cells_[c].bodies();
      const int level = cells_[c].level;
      // 4·n·8^level in doubles, which are exact for powers of two and fewer than 2⁵³ bodies
      const bool dense = std::ldexp(static_cast<double>(4 * n), 3 * level) >= static_cast<double>(n_);
      if (level == 21 || n <= 1 || (n <= parameters_.leaf && dense)) continue;
      for (size_t begin = cells_[c].begin; begin < cells_[c].end;) {
        const auto octant = [&](size_t k) { return keys_[k] >> (60 - 3 * level) & 7; };
        size_t end = begin + 1;
        while (end < cells_[c].end && octant(end) == octant(begin)) ++end;
        cells_[c].children.push_back(cells_.size());
        cells_.push_back({.begin = begin, .end = end, .level = level + 1, .parent = c});
        begin = end;
      }
    }
  }

  /// Returns A and Φ of every body, in the order of the scenario.
  std::vector<std::array<double, 4>> sums_of(const PairForce& force, bool with_potential) {
    w_.resize(n_);
    for (size_t k = 0; k < n_; ++k) w_[k] = force.source[order_[k]];
    std::vector<std::array<double, 4>> sums(n_, std::array<double, 4>{});
    if (std::ranges::all_of(w_, [](double w) { return w == 0; })) return sums;
    expansions_.assign(cells_.size(), {});
    has_dipoles_ = has_both_signs(force);
    for (size_t c = cells_.size(); c-- > 0;) gather(c);
    for (Expansion& e : expansions_) e.reach = e.reach / opening_angle(e.weight / expansions_[0].weight);
    for (size_t c = 0; c < cells_.size(); ++c) {
      choose(c);
      expand(c, force, with_potential);
      if (cells_[c].leaf()) act_on_bodies(c, force, with_potential, sums);
    }
    return sums;
  }

  static Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
  static double square(const Vector& d) { return fma(d[0], d[0], fma(d[1], d[1], d[2] * d[2])); }

  /// Weight, centre, reach without the angle, and moments.
  void gather(size_t c) {
    const Cell& cell = cells_[c];
    Expansion& e = expansions_[c];
    Partial weight;
    each_source(cell, [&](double w, const Vector&) { weight.add(1, std::abs(w)); });
    for (const size_t child : cell.children) weight.add(1, expansions_[child].weight);
    e.weight = weight.fold();
    double divisor = e.weight;
    std::array<Partial, 3> centre;
    const auto add = [&](double w, const Vector& x) {
      for (size_t q = 0; q < 3; ++q) centre[q].add(w, x[q]);
    };
    if (e.weight != 0) {
      each_source(cell, [&](double w, const Vector& x) { add(std::abs(w), x); });
      for (const size_t child : cell.children) add(expansions_[child].weight, expansions_[child].centre);
    } else {
      divisor = static_cast<double>(cell.bodies());
      for (size_t k = cell.begin; cell.leaf() && k < cell.end; ++k) add(1, x_[k]);
      for (const size_t child : cell.children)
        add(static_cast<double>(cells_[child].bodies()), expansions_[child].centre);
    }
    for (size_t q = 0; q < 3; ++q) e.centre[q] = centre[q].fold() / divisor;
    double r2 = 0;
    for (size_t k = cell.begin; k < cell.end; ++k) r2 = std::max(r2, square(difference(x_[k], e.centre)));
    e.reach = std::sqrt(r2);

    std::vector<Partial> m(components_.size());
    each_source(cell, [&](double w, const Vector& x) {
      const Tensor t = components_.powers(difference(e.centre, x));
      for (size_t k = 0; k < m.size(); ++k) m[k].add(w, t[k]);
    });
    for (const size_t child : cell.children) {
      const Tensor t = components_.powers(difference(e.centre, expansions_[child].centre));
      for (size_t k = 0; k < m.size(); ++k) m[k].add(1, components_.shifted_moment(expansions_[child].moments, t, k));
    }
    for (const Partial& sum : m) e.moments.push_back(sum.fold());
  }

  /// Calls act(w, x) for the sources of a leaf; none of other cells.
  template <class Act>
  void each_source(const Cell& cell, const Act& act) const {
    if (!cell.leaf()) return;
    for (size_t k = cell.begin; k < cell.end; ++k) {
      if (w_[k] != 0) act(w_[k], x_[k]);
    }
  }

  [[nodiscard]] double opening_angle(double share) const {
    const auto bound = [&](double x) {
      double y = 1;
      for (int k = 0; k < parameters_.order + 2; ++k) y *= x;
      return y / ((1 - x) * (1 - x));
    };
    double low = parameters_.narrow, high = parameters_.wide;
    const double least = bound(low) * bound(low) * bound(low);
    for (int k = 0; k < 12; ++k) {
      const double middle = 0.5 * (low + high), y = bound(middle);
      (y * y * y * share < least ? low : high) = middle;
    }
    return low;
  }

  /// The lists of cell t.
  void choose(size_t t) {
    const Cell& target = cells_[t];
    Expansion& e = expansions_[t];
    std::vector<size_t> now = t == 0 ? std::vector<size_t>{0} : expansions_[target.parent].left;
    while (!now.empty()) {
      std::vector<size_t> next;
      for (const size_t s : now) {
        const Cell& source = cells_[s];
        const Expansion& o = expansions_[s];
        if (o.weight == 0) continue;
        const double d2 = square(difference(e.centre, o.centre)), both = e.reach + o.reach;
        const double wider = std::max(e.reach, o.reach);
        const bool leaves = target.leaf() && source.leaf();
        const bool few = leaves && target.bodies() * source.bodies() <= components_.size();
        if (both * both < d2 && 16.0 / 9 * (wider * wider) < d2 && !few) {
          e.far.push_back(s);
        } else if (leaves) {
          e.near.push_back(s);
        } else if (!source.leaf() && (target.leaf() || o.reach > e.reach || (o.reach == e.reach && s < t))) {
          next.insert(next.end(), source.children.begin(), source.children.end());
        } else {
          e.left.push_back(s);
        }
      }
      now = next;
    }
  }

  /// The radial sequence at r2.
  [[nodiscard]] std::vector<double> radial(const PairForce& force, double r2, bool with_potential) const {
    const sim::reference::Law& gravity = sim::reference::law("gravity");
    const int n = *power_of(force);
    const double y = 0.0 - gravity.u(r2, {}), y2 = y * y;
    double product = 1, square = y;
    for (int k = n + 1; k > 0; k /= 2, square = square * square) {
      if (k % 2 == 1) product = product * square;
    }
    std::vector<double> f{0, 0.0 - product};
    if (with_potential) f[0] = 0.0 - sim::reference::law(force.law->name).u(r2, force.parameters.at);
    for (int m = 1; m < parameters_.order; ++m) f.push_back(f.back() * (y2 * (1 - n - 2 * m)));
    return f;
  }

  /// The series of a cell: that of its parent about its own centre, and the effect of its far list.
  void expand(size_t t, const PairForce& force, bool with_potential) {
    Expansion& e = expansions_[t];
    const size_t size = components_.size();
    std::vector<Tensor> sums(8, Tensor(size, 0.0));
    for (size_t i = 0; i < e.far.size(); ++i) {
      const Expansion& o = expansions_[e.far[i]];
      const Vector d = difference(e.centre, o.centre);
      const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], force.softening2)));
      const Tensor D = components_.derivatives(d, radial(force, r2, with_potential));
      Tensor& sum = sums[i % 8];
      for (size_t k = with_potential ? 0 : 1; k < size; ++k) {
        for (size_t j = 0; j < size && components_[k].order() + components_[j].order() <= parameters_.order; ++j) {
          if (has_dipoles_ || components_[j].order() != 1)
            sum[k] = fma(o.moments[j], D[components_.sum_of(k, j)], sum[k]);
        }
      }
    }
    e.series.assign(size, 0.0);
    if (t != 0) {
      const Expansion& parent = expansions_[cells_[t].parent];
      const Tensor shift = components_.powers(difference(e.centre, parent.centre));
      for (size_t k = 0; k < size; ++k) e.series[k] = components_.shifted_series(parent.series, shift, k);
    }
    for (size_t k = 0; k < size; ++k) {
      Partial own;
      for (size_t lane = 0; lane < 8; ++lane) own.sums[lane] = sums[lane][k];
      e.series[k] += own.fold();
    }
  }

  void act_on_bodies(size_t t, const PairForce& force, bool with_potential,
                     std::vector<std::array<double, 4>>& sums) const {
    const sim::reference::Law& law = sim::reference::law(force.law->name);
    const Expansion& e = expansions_[t];
    std::vector<size_t> sources;
    for (const size_t s : e.near) {
      for (size_t k = cells_[s].begin; k < cells_[s].end; ++k) {
        if (w_[k] != 0) sources.push_back(k);
      }
    }
    for (size_t i = cells_[t].begin; i < cells_[t].end; ++i) {
      std::array<double, 4> near{};
      for (size_t first = 0; first < sources.size(); first += 2048) {
        std::array<Partial, 4> of_segment;
        for (size_t number = first; number < std::min(first + 2048, sources.size()); ++number) {
          const size_t j = sources[number];
          const Vector d = difference(x_[j], x_[i]);
          const double r2 = fma(d[0], d[0], fma(d[1], d[1], fma(d[2], d[2], force.softening2)));
          const bool counts = j != i;
          const double c = counts ? law.force_over_r(r2, force.parameters.at) : 0,
                       u = counts ? law.u(r2, force.parameters.at) : 0;
          const double s = w_[j] * c;
          for (size_t q = 0; q < 3; ++q) of_segment[q].add(d[q], s);
          of_segment[3].add(w_[j], u);
        }
        for (size_t q = 0; q < 4; ++q) near[q] += of_segment[q].fold();
      }
      const Tensor t_of = components_.powers(difference(x_[i], e.centre));
      auto& sum = sums[order_[i]];
      for (size_t q = 0; q < 3; ++q) sum[q] = components_.shifted_series(e.series, t_of, q + 1) + near[q];
      if (with_potential) sum[3] = near[3] - components_.shifted_series(e.series, t_of, 0);
    }
  }

  size_t n_;
  std::vector<PairForce> forces_;
  TreeParameters parameters_;
  Components components_;
  // In the order of the keys:
  std::vector<size_t> order_;
  std::vector<std::uint64_t> keys_;
  std::vector<Vector> x_;
  std::vector<double> w_;     ///< of the force
  bool has_dipoles_ = false;  ///< by these weights
  std::vector<Cell> cells_;
  std::vector<Expansion> expansions_;
};

}  // namespace

std::unique_ptr<HostSolver> on_reference(const System& system) {
  return std::make_unique<OnReference>(system);
}

}  // namespace orrery::sim::tree
