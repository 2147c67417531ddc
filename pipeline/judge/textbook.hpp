// SPDX-License-Identifier: MIT
// The N-body program of a textbook, with switches for what goes wrong in it: a loop over all pairs and a loop over steps. It shares
// no code with the engine, which has none of these switches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::pipeline::judging {

/// Bodies at one moment: coordinates x, y, z body by body, [3N].
struct State {
  std::vector<double> x, v;
};

/// What a program begins from. The acceleration is a_i = answer_i Σ_j source_j (x_j − x_i)/(r² + ε²)^(3/2): for gravity the source is
/// the mass and the answer G, for charges it is q and −k q/m.
struct Problem {
  State start;
  std::vector<double> mass, source, answer;  ///< [N]
  double softening = 0;                      ///< ε
  std::vector<std::string> labels{};         ///< [N], for words

  [[nodiscard]] std::size_t bodies() const { return mass.size(); }
};

/// By what the difference of two positions is divided. The first is right.
enum class Softening {
  plummer,          ///< (r² + ε²)^(3/2)
  forgotten,        ///< r³
  not_squared,      ///< (r² + ε)^(3/2)
  added,            ///< (r + ε)³
  added_to_square,  ///< (r + ε)² r
  hard_direction,   ///< (r² + ε²) r
  added_to_cube,    ///< r³ + ε
  cube_added,       ///< r³ + ε³
  square_added      ///< r³ + ε²
};
/// Which pairs act, and how strongly, as body i sees body j. The first is right.
enum class Pairs {
  all,
  later_only,         ///< no reaction: j > i only
  earlier_only,       ///< j < i only
  same_sign,          ///< the reaction, j < i, has the sign of the action
  reaction_as_large,  ///< the reaction has the acceleration of the action, as if all masses were one
  last_only           ///< each body feels the last of the others: forces are set where they should be added
};

/// A law of forces that is right, or not.
struct Law {
  double factor = 1;     ///< of all forces
  double power = 3;      ///< of r in the divisor, if it is not 3: d/(r² + ε²)^(power/2)
  double softening = 1;  ///< factor of ε
  Softening soft = Softening::plummer;
  Pairs pairs = Pairs::all;
  std::array<double, 3> axis{1, 1, 1};     ///< factors of the components of the force
  std::array<double, 3> measure{1, 1, 1};  ///< factors of dx², dy², dz² in r²
  std::vector<double> source{}, answer{};  ///< in place of those of the problem, unless empty
};

/// A statement in a loop over bodies.
enum class Do {
  evaluate,    ///< the acceleration of this body at the present positions of all
  accumulate,  ///< the same without setting it to 0 before
  kick,        ///< v += by · h · a
  drift,       ///< x += by · h · v
  fall         ///< x += by · h² · a
};
struct Statement {
  Do what;
  double by = 1;
};
/// A loop over bodies, which carries out all its statements for one body before it turns to the next.
using Loop = std::vector<Statement>;

/// An explicit Runge-Kutta method: stages, row by row, and weights.
struct Tableau {
  std::vector<std::vector<double>> stages;
  std::vector<double> weights;
};

/// One step of a program: its loops over bodies, or a Runge-Kutta method.
struct Method {
  std::string_view key, name;
  int order = 0;  ///< 0: it does not converge to the solution
  std::vector<Loop> loops{};
  Tableau tableau{};
  std::string_view looks{};       ///< of a wrong one: what its results look like
  bool evaluates_once = false;    ///< forces are computed in the first step only
  bool beginning_speeds = false;  ///< positions in all stages move with the velocities of the step's beginning
};

/// A program.
struct Program {
  const Method* method = nullptr;
  Law law{};
  double h = 0;                         ///< length of a step
  bool single = false;                  ///< its numbers are floats
  double drift = 1;                     ///< factor of all changes of positions by velocities
  int fixed = -1;                       ///< a body that does not move
  std::array<double, 3> held{1, 1, 1};  ///< 0: an axis along which nothing moves
};

/// A program while it runs.
class Running {
 public:
  virtual ~Running() = default;
  virtual void step(std::int64_t steps) = 0;
  [[nodiscard]] virtual State state() const = 0;
  /// The accelerations at present, [3N].
  [[nodiscard]] virtual std::vector<double> accelerations() = 0;
};
std::unique_ptr<Running> start(const Program& program, const Problem& problem);

/// Evaluations of all pairs in one step.
int evaluations(const Method& method);

}  // namespace orrery::pipeline::judging
