// SPDX-License-Identifier: MIT
// The small grammar of times: number [/ number] [period(s) | crossing time(s) | rotation(s) | free-fall time(s)].
#include "pipeline/scenario/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace orrery::pipeline {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  double number() {
    skip_blanks();
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) wrong();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    skip_blanks();
    while (!rest_.empty() && rest_.back() == ' ') rest_.remove_suffix(1);
    return rest_;
  }
  [[noreturn]] void wrong() const {
    throw std::invalid_argument(
        fmt::format("\"{}\" is no time: write a number, \"1/1000 period\", \"20 periods\", \"5 crossing "
                    "times\", \"3 rotations\" or \"2 free-fall times\"",
                    text_));
  }

 private:
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string_view text_, rest_;
};

}  // namespace

Duration parse_duration(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return {.numerator = *number};
  Reader reader(std::get<std::string>(value));
  Duration duration;
  duration.numerator = reader.number();
  if (reader.accept('/')) duration.denominator = reader.number();
  const std::string_view unit = reader.word();
  constexpr std::string_view timescales[] = {"period",   "periods",   "crossing time",  "crossing times",
                                             "rotation", "rotations", "free-fall time", "free-fall times"};
  duration.of_timescale = std::ranges::find(timescales, unit) != std::end(timescales);
  if ((!unit.empty() && !duration.of_timescale) || duration.denominator == 0) reader.wrong();
  return duration;
}

double time_of(const Section& section, std::string_view key, double timescale) {
  return time_of(section, key, *section->find(key), timescale);
}

std::vector<double> times_of(const Section& section, std::string_view key, double timescale) {
  const Value& value = *section->find(key);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) return *numbers;
  std::vector<double> times;
  for (const std::string& text : std::get<std::vector<std::string>>(value))
    times.push_back(time_of(section, fmt::format("{}[{}]", key, times.size()), text, timescale));
  return times;
}

double time_of(const Section& section, std::string_view key, const Value& value, double timescale) {
  try {
    const Duration duration = parse_duration(value);
    if (duration.of_timescale && !(timescale > 0)) {
      section.complain(key, "these bodies have no period of their own: write the time as a number");
    }
    const double time = duration.in_time(timescale);
    if (!std::isfinite(time)) section.complain(key, fmt::format("`{}` is out of range", key));
    return time;
  } catch (const std::invalid_argument& error) {
    section.complain(key, error.what());
  }
}

}  // namespace orrery::pipeline
