// SPDX-License-Identifier: MIT
#include "pipeline/formats/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "common/error.hpp"
#include "pipeline/text_encoding.hpp"

namespace orrery::pipeline {

bool TextTable::next_line() {
  blank_ = false;
  while (in_.next_line(line_)) {
    if (in_.line_number() == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);  // UTF-8 byte order mark
    require_utf8(line_, path_.string(), in_.line_number());
    const std::string_view content = trimmed(line_);
    if (content.starts_with('#') && !begun_) comment_ = content;
    if (!content.empty() && content.front() != '#') return true;
    blank_ = blank_ || content.empty();
  }
  return false;
}

std::vector<std::string> TextTable::begin(const std::vector<std::string>& given, const Knows& knows,
                                          std::string_view usual) {
  try {
    if (!next_line()) fail(fmt::format("is empty: the first line names the columns, {}", usual));
    std::optional<char> separator;
    if (line_.starts_with("sep=") && line_.size() == 5) {  // as spreadsheets write it
      separator = line_[4];
      if (!next_line()) fail("has no bodies after its first line");
    }
    separator = separator.value_or(separator_of(line_));
    fields_ = Fields(*separator);
    begun_ = true;
    std::vector<std::string> first = fields_of(line_, *separator);
    columns_ = first.size();
    const auto is_number = [](const std::string& field) { return Decimals().read(field).has_value(); };
    const bool some = std::ranges::any_of(first, is_number), all = std::ranges::all_of(first, is_number);
    again_ = some && (all || !given.empty());  // they are numbers of a body
    blank_ = false;
    if (*separator != ',' && first.size() > 1)
      remarks_.push_back(fmt::format("fields are separated by {}", *separator == ';'    ? "semicolons"
                                                                   : *separator == '\t' ? "tabs"
                                                                                        : "blanks"));
    if (!given.empty()) return given;
    if (!again_) return first;
    std::vector<std::string> names = names_in_comment(knows);
    if (names.size() != first.size()) return {};
    remarks_.push_back(fmt::format("the comment before the first line names the columns: {}", fmt::join(names, ", ")));
    return names;
  } catch (const LineError& error) {
    fail(error.what());
  }
}

std::vector<std::string> TextTable::names_in_comment(const Knows& knows) const {
  const std::string_view text =
      trimmed(std::string_view(comment_).substr(std::min(comment_.find_first_not_of('#'), comment_.size())));
  if (text.find('"') != std::string_view::npos) return {};
  std::vector<std::string> names = fields_of(text, separator_of(text));
  return std::ranges::all_of(names, knows) ? names : std::vector<std::string>();
}

bool TextTable::next_row() {
  if (!std::exchange(again_, false) && !next_line()) return false;
  fields_.begin(line_);
  return true;
}

bool TextTable::next_field(std::string_view& field) {
  try {
    return fields_.next(field);
  } catch (const LineError& error) {
    fail(error.what());
  }
}

std::optional<double> TextTable::number(std::string_view field) {
  try {
    return decimals_.read(field);
  } catch (const LineError& error) {
    fail(error.what());
  }
}

std::vector<std::string> TextTable::remarks() const {
  std::vector<std::string> all = remarks_;
  if (decimals_.commas()) all.emplace_back("numbers have decimal commas");
  return all;
}

void TextTable::fail(const std::string& what) const {
  throw Error(fmt::format("{}:{}: {}", path_.string(), std::max(in_.line_number(), 1U), what), Fault::request);
}

}  // namespace orrery::pipeline
