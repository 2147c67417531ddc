// SPDX-License-Identifier: MIT
#include "pipeline/judge/textbook.hpp"

#include <cmath>

namespace orrery::pipeline::judging {
namespace {

template <class Real>
std::vector<Real> numbers(const std::vector<double>& from) {
  std::vector<Real> to;
  to.reserve(from.size());
  for (const double x : from) to.push_back(static_cast<Real>(x));
  return to;
}

template <class Real>
class Textbook : public Running {
 public:
  Textbook(const Program& program, const Problem& problem)
      : program_(program),
        law_(program.law),
        n_(problem.bodies()),
        x_(numbers<Real>(problem.start.x)),
        v_(numbers<Real>(problem.start.v)),
        a_(3 * n_),
        source_(numbers<Real>(law_.source.empty() ? problem.source : law_.source)),
        answer_(numbers<Real>(law_.answer.empty() ? problem.answer : law_.answer)),
        softening_(static_cast<Real>(law_.softening * problem.softening)),
        h_(static_cast<Real>(program.h)) {
    for (Real& s : answer_) s *= static_cast<Real>(law_.factor);
  }

  void step(std::int64_t steps) override {
    for (std::int64_t k = 0; k < steps; ++k) {
      if (program_.method->loops.empty()) {
        runge_kutta(program_.method->tableau);
      } else {
        for (const Loop& loop : program_.method->loops) carry_out(loop);
      }
      first_ = false;
    }
  }
  [[nodiscard]] State state() const override { return {numbers_of(x_), numbers_of(v_)}; }
  [[nodiscard]] std::vector<double> accelerations() override {
    std::vector<Real> a(3 * n_);
    for (std::size_t i = 0; i < n_; ++i) accelerate(i, a);
    return numbers_of(a);
  }

 private:
  static std::vector<double> numbers_of(const std::vector<Real>& from) { return {from.begin(), from.end()}; }

  /// 1/(what the difference of positions is divided by).
  [[nodiscard]] Real inverse(Real r2) const {
    const Real e = softening_;
    Real s2 = r2 + e * e;
    switch (law_.soft) {
      case Softening::plummer:
        break;
      case Softening::forgotten:
        s2 = r2;
        break;
      case Softening::not_squared:
        s2 = r2 + e;
        break;
      case Softening::added: {
        const Real s = std::sqrt(r2) + e;
        s2 = s * s;
        break;
      }
      case Softening::added_to_square: {
        const Real r = std::sqrt(r2);
        return 1 / ((r + e) * (r + e) * r);
      }
      case Softening::hard_direction:
        return 1 / (s2 * std::sqrt(r2));
      case Softening::added_to_cube:
        return 1 / (r2 * std::sqrt(r2) + e);
      case Softening::cube_added:
        return 1 / (r2 * std::sqrt(r2) + e * e * e);
      case Softening::square_added:
        return 1 / (r2 * std::sqrt(r2) + e * e);
    }
    if (law_.power != 3) return std::pow(s2, static_cast<Real>(-0.5 * law_.power));
    return 1 / (s2 * std::sqrt(s2));
  }

  /// How strongly, and in which direction, body j acts on i.
  [[nodiscard]] Real weight(std::size_t i, std::size_t j) const {
    const bool later = j > i;
    switch (law_.pairs) {
      case Pairs::all:
        return source_[j];
      case Pairs::later_only:
        return later ? source_[j] : Real(0);
      case Pairs::earlier_only:
        return later ? Real(0) : source_[j];
      case Pairs::same_sign:
        return later ? source_[j] : -source_[j];
      case Pairs::reaction_as_large:
        return later ? source_[j] : source_[i];
      case Pairs::last_only:
        return j == (i + 1 == n_ ? n_ - 2 : n_ - 1) ? source_[j] : Real(0);
    }
    return 0;
  }

