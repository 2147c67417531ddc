// SPDX-License-Identifier: MIT
// The list of external fields, one include and one entry each; the cuda backend compiles a loop for all of them.
#pragma once

#include "sim/fields/logarithmic_halo.hpp"
#include "sim/fields/plummer_halo.hpp"

namespace orrery::sim {

template <class... Field>
struct FieldList {};

using Fields = FieldList<  //
    LogarithmicHalo,       //
    PlummerHalo>;

}  // namespace orrery::sim
