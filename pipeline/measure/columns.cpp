// SPDX-License-Identifier: MIT
#include "pipeline/measure/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace orrery::pipeline {
namespace {

/// Counts code points, not bytes.
std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](unsigned char c) { return (c & 0xc0U) != 0x80U; }));
}

}  // namespace

void add_row(std::vector<Column>& columns, std::vector<std::string> cells) {
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k].cells.push_back(std::move(cells[k]));
}

std::string aligned(std::vector<Column> columns, const std::vector<std::string>& remarks) {
  std::erase_if(columns, [](const Column& c) {
    return std::ranges::all_of(c.cells, [](const std::string& cell) { return cell.empty(); });
  });
  std::string all;
  const auto line = [&](const auto& cell_of, const std::string& end) {
    std::string text;
    for (const Column& column : columns) {
      std::size_t width = letters(column.name);
      for (const std::string& cell : column.cells) width = std::max(width, letters(cell));
      const std::string& cell = cell_of(column);
      const std::string blanks(width - letters(cell), ' ');
      text += (text.empty() ? "" : "  ") + (column.to_the_left ? cell + blanks : blanks + cell);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    all += text + end + "\n";
  };
  line([](const Column& c) -> const std::string& { return c.name; }, "");
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  for (std::size_t k = 0; k < rows; ++k) {
    const bool remark = k < remarks.size() && !remarks[k].empty();
    line([k](const Column& c) -> const std::string& { return c.cells[k]; }, remark ? "  " + remarks[k] : "");
  }
  return all;
}

std::string percent(double share) {
  return share >= 0.0995 ? fmt::format("{:.0f} %", 100 * share) : fmt::format("{:.2g} %", 100 * share);
}

std::string in_microseconds(double seconds) {
  const double value = 1e6 * seconds;
  return fmt::format("{:.{}f}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.9995 ? 2 : 3);
}

}  // namespace orrery::pipeline
