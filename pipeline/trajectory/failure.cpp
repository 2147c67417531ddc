// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/failure.hpp"

#include <hdf5.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "pipeline/text_output.hpp"

namespace orrery::pipeline::hdf5 {
namespace {

// Extracts the message of the system from HDF5's description, which also has addresses and buffers.
std::string readable(std::string text) {
  constexpr std::string_view opening = "error message = '";
  if (const auto from = text.find(opening); from != std::string::npos) {
    const auto begin = from + opening.size();
    return text.substr(begin, text.find('\'', begin) - begin);
  }
  return text;
}

int code_in(const std::string& text) {
  constexpr std::string_view before = "errno = ";
  const auto at = text.find(before);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + before.size());
}

std::string remedy(int code) {
  switch (code) {
    case ENOSPC:
      return "free some space";
    case EDQUOT:
      return "free some of your quota";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f), or keep fewer frames";
    case EIO:
      return "look after the disk";
    case EROFS:
    case EACCES:
    case EPERM:
      return "make it writable";
    default:
      return "see to that";
  }
}

}  // namespace

void fail() {
  std::string cause, function;
  const auto innermost = [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
    if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
    return 0;
  };
  const auto outermost = [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
    if (n == 0 && error->func_name != nullptr) *static_cast<std::string*>(text) = error->func_name;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &cause);
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, outermost, &function);
  if (function.empty()) throw CallFailure("HDF5 failed without a reason", 0);
  throw CallFailure(function + ": " + readable(cause), code_in(cause));
}

std::string failure_message(const CallFailure& failure, const std::filesystem::path& path, std::int64_t step) {
  const std::string what = failure.what();
  if (step < 0) return what + ": " + remedy(failure.code()) + ", and try again";
  return what + "; the file holds everything up to step " + std::to_string(step) + ": " + remedy(failure.code()) +
         ", and `orrery resume " + quoted(path) + "` goes on from there";
}

}  // namespace orrery::pipeline::hdf5
