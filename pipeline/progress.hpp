// SPDX-License-Identifier: MIT
// How far long work has come, and how long the rest will take.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "pipeline/messages.hpp"

namespace orrery::pipeline {

/// "1.2e+09" as people say it: 1.20 G.
std::string with_prefix(double value);
/// "1.2 GB".
std::string in_bytes(double bytes);
/// "2 h 05 min", "1 min 20 s", "3.2 s", "41 µs".
std::string in_words(std::chrono::duration<double> time);

class Progress {
 public:
  /// `what` opens the line. What is over soon gets no line.
  Progress(std::string what, Messages& messages) : what_(std::move(what)), line_(messages.progress_line()) {}

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
  void clear() {
    if (line_ != nullptr) line_->clear();
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool due() const { return line_ != nullptr && line_->due(); }
  void draw(double of_part, const std::string& details);

  std::string what_;
  bool in_parts_ = false;
  std::unique_ptr<ProgressLine> line_;
  double start_ = 0, low_ = 0, high_ = 1;
  Clock::time_point begin_ = Clock::now(), part_begin_ = begin_;
};

}  // namespace orrery::pipeline
