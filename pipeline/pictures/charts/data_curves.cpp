// SPDX-License-Identifier: MIT
#include "pipeline/pictures/charts/data_curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "common/utf8.hpp"
#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/named_unit.hpp"
#include "pipeline/run/run_labels.hpp"
#include "pipeline/text_encoding.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t max_data_rows = 10'000'000;

/// Two columns of a file.
struct TwoColumns {
  ColumnName x_name{}, y_name{};
  std::vector<double> x{}, y{};
};

class SeriesReader {
 public:
  /// `wanted`: the names of both columns, or their numbers from 1; "" for the
  /// first two.
  SeriesReader(std::filesystem::path path, const std::string& wanted) : path_(std::move(path)), in_(path_) {
    const std::vector<std::string> names = fields_of(wanted, ',');
    if (!wanted.empty()) names_[0] = names.front(), names_[1] = names.back();
  }

  TwoColumns read() {
    try {
      if (!next_line()) fail(0, "is empty: a series has two columns of numbers");
      read_header();
      do read_row();
      while (next_line());
    } catch (const LineError& error) {
      fail(1, error.what());
    }
    return std::move(series_);
  }

 private:
  /// Reads the next line that is neither blank nor a comment.
  bool next_line() {
    while (in_.next_line(line_)) {
      if (in_.line_number() == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);  // byte order mark
      require_utf8(line_, path_.string(), in_.line_number());
      const std::string_view content = trimmed(line_);
      if (!content.empty() && content.front() != '#') return true;
    }
    return false;
  }

  /// Finds the columns in the first line, and goes on to the first line of
  /// numbers.
  void read_header() {
    const char separator = separator_of(line_);
    fields_ = Fields(separator);
    const std::vector<std::string> first = fields_of(line_, separator);
    const bool named = std::ranges::none_of(first, [](const std::string& f) { return Decimals().read(f).has_value(); });
    for (std::size_t k = 0; k < 2; ++k)
      place_[k] = place_of(names_[k], k, named ? first : std::vector<std::string>(), first.size());
    if (!named) return;
    series_.x_name = column_name(first[place_[0]]);
    series_.y_name = column_name(first[place_[1]]);
    if (!next_line()) fail(1, "has no numbers after its first line");
  }

  [[nodiscard]] std::size_t place_of(const std::string& wanted, std::size_t usual,
                                     const std::vector<std::string>& names, std::size_t columns) const {
    if (wanted.empty() && usual >= columns) fail(1, "has one column: a series has two, of which one may be the time");
    if (wanted.empty()) return usual;
    std::vector<std::string> plain;
    for (const std::string& name : names) plain.push_back(column_name(name).name);
    for (const auto& all : {names, plain}) {
      const auto found = std::ranges::find(all, wanted);
      if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    }
    const auto number = Decimals().read(wanted);
    if (number && *number >= 1 && *number <= static_cast<double>(columns) && *number == std::floor(*number))
      return static_cast<std::size_t>(*number) - 1;
    const std::vector<std::string_view> known(plain.begin(), plain.end());
    fail(1, fmt::format("has no column `{}`{}: {}", wanted, suggestion(wanted, known),
                        names.empty() ? fmt::format("its {} columns have no names; give numbers, "
                                                    "1 is the first",
                                                    columns)
                                      : fmt::format("columns are {}", fmt::join(plain, ", "))));
  }

  void read_row() {
    if (series_.x.size() == max_data_rows)
      fail(1, fmt::format("has more than {} rows, which no chart shows", max_data_rows));
    std::size_t column = 0;
    double values[2]{};
    std::string_view field;
    for (fields_.begin(line_); fields_.next(field); ++column) {
      for (std::size_t k = 0; k < 2; ++k)
        if (place_[k] == column) values[k] = number_in(field);
    }
    if (column <= std::max(place_[0], place_[1]))
      fail(1, fmt::format("has {} columns, and column {} is shown", column, std::max(place_[0], place_[1]) + 1));
    series_.x.push_back(values[0]);
    series_.y.push_back(values[1]);
  }

  /// NaN for an empty field, which is a gap.
  double number_in(std::string_view field) {
    if (field.empty()) return std::nan("");
    const auto value = decimals_.read(field);
    if (value) return *value;
    if (field == "nan" || field == "NaN" || field == "inf" || field == "-inf") return std::nan("");
    const char* at = field.data();
    const bool inside = at >= line_.data() && at < line_.data() + line_.size();  // and not unquoted
    std::size_t letters = 1;
    if (inside)
      each_letter(line_.substr(0, static_cast<std::size_t>(at - line_.data())), [&](const Letter&) { ++letters; });
    fail(letters, fmt::format("`{}` is not a number", field.substr(0, 40)));
  }

  [[noreturn]] void fail(std::size_t column, const std::string& why) const {
    throw Error(column == 0 ? fmt::format("{}: {}", path_.string(), why)
                            : fmt::format("{}:{}:{}: {}", path_.string(), in_.line_number(), column, why),
                Fault::request);
  }

  std::filesystem::path path_;
  InputFile in_;
  std::string names_[2];
  std::size_t place_[2]{};
  Fields fields_;
  Decimals decimals_;
  std::string_view line_;
  TwoColumns series_;
};

