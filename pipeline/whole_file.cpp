// SPDX-License-Identifier: MIT
// Write, sync, rename.
#include "pipeline/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/error.hpp"

namespace orrery::pipeline {
namespace {

/// Whether all of it is on the disk; `errno` says why not.
bool put(const char* file, std::string_view content) {
  const int descriptor = ::open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  const bool whole = content.empty() && ::fsync(descriptor) == 0;
  const int reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!whole) errno = reason;
  return whole && closed;
}

}  // namespace

void write_whole(const std::filesystem::path& file, std::string_view content) {
  const std::filesystem::path part = file.string() + ".part";
  if (put(part.c_str(), content) && std::rename(part.c_str(), file.c_str()) == 0) return;
  const int reason = errno;
  ::unlink(part.c_str());
  throw Error(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(reason)));
}

}  // namespace orrery::pipeline
