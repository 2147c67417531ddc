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

std::size_t law_index(const FieldLaw& law) {
  const auto laws = field_laws();
  return static_cast<std::size_t>(std::ranges::find(laws, &law) - laws.begin());
}

}  // namespace orrery::sim
