// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/opening.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "common/file_format.hpp"
#include "common/new_file.hpp"
#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/hdf5_input.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::CallFailure;
using hdf5::check;
using hdf5::Failure;
using hdf5::Handle;

struct flock whole_file() {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return whole;
}

// Byte 8 of a file is the version of the superblock. In version 3, byte 11 has flags of writers that have the file open.
enum class Opened { no, exclusively, swmr };

Opened opened_by(const std::filesystem::path& path) {
  std::array<char, 12> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  if (head[8] < 3) return Opened::no;
  if ((head[11] & 4) != 0) return Opened::swmr;
  return (head[11] & 1) != 0 ? Opened::exclusively : Opened::no;
}

Handle file_access() {
  silence_hdf5();
  Handle access(H5Pcreate(H5P_FILE_ACCESS));
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  check(H5Pset_file_locking(access, false, true));  // Lock is used instead
  // Write slots immediately. The library would buffer small ones until their dataset is closed, and so report a full disk only
  // after the commit.
  check(H5Pset_sieve_buf_size(access, 0));
  return access;
}

Handle open_file(const std::filesystem::path& path, unsigned flags) {
  const Handle access = file_access();
  // In SWMR mode the library rereads metadata whose checksum does not match, and sleeps 1 ns, 2 ns, 4 ns, … in between: 28 attempts
  // take a quarter of a second; its default of 100 would never end.
  if ((flags & H5F_ACC_SWMR_READ) != 0) check(H5Pset_metadata_read_attempts(access, Lock::held(path) ? 28 : 1));
  return Handle(H5Fopen(path.c_str(), flags, access));
}

/// Opens for reading. If this process already has the file open, the mode must be the same, so both modes are tried.
Handle open_reading(const std::filesystem::path& path, bool swmr) {
  const unsigned plain_flags = H5F_ACC_RDONLY, swmr_flags = H5F_ACC_RDONLY | H5F_ACC_SWMR_READ;
  try {
    return open_file(path, swmr ? swmr_flags : plain_flags);
  } catch (const Failure&) {
    try {
      return open_file(path, swmr ? plain_flags : swmr_flags);
    } catch (const Failure&) {  // report the first failure
    }
    throw;
  }
}

// Clears the flags of a killed writer and corrects the end of file, which is that of the last flush. Data are verified elsewhere
// by their checksums. The caller must hold the lock, since a live writer would not be noticed.
void recover(const std::filesystem::path& path) {
  const Handle access = file_access();
  const hbool_t yes = true;
  check(H5Pset(access, "clear_status_flags", &yes));
  check(H5Pset(access, "skip_eof_check", &yes));
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
  // The library's end of file may be beyond what was written. If the disk has no room for it, the library would notice only after it
  // has cleared the flags, and leave a file that cannot be opened.
  haddr_t end = 0;
  check(H5Fget_eoa(file, &end));
  std::error_code error;
  if (std::filesystem::file_size(path, error) < end) std::filesystem::resize_file(path, end, error);
  if (error) {
    file.abandon();
    throw CallFailure(error.message(), error.value());
  }
  check(H5Fincrement_filesize(file, 0));
  close_synced(file);
}

}  // namespace

void silence_hdf5() {
  thread_local const bool quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(quiet);
}

Lock::Lock(const std::filesystem::path& path) : descriptor_(::open(path.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) throw CallFailure(std::strerror(errno), errno);
  struct flock whole = whole_file();
  if (::fcntl(descriptor_, F_OFD_SETLK, &whole) == 0) return;
  const int reason = errno;
  if (reason != EAGAIN && reason != EACCES) {
    warning_ = "this file system refuses locks (" + std::string(std::strerror(reason)) +
               "): nothing keeps a second writer out of " + path.string();
    return;
  }
  ::close(descriptor_);
  throw Busy("another orrery is writing it: wait for it, or stop it");
}

Lock::Lock(Lock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), warning_(std::move(other.warning_)) {}

Lock& Lock::operator=(Lock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(warning_, other.warning_);
  return *this;
}

Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool Lock::held(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct flock whole = whole_file();
  const bool held = descriptor >= 0 && ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
  if (descriptor >= 0) ::close(descriptor);
  return held;
}

void Lock::sync() const {
  hdf5::sync(descriptor_);
}

void Lock::begin_sync() const {
  (void)::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
}

bool Lock::is_same_file(const std::filesystem::path& path) const {
  struct stat mine {
  }, there{};
  if (::stat(path.c_str(), &there) != 0) return errno != ENOENT && errno != ENOTDIR;
  return ::fstat(descriptor_, &mine) != 0 || (mine.st_ino == there.st_ino && mine.st_dev == there.st_dev);
}

