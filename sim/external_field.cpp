// SPDX-License-Identifier: MIT
#include "sim/external_field.hpp"

#include <algorithm>

#include "sim/fields/list.hpp"

namespace orrery::sim {
namespace {

template <class... Field>
std::span<const FieldLaw* const> descriptions(FieldList<Field...>) {
  static constexpr const FieldLaw* laws[] = {&Field::law...};
  return laws;
}

}  // namespace

std::span<const FieldLaw* const> field_laws() {
  return descriptions(Fields{});
}

void add_foreign(const ExternalField& field, std::size_t n, const double* const (&position)[3],
                 double* const (&acceleration)[3], double* potential) {
  constexpr std::size_t most = 512;  // at a time
  double g[3][most], phi[most];
  for (std::size_t begin = 0; begin < n; begin += most) {
    const std::size_t count = std::min(most, n - begin);
    field.law->of_bodies(count, {position[0] + begin, position[1] + begin, position[2] + begin}, {g[0], g[1], g[2]},
                         potential != nullptr ? phi : nullptr, field.parameters);
    for (std::size_t q = 0; q < 3; ++q) {
      for (std::size_t i = 0; i < count; ++i) acceleration[q][begin + i] += g[q][i];
    }
    for (std::size_t i = 0; potential != nullptr && i < count; ++i) potential[begin + i] += 2 * phi[i];
  }
}

std::size_t law_index(const FieldLaw& law) {
  const auto laws = field_laws();
  return static_cast<std::size_t>(std::ranges::find(laws, &law) - laws.begin());
}

}  // namespace orrery::sim
