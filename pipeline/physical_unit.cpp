// SPDX-License-Identifier: MIT
#include "pipeline/physical_unit.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
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

}  // namespace

PhysicalUnit::PhysicalUnit(std::string_view h5md) {
  for (std::string_view rest = h5md; !rest.empty();) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    const auto [symbol, power] = factor_of(rest.substr(0, blank));
    if (symbol.empty() || powers_.contains(symbol)) {
      powers_ = {{std::string(h5md), 1}};
      return;
    }
    powers_.emplace(symbol, power);
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
}

std::string PhysicalUnit::h5md() const {
  std::string text;
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
  std::string above, below;
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
