// SPDX-License-Identifier: MIT
// Runs work in a child process whose writes to one file fail as specified, and collects what the child reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace orrery::pipeline::testing {

/// What faulty_io.cpp does to the calls that write to a file.
struct Fault {
  std::string what{};   ///< kill, tear, page, fail, short, sleep; empty: nothing
  long at = 1;          ///< the first call affected
  long times = 0;       ///< 0: all later calls too
  std::string calls{};  ///< the kinds that count; empty: all
  int error = 0;
  long seed = 0;
};

/// One write call, as reported by faulty_io.
struct Call {
  std::string kind;
  std::size_t size = 0;
  std::size_t pages = 0;  ///< page boundaries of the file that it crosses
};

/// How a child ended.
struct End {
  int signal = 0;               ///< that terminated it; 0: none
  int code = 0;                 ///< 0, or 1 if its work threw
  std::int64_t committed = -1;  ///< the last step that it reported
  std::string complaint{};      ///< what the work threw
};

/// Called with every committed step.
using Report = std::function<void(std::int64_t step)>;
using Work = std::function<void(const Report& committed)>;

/// Whether faulty_io is loaded; without it no faults are injected.
bool faults_are_possible();
/// Runs `work` in a child with limited memory; SIGALRM terminates it after `seconds`.
End in_child(const std::filesystem::path& file, const Fault& fault, const Work& work, unsigned seconds = 120);
/// The same, killed after the given number of microseconds.
End killed_after(std::int64_t microseconds, const Work& work);
/// The calls with which `work` writes to `file` without faults.
std::vector<Call> calls_of(const std::filesystem::path& file, const Work& work);
/// Records everything that `work` does to `file` without faults, for Journal, with a mark for every committed step.
void write_journal(const std::filesystem::path& file, const std::filesystem::path& journal, const Work& work);

}  // namespace orrery::pipeline::testing
