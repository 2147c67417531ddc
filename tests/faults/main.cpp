// SPDX-License-Identifier: MIT
// Restarts itself with faulty_io preloaded, and prints a table of all faults at the end.
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX, setenv
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/faults/children.hpp"

namespace {

class Table : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo& test) override {
    for (int i = 0; i < test.result()->test_property_count(); ++i)
      rows_.emplace_back(test.result()->GetTestProperty(i).value());
  }
  void OnTestProgramEnd(const ::testing::UnitTest&) override {
    if (rows_.empty()) return;
    std::printf("\n%-52s %6s %9s %5s %8s %6s\n", "disturbance", "faults", "committed", "lost", "resumed", "equal");
    for (const auto& row : rows_) std::printf("%s\n", row.c_str());
  }
  std::vector<std::string> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string library = FAULTY_IO;  // empty where a sanitizer must be the first library
  const char* preloaded = ::getenv("LD_PRELOAD");
  if (!library.empty() && (preloaded == nullptr || preloaded != library)) {
    ::setenv("LD_PRELOAD", library.c_str(), 1);
    // A kill leaves what the page cache has: a disk would only be slower. Containers often have little of it.
    constexpr std::uintmax_t enough = std::uintmax_t{1} << 30;
    std::error_code none;
    const bool room = std::filesystem::space("/dev/shm", none).available >= enough && !none;
    if (room && ::access("/dev/shm", W_OK | X_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
    ::execv("/proc/self/exe", argv);
  }
  ::unsetenv("LD_PRELOAD");
  ::testing::InitGoogleTest(&argc, argv);
  ::testing::UnitTest::GetInstance()->listeners().Append(new Table);
  return RUN_ALL_TESTS();
}
