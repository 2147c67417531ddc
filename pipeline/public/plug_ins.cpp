// SPDX-License-Identifier: MIT
// Laws, fields and integrators of the program: from structs of C to plug-ins of a context.
#include <fmt/format.h>

#include <exception>
#include <type_traits>

#include "pipeline/public/handles.hpp"
#include "sim/backends/simd/columns.hpp"
#include "sim/foreign.hpp"

/// A backend within a step, and why a function of the step failed.
struct orrery_stepper {
  orrery::sim::Backend& bodies;
  std::size_t columns;
  bool recorded;  ///< a GPU may record what it does, which cannot be copies to and from the host
  std::exception_ptr failure{};
};

namespace orrery::pipeline {
namespace {

/// The data of a plug-in of the program, which are released with the last function that needs them, once they are owned.
class UserData {
 public:
  explicit UserData(void* data) : data_(data) {}
  ~UserData() {
    if (release_ != nullptr) release_(data_);
  }
  UserData(const UserData&) = delete;
  UserData& operator=(const UserData&) = delete;
  [[nodiscard]] void* get() const { return data_; }
  void own(void (*release)(void*)) { release_ = release; }

 private:
  void* data_;
  void (*release_)(void*) = nullptr;
};
using SharedData = std::shared_ptr<UserData>;

/// Calls a function of the program. Throws Error, which names the plug-in, if it throws or does not return 0.
template <class Function, class... Arguments>
void call(const std::string& plug_in, const Function& function, const SharedData& data, Arguments... arguments) {
  int returned = 0;
  try {
    returned = function(data->get(), arguments...);
  } catch (const std::exception& error) {
    throw Error(fmt::format("{} of the program failed: {}", plug_in, error.what()));
  } catch (...) {
    throw Error(plug_in + " of the program failed: it threw an exception without a text");
  }
  if (returned != 0) throw Error(fmt::format("{} of the program ended the work: it returned {}", plug_in, returned));
}

std::string text_or_nothing(const char* text) {
  return text == nullptr ? "" : text;
}

/// Entry k of an array of structs of the caller, of whose version the first one tells.
template <class Struct>
Struct entry_of(const Struct* first, std::size_t k, const char* name) {
  const std::size_t size = needed(first, name).size;
  const auto* at = reinterpret_cast<const char*>(first) + k * size;
  return given_struct(reinterpret_cast<const Struct*>(at), name);
}

/// What all plug-ins have.
template <class Description, class Struct>
Description description_of(const Struct& given) {
  Description description;
  description.name = needed_text(given.name, "name");
  description.meaning = text_or_nothing(given.meaning);
  for (std::size_t k = 0; k < given.parameter_count; ++k) {
    const orrery_own_parameter own = entry_of(given.parameters, k, "parameters");
    sim::ForeignParameter& parameter = description.parameters.emplace_back();
    parameter.name = needed_text(own.name, "name");
    parameter.meaning = text_or_nothing(own.meaning);
    parameter.unit = text_or_nothing(own.unit);
    if (own.required == 0) parameter.fallback = own.fallback;
    if (own.low != 0 || own.high != 0) parameter.low = own.low, parameter.high = own.high;
  }
  return description;
}

/// Adds a plug-in to those of the context. Models that were made before keep theirs.
template <class Plugin>
void add(LibraryContext& context, std::shared_ptr<const Plugin> plug_in) {
  auto all = context.plug_ins != nullptr ? std::make_shared<sim::PlugIns>(*context.plug_ins)
                                         : std::make_shared<sim::PlugIns>();
  all->add(std::move(plug_in));
  context.plug_ins = std::move(all);
}

/// Carries out an operation of a step.
template <class Work>
orrery_status operate(orrery_stepper* stepper, const Work& work) noexcept {
  if (stepper == nullptr) return ORRERY_MISUSED;
  try {
    if (stepper->failure == nullptr) work(*stepper);
  } catch (...) {
    stepper->failure = std::current_exception();
  }
  return stepper->failure == nullptr ? ORRERY_OK : ORRERY_FAILED;
}

sim::Column column_of(const orrery_stepper& stepper, orrery_column column) {
  const int k = static_cast<int>(column) - static_cast<int>(ORRERY_SCRATCH);
  if (static_cast<int>(column) < 0 || (k >= 0 && static_cast<std::size_t>(k) >= stepper.columns)) {
    throw Misuse(fmt::format("there is no column {}: the integrator has {} of its own", static_cast<int>(column),
                             stepper.columns));
  }
  return static_cast<sim::Column>(column);
}

/// The column of a change that is no drift.
sim::Column target_of(const orrery_stepper& stepper, orrery_column column) {
  if (column == ORRERY_ACCELERATION) throw Misuse("accelerations are those that orrery_step_accelerate computes");
  if (column == ORRERY_POSITION && !stepper.bodies.domain().is_open())
    throw Error("in a box only drifts may change positions, which apply its boundaries");
  return column_of(stepper, column);
}

void refuse_copies(const orrery_stepper& stepper) {
  if (stepper.recorded)
    throw Misuse("it says that its operations are the same in each step, so it can neither download nor upload");
}

/// Calls `step` or `start` of an integrator.
template <class Function, class... Arguments>
void take(const std::string& name, const Function& function, const SharedData& data, sim::Backend& bodies,
          std::size_t columns, bool recorded, Arguments... arguments) {
  orrery_stepper stepper{bodies, columns, recorded};
  try {
    call(name, function, data, &stepper, arguments...);
  } catch (const Error&) {
    if (stepper.failure == nullptr) throw;
  }
  if (stepper.failure == nullptr) return;
  try {
    std::rethrow_exception(stepper.failure);
  } catch (const Misuse& misuse) {
    throw Error(fmt::format("{} of the program misuses an operation: {}", name, misuse.what()));
  }
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;
namespace sim = orrery::sim;

orrery_status orrery_register_law(orrery_context* context, const orrery_law* law) {
  return answer_of(context, [&](orrery_context& to) {
    const orrery_law given = given_struct(&needed(law, "law"), "law");
    auto description = description_of<sim::ForeignLaw>(given);
    if (given.acts_by < ORRERY_BY_MASS || given.acts_by > ORRERY_BY_NUMBER)
      throw Misuse("`acts_by` is none of its values");
    description.acts_by = static_cast<sim::ActsBy>(given.acts_by);
    description.slope = given.slope != 0;
    const std::string name = fmt::format("the law \"{}\"", description.name);
    const auto data = std::make_shared<UserData>(given.user);
    auto made = sim::make_law(std::move(description), [name, pairs = &needed(given.pairs, "pairs"), data](
                                                          std::size_t n, const double* r2, double* c, double* u,
                                                          double* slope, const double* parameters) {
      call(name, pairs, data, n, r2, c, u, slope, parameters);
    });
    add(*to.context, std::move(made));
    data->own(given.release);
  });
}

orrery_status orrery_register_field(orrery_context* context, const orrery_field* field) {
  return answer_of(context, [&](orrery_context& c) {
    const orrery_field given = given_struct(&needed(field, "field"), "field");
    auto description = description_of<sim::ForeignField>(given);
    const std::string name = fmt::format("the field \"{}\"", description.name);
    const auto data = std::make_shared<UserData>(given.user);
    auto made = sim::make_field(std::move(description),
                                [name, bodies = &needed(given.bodies, "bodies"), data](
                                    std::size_t n, const double* const(&position)[3], double* const(&acceleration)[3],
                                    double* potential, const double* parameters) {
                                  call(name, bodies, data, n, static_cast<const double* const*>(position),
                                       static_cast<double* const*>(acceleration), potential, parameters);
                                });
    add(*c.context, std::move(made));
    data->own(given.release);
  });
}

orrery_status orrery_register_integrator(orrery_context* context, const orrery_integrator* integrator) {
  return answer_of(context, [&](orrery_context& c) {
    const orrery_integrator given = given_struct(&needed(integrator, "integrator"), "integrator");
    auto description = description_of<sim::ForeignIntegrator>(given);
    description.reference = text_or_nothing(given.reference);
    description.order = given.order == 0 ? 1 : given.order;
    description.evaluations = given.evaluations == 0 ? 1 : given.evaluations;
    description.symplectic = given.symplectic != 0;
    description.symmetric = given.symmetric != 0;
    description.drifts_first = given.drifts_first != 0;
    description.jerk = given.jerk != 0;
    description.same_each_step = given.same_each_step != 0;
    for (std::size_t k = 0; k < given.column_count; ++k) {
      const orrery_own_column own = entry_of(given.columns, k, "columns");
      description.columns.push_back({needed_text(own.name, "name"), own.persistent != 0});
    }
    const std::string name = fmt::format("the integrator \"{}\"", description.name);
    const std::size_t columns = given.column_count;
    const bool recorded = description.same_each_step;
    const auto data = std::make_shared<UserData>(given.user);
    sim::ForeignStart start;
    if (given.start != nullptr) {
      start = [=, function = given.start](sim::Backend& bodies) { take(name, function, data, bodies, columns, false); };
    }
    auto made = sim::make_integrator(
        std::move(description),
        [=, function = &needed(given.step, "step")](sim::Backend& bodies, const sim::Step& at) {
          orrery_step step = ORRERY_INIT(orrery_step);
          step.number = at.number, step.time = at.time, step.dt = at.dt, step.parameters = at.keys.at.data();
          take(name, function, data, bodies, columns, recorded, static_cast<const orrery_step*>(&step));
        },
        std::move(start));
    add(*c.context, std::move(made));
    data->own(given.release);
  });
}

orrery_status orrery_step_accelerate(orrery_stepper* stepper) {
  return operate(stepper, [](orrery_stepper& s) { s.bodies.accelerate(); });
}

orrery_status orrery_step_accelerate_with_jerk(orrery_stepper* stepper, orrery_column jerk) {
  return operate(stepper, [&](orrery_stepper& s) {
    if (jerk < ORRERY_SCRATCH) throw Misuse("`jerk` must be a scratch column");
    s.bodies.accelerate_with_jerk(column_of(s, jerk));
  });
}

orrery_status orrery_step_kick(orrery_stepper* stepper, double dt) {
  return operate(stepper, [&](orrery_stepper& s) { s.bodies.kick(dt); });
}

orrery_status orrery_step_drift(orrery_stepper* stepper, double dt) {
  return operate(stepper, [&](orrery_stepper& s) { s.bodies.drift(dt); });
}

orrery_status orrery_step_combine(orrery_stepper* stepper, orrery_column target, const orrery_term* terms,
                                  size_t count) {
  return operate(stepper, [&](orrery_stepper& s) {
    std::vector<sim::Term> all;
    for (std::size_t k = 0; k < count; ++k)
      all.push_back({(&needed(terms, "terms"))[k].factor, column_of(s, terms[k].source)});
    s.bodies.combine(target_of(s, target), all);
  });
}

size_t orrery_step_count(const orrery_stepper* stepper) {
  return stepper == nullptr ? 0 : stepper->bodies.size();
}

orrery_status orrery_step_download(orrery_stepper* stepper, orrery_column column, orrery_vectors_out to) {
  return operate(stepper, [&](orrery_stepper& s) {
    refuse_copies(s);
    copy_to(to, s.bodies.download(column_of(s, column)), "to");
  });
}

orrery_status orrery_step_upload(orrery_stepper* stepper, orrery_column column, orrery_vectors from) {
  return operate(stepper, [&](orrery_stepper& s) {
    refuse_copies(s);
    s.bodies.upload(target_of(s, column), vectors_of(from, s.bodies.size(), "from"));
  });
}

void orrery_inverse_root(size_t n, const double* x, double* to) {
  sim::simd::column_kernels(sim::simd::available_targets().front()).inverse_root(x, to, n);
}

void orrery_inverse_cube(size_t n, const double* x, double* to) {
  sim::simd::column_kernels(sim::simd::available_targets().front()).inverse_cube(x, to, n);
}
