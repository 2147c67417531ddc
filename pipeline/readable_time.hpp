// SPDX-License-Identifier: MIT
// The unit in which times can be read.
#pragma once

#include <string>
#include <string_view>

namespace orrery::pipeline {

/// The symbol of the unit in which the greatest of these times, `largest` in the unit `own`, is a number from 1 to 1000, and
/// from 2 on where two units do; seconds where it is less than a nanosecond, Gyr where it is more than 1000. "" where `own`,
/// which H5MD writes, is not known.
std::string_view readable_time_unit(double largest, const std::string& own);

/// A time in that unit, as " (365 d)"; "" where it is not known, or the run's own.
std::string in_readable_unit(double time, const std::string& own);

}  // namespace orrery::pipeline
