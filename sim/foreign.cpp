// SPDX-License-Identifier: MIT
#include "sim/foreign.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "common/error.hpp"
#include "sim/body_error.hpp"
#include "sim/forces/coulomb.hpp"
#include "sim/forces/shared.hpp"
#include "sim/forces/short_range.hpp"
#include "sim/ranks/ranks.hpp"

namespace orrery::sim {
namespace {

constexpr std::string_view strength_name = "strength";
constexpr std::string_view keys_of_tables[] = {"kind", "method", "dt", "time", "steps"};

bool is_name(std::string_view name, std::string_view other) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto good = [&](char c) { return lower(c) || (c >= '0' && c <= '9') || other.find(c) != other.npos; };
  return !name.empty() && name.size() <= 64 && lower(name.front()) && std::ranges::all_of(name, good);
}

[[noreturn]] void refuse_plug_in(const ForeignPlugIn& plug_in, const std::string& what) {
  throw Error("the plug-in \"" + plug_in.name + "\" cannot be registered: " + what, Fault::request);
}

void check_description(const ForeignPlugIn& plug_in, std::size_t most) {
  if (!is_name(plug_in.name, "-"))
    refuse_plug_in(plug_in, "its name must be lower-case letters, digits and -, and begin with a letter");
  if (plug_in.parameters.size() > most)
    refuse_plug_in(plug_in, "it has more than " + std::to_string(most) + " parameters");
  std::vector<std::string_view> names{softening_key.name, strength_name};
  names.insert(names.end(), std::begin(keys_of_tables), std::end(keys_of_tables));
  for (const ForeignParameter& parameter : plug_in.parameters) {
    const std::string& name = parameter.name;
    if (!is_name(name, "_"))
      refuse_plug_in(
          plug_in,
          "the name \"" + name + "\" of a parameter must be lower-case letters, digits and _, and begin with a letter");
    if (std::ranges::find(names, name) != names.end() || solver_with(name) != nullptr)
      refuse_plug_in(plug_in, "the name \"" + name + "\" of a parameter is that of another key");
    if (!(parameter.low <= parameter.high))
      refuse_plug_in(plug_in, "no number is in the range of the parameter \"" + name + "\"");
    if (parameter.fallback && !(*parameter.fallback >= parameter.low && *parameter.fallback <= parameter.high))
      refuse_plug_in(plug_in, "the default of the parameter \"" + name + "\" is not in its range");
    names.push_back(name);
  }
}

/// The function that was given or, of a plug-in that is only described, one that throws.
template <class... Arguments>
std::function<void(Arguments...)> callable(const ForeignPlugIn& plug_in, std::function<void(Arguments...)> given) {
  if (plug_in.absent.empty()) return given;
  return [why = plug_in.absent](Arguments...) { throw Error(why, Fault::request); };
}

/// The parameters as the rest of the program has them. What it views must not move.
class Keys {
 public:
  Keys(const ForeignPlugIn& plug_in, std::vector<Parameter> shared) : all_(std::move(shared)), shared_(all_.size()) {
    fallbacks_.reserve(plug_in.parameters.size());
    for (const ForeignParameter& own : plug_in.parameters) {
      std::ostringstream text;
      text.precision(17);
      if (own.fallback) text << *own.fallback;
      fallbacks_.push_back(std::move(text).str());
      all_.push_back({.name = own.name,
                      .fallback = fallbacks_.back(),
                      .example = "1.0",
                      .meaning = own.meaning,
                      .unit = own.unit,
                      .range = {.low = own.low, .high = own.high}});
    }
  }
  [[nodiscard]] std::span<const Parameter> all() const { return all_; }
  [[nodiscard]] LawParameters values(const Arguments& arguments) const {
    LawParameters values;
    for (std::size_t k = shared_; k < all_.size(); ++k) values.at[k - shared_] = arguments.number(all_[k].name);
    return values;
  }

 private:
  std::vector<Parameter> all_;
  std::size_t shared_;
  std::vector<std::string> fallbacks_;
};

std::vector<double> masses(const Bodies& bodies) {
  return bodies.mass;
}
std::vector<double> charges(const Bodies& bodies) {
  return bodies.charge;
}
std::vector<double> ones(const Bodies& bodies) {
  return std::vector<double>(bodies.size(), 1.0);
}
std::vector<double> same_for_all(const Bodies& bodies, double strength) {
  return std::vector<double>(bodies.size(), strength);
}

class OwnedLaw {
 public:
  OwnedLaw(ForeignLaw given, ForeignPairs of_pairs)
      : description(std::move(given)), of_pairs_(callable(description, std::move(of_pairs))) {
    using View = FunctionView<double(double, const LawParameters&)>;
    law.name = description.name;
    law.meaning = description.meaning;
    law.parameters = keys_.all();
    law.coupling = Coupling::own;
    law.coupling_key = strength_name;
    const ActsBy by = description.acts_by;
    law.attracts_by_mass = by == ActsBy::mass;
    law.parameters_of = decltype(law.parameters_of)::of<&OwnedLaw::parameters_of>(*this);
    law.force_over_r = View::of<&OwnedLaw::force_over_r>(*this);
    if (description.slope) law.force_over_r_slope = View::of<&OwnedLaw::slope>(*this);
    law.u = View::of<&OwnedLaw::u>(*this);
    law.rescaled = no_lengths;
    law.degree = [](const LawParameters&) { return std::optional<int>(); };
    law.potential_power = law.degree;
    law.min_r2 = [](const LawParameters&) { return MinR2{0, 0}; };
    law.source = by == ActsBy::mass ? masses : by == ActsBy::charge ? charges : ones;
    law.target_factor = by == ActsBy::mass     ? same_for_all
                        : by == ActsBy::charge ? response_by_charge
                                               : response_by_mass;
    law.foreign = &description;
    law.of_pairs = PairFunction::of<&OwnedLaw::pairs>(*this);
  }

