// SPDX-License-Identifier: MIT
// All output of the program: results to stdout, messages and progress to stderr.
#pragma once

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/commands/interrupt.hpp"
#include "pipeline/context.hpp"

namespace orrery::pipeline {

/// Prints a text of several lines, made printable. Throws std::system_error if it cannot be written.
void say_lines(std::FILE* stream, std::string_view text);
void say_lines(std::string_view text);

/// Prints like fmt::print. Texts among the values are made printable on one line. Throws std::system_error.
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> format, const Values&... values) {
  say_lines(stream, format_printable<Values...>(format, values...));
}
template <class... Values>
void say(fmt::format_string<Values...> format, const Values&... values) {
  say<Values...>(stdout, format, values...);
}

/// A line that is redrawn on a terminal at most ten times a second. On other streams each text is a new line, at most
/// one in ten seconds.
class LiveLine : public ProgressLine {
 public:
  /// The first text is shown `at_once` or after a delay.
  LiveLine(std::FILE* stream, bool at_once);
  /// Clears the line on a terminal.
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

/// The context of a command: prints messages, if `quiet` only results and warnings, and is stopped by signals.
class Terminal : public Context {
 public:
  explicit Terminal(Resources where, bool quiet = false) : Context(std::move(where)), quiet_(quiet) {}
  [[nodiscard]] std::unique_ptr<ProgressLine> progress_line(bool at_once) override;
  [[nodiscard]] bool stopped() const override { return Interrupt::signal() != 0; }
  void enter(Phase phase) override;
  void leave(Phase phase, std::chrono::duration<double> took) override;

 private:
  void write(Kind kind, const std::string& line) override;

  bool quiet_;
  std::vector<std::unique_ptr<Interrupt>> interrupts_{};  ///< one for each nested orderly phase
};

}  // namespace orrery::pipeline