  /// Adds the acceleration of body i.
  void accelerate(std::size_t i, std::vector<Real>& a) const {
    const std::array<Real, 3> measure{static_cast<Real>(law_.measure[0]), static_cast<Real>(law_.measure[1]),
                                      static_cast<Real>(law_.measure[2])};
    std::array<Real, 3> sum{};
    for (std::size_t j = 0; j < n_; ++j) {
      if (j == i) continue;
      const Real w = weight(i, j);
      if (w == 0) continue;
      const Real dx = x_[3 * j] - x_[3 * i], dy = x_[3 * j + 1] - x_[3 * i + 1], dz = x_[3 * j + 2] - x_[3 * i + 2];
      const Real c = w * inverse(measure[0] * dx * dx + measure[1] * dy * dy + measure[2] * dz * dz);
      sum[0] += c * dx;
      sum[1] += c * dy;
      sum[2] += c * dz;
    }
    for (std::size_t k = 0; k < 3; ++k) a[3 * i + k] += static_cast<Real>(law_.axis[k]) * answer_[i] * sum[k];
  }

  [[nodiscard]] bool moves(std::size_t i, std::size_t k) const {
    return static_cast<std::ptrdiff_t>(i) != program_.fixed && program_.held[k] != 0;
  }

  void carry_out(const Loop& loop) {
    for (std::size_t i = 0; i < n_; ++i) {
      for (const Statement& line : loop) {
        if (line.what == Do::evaluate || line.what == Do::accumulate) {
          if (program_.method->evaluates_once && !first_) continue;
          if (line.what == Do::evaluate)
            for (std::size_t k = 0; k < 3; ++k) a_[3 * i + k] = 0;
          accelerate(i, a_);
          continue;
        }
        const Real by = static_cast<Real>(line.by) * h_;
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t c = 3 * i + k;
          if (!moves(i, k)) continue;
          if (line.what == Do::kick) v_[c] += by * a_[c];
          if (line.what == Do::drift) x_[c] += by * static_cast<Real>(program_.drift) * v_[c];
          if (line.what == Do::fall) x_[c] += by * h_ * a_[c];
        }
      }
    }
  }

  void runge_kutta(const Tableau& tableau) {
    const std::vector<Real> x = x_, v = v_;
    std::vector<std::vector<Real>> speeds, pulls;
    const auto state_of = [&](const std::vector<double>& row) {
      x_ = x;
      v_ = v;
      for (std::size_t s = 0; s < row.size(); ++s) {
        if (row[s] == 0) continue;
        const Real by = static_cast<Real>(row[s]) * h_;
        for (std::size_t c = 0; c < 3 * n_; ++c) {
          if (!moves(c / 3, c % 3)) continue;
          x_[c] += by * static_cast<Real>(program_.drift) * speeds[s][c];
          v_[c] += by * pulls[s][c];
        }
      }
    };
    for (const std::vector<double>& row : tableau.stages) {
      state_of(row);
      std::vector<Real> a(3 * n_);
      for (std::size_t i = 0; i < n_; ++i) accelerate(i, a);
      speeds.push_back(program_.method->beginning_speeds ? v : v_);
      pulls.push_back(std::move(a));
    }
    state_of(tableau.weights);
  }

  Program program_;
  const Law& law_ = program_.law;
  std::size_t n_;
  std::vector<Real> x_, v_, a_, source_, answer_;
  Real softening_, h_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Running> start(const Program& program, const Problem& problem) {
  if (program.single) return std::make_unique<Textbook<float>>(program, problem);
  return std::make_unique<Textbook<double>>(program, problem);
}

int evaluations(const Method& method) {
  int count = static_cast<int>(method.tableau.stages.size());
  for (const Loop& loop : method.loops)
    for (const Statement& line : loop) count += line.what == Do::evaluate || line.what == Do::accumulate ? 1 : 0;
  return count;
}

}  // namespace orrery::pipeline::judging