  ForeignLaw description;
  ForceLaw law{};

 private:
  [[nodiscard]] LawParameters parameters_of(const Arguments& arguments) const { return keys_.values(arguments); }
  [[nodiscard]] double force_over_r(double r2, const LawParameters& parameters) const {
    double c;
    pairs(1, &r2, &c, nullptr, nullptr, parameters);
    return c;
  }
  [[nodiscard]] double u(double r2, const LawParameters& parameters) const {
    double c, u;
    pairs(1, &r2, &c, &u, nullptr, parameters);
    return u;
  }
  [[nodiscard]] double slope(double r2, const LawParameters& parameters) const {
    double c, slope;
    pairs(1, &r2, &c, nullptr, &slope, parameters);
    return slope;
  }
  void pairs(std::size_t n, const double* r2, double* c, double* u, double* slope,
             const LawParameters& parameters) const {
    of_pairs_(n, r2, c, u, slope, parameters.at);
  }

  ForeignPairs of_pairs_;
  Keys keys_{description,
             {softening_key, {.name = strength_name, .fallback = "1.0", .meaning = "factor of the force"}}};
};

class OwnedField {
 public:
  OwnedField(ForeignField given, ForeignBodies of_bodies)
      : description(std::move(given)), of_bodies_(callable(description, std::move(of_bodies))) {
    law.name = description.name;
    law.meaning = description.meaning;
    law.parameters = keys_.all();
    law.parameters_of = decltype(law.parameters_of)::of<&OwnedField::parameters_of>(*this);
    law.acceleration = decltype(law.acceleration)::of<&OwnedField::acceleration>(*this);
    law.potential = decltype(law.potential)::of<&OwnedField::potential>(*this);
    law.foreign = &description;
    law.of_bodies = FieldFunction::of<&OwnedField::bodies>(*this);
  }

  ForeignField description;
  FieldLaw law{};

 private:
  [[nodiscard]] LawParameters parameters_of(const Arguments& arguments, double /*G*/) const {
    return keys_.values(arguments);
  }
  [[nodiscard]] Vec3 acceleration(const LawParameters& parameters, Vec3 x) const {
    Vec3 g;
    bodies(1, {&x.x, &x.y, &x.z}, {&g.x, &g.y, &g.z}, nullptr, parameters);
    return g;
  }
  [[nodiscard]] double potential(const LawParameters& parameters, Vec3 x) const {
    Vec3 g;
    double phi;
    bodies(1, {&x.x, &x.y, &x.z}, {&g.x, &g.y, &g.z}, &phi, parameters);
    return phi;
  }
  void bodies(std::size_t n, const double* const (&position)[3], double* const (&acceleration)[3], double* potential,
              const LawParameters& parameters) const {
    of_bodies_(n, position, acceleration, potential, parameters.at);
  }

  ForeignBodies of_bodies_;
  Keys keys_{description, {}};
};

class OwnedIntegrator {
 public:
  OwnedIntegrator(ForeignIntegrator given, ForeignStep step, ForeignStart start)
      : description(std::move(given)), step_(callable(description, std::move(step))), start_(std::move(start)) {
    const ForeignIntegrator& own = description;
    for (const auto& [name, persistent] : own.columns) columns_.push_back({name, persistent});
    integrator.name = own.name;
    integrator.meaning = own.meaning;
    integrator.order = own.order;
    integrator.symplectic = own.symplectic;
    integrator.symmetric = own.symmetric;
    integrator.drifts_first = own.drifts_first;
    integrator.evaluations = own.evaluations;
    integrator.columns = columns_;
    integrator.parameters = keys_.all();
    integrator.jerk = own.jerk;
    integrator.uses_time = !own.same_each_step;
    if (start_) integrator.start = decltype(integrator.start)::of<&OwnedIntegrator::begin>(*this);
    integrator.step = decltype(integrator.step)::of<&OwnedIntegrator::take_step>(*this);
    integrator.foreign = &own;
  }

  ForeignIntegrator description;
  Integrator integrator{};

 private:
  void begin(Backend& bodies) const { start_(bodies); }
  void take_step(Backend& bodies, const Step& step) const { step_(bodies, step); }

