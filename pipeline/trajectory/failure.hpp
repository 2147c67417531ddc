// SPDX-License-Identifier: MIT
// What goes wrong with a file, in one line, and what to do about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace orrery::pipeline::hdf5 {

/// What went wrong, without the name of the file; the public classes put that in front.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A call of the library or of the system that failed; `code` is the system's errno, 0 where it is not known.
class CallFailure : public Failure {
 public:
  CallFailure(const std::string& what, int code) : Failure(what), code_(code) {}
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// Throws the newest error of the library in one line: "H5Fopen: truncated file: eof = 100000, stored_eof = 193944".
[[noreturn]] void fail();

/// Lets a result pass, or throws the reason why it is none.
template <class Result>
Result check(Result result) {
  if (result < 0) fail();
  return result;
}

/// "H5Dwrite: No space left on device; the file holds everything up to step 1200: free some space, and `orrery resume
/// run.h5` goes on from there". `step` < 0: nobody knows of any step.
std::string told_what_to_do(const CallFailure& failure, const std::filesystem::path& path, std::int64_t step);

}  // namespace orrery::pipeline::hdf5
