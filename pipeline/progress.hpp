// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "pipeline/messages.hpp"

namespace orrery::pipeline {

/// Returns a number with an SI prefix: "1.2 G".
std::string with_prefix(double value);
/// Returns "1.2 GB".
std::string in_bytes(double bytes);
/// Returns a duration: "2 h 05 min", "1 min 20 s", "3.2 s", "41 µs".
std::string to_text(std::chrono::duration<double> time);

/// A progress line with the fraction done and the estimated time left.
class Progress {
 public:
  /// `what` starts the line. Short work shows no line.
  Progress(std::string what, Messages& messages) : what_(std::move(what)), line_(messages.progress_line()) {}

  /// Shows that `fraction` of the work is done if a new text is due. Only then calls `details` for more text.
  template <class Details>
  void show(double fraction, const Details& details) {
    if (due()) draw(fraction, in_parts_ ? "" : details());
  }
  void show(double fraction) {
    if (due()) draw(fraction, "");
  }
  /// Sets the fraction from which the time left is estimated, for resumed work. Ignored in parts.
  void starts_at(double fraction) {
    if (!in_parts_) start_ = fraction;
  }
  /// Starts a part of the work, from `low` to `high` of the whole. From now on fractions are of this part, and
  /// `details` are not shown.
  void part(std::string what, double low, double high);
  /// Returns the time since the part began, or the whole.
  [[nodiscard]] std::chrono::duration<double> elapsed() const { return Clock::now() - part_begin_; }
  /// Clears the line on a terminal, for other output.
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
