// SPDX-License-Identifier: MIT
// The list of external fields, one include and one entry each; the cuda backend compiles a loop for all of them.
#pragma once

#include "sim/fields/logarithmic_halo.hpp"
#include "sim/fields/miyamoto_nagai.hpp"
#include "sim/fields/nfw.hpp"
#include "sim/fields/plummer_halo.hpp"
#include "sim/fields/point_mass.hpp"
#include "sim/fields/uniform.hpp"

namespace orrery::sim {

template <class... Field>
struct FieldList {};

using Fields = FieldList<  //
    LogarithmicHalo,       //
    PlummerHalo,           //
    MiyamotoNagai,         //
    Nfw,                   //
    PointMass,             //
    Uniform>;

}  // namespace orrery::sim
