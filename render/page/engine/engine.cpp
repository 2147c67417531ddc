// SPDX-License-Identifier: MIT
// What engine.js calls of the WebAssembly that build.sh makes of this file.
#include "engine.hpp"

namespace orrery::page::ORRERY_ENGINE {
namespace {

#define ORRERY_EXPORT(name) extern "C" [[clang::export_name(#name)]]

extern "C" unsigned char __heap_base;
Engine engine;  // one in a module, and as many modules as a page wants

constexpr int most_bodies = 1 << 20;  // 400 MB

/// As many zeros, at the end of what is used.
double* zeros(int doubles) {
  constexpr unsigned long page = 65536;
  const unsigned long begin = (reinterpret_cast<unsigned long>(&__heap_base) + 15) / 16 * 16,
                      end = begin + 8 * static_cast<unsigned long>(doubles);
  const unsigned long pages = (end + page - 1) / page, present = __builtin_wasm_memory_size(0);
  if (pages > present && __builtin_wasm_memory_grow(0, pages - present) == ~0UL) return nullptr;
  double* memory = reinterpret_cast<double*>(begin);
  for (int k = 0; k < doubles; ++k) memory[k] = 0;
  return memory;
}

}  // namespace

/// Whether there is memory for so many bodies.
ORRERY_EXPORT(begin) int begin(int bodies, int method, double dt) {
  if (bodies < 1 || bodies > most_bodies) return 0;
  double* memory = zeros(Bodies::size(bodies));
  if (memory != nullptr) engine.begin(bodies, memory, static_cast<Method>(method), dt);
  return memory != nullptr;
}
/// Whether there is room for another force.
ORRERY_EXPORT(force) int force(int law, double length, double factor, int exponent, double x, double y, double z) {
  return engine.add({static_cast<Law>(law), length * length, factor, exponent, {x, y, z}});
}
/// The addresses of the numbers of the bodies: the mass, the charge, and each coordinate of position, velocity and acceleration.
ORRERY_EXPORT(mass) double* mass() {
  return engine.bodies().mass();
}
ORRERY_EXPORT(charge) double* charge() {
  return engine.bodies().charge();
}
ORRERY_EXPORT(column) double* column(int kept, int axis) {
  return engine.bodies()[static_cast<Kept>(kept)][axis];
}
ORRERY_EXPORT(advance) void advance(int steps) {
  engine.advance(steps);
}
ORRERY_EXPORT(kinetic) double kinetic() {
  return engine.kinetic_energy();
}
ORRERY_EXPORT(potential) double potential() {
  return engine.potential_energy();
}
ORRERY_EXPORT(hash) u64 hash() {
  return engine.hash();
}
ORRERY_EXPORT(checksum) u64 checksum(int single, int velocities) {
  return engine.checksum(single != 0, velocities != 0);
}
/// For a test whether it rounds once.
ORRERY_EXPORT(fma1) double fma1(double a, double b, double c) {
  return fma(a, b, c).v[0];
}

}  // namespace orrery::page::ORRERY_ENGINE
