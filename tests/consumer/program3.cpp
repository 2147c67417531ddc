// SPDX-License-Identifier: MIT
// What the library does not have: a force that is given as a table, and an integrator from a paper. The force is Yukawa's, as if it had
// been measured at 2000 distances; the integrator is that of McLachlan & Atela 1992, Nonlinearity 5, 541: fourth order with four
// evaluations of the forces and small errors.
#include <orrery/orrery.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

namespace {

/// The potential u and its derivative by r² at equidistant r², and cubics between them (Hermite). The force is the derivative of the
/// interpolated potential, so that energy is conserved however coarse the table is.
class Table {
 public:
  Table(double range, double most, std::size_t count) : step_(most / static_cast<double>(count - 1)) {
    for (std::size_t k = 0; k < count; ++k) {
      const double q = std::max(static_cast<double>(k) * step_, 1e-3), r = std::sqrt(q), u = -std::exp(-r / range) / r;
      nodes_.push_back({u, -u * (1 / r + 1 / range) / (2 * r)});
    }
  }
  /// c = 2 du/d(r²), and u unless it is empty.
  void look_up(std::span<const double> r2, std::span<double> c, std::span<double> u) const {
    const double last = static_cast<double>(nodes_.size() - 1);
    for (std::size_t i = 0; i < r2.size(); ++i) {
      const double place = r2[i] / step_;
      if (!(place < last)) {  // beyond the table
        c[i] = 0;
        if (!u.empty()) u[i] = 0;
        continue;
      }
      const auto k = static_cast<std::size_t>(place);
      const double t = place - static_cast<double>(k);
      const auto &a = nodes_[k], &b = nodes_[k + 1];
      const double rise = b.u - a.u, p = a.slope * step_ - rise, s = rise - b.slope * step_;
      c[i] = 2 / step_ * (rise + (1 - 2 * t) * (p * (1 - t) + s * t) + t * (1 - t) * (s - p));
      if (!u.empty()) u[i] = a.u + t * rise + t * (1 - t) * (p * (1 - t) + s * t);
    }
  }

 private:
  struct Node {
    double u, slope;
  };
  double step_;
  std::vector<Node> nodes_;
};

void register_plug_ins(const orrery::Context& context) {
  const auto table = std::make_shared<const Table>(0.5, 16, 2000);
  orrery::register_law(context, {.name = "measured",
                                 .meaning = "a force from a table of 2000 distances",
                                 .parameters = {{.name = "shift", .meaning = "added to the potential"}},
                                 .pairs = [table](const orrery::Pairs& pairs) {
                                   table->look_up(pairs.r2, pairs.c, pairs.u);
                                   for (double& u : pairs.u) u += pairs.parameters[0];
                                 }});
  orrery::register_field(
      context,
      {.name = "well", .meaning = "a harmonic well, g = −x/4", .bodies = [](const orrery::FieldBodies& bodies) {
         for (std::size_t i = 0; i < bodies.x.size(); ++i) {
           const double x = bodies.x[i], y = bodies.y[i], z = bodies.z[i];
           bodies.gx[i] = -0.25 * x, bodies.gy[i] = -0.25 * y, bodies.gz[i] = -0.25 * z;
           if (!bodies.potential.empty()) bodies.potential[i] = 0.125 * (x * x + y * y + z * z);
         }
       }});
  orrery::register_integrator(context, {.name = "mclachlan-atela4",
                                        .meaning = "four kicks and drifts with optimal coefficients",
                                        .reference = "McLachlan & Atela 1992, Nonlinearity 5, 541",
                                        .order = 4,
                                        .evaluations = 4,
                                        .symplectic = true,
                                        .same_each_step = true,
                                        .step = [](const orrery::Stepper& bodies, const orrery_step& step) {
                                          constexpr double kicks[] = {0.1344961992774310892, -0.2248198030794208058,
                                                                      0.7563200005156682911, 0.3340036032863214255};
                                          constexpr double drifts[] = {0.5153528374311229364, -0.085782019412973646,
                                                                       0.4415830236164665242, 0.1288461583653841854};
                                          for (std::size_t k = 0; k < 4; ++k) {
                                            bodies.accelerate();
                                            bodies.kick(kicks[k] * step.dt);
                                            bodies.drift(drifts[k] * step.dt);
                                          }
                                        }});
}

/// Where the first of three bodies is at t = 4 after so many steps.
orrery::Vec3 place_after(const orrery::Context& context, std::int64_t steps) {
  const std::vector<double> mass{1, 0.5, 0.25};
  const std::vector<orrery::Vec3> position{{0.8, 0, 0}, {-0.9, 0.1, 0}, {0, 0.2, 0.9}};
  const std::vector<orrery::Vec3> velocity{{0, 0.6, 0}, {0, -1, 0.2}, {0.3, -0.4, 0}};
  orrery::Model model(context);
  model.add_bodies({.mass = mass, .position = position, .velocity = velocity});
  model.set_force("measured", {{"softening", 0.3}, {"shift", 0.1}});
  model.add_field("well");
  model.set_integrator("mclachlan-atela4");
  model.set_steps(4.0 / static_cast<double>(steps), steps);
  orrery::Simulation simulation(model);
  simulation.advance(steps);
  std::printf("%4d steps: energy error %9.2e", static_cast<int>(steps), simulation.observe().energy_error);
  return simulation.state().position[0];
}

}  // namespace

int main() try {
  const orrery::Context context;
  register_plug_ins(context);
  const orrery::Vec3 end = place_after(context, 800);
  std::printf("\n");
  double before = 0;
  for (const std::int64_t steps : {20, 40, 80}) {
    const orrery::Vec3 x = place_after(context, steps);
    const double error = std::hypot(x[0] - end[0], x[1] - end[1], x[2] - end[2]);
    std::printf(", %.1e from the end of 800 steps", error);
    if (before > 0) std::printf(", %.1f times less than of half as many", before / error);
    std::printf("\n");
    if (before > 0 && before / error < 11) return std::fputs("that is not fourth order\n", stderr), 1;
    before = error;
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
