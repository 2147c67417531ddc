// SPDX-License-Identifier: MIT
#include "pipeline/matrix/make_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "common/error.hpp"
#include "common/usable_threads.hpp"
#include "pipeline/machine.hpp"
#include "pipeline/matrix/matrix_input.hpp"
#include "pipeline/matrix/parts.hpp"
#include "pipeline/physical_unit.hpp"
#include "pipeline/scenario/section.hpp"
#include "pipeline/version.hpp"
#include "sim/backends/cuda.hpp"

namespace orrery::pipeline {
namespace {

sim::MatrixKind kind_of(const MatrixOptions& options) {
  constexpr std::string_view precisions[] = {"float64", "float32"};
  sim::MatrixKind kind;
  kind.quantity = static_cast<sim::Quantity>(chosen("--quantity", options.quantity, sim::quantity_names));
  kind.floats = chosen("--precision", options.precision, precisions) == 1;
  const bool power = kind.quantity == sim::Quantity::inverse_power;
  if (power != options.exponent.has_value())
    refuse(power ? "--quantity inverse-power needs --exponent" : "--exponent goes with --quantity inverse-power");
  if (!power) return kind;
  const double halves = 2 * *options.exponent;
  if (!(halves >= 1 && halves <= 31) || halves != std::floor(halves))
    refuse(fmt::format("--exponent {}: must be a multiple of 0.5 from 0.5 to 15.5", *options.exponent));
  kind.halves = static_cast<int>(halves);
  return kind;
}

/// Parses "3:7", "3:" or ":7", indices below n. `all`: the flag's value, for context.
void read_range(const std::string& text, const std::string& all, std::size_t n, std::size_t& first,
                std::size_t& count) {
  const auto number = [&](const std::string& word, std::size_t otherwise) {
    if (word.empty()) return otherwise;
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      refuse(fmt::format("--block {}: write rows as 0:1000, or rows and columns as 0:1000,500:700", all));
    return value;
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) refuse(fmt::format("--block {}: write rows as 0:1000", all));
  first = number(text.substr(0, colon), 0);
  const std::size_t end = number(text.substr(colon + 1), n);
  if (first >= end || end > n)
    refuse(fmt::format("--block {}: there are {} bodies, so a range must be ascending and within 0:{}", all, n, n));
  count = end - first;
}

MatrixPart part_of(const MatrixOptions& options, std::size_t n) {
  MatrixPart part{.rows = n, .columns = n, .half = options.half};
  if (options.block.empty()) return part;
  const std::size_t comma = options.block.find(',');
  read_range(options.block.substr(0, comma), options.block, n, part.row, part.rows);
  if (comma != std::string::npos)
    read_range(options.block.substr(comma + 1), options.block, n, part.column, part.columns);
  return part;
}

/// Extracts the flags of the backend from the overrides of scenario keys.
struct MatrixBackend {
  std::string backend = "auto";
  int threads, device;
  std::vector<std::string> overrides;  ///< the other keys

