// SPDX-License-Identifier: MIT
// Laws, external fields and integrators of the program that uses the library, beside those of its own lists.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/parameter.hpp"
#include "sim/external_field.hpp"
#include "sim/force.hpp"
#include "sim/integrator.hpp"
#include "sim/model.hpp"
#include "sim/solver.hpp"

namespace orrery::sim {

/// A number that a foreign plug-in takes.
struct ForeignParameter {
  std::string name;  ///< a letter, then letters, digits and _
  std::string meaning{}, unit{};
  std::optional<double> fallback{};  ///< none: a scenario must give it
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// What all foreign plug-ins say of themselves. Files of runs record it.
struct ForeignPlugIn {
  std::string name;  ///< lower-case letters, digits and -
  std::string meaning{};
  std::vector<ForeignParameter> parameters{};  ///< at most 8, of integrators 4
  /// If it is only described, by the file of a run: why it cannot compute. Its functions are not given then, and it throws
  /// Error, Fault::request, with this text.
  std::string absent{};
};

/// By what bodies act and respond: w_j and s_i in a_i = s_i Σ w_j c(r²) (x_j − x_i).
enum class ActsBy {
  mass,    ///< m_j and `strength`: attraction, if c > 0
  charge,  ///< q_j and −strength·q_i/m_i: equal charges repel each other, if c > 0
  number   ///< 1 and strength/m_i: a force that is the same for all bodies
};

/// Besides its parameters a law has `softening` ε, r² being |x_j − x_i|² + ε², and `strength`, 1 by default.
struct ForeignLaw : ForeignPlugIn {
  ActsBy acts_by = ActsBy::mass;
  bool slope = false;  ///< it computes c′/r, which integrators with jerks need
};

struct ForeignField : ForeignPlugIn {};

struct ForeignIntegrator : ForeignPlugIn {
  std::string reference{};
  int order = 1, evaluations = 1;
  bool symplectic = false, symmetric = false, drifts_first = false, jerk = false;
  bool same_each_step =
      false;  ///< the operations depend on dt and the parameters alone: a GPU may record and repeat them
  struct Scratch {
    std::string name;
    bool persistent = false;
  };
  std::vector<Scratch> columns{};
};

/// As PairFunction and FieldFunction, with the values of the parameters in their order.
using ForeignPairs =
    std::function<void(std::size_t n, const double* r2, double* c, double* u, double* slope, const double* parameters)>;
using ForeignBodies =
    std::function<void(std::size_t n, const double* const (&position)[3], double* const (&acceleration)[3],
                       double* potential, const double* parameters)>;
using ForeignStep = std::function<void(Backend& bodies, const Step& step)>;
using ForeignStart = std::function<void(Backend& bodies)>;

/// Plug-ins that are used as any other. Throw Error, Fault::request, for a name or parameter that cannot be one.
std::shared_ptr<const ForceLaw> make_law(ForeignLaw description, ForeignPairs of_pairs = {});
std::shared_ptr<const FieldLaw> make_field(ForeignField description, ForeignBodies of_bodies = {});
std::shared_ptr<const Integrator> make_integrator(ForeignIntegrator description, ForeignStep step = {},
                                                  ForeignStart start = {});

/// The plug-ins of one use of the library: its own, and those that the program has registered for this use.
class PlugIns {
 public:
  PlugIns();
  /// A foreign one of that kind and name is replaced. Throw Error, Fault::request, if another one has the name.
  void add(std::shared_ptr<const ForceLaw> law);
  void add(std::shared_ptr<const FieldLaw> field);
  void add(std::shared_ptr<const Integrator> integrator);

  /// In the order of `orrery list`, foreign ones last.
  [[nodiscard]] std::span<const ForceLaw* const> laws() const { return laws_; }
  [[nodiscard]] std::span<const FieldLaw* const> fields() const { return fields_; }
  [[nodiscard]] std::span<const Integrator* const> integrators() const { return integrators_; }
  /// Null if there is none.
  [[nodiscard]] const ForceLaw* law(std::string_view name) const;
  [[nodiscard]] const FieldLaw* field(std::string_view name) const;
  [[nodiscard]] const Integrator* integrator(std::string_view name) const;

 private:
  template <class Plugin>
  void put(std::vector<const Plugin*>& list, std::shared_ptr<const Plugin> one);

  std::vector<const ForceLaw*> laws_;
  std::vector<const FieldLaw*> fields_;
  std::vector<const Integrator*> integrators_;
  std::vector<std::shared_ptr<const void>>
      foreign_;  ///< also those that were replaced: tables that name them stay valid
};

/// Throws Error, Fault::request, if a plug-in of the model is only described.
void refuse_absent(const Model& model);

/// Why a kind of backend, with these options, cannot call foreign plug-ins of a system; "" if it can.
std::string refusal_of_foreign(const System& system, const BackendKind& kind, const BackendOptions& options);

}  // namespace orrery::sim
