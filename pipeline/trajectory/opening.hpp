// SPDX-License-Identifier: MIT
// Locking, creating, opening and recovering trajectory files.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include "common/error.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

/// Another writer has the file open.
class Busy : public hdf5::Failure {
 public:
  using Failure::Failure;
};

/// Excludes other writers while it exists (an open file description lock, which ends with the process).
class Lock {
 public:
  /// Opens the file. Throws Busy if another writer holds the lock.
  explicit Lock(const std::filesystem::path& path);
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&& other) noexcept;
  ~Lock();
  /// Waits until everything written to the file, through any descriptor, is on the disk.
  void sync() const;
  /// Starts writing back dirty pages without waiting, so that a later `sync` takes less time.
  void begin_sync() const;
  /// Whether the locked file still has this name.
  [[nodiscard]] bool is_same_file(const std::filesystem::path& path) const;
  /// Empty, or a line for the user if the file system does not support locks.
  [[nodiscard]] const std::string& warning() const { return warning_; }
  /// Whether a writer, possibly in this process, holds the lock.
  static bool held(const std::filesystem::path& path);

 private:
  int descriptor_ = -1;
  std::string warning_;
};

/// Throws Failure unless this is an HDF5 file; Error Fault::request if it does not exist.
void require_hdf5(const std::filesystem::path& path);
/// Creates a file with `fill` under a temporary name, syncs and renames it. Throws Busy if the name has been taken meanwhile.
Lock create_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& fill);
/// Whether the superblock has the flags of a writer, live or killed, or a wrong end of file: after a power loss its page may be
/// old, and the library would truncate the file accordingly.
bool needs_recovery(const std::filesystem::path& path);
/// Opens for writing in SWMR mode: others may read, but no objects can be created.
hdf5::Handle open_swmr(const std::filesystem::path& path);
/// Opens for exclusive writing, after recovery if necessary. The caller must hold the lock.
hdf5::Handle open_exclusive(const std::filesystem::path& path);
/// Closes a file that is open for writing. Its length is on the disk before the flags are cleared: without flags, the library refuses
/// a file that is shorter than its superblock says. After a failure it is not closed.
void close_synced(hdf5::Handle& file);
/// Opens for reading, in any state: closed, being written, or left by a killed writer.
hdf5::Handle open_to_read(const std::filesystem::path& path);

/// Turns off the error messages that HDF5 prints, which is a setting per thread.
void silence_hdf5();

/// Does `work` and converts exceptions into Error with the path in front; Fault::request for Busy.
template <class Work>
decltype(auto) wrap_errors(const std::filesystem::path& path, Work work) {
  silence_hdf5();
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const Busy& reason) {
    throw Error(path.string() + ": " + reason.what(), Fault::request);
  } catch (const std::exception& reason) {
    throw Error(path.string() + ": " + reason.what());
  }
}

}  // namespace orrery::pipeline::trajectory
