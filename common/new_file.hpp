// SPDX-License-Identifier: MIT
// Atomic creation of files: written under a temporary name, then renamed; and which existing files may be replaced.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/error.hpp"

namespace orrery {

/// Which existing files may be replaced; empty files and dangling links always may.
enum class Replacing {
  nothing,
  ours,      ///< files that orrery wrote
  anything,  ///< --force
};

/// Returns whether the contents of a regular file show that orrery wrote it.
using IsOurs = bool (*)(const std::filesystem::path& file);

/// Returns whether `file` may be replaced; links are followed.
inline bool may_replace(const std::filesystem::path& file, Replacing replacing, IsOurs is_ours) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_type there = fs::status(file, none).type();
  if (there == fs::file_type::not_found) return true;
  if (there == fs::file_type::directory) return false;
  if (replacing == Replacing::anything) return true;
  if (there != fs::file_type::regular) return false;
  return fs::file_size(file, none) == 0 || (replacing == Replacing::ours && is_ours(file));
}

/// Throws Error, Fault::request, unless `file` may be replaced; the message ends with `elsewhere`, an alternative.
inline void refuse_to_replace(const std::filesystem::path& file, Replacing replacing, IsOurs is_ours,
                              std::string_view elsewhere = "") {
  if (may_replace(file, replacing, is_ours)) return;
  std::error_code none;
  if (std::filesystem::is_directory(file, none))
    throw Error(file.string() + ": is a folder, not a file", Fault::request);
  const bool known = replacing == Replacing::ours;
  throw Error(file.string() + (known ? ": exists and was not written by orrery" : ": already exists") +
                  "; --force replaces it" + std::string(elsewhere),
              Fault::request);
}

/// Writes all bytes to a file descriptor. Throws std::system_error.
inline void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category());
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// A new file with an unpredictable name in the folder of its final name; never opens an existing file or link. It is
/// deleted with this object unless renamed or kept; a killed process leaves it behind. Members throw std::system_error.
class NewFile {
 public:
  /// Named "run.csv.part-x7Gq1k" for "run.csv"; with an `ending` of `file`, "orbit.part-x7Gq1k.mp4" for "orbit.mp4".
  explicit NewFile(const std::filesystem::path& file, const std::string& ending = "") {
    const std::string name = file.string();
    const std::string stem = name.substr(0, name.size() - ending.size()) + ".part-";
    for (int tries = 100;; --tries) {
      draft_ = stem + six_letters() + ending;
      // Not mkstemp, which ignores umask and default ACLs of the folder.
      descriptor_ = ::open(draft_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return;
      if (errno != EEXIST || tries == 0) fail();
    }
  }
  ~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!draft_.empty()) ::unlink(draft_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// The current name.
  [[nodiscard]] const std::filesystem::path& path() const { return draft_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  void write(std::string_view bytes) const { write_all(descriptor_, bytes); }
  void sync() const {
    if (::fsync(descriptor_) != 0) fail();
  }
  void close() {
    if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail();
  }

  /// Closes the file and renames it to `name`. Throws Error, Fault::request, if an existing file may not be replaced.
  void rename_to(const std::filesystem::path& name, Replacing replacing, IsOurs is_ours) {
    if (rename_to_new(name)) return;
    refuse_to_replace(name, replacing, is_ours);
    if (::rename(draft_.c_str(), name.c_str()) != 0) fail();
    draft_.clear();
  }
  /// The same, but returns false if `name` exists; free of races.
  [[nodiscard]] bool rename_to_new(const std::filesystem::path& name) {
    close();
    bool done = ::renameat2(AT_FDCWD, draft_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0;
    if (!done && (errno == EINVAL || errno == ENOSYS)) {  // not supported by the file system: use a hard link
      done = ::link(draft_.c_str(), name.c_str()) == 0;
      if (done) ::unlink(draft_.c_str());
    }
    if (!done && (errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP)) {  // neither supported
      if (std::error_code none; std::filesystem::exists(std::filesystem::symlink_status(name, none))) return false;
      done = ::rename(draft_.c_str(), name.c_str()) == 0;
    }
    if (done) {
      draft_.clear();
    } else if (errno != EEXIST) {
      fail();
    }
    return done;
  }
  /// Keeps the file under its current name, which is returned.
  std::filesystem::path keep() { return std::exchange(draft_, {}); }

 private:
  [[noreturn]] static void fail() { throw std::system_error(errno, std::generic_category()); }

  static std::string six_letters() {
    static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::random_device chance;
    std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
    std::string text;
    for (int k = 0; k < 6; ++k) text += letters[any(chance)];
    return text;
  }

  std::filesystem::path draft_;
  int descriptor_ = -1;
};

}  // namespace orrery
