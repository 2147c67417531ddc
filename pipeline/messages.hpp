// SPDX-License-Identifier: MIT
// Where a function of the library sends what it has to say while it works; a command shows it, a test collects it.
#pragma once

#include <memory>
#include <string>

#include "pipeline/printable.hpp"

namespace orrery::pipeline {

/// One line about work in progress, which the next text replaces.
class ProgressLine {
 public:
  virtual ~ProgressLine() = default;
  /// Whether it is time for another text; those between are not shown.
  [[nodiscard]] virtual bool due() const = 0;
  virtual void show(const std::string& text) = 0;
  virtual void clear() = 0;
};

/// Receives messages; this one drops them all. Texts among the values are made printable; no message ends with a line end.
class Messages {
 public:
  virtual ~Messages() = default;

  /// What was done: `--quiet` hides it.
  template <class... Values>
  void info(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::info, format_printable<Values...>(format, values...));
  }
  /// What was asked for.
  template <class... Values>
  void result(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::result, format_printable<Values...>(format, values...));
  }
  /// What is left out, or still to be done; not among the results, and hidden by `--quiet`.
  template <class... Values>
  void note(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::note, format_printable<Values...>(format, values...));
  }
  /// What went otherwise than asked, or what to do next.
  template <class... Values>
  void warning(fmt::format_string<Values...> format, const Values&... values) {
    write(Kind::warning, format_printable<Values...>(format, values...));
  }
  /// The line on how far work has come; null where nobody watches. `at_once`: the first text need not wait.
  [[nodiscard]] virtual std::unique_ptr<ProgressLine> progress_line([[maybe_unused]] bool at_once = false) {
    return nullptr;
  }

 protected:
  enum class Kind { info, result, note, warning };

 private:
  virtual void write(Kind /*kind*/, const std::string& /*line*/) {}
};

}  // namespace orrery::pipeline
