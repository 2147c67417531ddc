// SPDX-License-Identifier: MIT
// In which tables of a scenario a key can stand: for complaints about one that stands in another.
#pragma once

#include <string>
#include <string_view>

namespace orrery::pipeline {

/// "belongs to [integrator]", "belongs at the top of the file, before the first table", or "belongs to [initial] with kind =
/// \"plummer\"" where only some kinds have that key; "" where no table has it. `within` is the table that it was found in, ""
/// for the top.
std::string belonging(std::string_view key, std::string_view within);

}  // namespace orrery::pipeline
