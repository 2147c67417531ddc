// SPDX-License-Identifier: MIT
#include "pipeline/validate/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pipeline/measure/columns.hpp"

namespace orrery::pipeline {
namespace {

std::string_view name_of(Bound::Kind kind) {
  constexpr std::string_view names[] = {"at most", "at least", "within", "shown"};
  return names[static_cast<int>(kind)];
}

}  // namespace

bool Bound::holds(double measured) const {
  switch (kind) {
    case Kind::at_most:
      return measured <= value;
    case Kind::at_least:
      return measured >= value;
    case Kind::within:
      return std::abs(measured - value) <= tolerance;
    case Kind::shown:
      return true;
  }
  return false;
}

std::string Bound::text() const {
  switch (kind) {
    case Kind::at_most:
      return "≤ " + in_short(value);
    case Kind::at_least:
      return "≥ " + in_short(value);
    case Kind::within:
      return fmt::format("{} ± {}", measured_text(value), in_short(tolerance));
    case Kind::shown:
      return "";
  }
  return "";
}

std::string Bound::measured_text(double measured) const {
  if (kind != Kind::within || !std::isfinite(measured)) return in_short(measured);
  const int digits = static_cast<int>(std::ceil(std::log10(std::abs(value) / tolerance))) + 2;
  return fmt::format("{:.{}g}", measured, std::clamp(digits, 3, 17));
}

std::string in_short(double number) {
  if (number == 0) return "0";
  const double size = std::abs(number);
  return size >= 0.01 && size < 1e5 ? fmt::format("{:.5g}", number) : fmt::format("{:.2g}", number);
}

std::string table(const std::vector<Check>& checks) {
  std::string text;
  for (std::size_t begin = 0; begin < checks.size();) {
    std::vector<Column> columns{{"", true},         {"integrator", true}, {"orbit", true},
                                {"measured", true}, {"", false},          {"bound", true}};
    std::vector<std::string> remarks;
    std::size_t end = begin;
    for (; end < checks.size() && checks[end].suite == checks[begin].suite; ++end) {
      const Check& check = checks[end];
      add_row(columns, {check.passed() ? "" : "FAILS", check.integrator, check.orbit, check.what,
                        check.bound.measured_text(check.measured), check.bound.text()});
      remarks.push_back(check.passed() ? "" : check.why);
    }
    text += fmt::format("\n{}\n{}", checks[begin].suite, aligned(std::move(columns), remarks));
    begin = end;
  }
  return text;
}

std::vector<Arguments> records(const std::vector<Check>& checks) {
  std::vector<Arguments> all;
  for (const Check& check : checks) {
    Arguments record{{"suite", check.suite},       {"integrator", check.integrator},
                     {"orbit", check.orbit},       {"what", check.what},
                     {"measured", check.measured}, {"bound", std::string(name_of(check.bound.kind))},
                     {"why", check.why},           {"passed", check.passed()}};
    if (check.bound.kind != Bound::Kind::shown) record.set("value", check.bound.value);
    if (check.bound.kind == Bound::Kind::within) record.set("tolerance", check.bound.tolerance);
    all.push_back(std::move(record));
  }
  return all;
}

}  // namespace orrery::pipeline
