// SPDX-License-Identifier: MIT
#include "pipeline/formats/csv_dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "pipeline/number_text.hpp"
#include "pipeline/text_encoding.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::string_view white = " \t";

struct OtherColumnName {
  std::string_view other, ours;
};
/// In small letters. Coordinates have more forms: see usual_name.
constexpr OtherColumnName other_column_names[] = {
    {"m", "mass"},         {"masses", "mass"},     {"body", "name"},         {"object", "name"},    {"label", "name"},
    {"charges", "charge"}, {"group", "component"}, {"species", "component"}, {"type", "component"}, {"particle", "id"},
    {"ids", "id"},         {"particleid", "id"},   {"particle_id", "id"},    {"index", "id"},       {"t", "time"}};

constexpr std::string_view left_out_columns[] = {"ax",  "ay",  "az",        "a_x",     "a_y", "a_z",       "fx",
                                                 "fy",  "fz",  "f_x",       "f_y",     "f_z", "potential", "phi",
                                                 "pot", "eps", "softening", "density", "rho"};

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  return small;
}

/// The axis of "px", "pos_x", "x_pos" and "position[0]" with one of these prefixes; '\0' if there is none.
char axis_of(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  const auto is_axis = [](std::string_view rest) { return rest.size() == 1 && rest[0] >= 'x' && rest[0] <= 'z'; };
  for (std::string_view prefix : prefixes) {
    if (name.starts_with(prefix)) {
      std::string_view rest = name.substr(prefix.size());
      if (rest.size() == 3 && rest[0] == '[' && rest[2] == ']' && rest[1] >= '0' && rest[1] <= '2')
        return static_cast<char>('x' + (rest[1] - '0'));
      if (rest.starts_with('_') || rest.starts_with('.')) rest.remove_prefix(1);
      if (is_axis(rest)) return rest[0];
    }
    if (name.size() == prefix.size() + 2 && name[1] == '_' && name.ends_with(prefix) && is_axis(name.substr(0, 1)))
      return name[0];
  }
  return '\0';
}

}  // namespace

char separator_of(std::string_view line) {
  bool quotes = false, comma = false, tab = false;
  for (const char c : line) {
    if (c == '"') quotes = !quotes;
    if (quotes) continue;
    if (c == ';') return ';';
    comma = comma || c == ',';
    tab = tab || c == '\t';
  }
  return comma ? ',' : tab ? '\t' : ' ';
}

void Fields::begin(std::string_view line) {
  line_ = separator_ == ' ' ? trimmed(line) : line;
  ended_ = false;
}

bool Fields::next(std::string_view& field) {
  if (ended_) return false;
  const std::string_view around = separator_ == '\t' ? " " : white;
  line_.remove_prefix(std::min(line_.find_first_not_of(around), line_.size()));
  if (line_.starts_with('"')) {
    field = quoted();
  } else {
    const std::size_t end =
        std::min(separator_ == ' ' ? line_.find_first_of(white) : line_.find(separator_), line_.size());
    field = trimmed(line_.substr(0, end));
    line_.remove_prefix(end);
  }
  ended_ = line_.empty();
  if (!ended_) line_.remove_prefix(1);
  return true;
}

std::string_view Fields::quoted() {
  unquoted_.clear();
  line_.remove_prefix(1);
  while (true) {
    const std::size_t quote = line_.find('"');
    if (quote == std::string_view::npos) throw LineError("has a quote that is not closed on its line");
    unquoted_ += line_.substr(0, quote);
    line_.remove_prefix(quote + 1);
    if (!line_.starts_with('"')) break;
    unquoted_ += '"';
    line_.remove_prefix(1);
  }
  if (separator_ != ' ') {
    const std::string_view around = separator_ == '\t' ? " " : white;
    line_.remove_prefix(std::min(line_.find_first_not_of(around), line_.size()));
  }
  const bool done = line_.empty() || (separator_ == ' ' ? white.find(line_.front()) != std::string_view::npos
                                                        : line_.front() == separator_);
  if (!done)
    throw LineError(
        fmt::format("has `{}` after a closing quote: write a quote within quotes twice, \"\"", line_.substr(0, 40)));
  return unquoted_;
}

std::vector<std::string> fields_of(std::string_view line, char separator) {
  Fields fields(separator);
  std::vector<std::string> all;
  std::string_view field;
  for (fields.begin(line); fields.next(field);) all.emplace_back(field);
  return all;
}

void Decimals::note(char mark) {
  if (mark_ == '\0') mark_ = mark;
  if (mark_ != mark)
    throw LineError("has decimal commas and decimal points: a comma or point between thousands must go");
}

std::optional<double> Decimals::read(std::string_view field) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  if (auto value = number_of(field)) {
    if (mark_ != '.' && field.find('.') != std::string_view::npos) note('.');
    return value;
  }
  const std::size_t comma = field.find(','), d = field.find_first_of("dD");
  if (comma == std::string_view::npos && d == std::string_view::npos) return std::nullopt;
  plain_ = field;
  if (d != std::string_view::npos) plain_[d] = 'e';
  if (comma != std::string_view::npos) plain_[comma] = '.';
  auto value = number_of(plain_);
  if (value && comma != std::string_view::npos) note(',');
  if (value && comma == std::string_view::npos && field.find('.') != std::string_view::npos) note('.');
  return value;
}

ColumnName column_name(std::string_view field) {
  const std::size_t open = field.find_first_of("[(");
  const bool has_unit = open != std::string_view::npos && open > 0 && (field.ends_with(']') || field.ends_with(')'));
  const std::string_view unit = has_unit ? field.substr(open + 1, field.size() - open - 2) : std::string_view();
  if (!has_unit || unit.empty() || unit.find_first_not_of("0123456789") == std::string_view::npos)
    return {std::string(field), ""};
  return {std::string(trimmed(field.substr(0, open))), std::string(trimmed(unit))};
}

std::string usual_name(std::string_view name) {
  const std::string small = in_small_letters(name);
  for (const OtherColumnName& known : other_column_names)
    if (small == known.other) return std::string(known.ours);
  if (const char axis = axis_of(small, {"", "p", "pos", "position", "r", "coordinate", "coordinates", "coord"}))
    return {axis};
  if (const char axis = axis_of(small, {"v", "vel", "velocity", "velocities"})) return {'v', axis};
  for (const std::string_view known : {"name", "mass", "charge", "component", "frame", "step", "time", "id"})
    if (small == known) return small;
  return std::string(name);
}

bool is_left_out(std::string_view name) {
  return std::ranges::find(left_out_columns, in_small_letters(name)) != std::end(left_out_columns);
}

}  // namespace orrery::pipeline
