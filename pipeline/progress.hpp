// SPDX-License-Identifier: MIT
// A line that shows how far long work has come: redrawn on a terminal, now and then a new one elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace orrery::pipeline {

/// "1.2e+09" as people say it: 1.20 G.
std::string with_prefix(double value);
/// "1.2 GB".
std::string in_bytes(double bytes);
/// "2 h 05 min", "1 min 20 s", "3.2 s", "41 µs".
std::string in_words(std::chrono::duration<double> time);

class Progress {
 public:
  /// `what` opens the line. Silent where `quiet`.
  Progress(std::string what, bool quiet);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

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
  void clear() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool due() const { return !quiet_ && Clock::now() >= next_; }
  void draw(double of_part, const std::string& details);

  std::string what_;
  bool quiet_, terminal_, in_parts_ = false;
  double start_ = 0, low_ = 0, high_ = 1;
  Clock::time_point begin_ = Clock::now(), part_begin_ = begin_, next_;
};

}  // namespace orrery::pipeline
