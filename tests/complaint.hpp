// SPDX-License-Identifier: MIT
// What something complains of that must not work.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/error.hpp"

namespace orrery {

/// The words of the Error that `act` throws, which must have that exit code.
inline std::string complaint(const std::function<void()>& act, int exit_code) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), exit_code);
    return error.what();
  }
  return "no complaint";
}

}  // namespace orrery
