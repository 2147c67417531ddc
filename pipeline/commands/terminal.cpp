// SPDX-License-Identifier: MIT
#include "pipeline/commands/terminal.hpp"

#include <unistd.h>

#include <utility>

namespace orrery::pipeline {

using namespace std::chrono_literals;

void say_lines(std::FILE* stream, std::string_view text) {
  if (stream == stderr) std::fflush(stdout);  // keeps the order if both streams go to one file
  fmt::print(stream, "{}", printable(text, Lines::several));
}

void say_lines(std::string_view text) {
  say_lines(stdout, text);
}

LiveLine::LiveLine(std::FILE* stream, bool at_once)
    : stream_(stream), terminal_(isatty(fileno(stream)) == 1), next_(Clock::now()) {
  if (!at_once) next_ += terminal_ ? 200ms : 10s;
}

void LiveLine::show(const std::string& text) {
  next_ = Clock::now() + (terminal_ ? 100ms : 10s);
  // Failures to show progress are ignored.
  const std::string line = printable(text);
  std::fputs(fmt::format("{}{}{}", terminal_ ? "\r\033[K" : "", line, terminal_ ? "" : "\n").c_str(), stream_);
  std::fflush(stream_);
  shown_ = terminal_;
}

void LiveLine::clear() {
  if (!std::exchange(shown_, false)) return;
  std::fputs("\r\033[K", stream_);
  std::fflush(stream_);
}

std::unique_ptr<ProgressLine> Terminal::progress_line(bool at_once) {
  return quiet_ ? nullptr : std::make_unique<LiveLine>(stderr, at_once);
}

void Terminal::enter(Phase phase) {
  if (phase == Phase::orderly) {
    interrupts_.push_back(std::make_unique<Interrupt>());
  } else {
    begin_watching();
  }
}

void Terminal::leave(Phase phase, std::chrono::duration<double> took) {
  if (phase == Phase::orderly) {
    interrupts_.pop_back();
  } else {
    end_watching(phase == Phase::stepping ? took : 0s);
  }
}

void Terminal::write(Kind kind, const std::string& line) {
  if (quiet_ && (kind == Kind::info || kind == Kind::note)) return;
  if (kind == Kind::info || kind == Kind::result) {
    say("{}\n", line);
  } else {
    say(stderr, "orrery: {}\n", line);
  }
}

}  // namespace orrery::pipeline
