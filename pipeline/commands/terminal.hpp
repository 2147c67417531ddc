// SPDX-License-Identifier: MIT
// Everything that the program prints goes through here: results to stdout, messages and progress to stderr.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/messages.hpp"

namespace orrery::pipeline {

/// `text`, of several lines, to a stream. Throws std::system_error where it cannot be written.
void say_lines(std::FILE* stream, std::string_view text);
void say_lines(std::string_view text);

/// As fmt::print, of texts and numbers; each text on one line, so that only `format` ends lines. Throws std::system_error.
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, const Values&... values) {
  say_lines(stream, format_printable<Values...>(format, values...));
}
template <class... Values>
void say(fmt::format_string<Values...> format, const Values&... values) {
  say<Values...>(stdout, format, values...);
}

/// A line that is redrawn on a terminal, ten times a second at most; elsewhere every text is a line of its own, one in
/// ten seconds.
class LiveLine : public ProgressLine {
 public:
  /// The first text may come `at_once`, or as late as if there had been one already.
  LiveLine(std::FILE* stream, bool at_once);
  /// Clears what is left of the line on a terminal.
  ~LiveLine() override { LiveLine::clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  [[nodiscard]] bool due() const override { return Clock::now() >= next_; }
  void show(const std::string& text) override;
  void clear() override;

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  bool terminal_, shown_ = false;
  Clock::time_point next_;
};

/// Messages to the two streams; where `quiet`, neither information nor progress.
class Terminal : public Messages {
 public:
  explicit Terminal(bool quiet = false) : quiet_(quiet) {}
  [[nodiscard]] std::unique_ptr<ProgressLine> progress_line(bool at_once) override;

 private:
  void write(Kind kind, const std::string& line) override;

  bool quiet_;
};

}  // namespace orrery::pipeline