  MatrixBackend(const MatrixOptions& options, const Resources& resources)
      : threads(resources.threads), device(resources.device) {
    for (const std::string& key : options.overrides) {
      if (key.starts_with("backend.kind=\"")) {
        backend = key.substr(14, key.size() - 15);
      } else if (key.starts_with("backend.threads=")) {
        threads = std::stoi(key.substr(16));
      } else if (key.starts_with("backend.device=")) {
        device = std::stoi(key.substr(15));
      } else {
        overrides.push_back(key);
      }
    }
    constexpr std::string_view names[] = {"auto", "cpu", "cuda"};
    (void)chosen("--backend", backend, names);
    if (backend == "auto") backend = sim::cuda_backend.absence().empty() ? "cuda" : "cpu";
  }
  [[nodiscard]] std::unique_ptr<sim::MatrixBuilder> maker(const sim::PairMatrix& matrix) const {
    return backend == "cuda" ? sim::make_matrix_on_cuda(matrix, device, threads)
                             : sim::make_matrix_on_cpu(matrix, threads);
  }
};

/// In the notation of H5MD, with half-integer powers; "" if unknown.
std::string unit_of(const sim::MatrixKind& kind, const MatrixInput& moment) {
  const sim::Units& units = *moment.model.units;
  const PhysicalUnit length(units.length), time(units.time), mass(units.mass);
  const PhysicalUnit energy = mass * length * length / time / time;
  switch (kind.quantity) {
    case sim::Quantity::distance:
      return length.h5md();
    case sim::Quantity::potential:
      return energy.h5md();
    case sim::Quantity::force:
      return (energy / length).h5md();
    case sim::Quantity::inverse_power:
      break;
  }
  std::string unit;
  for (const auto& [symbol, power] : length.powers())
    unit += fmt::format("{}{}{:+g}", unit.empty() ? "" : " ", symbol, -0.5 * kind.halves * power);
  return unit;
}

MatrixFacts facts_of(const sim::PairMatrix& matrix, const MatrixInput& moment, const MatrixPart& part) {
  const auto entry = [](std::size_t i) { return static_cast<std::int64_t>(i); };
  const auto quantity = matrix.kind.quantity;
  MatrixFacts facts{.texts = {{"quantity", std::string(sim::quantity_names[static_cast<std::size_t>(quantity)])},
                              {"unit", unit_of(matrix.kind, moment)},
                              {"kept", part.half ? "upper half" : "whole"}},
                    .numbers = {{"time", moment.time}},
                    .ranges = {{"rows", {entry(part.row), entry(part.row + part.rows)}},
                               {"columns", {entry(part.column), entry(part.column + part.columns)}},
                               {"bodies", {entry(matrix.n)}}}};
  if (quantity == sim::Quantity::inverse_power) facts.numbers["exponent"] = 0.5 * matrix.kind.halves;
  if (quantity != sim::Quantity::distance) facts.numbers["softening"] = std::sqrt(matrix.numbers.softening2);
  if (quantity == sim::Quantity::potential || quantity == sim::Quantity::force)
    facts.texts["law"] = moment.force.law->name;
  return facts;
}

void refuse_without_room(const std::filesystem::path& file, double bytes) {
  const double needed = 1.001 * bytes + 1e6;
  const auto there = static_cast<double>(free_space(file));
  if (needed > there)
    refuse(fmt::format(
        "{}: the matrix needs {}, but only {} are free: use --precision float32, --half, --block or another disk",
        file.string(), in_bytes(needed), in_bytes(there)));
}

bool store_whole(const MatrixOptions& options, sim::MatrixBuilder& maker, const sim::PairMatrix& matrix,
                 const MatrixPart& part, const MatrixFacts& facts, Context& context) {
  const MatrixShape shape{
      .rows = part.rows, .columns = part.columns, .edge = sim::max_tile, .floats = matrix.kind.floats};
  const double bytes = stored_bytes(part, shape);
  refuse_without_room(*options.output, bytes);
  MatrixFile file(*options.output, about_program(options), options.replacing);
  file.begin(shape, facts);
  Progress progress("writing", context);
  const Context::During orderly(context, Context::Phase::orderly);
  if (!store(maker, part, shape, file, progress, context)) return false;
  file.finish();
  progress.clear();
  const double seconds = progress.elapsed().count();
  context.info("{}: {} × {} {}s in {}, {}/s", options.output->string(), part.rows, part.columns, options.precision,
               to_text(progress.elapsed()), in_bytes(seconds > 0 ? bytes / seconds : 0));
  return true;
}

}  // namespace

void refuse(const std::string& why) {
  throw Error(why, Fault::request);
}

std::size_t chosen(const std::string& flag, const std::string& word, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(fmt::format("{} {}: there is no such thing{} (there are: {})", flag, word,
                     suggestion(word, {names.begin(), names.end()}), fmt::join(names, ", ")));
}

MatrixFacts about_program(const MatrixOptions& options) {
  return {.texts = {{"program", version_line()}, {"command", options.command_line}}, .numbers = {}, .ranges = {}};
}

bool make_matrix(const MatrixOptions& options, Context& context) {
  const sim::MatrixKind kind = kind_of(options);
  if (!options.output && options.reduce.empty())
    refuse("no output: give -o m.h5, or --reduce sum,minimum,histogram, which stores no matrix");
  if (options.bins > 0 && options.reduce.find("histogram") == std::string::npos)
    refuse("--bins goes with --reduce histogram");
  const MatrixBackend backend(options, context.resources);
  const MatrixInput moment = matrix_input(options.source, options.time, backend.overrides, context);
  const std::size_t n = moment.model.bodies.size();
  if (n == 0) refuse(fmt::format("{}: has no bodies", options.source.string()));
  const MatrixPart part = part_of(options, n);
  const sim::PairMatrix matrix =
      sim::pair_matrix(kind, moment.model.bodies, moment.model.domain, {&moment.force, moment.model.coupling()});
  const auto maker = backend.maker(matrix);
  const MatrixFacts facts = facts_of(matrix, moment, part);
  return options.reduce.empty() ? store_whole(options, *maker, matrix, part, facts, context)
                                : reduce(options, *maker, matrix, part, facts, context);
}

}  // namespace orrery::pipeline
