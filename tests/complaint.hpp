// SPDX-License-Identifier: MIT
// Error messages of operations that must fail.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "common/error.hpp"

namespace orrery {

/// Returns the message of the Error that `act` throws; the test fails unless its exit code is the given one.
inline std::string complaint(const std::function<void()>& act, int exit_code) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault() == Fault::request ? 2 : 1, exit_code);
    return error.what();
  }
  return "no complaint";
}

}  // namespace orrery