  ForeignStep step_;
  ForeignStart start_;
  std::vector<ScratchColumn> columns_;
  Keys keys_{description, {}};
};

/// The plug-in in a new object that owns all that it views.
template <class Owner, class Plugin, class... Given>
std::shared_ptr<const Plugin> owned(Plugin Owner::*plug_in, Given&&... given) {
  const auto owner = std::make_shared<Owner>(std::forward<Given>(given)...);
  return {owner, &((*owner).*plug_in)};
}

template <class Plugin>
const Plugin* named(std::span<const Plugin* const> all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Plugin::name);
  return found == all.end() ? nullptr : *found;
}

[[noreturn]] void refuse_taken(std::string_view kind, std::string_view name) {
  throw Error("there is " + std::string(kind) + " \"" + std::string(name) + "\" already: choose another name",
              Fault::request);
}

}  // namespace

std::shared_ptr<const ForceLaw> make_law(ForeignLaw description, ForeignPairs of_pairs) {
  check_description(description, std::size(LawParameters().at));
  return owned(&OwnedLaw::law, std::move(description), std::move(of_pairs));
}

std::shared_ptr<const FieldLaw> make_field(ForeignField description, ForeignBodies of_bodies) {
  check_description(description, std::size(LawParameters().at));
  return owned(&OwnedField::law, std::move(description), std::move(of_bodies));
}

std::shared_ptr<const Integrator> make_integrator(ForeignIntegrator description, ForeignStep step, ForeignStart start) {
  check_description(description, KeyValues().at.size());
  if (description.order < 1 || description.evaluations < 1)
    refuse_plug_in(description, "its order and its evaluations must be at least 1");
  if (description.columns.size() > 64) refuse_plug_in(description, "it has more than 64 columns");
  for (const auto& [name, persistent] : description.columns) {
    if (!is_name(name, "_")) refuse_plug_in(description, "\"" + name + "\" is no name of a column");
    if (std::ranges::count(description.columns, name, &ForeignIntegrator::Scratch::name) > 1)
      refuse_plug_in(description, "it has two columns \"" + name + "\"");
  }
  return owned(&OwnedIntegrator::integrator, std::move(description), std::move(step), std::move(start));
}

PlugIns::PlugIns()
    : laws_(force_laws().begin(), force_laws().end()),
      fields_(field_laws().begin(), field_laws().end()),
      integrators_(sim::integrators().begin(), sim::integrators().end()) {}

const ForceLaw* PlugIns::law(std::string_view name) const {
  return named(laws(), name);
}
const FieldLaw* PlugIns::field(std::string_view name) const {
  return named(fields(), name);
}
const Integrator* PlugIns::integrator(std::string_view name) const {
  return named(integrators(), name);
}

// Laws and fields are kinds of one table, [[force]].
template <class Plugin>
void PlugIns::put(std::vector<const Plugin*>& list, std::shared_ptr<const Plugin> one) {
  std::erase_if(list, [&](const Plugin* other) { return other->name == one->name; });
  list.push_back(one.get());
  foreign_.push_back(std::move(one));
}

void PlugIns::add(std::shared_ptr<const ForceLaw> one) {
  const ForceLaw* same = law(one->name);
  if (field(one->name) != nullptr || (same != nullptr && same->foreign == nullptr)) refuse_taken("a force", one->name);
  put(laws_, std::move(one));
}
void PlugIns::add(std::shared_ptr<const FieldLaw> one) {
  const FieldLaw* same = field(one->name);
  if (law(one->name) != nullptr || (same != nullptr && same->foreign == nullptr)) refuse_taken("a force", one->name);
  put(fields_, std::move(one));
}
void PlugIns::add(std::shared_ptr<const Integrator> one) {
  const Integrator* same = integrator(one->name);
  if (same != nullptr && same->foreign == nullptr) refuse_taken("an integrator", one->name);
  put(integrators_, std::move(one));
}

void refuse_absent(const Model& model) {
  const auto check = [](const ForeignPlugIn* plug_in) {
    if (plug_in != nullptr && !plug_in->absent.empty()) throw Error(plug_in->absent, Fault::request);
  };
  check(model.force.plugin->foreign);
  for (const auto& field : model.fields) check(field.plugin->foreign);
  if (model.integrator != nullptr) check(model.integrator->foreign);
}

std::string refusal_of_foreign(const System& system, const BackendKind& kind, const BackendOptions& options) {
  const bool several = ranks_of(options) > 1;
  for (const PairForce& force : system.forces) {
    if (!is_foreign(force)) continue;
    const std::string law = "the law \"" + std::string(force.law->name) + "\" is a function of the program";
    if (kind.device != nullptr) return law + ", which a GPU cannot call: take backend \"cpu\"";
    if (several) return law + ", which other processes do not have: start one process";
  }
  for (const ExternalField& field : system.fields) {
    if (field.law->of_bodies != nullptr && several)
      return "the field \"" + std::string(field.law->name) +
             "\" is a function of the program, which other processes and GPUs do not have: take one process and one "
             "GPU";
  }
  return "";
}

}  // namespace orrery::sim
