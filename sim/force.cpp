// SPDX-License-Identifier: MIT
#include "sim/force.hpp"

#include <algorithm>

#include "sim/forces/list.hpp"
#include "sim/forces/pair_law.hpp"
#include "sim/forces/shared.hpp"
#include "sim/scalar.hpp"

namespace orrery::sim {
namespace {

template <class... Law, class... ShortRange>
std::span<const ForceLaw* const> descriptions(LawList<Law...>, LawList<ShortRange...>) {
  static constexpr const ForceLaw* laws[] = {&Law::law..., &ShortRange::law...};
  return laws;
}

static_assert(are_pair_laws<Scalar>(Laws{}));
static_assert(are_short_range_laws<Scalar>(ShortRangeLaws{}));

}  // namespace

std::span<const ForceLaw* const> force_laws() {
  return descriptions(Laws{}, ShortRangeLaws{});
}

std::size_t law_index(const ForceLaw& law) {
  const auto laws = force_laws();
  const auto first =
      std::ranges::find(laws, law.cutoff != nullptr, [](const ForceLaw* one) { return one->cutoff != nullptr; });
  return static_cast<std::size_t>(std::ranges::find(laws, &law) - first);
}

PairForce make_pair_force(const ForceLaw& law, const Bodies& bodies, double softening, double coupling,
                          const LawParameters& parameters) {
  return {.law = &law,
          .softening2 = softening * softening,
          .parameters = parameters,
          .source = law.source(bodies),
          .target_factor = law.target_factor(bodies, coupling)};
}

PairForce make_pair_force(const ForceLaw& law, const Bodies& bodies, const Arguments& values) {
  return make_pair_force(law, bodies, softening_in(values), values.number(law.coupling_key), law.parameters_of(values));
}

double softening_in(const Arguments& values) {
  return values.has(softening_key.name) ? values.number(softening_key.name) : 0;
}

bool is_newtonian(const ForceLaw& law, const LawParameters& parameters) {
  return law.coupling == Coupling::gravitational && law.attracts_by_mass && law.potential_power(parameters) == -1;
}

}  // namespace orrery::sim