void require_hdf5(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) throw Error(path.string() + ": no such file", Fault::request);
  if (fs::is_directory(path)) {
    const fs::path within = path / "run.h5";
    const auto is_run = [](const fs::path& member) { return fs::exists(member / "run.h5"); };
    const bool sweep = std::any_of(fs::directory_iterator(path), fs::directory_iterator(), is_run);
    throw Failure(fs::exists(within) ? "a folder, not a trajectory; in it is " + within.string()
                  : sweep            ? "a sweep's folder: name its runs, " + (path / "*" / "run.h5").string()
                                     : "a folder, not a trajectory");
  }
  struct stat now {};
  const char* what = ::stat(path.c_str(), &now) == 0 ? special_file_type(now.st_mode) : nullptr;
  if (what != nullptr) throw Failure(std::string("is ") + what + ", not an ordinary file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Failure(std::strerror(errno));
  std::array<char, hdf5_signature.size()> signature{};
  if (!in.read(signature.data(), 1)) throw Failure("the file is empty");
  in.read(signature.data() + 1, signature.size() - 1);
  if (std::string_view(signature.data(), signature.size()) == hdf5_signature) return;
  if (path.extension() == ".toml")
    throw Failure("not an HDF5 file but a scenario: `orrery run " + quoted(path) + "` makes " +
                  (path.stem() / "run.h5").string());
  for (const auto& [first, ending] : {std::pair("\211PNG", ".png"), {"%PDF", ".pdf"}, {"GIF8", ".gif"}}) {
    if (std::memcmp(signature.data(), first, 4) != 0) continue;
    throw Failure(
        path.extension() == ending
            ? "not an HDF5 file but a picture: if orrery drew it, `orrery simulate " + quoted(path) + "` makes its run"
            : "not an HDF5 file but a picture without its extension: rename it to " + path.stem().string() + ending);
  }
  throw Failure("not an HDF5 file");
}

Lock create_file(const std::filesystem::path& path, const std::function<void(hid_t file)>& fill) {
  if (std::filesystem::exists(symlink_status(path))) throw Failure("it exists already: give another name");
  try {
    NewFile draft(path);
    Lock lock(draft.path());
    const Handle access = file_access();
    const Handle creation(H5Pcreate(H5P_FILE_CREATE));
    hdf5::reserve_links(creation, 16);
    // Metadata blocks smaller than a page do not cross pages: a kill can split a write only there.
    check(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1));
    check(H5Pset_file_space_page_size(creation, 4096));
    Handle file(H5Fcreate(draft.path().c_str(), H5F_ACC_TRUNC, creation, access));
    fill(file);
    file.close();
    lock.sync();
    if (!draft.rename_to_new(path)) throw Busy("another orrery made it just now: give the same command again");
    sync_folder(path);
    return lock;
  } catch (const std::system_error& failure) {
    throw CallFailure(failure.code().message(), failure.code().value());
  }
}

bool needs_recovery(const std::filesystem::path& path) {
  constexpr std::streamoff end_of_file = 28;  // offset in superblock versions 2 and 3
  std::uint64_t end = 0;
  std::ifstream(path, std::ios::binary).seekg(end_of_file).read(reinterpret_cast<char*>(&end), sizeof end);
  return opened_by(path) != Opened::no || std::filesystem::file_size(path) != end;
}

Handle open_swmr(const std::filesystem::path& path) {
  return open_file(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE);
}

Handle open_exclusive(const std::filesystem::path& path) {
  require_hdf5(path);
  if (needs_recovery(path)) recover(path);
  return open_file(path, H5F_ACC_RDWR);
}

void close_synced(Handle& file) {
  try {
    hdf5::flush_and_sync(file);
  } catch (const Failure&) {
    file.abandon();
    throw;
  }
  file.close();
}

Handle open_to_read(const std::filesystem::path& path) {
  require_hdf5(path);
  for (int patience = 100;; --patience) {
    const Opened state = opened_by(path);
    try {
      if (state == Opened::exclusively) {
        // A live writer has it open like this for a moment, when it resumes and finishes; a killed one forever.
        const Lock lock(path);
        recover(path);
      }
      return open_reading(path, state == Opened::swmr);
    } catch (const Failure&) {
      if (patience == 0 || (state != Opened::exclusively && opened_by(path) == state)) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

}  // namespace orrery::pipeline::trajectory
