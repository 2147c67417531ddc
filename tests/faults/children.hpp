// SPDX-License-Identifier: MIT
// Work in a child process whose writing to one file goes wrong as ordered; and what the child said before it ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace orrery::pipeline::testing {

/// What faulty_io does to the calls that write to a file; see there.
struct Fault {
  std::string what{};   ///< kill, tear, page, fail, short, sleep; empty: nothing
  long at = 1;          ///< the first call that it happens to
  long times = 0;       ///< 0: from then on
  std::string calls{};  ///< the kinds that count; empty: all
  int error = 0;
  long seed = 0;
};

/// One call that writes, as faulty_io tells it.
struct Call {
  std::string kind;
  std::size_t size = 0;
  std::size_t pages = 0;  ///< ends of pages of the file that it crosses
};

/// How a child ended.
struct End {
  int signal = 0;               ///< that ended it
  int code = 0;                 ///< 0, or 1 where its work threw
  std::int64_t committed = -1;  ///< the last step that it reported
  std::string complaint{};      ///< what the work threw
};

/// Hears of every step that is committed.
using Report = std::function<void(std::int64_t step)>;
using Work = std::function<void(const Report& committed)>;

/// Whether faulty_io is there; without it faults do not happen.
bool faults_are_possible();
/// Does `work` in a child, with its memory limited; whoever takes longer than `seconds` is ended by SIGALRM.
End in_child(const std::filesystem::path& file, const Fault& fault, const Work& work, unsigned seconds = 120);
/// The same, killed after so many microseconds.
End killed_after(std::int64_t microseconds, const Work& work);
/// The calls with which `work` writes to `file`, when nothing goes wrong.
std::vector<Call> calls_of(const std::filesystem::path& file, const Work& work);
/// Everything that `work` does to `file`, undisturbed, into a file for Journal, with a mark for every step that is committed.
void write_journal(const std::filesystem::path& file, const std::filesystem::path& journal, const Work& work);

}  // namespace orrery::pipeline::testing
