// SPDX-License-Identifier: MIT
#include "sim/matrix/pair_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "common/error.hpp"
#include "sim/matrix/elements.hpp"

namespace orrery::sim {
namespace {

constexpr std::size_t padding = 64;

std::vector<double> padded(std::vector<double> column) {
  column.resize(column.size() + padding);
  return column;
}

/// Returns the sign of κ, where m_i s_i = κ w_i for every body.
double sign_of(const PairForce& force) {
  for (std::size_t i = 0; i < force.source.size(); ++i) {
    const double product = force.source[i] * force.target_factor[i];
    if (product != 0) return product < 0 ? -1.0 : 1.0;
  }
  return 1;
}

double extent(const Vectors& x) {
  double most = 0;
  for (const auto* column : {&x.x, &x.y, &x.z}) {
    const auto [low, high] = std::ranges::minmax_element(*column);
    if (low != column->end()) most = std::max(most, *high - *low);
  }
  return most;
}

/// Returns k such that 2^k · length is near 1; even, so that half powers of 2^k are powers of two.
int scaling_for(double length) {
  if (!(length > 0) || !std::isfinite(length)) return 0;
  return std::clamp(-2 * static_cast<int>(std::floor(std::log2(length) / 2)), -500, 500);
}

void add_law(PairMatrix& matrix, const MatrixForce& of) {
  if (of.force == nullptr) throw ArgumentError("quantity", "no law between bodies is known");
  const PairForce& force = *of.force;
  const ForceLaw& law = *force.law;
  if (law.foreign != nullptr) {
    throw Error("the law \"" + std::string(law.name) +
                    "\" is a function of the program that made the run, which no matrix has: choose a quantity that "
                    "needs no law",
                Fault::request);
  }
  const auto all = force_laws();
  const auto place = static_cast<std::size_t>(std::ranges::find(all, &law) - all.begin());
  const bool is_force = matrix.kind.quantity == Quantity::force;
  matrix.formula = matrix::first_law + 2 * place + (is_force ? 1 : 0);
  matrix.numbers.law = force.parameters;
  matrix.numbers.min_r2 = law.min_r2(force.parameters).in_doubles;
  if (law.cutoff != nullptr) matrix.numbers.cutoff2 = law.cutoff(force.parameters) * law.cutoff(force.parameters);
  const double factor = sign_of(force) * std::abs(of.coupling);
  matrix.numbers.factor = is_force ? -factor : factor;
  matrix.weight = padded(force.source);
}

}  // namespace

PairMatrix pair_matrix(const MatrixKind& kind, const Bodies& bodies, const Domain& domain, const MatrixForce& force) {
  if (kind.halves < 1 || kind.halves > 31)
    throw ArgumentError("exponent", "an exponent is a multiple of 0.5 from 0.5 to 15.5");
  PairMatrix matrix{.kind = kind,
                    .n = bodies.size(),
                    .periodic = domain.is_periodic(),
                    .numbers = {},
                    .x = padded(bodies.position.x),
                    .y = padded(bodies.position.y),
                    .z = padded(bodies.position.z),
                    .weight = padded(std::vector<double>(bodies.size(), 1.0))};
  MatrixNumbers& numbers = matrix.numbers;
  std::ranges::copy(domain.periods(), numbers.period);
  numbers.halves = kind.halves;
  if (force.force != nullptr) numbers.softening2 = force.force->softening2;
  const int scaling = scaling_for(extent(bodies.position));
  switch (kind.quantity) {
    case Quantity::distance:
      matrix.formula = 0;
      break;
    case Quantity::inverse_power:
      matrix.formula = 1;
      break;
    case Quantity::potential:
    case Quantity::force:
      add_law(matrix, force);
      return matrix;
  }
  numbers.scale2 = std::ldexp(1.0, 2 * scaling);
  // (2^k r)^−a · 2^(ka) = r^−a
  const int power = kind.quantity == Quantity::distance ? -scaling : scaling / 2 * kind.halves;
  numbers.unit = static_cast<float>(std::ldexp(1.0, power));
  return matrix;
}

int study::matrix_reduce_operations(Quantity quantity) {
  switch (quantity) {
    case Quantity::distance:
      return 3 + 5 + 8 + 1;
    case Quantity::inverse_power:
      return 3 + 6 + 8 + 8 + 3 + 1;
    case Quantity::potential:
      return 3 + 3 + 12 + 1 + 2 + 1;
    case Quantity::force:
      return 3 + 3 + 11 + 5 + 8 + 1 + 2 + 1;
  }
  return 0;
}

}  // namespace orrery::sim
