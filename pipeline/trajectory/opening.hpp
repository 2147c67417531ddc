// SPDX-License-Identifier: MIT
// How a trajectory file is locked, made, opened and, after its writer was killed, put right again.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <string>

#include "common/error.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {

/// Another live writer has the file: what was asked for cannot be done now.
class Busy : public hdf5::Failure {
 public:
  using Failure::Failure;
};

/// Keeps a second writer out for as long as it lives. It belongs to the open file, not to the process or the
/// name, and the system drops it when the process dies, however it dies.
class Lock {
 public:
  /// Opens the file; throws Busy where another live writer holds it.
  explicit Lock(const std::filesystem::path& path);
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&& other) noexcept;
  ~Lock();
  /// Waits until everything written to the file, by whatever handle, is on the disk.
  void sync() const;
  /// Lets the disk begin with what was written, so that a later `sync` finds little left; waits for nothing.
  void begin_sync() const;
  /// Whether it still is the file of that name.
  [[nodiscard]] bool is_of(const std::filesystem::path& path) const;
  /// Empty, or what is not protected because the file system refuses locks.
  [[nodiscard]] const std::string& warning() const { return warning_; }
  /// Whether a live writer has it, this process included.
  static bool held(const std::filesystem::path& path);

 private:
  int descriptor_ = -1;
  std::string warning_;
};

/// Throws unless this is a file that begins as HDF5 does; Error, exit code 2, where there is none.
void require_hdf5(const std::filesystem::path& path);
/// Makes a file with `fill` under another name, then gives it its own. Throws Busy where somebody has taken that meanwhile.
Lock create_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& fill);
/// Whether the file says that a writer has it open, one that is alive or was killed, or that it ends elsewhere than it does: a
/// loss of power may leave it with an old first page, by which the library would cut off what was written since.
bool needs_recovery(const std::filesystem::path& path);
/// Opens for writing while others read (SWMR): nothing may be created in it.
hdf5::Handle open_swmr(const std::filesystem::path& path);
/// Opens for writing in the ordinary way, after recovering the file if a writer left it open. Hold its lock.
hdf5::Handle open_exclusive(const std::filesystem::path& path);
/// Opens for reading, whatever state the file is in: closed, being written, or left by a writer that was killed.
hdf5::Handle open_to_read(const std::filesystem::path& path);

/// HDF5 prints what fails in it, and knows for each thread whether it should. Our errors are one line, and we print it.
void keep_library_quiet();

/// Does `work`; whatever fails in it is told in one line that begins with the name of the file. Exit code 2 for Busy.
template <class Work>
decltype(auto) told(const std::filesystem::path& path, Work work) {
  keep_library_quiet();
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const Busy& reason) {
    throw Error(path.string() + ": " + reason.what(), 2);
  } catch (const std::exception& reason) {
    throw Error(path.string() + ": " + reason.what());
  }
}

}  // namespace orrery::pipeline::trajectory
