// SPDX-License-Identifier: MIT
#include "pipeline/physical_unit.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace orrery::pipeline {
namespace {

/// Returns the symbol and the power of a factor such as "km-1"; an empty symbol if it is malformed.
std::pair<std::string_view, int> factor_of(std::string_view word) {
  std::size_t letters = 0;
  while (letters < word.size() && std::isalpha(static_cast<unsigned char>(word[letters])) != 0) ++letters;
  std::string_view digits = word.substr(letters);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int power = 1;
  const char* end = digits.data() + digits.size();
  if (!digits.empty()) {
    const auto [stop, error] = std::from_chars(digits.data(), end, power);
    if (error != std::errc() || stop != end || power == 0) return {{}, 0};
  }
  return letters == 0 ? std::pair<std::string_view, int>{{}, 0} : std::pair{word.substr(0, letters), power};
}

/// Returns a number as H5MD writes it, an integer or a decimal fraction; 0 for any other word.
double plain_number(std::string_view word) {
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value, std::chars_format::fixed);
  return error == std::errc() && stop == end && value > 0 && std::isfinite(value) ? value : 0;
}

/// "10¹⁰" for a power of ten, else the number.
std::string readable_number(double number) {
  static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  double power_of_ten = 1000;
  for (std::size_t power = 3; power <= 22; ++power, power_of_ten *= 10) {  // 10²² is the last that is a double
    if (number == power_of_ten) return fmt::format("10{}{}", power < 10 ? "" : digits[power / 10], digits[power % 10]);
  }
  return fmt::format("{}", number);
}

}  // namespace

PhysicalUnit::PhysicalUnit(std::string_view h5md) {
  for (std::string_view rest = h5md; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    if (const double number = plain_number(rest.substr(0, blank)); number > 0 && powers_.empty() && factor_ == 1) {
      factor_ = number;
      rest.remove_prefix(std::min(blank + 1, rest.size()));
      continue;
    }
    const auto [symbol, power] = factor_of(rest.substr(0, blank));
    if (symbol.empty() || powers_.contains(symbol)) {
      powers_ = {{std::string(h5md), 1}};
      factor_ = 1;
      return;
    }
    powers_.emplace(symbol, power);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  if (powers_.empty()) factor_ = 1;
}

std::string PhysicalUnit::h5md() const {
  std::string text = factor_ == 1 ? "" : fmt::format("{:f}", factor_);
  if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  for (const bool positive : {true, false}) {
    for (const auto& [symbol, power] : powers_) {
      if ((power > 0) != positive) continue;
      text += fmt::format("{}{}", text.empty() ? "" : " ", symbol);
      if (power != 1) text += fmt::format("{:+}", power);
    }
  }
  return text;
}

std::string PhysicalUnit::readable() const {
  static constexpr std::array<std::string_view, 5> raised{"", "", "²", "³", "⁴"};
  std::string above = factor_ == 1 ? "" : readable_number(factor_), below;
  for (const auto& [symbol, power] : powers_) {
    const auto size = static_cast<std::size_t>(power < 0 ? -power : power);
    const std::string word = fmt::format("{}{}", symbol == "Msun" ? "M☉" : symbol,
                                         size < raised.size() ? std::string(raised[size]) : fmt::format("^{}", size));
    std::string& side = power > 0 ? above : below;
    side += (side.empty() ? "" : " ") + word;
  }
  if (below.empty()) return above;
  return fmt::format("{}/{}", above.empty() ? "1" : above,
                     below.find(' ') == std::string::npos ? below : "(" + below + ")");
}

PhysicalUnit PhysicalUnit::combined(const PhysicalUnit& a, const PhysicalUnit& b, int sign) {
  if (a.empty() || b.empty()) return {};
  PhysicalUnit product = a;
  product.factor_ = sign > 0 ? a.factor_ * b.factor_ : a.factor_ / b.factor_;
  for (const auto& [symbol, power] : b.powers_) {
    int& sum = product.powers_[symbol];
    sum += sign * power;
    if (sum == 0) product.powers_.erase(symbol);
  }
  return product;
}

std::string with_unit(const std::string& number, const PhysicalUnit& unit) {
  return unit.empty() ? number : number + " " + unit.readable();
}

}  // namespace orrery::pipeline
