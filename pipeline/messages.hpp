// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "pipeline/printable.hpp"

namespace orrery::pipeline {

/// A line about work in progress; each text replaces the one before.
class ProgressLine {
 public:
  virtual ~ProgressLine() = default;
  /// Returns whether it is time for another text. Texts in between need not be made.
  [[nodiscard]] virtual bool due() const = 0;
  virtual void show(const std::string& text) = 0;
  /// Called before each text: the part of the work that is done, from 0 to 1, and what it is a part of.
  virtual void reach(double /*fraction*/, const std::string& /*what*/) {}
  virtual void clear() = 0;
};

/// Receives the messages of library functions: commands print them, tests collect them, and this class drops them.
/// Texts among the values are made printable. Messages have no line end.
class Messages {
 public:
  virtual ~Messages() = default;

  /// What was done. Hidden by `--quiet`.
  template <class... Values>
  void info(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::info, format_printable<Values...>(format, values...));
  }
  /// The requested result.
  template <class... Values>
  void result(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::result, format_printable<Values...>(format, values...));
  }
  /// What is left out or remains to be done; printed to stderr. Hidden by `--quiet`.
  template <class... Values>
  void note(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::note, format_printable<Values...>(format, values...));
  }
  /// What failed or differs from the request, and what to do.
  template <class... Values>
  void warning(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::warning, format_printable<Values...>(format, values...));
  }
  /// Returns a line for progress, or null if progress is not shown. `at_once`: the first text is due at once.
  [[nodiscard]] virtual std::unique_ptr<ProgressLine> progress_line([[maybe_unused]] bool at_once = false) {
    return nullptr;
  }

 protected:
  enum class Kind { info, result, note, warning };

 private:
  virtual void write(Kind /*kind*/, const std::string& /*line*/) {}
};

}  // namespace orrery::pipeline
