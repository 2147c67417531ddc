// SPDX-License-Identifier: MIT
// What several tests of sim need.
#include "support.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "sim/initial_states/list.hpp"

namespace orrery::sim::testing {

Bodies cloud(std::size_t n, std::uint64_t seed) {
  const Arguments arguments{{"n", static_cast<std::int64_t>(n)},
                            {"half_width", 1.0},
                            {"mass", std::vector<double>{0.5 / static_cast<double>(n), 1.5 / static_cast<double>(n)}},
                            {"velocity", std::vector<double>{-0.5, 0.5}}};
  Bodies bodies = random_cube.make(arguments, {.G = 1, .random = Random(seed, 0)}).bodies;
  for (std::size_t i = 7; i < n; i += 7) bodies.mass[i] = 0;
  return bodies;
}

Bodies plummer_sphere(std::size_t n, std::uint64_t seed) {
  Bodies bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const Random random(seed, static_cast<std::uint32_t>(i));  // a stream each: a rejection draws as often as it must
    std::uint64_t drawn = 0;
    const auto uniform = [&] { return random.uniform(drawn++); };
    const auto vector = [&](double length) {
      double x = 0, y = 0, z = 0, square = 0;
      do {
        x = 2 * uniform() - 1, y = 2 * uniform() - 1, z = 2 * uniform() - 1;
        square = x * x + y * y + z * z;
      } while (square > 1 || square < 1e-6);
      const double scale = length / std::sqrt(square);
      return Vec3{x * scale, y * scale, z * scale};
    };
    // The mass within r is (r/√(1 + r²))³, the probability that three uniform numbers are all below r/√(1 + r²).
    const double s = std::max({uniform(), uniform(), uniform()});
    const Vec3 x = vector(s / std::sqrt(1 - s * s));
    // The speed is q times that of escape, √2 (1 + r²)^(−1/4); q has the density q²(1 − q²)^(7/2), at most 0.0925.
    double q = 0, p = 0;
    do {
      q = uniform(), p = 1 - q * q;
    } while (0.1 * uniform() > q * q * p * p * p * std::sqrt(p));
    const Vec3 v = vector(q * std::sqrt(2 * std::sqrt(1 - s * s)));
    bodies.mass.push_back(1 / static_cast<double>(n));
    bodies.position.push_back(x.x, x.y, x.z);
    bodies.velocity.push_back(v.x, v.y, v.z);
  }
  return bodies;
}

Bodies in_metres_and_kilograms(Bodies bodies) {
  for (auto* axis : {&bodies.position.x, &bodies.position.y, &bodies.position.z}) {
    for (double& x : *axis) x *= 1e12;
  }
  for (double& m : bodies.mass) m *= 1e30;
  return bodies;
}

Bodies distant_pair() {
  Bodies bodies = cloud(2);
  bodies.mass = {1, 1};
  bodies.position.x = {1000, 1000 + 0.8e-6};
  bodies.position.y = {1000, 1000 - 0.6e-6};
  bodies.position.z = {1000, 1000};
  return bodies;
}

double error_of_distant_pair(Backend& backend) {
  backend.accelerate();
  const Vectors x = backend.download(Column::position), a = backend.download(Column::acceleration);
  const double separation = std::hypot(x.x[1] - x.x[0], x.y[1] - x.y[0]);
  return std::abs(std::hypot(a.x[0], a.y[0]) * separation * separation - 1);
}

System system_of(const Bodies& bodies, double softening, double G) {
  System system;
  system.bodies = bodies;
  system.forces.push_back(make_pair_force(*force_laws().front(), bodies, softening, G));
  for (const auto* method : integrators()) add_requirements(system, *method);
  return system;
}

ExternalField field(const FieldLaw& law, double G) {
  const Arguments values{{"v0", 1.3},
                         {"core_radius", 0.7},
                         {"mass", 2.1},
                         {"scale_length", 0.9},
                         {"scale_height", 0.3},
                         {"concentration", 7.0},
                         {"softening", 0.4},
                         {"acceleration", std::vector<double>{0.3, -1.1, 0.7}},
                         {"center", std::vector<double>{0.1, -0.2, 0.3}}};
  return {&law, law.parameters_of(values, G)};
}

System with_fields(System system) {
  for (const char* name : {"logarithmic-halo", "plummer-halo"})
    system.fields.push_back(field(**std::ranges::find(field_laws(), name, &FieldLaw::name)));
  return system;
}

System with_every_field(System system) {
  for (const FieldLaw* law : field_laws()) system.fields.push_back(field(*law));
  return system;
}

Bodies kepler(double eccentricity, double* period) {
  const Arguments arguments{
      {"masses", std::vector<double>{1.0, 0.25}}, {"semi_major_axis", 1.3}, {"eccentricity", eccentricity}};
  auto made = two_body.make(arguments, {});
  *period = made.timescale;
  return made.bodies;
}

const Integrator& integrator(std::string_view name) {
  return **std::ranges::find(integrators(), name, &Integrator::name);
}