/// The files of key `data`, each with its entry of `columns`.
std::vector<std::pair<std::string, std::string>> files_of(const Section& keys) {
  std::vector<std::pair<std::string, std::string>> files;
  if (!keys->has("data")) {
    if (keys->has("columns")) keys.complain("columns", "are those of files: give `data`, too");
    return files;
  }
  const std::vector<std::string>& data = keys->texts("data");
  const std::vector<std::string> columns = keys->has("columns") ? keys->texts("columns") : std::vector<std::string>();
  if (columns.size() > 1 && columns.size() != data.size())
    keys.complain("columns",
                  fmt::format("are {} for {} files: give one for each, or one for all", columns.size(), data.size()));
  for (const std::string& names : columns) {
    if (fields_of(names, ',').size() != 2)
      keys.complain("columns", fmt::format("\"{}\" must name two columns, the "
                                           "horizontal one first: \"t,dE\"",
                                           names));
  }
  for (std::size_t k = 0; k < data.size(); ++k)
    files.emplace_back(data[k], columns.empty() ? "" : columns[columns.size() == 1 ? 0 : k]);
  return files;
}

/// What numbers of a column are multiplied by, to be in the unit of the run, as
/// an axis has them.
double factor_of(const std::filesystem::path& file, const ColumnName& column, const ChartAxis& axis) {
  if (column.unit.empty() || column.unit == axis.unit) return column.unit.empty() ? 1 : axis.unit_length;
  const NamedUnit *its = unit_named(column.unit), *shown = unit_named(axis.unit);
  if (its != nullptr && shown != nullptr && its->dimension == shown->dimension)
    return (its->si / shown->si).value() * axis.unit_length;
  throw Error(fmt::format("{}: column `{}` is in {}, which is not a unit of this axis ({})", file.string(), column.name,
                          column.unit, axis.unit.empty() ? "it has none" : "it is in " + axis.unit),
              Fault::request);
}

/// The name of an axis without signs of a magnitude.
std::string bare(std::string name) {
  std::erase(name, '|');
  return name;
}

/// The panels that show such numbers.
std::vector<Chart*> panels_for(std::vector<Chart>& charts, const std::string& column) {
  std::vector<Chart*> all;
  const auto same = std::ranges::find(charts, column, [](const Chart& chart) { return chart.y.name; });
  const Chart& of = same == charts.end() ? charts.front() : *same;
  for (Chart& chart : charts)
    if (bare(chart.y.name) == bare(of.y.name)) all.push_back(&chart);
  return all;
}

/// Gives the curves of a run without a name that of its file, since they are
/// not alone any more.
void name_own(const ChartRequest& request, std::vector<Chart>& charts) {
  const std::string name =
      request.trajectory == nullptr ? "this run" : names_by_path({request.trajectory->path()}).front();
  for (Chart& chart : charts)
    for (Curve& curve : chart.curves)
      if (curve.name.empty() && curve.stroke != Curve::Stroke::dashed) curve.name = name;
}

bool has_curve(const std::vector<Chart>& charts, const std::string& name) {
  return std::ranges::any_of(charts, [&](const Chart& chart) {
    return std::ranges::find(chart.curves, name, &Curve::name) != chart.curves.end();
  });
}

}  // namespace

void add_data(const ChartRequest& request, std::vector<Chart>& charts) {
  const auto files = files_of(request.keys);
  if (files.empty()) return;
  name_own(request, charts);
  std::vector<std::filesystem::path> paths;
  for (const auto& [file, columns] : files) paths.emplace_back(file);
  std::vector<std::string> names = names_by_path(paths);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (has_curve(charts, names[k])) names[k] = paths[k].filename().string();
  constexpr std::size_t few = 40;  // points that are seen one by one
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (request.trajectory == nullptr) {
      charts.front().curves.push_back({.name = names[k], .of_file = true});
      continue;
    }
    const std::filesystem::path path = (request.trajectory->path().parent_path() / files[k].first).lexically_normal();
    const TwoColumns series = SeriesReader(path, files[k].second).read();
    for (Chart* chart : panels_for(charts, series.y_name.name)) {
      const bool magnitudes = chart->y.name.starts_with('|');
      const double fx = factor_of(path, series.x_name, chart->x), fy = factor_of(path, series.y_name, chart->y);
      const std::vector<const std::vector<double>*> both{&series.x, &series.y};
      Curve curve{.name = names[k],
                  .stroke = series.x.size() <= few ? Curve::Stroke::both : Curve::Stroke::line,
                  .of_file = true};
      for (const std::size_t i : telling_rows(both, request.max_rows)) {
        curve.x.push_back(fx * series.x[i]);
        curve.y.push_back(fy * (magnitudes ? std::abs(series.y[i]) : series.y[i]));
      }
      if (chart->x.limits) {
        render::ValueRange range;
        range.add(chart->x.limits->low), range.add(chart->x.limits->high);
        for (const double x : curve.x) range.add(x);
        chart->x.limits = Interval{range.low, range.high};
      }
      chart->curves.push_back(std::move(curve));
    }
  }
}

void check_data(const Section& keys, const std::filesystem::path& folder) {
  for (const auto& [file, columns] : files_of(keys))
    (void)SeriesReader((folder / file).lexically_normal(), columns).read();
}

}  // namespace orrery::pipeline
