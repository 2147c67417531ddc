// SPDX-License-Identifier: MIT
// A line that shows how far long work has come: redrawn on a terminal, now and then a new one elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

namespace orrery::pipeline {

/// "1.2e+09" as people say it: 1.20 G.
std::string with_prefix(double value);
/// "1.2 GB".
std::string in_bytes(double bytes);
/// "2 h 05 min", "1 min 20 s", "3.2 s", "41 µs".
std::string in_words(std::chrono::duration<double> time);

/// A line that is redrawn on a terminal, ten times a second at most; elsewhere every text is a line of its own, one in
/// ten seconds.
class LiveLine {
 public:
  /// The first text may come `at_once`, or as late as if there had been one already.
  LiveLine(std::FILE* stream, bool at_once);
  /// Clears what is left of the line on a terminal.
  ~LiveLine() { clear(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  /// Whether it is time for another text.
  [[nodiscard]] bool due() const { return Clock::now() >= next_; }
  void show(const std::string& text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* stream_;
  bool terminal_, shown_ = false;
  Clock::time_point next_;
};

class Progress {
 public:
  /// `what` opens the line. Silent where `quiet`. What is over soon gets no line.
  Progress(std::string what, bool quiet) : what_(std::move(what)), quiet_(quiet) {}

  /// Work is done to `fraction`, which was `start` at the outset; shown if the last time is long enough ago.
  /// `details` is called only then.
  template <class Details>
  void show(double fraction, const Details& details) {
    if (due()) draw(fraction, in_parts_ ? "" : details());
  }
  void show(double fraction) {
    if (due()) draw(fraction, "");
  }
  /// For work that goes on from an earlier run: time left is reckoned from here. Of a part, the whole has its own.
  void starts_at(double fraction) {
    if (!in_parts_) start_ = fraction;
  }
  /// From here on fractions are those of a part of the work, from `low` to `high` of the whole. Its line is all that
  /// is shown: `details` are not.
  void part(std::string what, double low, double high);
  /// Since the part began, or the whole.
  [[nodiscard]] std::chrono::duration<double> elapsed() const { return Clock::now() - part_begin_; }
  /// Wipes the line off a terminal, so that something else can stand there.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool due() const { return !quiet_ && line_.due(); }
  void draw(double of_part, const std::string& details);

  std::string what_;
  bool quiet_, in_parts_ = false;
  LiveLine line_{stderr, false};
  double start_ = 0, low_ = 0, high_ = 1;
  Clock::time_point begin_ = Clock::now(), part_begin_ = begin_;
};

}  // namespace orrery::pipeline