std::unique_ptr<Backend> reference(System system) {
  const BackendKind* kind = *std::ranges::find(backend_kinds(), "reference", &BackendKind::name);
  return kind->make(std::move(system), {});
}

std::vector<std::uint64_t> bits_of(const Vectors& values) {
  std::vector<std::uint64_t> bits;
  for (const auto* axis : {&values.x, &values.y, &values.z}) {
    for (const double x : *axis) bits.push_back(std::bit_cast<std::uint64_t>(x));
  }
  return bits;
}

std::uint64_t fingerprint(std::initializer_list<const std::vector<double>*> columns) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto* column : columns) {
    for (const double value : *column) {
      for (std::uint64_t bits = std::bit_cast<std::uint64_t>(value), k = 0; k < 8; ++k, bits >>= 8) {
        hash = (hash ^ (bits & 255)) * 0x100000001b3;
      }
    }
  }
  return hash;
}

std::uint64_t fingerprint(const Snapshot& s) {
  const Observables& o = s.observables;
  std::vector<double> measured{o.kinetic_energy, o.potential_energy};
  for (const Vec3& v : {o.momentum, o.angular_momentum, o.center_of_mass})
    measured.insert(measured.end(), {v.x, v.y, v.z});
  const auto &x = s.position, &v = s.velocity;
  return fingerprint({&x.x, &x.y, &x.z, &v.x, &v.y, &v.z, &measured});
}

System Case::system() const {
  System made = system_of(cloud(n), softening);
  return every_field ? with_every_field(std::move(made)) : fields ? with_fields(std::move(made)) : made;
}

double Case::interactions() const {
  const auto evaluations = static_cast<double>(steps * method->evaluations + 1);  // the last for the potential
  return evaluations * static_cast<double>(n) * static_cast<double>(n);
}

std::uint64_t Case::found_on(Backend& backend) const {
  Simulation simulation(backend, *method, 1e-3, usual_keys(*method));
  simulation.advance(steps, true);
  Snapshot end = simulation.observe();
  if (steps == 0) end.velocity = backend.download(Column::acceleration);
  return fingerprint(end);
}

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.method->name << ", N = " << c.n << ", " << c.steps << " steps, softening " << c.softening
             << (c.every_field ? ", with every field"
                 : c.fields    ? ", with fields"
                               : "");
}

std::vector<Case> committed_cases() {
  std::vector<Case> cases;
  std::ifstream file(ORRERY_SOURCE_DIR "/tests/canonical_hashes.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("#") || std::isalpha(static_cast<unsigned char>(line.front())) != 0) continue;
    std::istringstream words(line);
    Case c{};
    std::string method, fields;
    words >> c.n >> c.steps >> method >> c.softening >> std::hex >> c.hash;
    if (!words) throw std::runtime_error("tests/canonical_hashes.txt: cannot read \"" + line + '"');
    c.method = &integrator(method);
    words >> fields;
    c.fields = fields == "fields", c.every_field = fields == "every-field";
    if (fields.empty() != !(c.fields || c.every_field)) throw std::runtime_error("no such fields: " + fields);
    cases.push_back(c);
  }
  if (cases.empty()) throw std::runtime_error("tests/canonical_hashes.txt: no cases can be read");
  return cases;
}

KeyValues usual_keys(const Integrator& method) {
  KeyValues values;
  if (method.advance_to != nullptr) return values;
  for (std::size_t k = 0; k < method.parameters.size(); ++k)
    values.at.at(k) = std::stod(std::string(method.parameters[k].fallback));
  return values;
}

Snapshot run(Backend& backend, const Integrator& integrator, double dt, std::int64_t steps) {
  Simulation simulation(backend, integrator, dt);
  simulation.advance(steps, true);
  return simulation.observe();
}

Errors errors_of(const Bodies& bodies, const Vectors& a, double softening, double G, std::size_t stride) {
  Errors errors;
  const auto& x = bodies.position;
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    long double sum[3] = {}, magnitudes = 0;
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (j == i) continue;
      const long double d[3] = {static_cast<long double>(x.x[j]) - x.x[i], static_cast<long double>(x.y[j]) - x.y[i],
                                static_cast<long double>(x.z[j]) - x.z[i]};
      const long double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
      const long double r2 = square + static_cast<long double>(softening) * softening;
      const long double s = static_cast<long double>(G) * bodies.mass[j] / (r2 * std::sqrt(r2));
      for (int q = 0; q < 3; ++q) sum[q] += s * d[q];
      magnitudes += s * std::sqrt(square);
    }
    const long double error = std::hypot(sum[0] - a.x[i], sum[1] - a.y[i], sum[2] - a.z[i]);
    errors.of_result.push_back(static_cast<double>(error / std::hypot(sum[0], sum[1], sum[2])));
    errors.of_magnitudes.push_back(static_cast<double>(error / magnitudes));
  }
  return errors;
}

double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values.at(std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size()))));
}

double worst_error(const Bodies& bodies, const Vectors& a, double softening, double G) {
  return std::ranges::max(errors_of(bodies, a, softening, G, std::max<std::size_t>(1, bodies.size() / 50)).of_result);
}

}  // namespace orrery::sim::testing
