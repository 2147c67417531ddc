// SPDX-License-Identifier: MIT
// A library to preload: writes of a program to one file fail, tear, are slow or kill it, at a chosen call.
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>

#include "tests/faults/journal.hpp"

// clang-format off
// Environment variables, read at the first call after FAULTY_IO_FILE is set, so that a forked child can set them itself:
//   FAULTY_IO_FILE     calls count for files whose path begins with this: run.h5 and run.h5.part-x7Gq1k
//   FAULTY_IO_LOG      a log with a line for every counted call: "write 96 0" (size, page boundaries crossed), …
//   FAULTY_IO_JOURNAL  a record of every change of the file, with its bytes, and every sync: see journal.hpp.
//                      faulty_io_mark() inserts marks
//   FAULTY_IO_DO       kill | tear | page | fail | short | sleep; unset: only log. A torn write ends anywhere; `page`
//                      ends it at a page boundary of the file, the only place where a kill can interrupt the kernel's
//                      write
//   FAULTY_IO_AT       the first affected call (1: the first); kill, tear and page act once
//   FAULTY_IO_CALLS    the counted calls: "write", "truncate", "sync", "rename", or several of them; unset: all
//   FAULTY_IO_ERRNO    the errno of `fail`
//   FAULTY_IO_TIMES    how often it fails; unset: at all later calls
//   FAULTY_IO_SEED     selects which part of a torn write is done before the kill
//   FAULTY_IO_SLEEP    microseconds
// clang-format on
namespace {

using orrery::pipeline::testing::Entry;
using orrery::pipeline::testing::JournalHead;
using Size = std::size_t;
constexpr Size kPage = 4096;

enum class Fault { none, kill, tear, page, fail, short_count, sleep };

struct Plan {
  const char* file = nullptr;
  const char* calls = nullptr;
  Fault fault = Fault::none;
  long at = 0, times = 0;
  int error = 0, log = -1, journal = -1;
  std::uint64_t seed = 0;
  useconds_t pause = 0;
};

long number(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

Fault fault_named(const char* name) {
  const std::string_view text = name == nullptr ? "" : name;
  if (text == "kill") return Fault::kill;
  if (text == "tear") return Fault::tear;
  if (text == "page") return Fault::page;
  if (text == "fail") return Fault::fail;
  if (text == "short") return Fault::short_count;
  if (text == "sleep") return Fault::sleep;
  return Fault::none;
}

int opened(const char* name) {
  const char* path = std::getenv(name);
  return path == nullptr ? -1 : ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

Plan read_plan() {
  Plan plan;
  plan.file = std::getenv("FAULTY_IO_FILE");
  plan.calls = std::getenv("FAULTY_IO_CALLS");
  plan.fault = fault_named(std::getenv("FAULTY_IO_DO"));
  plan.at = number("FAULTY_IO_AT", 1);
  plan.times = number("FAULTY_IO_TIMES", 1L << 40);
  plan.error = static_cast<int>(number("FAULTY_IO_ERRNO", ENOSPC));
  plan.seed = static_cast<std::uint64_t>(number("FAULTY_IO_SEED", 0));
  plan.pause = static_cast<useconds_t>(number("FAULTY_IO_SLEEP", 1000));
  plan.log = opened("FAULTY_IO_LOG");
  plan.journal = opened("FAULTY_IO_JOURNAL");
  return plan;
}

std::mutex planning;
bool planned = false;  // since faulty_io_forget()
std::atomic<long> calls = 0;

// Null until FAULTY_IO_FILE is set.
const Plan* plan() {
  if (std::getenv("FAULTY_IO_FILE") == nullptr) return nullptr;
  static Plan kept;
  const std::lock_guard lock(planning);
  if (!planned) kept = read_plan();
  planned = true;
  return &kept;
}

bool concerns(const Plan& what, const char* path) {
  return std::strncmp(path, what.file, std::strlen(what.file)) == 0;
}

// The name of an open file; none: "".
struct Name {
  char path[4096];
  explicit Name(int descriptor) {
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    path[std::max<ssize_t>(::readlink(link, path, sizeof path - 1), 0)] = '\0';
  }
};

bool concerns(const Plan& what, int descriptor) {
  return concerns(what, Name(descriptor).path);
}

// Whether it is the folder of the file.
bool is_folder(const Plan& what, int descriptor) {
  const Name name(descriptor);
  const Size length = std::strlen(name.path);
  return std::strncmp(what.file, name.path, length) == 0 && what.file[length] == '/' &&
         std::strchr(what.file + length + 1, '/') == nullptr;
}

// The journal only has completed changes, recorded after they are done.
void note(Entry entry, Size place, Size size, const void* data) {
  JournalHead head{entry, place, size};
  const Size bytes = entry == Entry::write || entry == Entry::mark ? size : 0;
  const iovec parts[] = {{&head, sizeof head}, {const_cast<void*>(data), bytes}};
  ::syscall(SYS_writev, plan()->journal, parts, bytes > 0 ? 2 : 1);
}

template <class Where>
bool noted(Where where) {
  const Plan* what = plan();
  return what != nullptr && what->journal >= 0 && concerns(*what, where);
}

// The fault for this call; with the length of the prefix written by a torn or short write of `size` bytes.
struct Fate {
  Fault fault = Fault::none;
  Size prefix = 0;
};

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15u;
  return x ^ (x >> 32);
}

Size part_of(Size size, std::uint64_t seed) {
  const std::uint64_t random = mixed(seed);
  const Size pages = size / kPage;
  if (random % 4 == 0 && pages > 0) return std::min(size - 1, kPage * (1 + random / 4 % pages));
  if (random % 4 == 1) return 1;
  if (random % 4 == 2) return size - 1;
  return size / 2;
}

// The bytes up to one of the page boundaries crossed by a write of `size` bytes at `place`; 0: it crosses none.
Size up_to_page(Size size, Size place, std::uint64_t seed) {
  const Size first = kPage - place % kPage;
  if (first >= size) return 0;
  return first + kPage * (mixed(seed) % ((size - first - 1) / kPage + 1));
}

template <class Where>
Fate fate_of(const char* kind, Where where, Size size, Size place = 0) {
  const Plan* what = plan();
  if (what == nullptr || !concerns(*what, where)) return {};
  if (what->calls != nullptr && std::strstr(what->calls, kind) == nullptr) return {};
  const long k = ++calls;
  if (what->log >= 0) {
    char line[64];
    const Size pages = size == 0 ? 0 : (place + size - 1) / kPage - place / kPage;
    const int length = std::snprintf(line, sizeof line, "%s %zu %zu\n", kind, size, pages);
    ::syscall(SYS_write, what->log, line, length);
  }
  if (k < what->at || k - what->at >= what->times) return {};
  if (what->fault == Fault::kill && k == what->at) ::raise(SIGKILL);
  if (what->fault == Fault::sleep) ::usleep(what->pause);
  const std::uint64_t seed = what->seed + static_cast<std::uint64_t>(k);
  if (what->fault == Fault::page) return {Fault::tear, up_to_page(size, place, seed)};
  return {what->fault, size < 2 ? size : part_of(size, seed)};
}

// Carries out a write with its fault; `work(count)` writes that many bytes.
template <class Work>
ssize_t written(int descriptor, const void* data, Size size, off_t place, Work work) {
  const Fate fate = fate_of("write", descriptor, size, static_cast<Size>(place));
  if (fate.fault == Fault::tear) {
    work(fate.prefix);
    ::raise(SIGKILL);
  }
  if (fate.fault == Fault::fail) {
    errno = plan()->error;
    return -1;
  }
  const ssize_t count = work(fate.fault == Fault::short_count ? fate.prefix : size);
  if (count > 0 && noted(descriptor)) note(Entry::write, static_cast<Size>(place), static_cast<Size>(count), data);
  return count;
}

template <class Where, class Work>
int done(const char* kind, Entry entry, Where where, Work work, Size size = 0) {
  const Fate fate = fate_of(kind, where, 0);
  if (fate.fault == Fault::fail) {
    errno = plan()->error;
    return -1;
  }
  const bool counts = noted(where);  // a file that was renamed has another name
  const int result = work();
  if (result == 0 && counts) note(entry, 0, size, nullptr);
  if (fate.fault == Fault::tear) ::raise(SIGKILL);  // there is no half of it: after it, then
  return result;
}

}  // namespace

// Names and types are those of the C library.
extern "C" {
#pragma GCC visibility push(default)

int faulty_io_is_loaded() {
  return 1;
}

/// The environment is read again at the next call: for the child of a process that had a plan itself.
void faulty_io_forget() {
  planned = false;
  calls = 0;
}

void faulty_io_mark(const char* text) {
  if (plan() != nullptr && plan()->journal >= 0) note(Entry::mark, 0, std::strlen(text), text);
}

ssize_t write(int descriptor, const void* data, Size size) {
  const off_t place = std::max<off_t>(::lseek(descriptor, 0, SEEK_CUR), 0);
  return written(descriptor, data, size, place, [&](Size n) { return ::syscall(SYS_write, descriptor, data, n); });
}

ssize_t pwrite(int descriptor, const void* data, Size size, off_t place) {
  return written(descriptor, data, size, place,
                 [&](Size n) { return ::syscall(SYS_pwrite64, descriptor, data, n, place); });
}

ssize_t pwrite64(int descriptor, const void* data, Size size, off64_t place) {
  return pwrite(descriptor, data, size, place);
}

int ftruncate(int descriptor, off_t size) noexcept {
  const auto work = [&] { return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size)); };
  return done("truncate", Entry::truncate, descriptor, work, static_cast<Size>(size));
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  return ftruncate(descriptor, size);
}

