// SPDX-License-Identifier: MIT
// Errors of HDF5 and of files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace orrery::pipeline::hdf5 {

/// An error message without the name of the file, which the public classes add.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A failed call of HDF5 or of the system. `code` is errno, or 0 if unknown.
class CallFailure : public Failure {
 public:
  CallFailure(const std::string& what, int code) : Failure(what), code_(code) {}
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// Throws the current HDF5 error as CallFailure: "H5Fopen: truncated file: eof = 100000, stored_eof = 193944".
[[noreturn]] void fail();

/// Returns the result of an HDF5 call, or throws CallFailure if it is negative.
template <class Result>
Result check(Result result) {
  if (result < 0) fail();
  return result;
}

/// Returns what failed, what the file contains and what to do: "H5Dwrite: No space left on device; the file holds everything up to
/// step 1200: free some space, and `orrery resume run.h5` goes on from there". `step` < 0: nothing was committed.
std::string failure_message(const CallFailure& failure, const std::filesystem::path& path, std::int64_t step);

}  // namespace orrery::pipeline::hdf5