int truncate(const char* path, off_t size) noexcept {
  const auto work = [&] { return static_cast<int>(::syscall(SYS_truncate, path, size)); };
  return done("truncate", Entry::truncate, path, work, static_cast<Size>(size));
}

int truncate64(const char* path, off64_t size) noexcept {
  return truncate(path, size);
}

int fdatasync(int descriptor) {
  return done("sync", Entry::sync, descriptor, [&] { return static_cast<int>(::syscall(SYS_fdatasync, descriptor)); });
}

int fsync(int descriptor) {
  const auto work = [&] { return static_cast<int>(::syscall(SYS_fsync, descriptor)); };
  if (plan() == nullptr || plan()->journal < 0 || !is_folder(*plan(), descriptor))
    return done("sync", Entry::sync, descriptor, work);
  const int result = work();
  if (result == 0) note(Entry::folder_sync, 0, 0, nullptr);
  return result;
}

int rename(const char* from, const char* to) noexcept {
  return done("rename", Entry::rename, from,
              [&] { return static_cast<int>(::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to)); });
}

int renameat2(int there, const char* from, int here, const char* to, unsigned flags) noexcept {
  return done("rename", Entry::rename, from,
              [&] { return static_cast<int>(::syscall(SYS_renameat2, there, from, here, to, flags)); });
}

#pragma GCC visibility pop
}  // extern "C"
