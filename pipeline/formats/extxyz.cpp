// SPDX-License-Identifier: MIT
// Extended XYZ (https://github.com/libAtoms/extxyz): the number of bodies, a line of key=value pairs of which Properties names the
// columns and Lattice has the vectors of the box, then a line for each body; frames follow each other. The element is the component.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "pipeline/formats/body_format.hpp"
#include "pipeline/formats/csv_dialect.hpp"
#include "pipeline/formats/foreign_frames.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/text_encoding.hpp"

namespace orrery::pipeline {
namespace {

using Pairs = std::map<std::string, std::string, std::less<>>;

std::optional<std::uint64_t> count_in(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                    : std::nullopt;
}

/// The key=value pairs of a comment line; values may be in quotes, braces or brackets. A key alone is true.
Pairs pairs_in(std::string_view line) {
  Pairs all;
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  const auto take = [&](std::string_view stops) {
    const std::string_view ends = "\"'}])";
    const std::size_t opened = line.empty() ? std::string_view::npos : std::string_view("\"'{[(").find(line.front());
    std::string_view value;
    if (opened != std::string_view::npos) {
      const std::size_t end = line.find(ends[opened], 1);
      if (end == std::string_view::npos) throw LineError(fmt::format("has `{}` that is not closed", line.front()));
      value = line.substr(1, end - 1);
      line.remove_prefix(end + 1);
    } else {
      const std::size_t end = std::min(line.find_first_of(stops), line.size());
      value = line.substr(0, end);
      line.remove_prefix(end);
    }
    return std::string(value);
  };
  for (skip_blanks(); !line.empty(); skip_blanks()) {
    const std::size_t had = line.size();
    std::string key = take(" \t=");
    skip_blanks();
    if (line.starts_with('=')) {
      line.remove_prefix(1);
      skip_blanks();
      all.insert_or_assign(std::move(key), take(" \t"));
    } else {
      all.emplace(std::move(key), "T");
    }
    if (line.size() == had) line.remove_prefix(1);  // "=" alone
  }
  return all;
}

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> all;
  Decimals decimals;
  const bool commas = text.find(',') != std::string::npos;
  for (const std::string& field : fields_of(text, commas ? ',' : ' '))
    if (const auto value = decimals.read(field)) all.push_back(*value);
  return all;
}

/// What a column is for.
enum class Use { nothing, position, velocity, momentum, mass, charge, radius, name, component, id };

struct PropertyName {
  std::string_view name;
  Use use;
};
/// Of the specification, ASE, QUIP and OVITO, in small letters.
constexpr PropertyName property_names[] = {{"pos", Use::position},
                                           {"position", Use::position},
                                           {"positions", Use::position},
                                           {"velo", Use::velocity},
                                           {"vel", Use::velocity},
                                           {"velocity", Use::velocity},
                                           {"velocities", Use::velocity},
                                           {"v", Use::velocity},
                                           {"momenta", Use::momentum},
                                           {"momentum", Use::momentum},
                                           {"mass", Use::mass},
                                           {"masses", Use::mass},
                                           {"m", Use::mass},
                                           {"charge", Use::charge},
                                           {"charges", Use::charge},
                                           {"initial_charges", Use::charge},
                                           {"radius", Use::radius},
                                           {"name", Use::name},
                                           {"label", Use::name},
                                           {"species", Use::component},
                                           {"element", Use::component},
                                           {"component", Use::component},
                                           {"id", Use::id}};

struct Property {
  Use use;
  std::size_t fields;  ///< of the line
};

class ExtxyzReader {
 public:
  ExtxyzReader(const std::filesystem::path& path, const BodyFileOptions& options) : path_(path), options_(options) {}

  BodyFile read() {
    const auto [frame, frames] = find_frame();
    InputFile in(path_);
    in_ = &in;
    try {
      for (std::int64_t k = 0; k < frame; ++k) skip_frame();
      read_frame(begin_frame().value_or(0));
    } catch (const LineError& error) {
      fail(error.what());
    }
    read_.frames = frames;
    return std::move(read_);
  }

  ForeignFrames read_all() {
    InputFile in(path_);
    in_ = &in;
    FrameJoiner frames;
    try {
      for (std::int64_t k = 0; const auto bodies = begin_frame(); ++k) {
        read_ = {}, properties_.clear();
        read_frame(*bodies);
        frames.add(std::move(read_), fmt::format("{}:{}", path_.string(), first_line_ - 2));
      }
    } catch (const LineError& error) {
      fail(error.what());
    }
    ForeignFrames all = frames.take();
    if (all.size() == 0) fail("has no frame: the first line is the number of bodies");
    all.first.frames = static_cast<std::int64_t>(all.size());
    return all;
  }

 private:
  /// The frame that is asked for, from 0, and how many there are.
  std::pair<std::int64_t, std::int64_t> find_frame() {
    InputFile in(path_);
    in_ = &in;
    std::int64_t there = 0;
    while (skip_frame()) ++there;
    if (there == 0) fail("has no frame: the first line is the number of bodies");
    return {frame_among(options_, there), there};
  }

  bool next_line() {
    if (!in_->next_line(line_)) return false;
    if (in_->line_number() == 1 && line_.starts_with("\xEF\xBB\xBF")) line_.remove_prefix(3);
    return true;
  }

  /// Reads the number of bodies of the next frame; nullopt at the end, where blank lines may be.
  std::optional<std::uint64_t> begin_frame() {
    while (next_line()) {
      if (trimmed(line_).empty()) continue;
      const auto bodies = count_in(line_);
      if (!bodies) fail(fmt::format("`{}` is not the number of bodies with which a frame begins", shown_line()));
      if (*bodies > in_->size() / 2) fail(fmt::format("claims {} bodies, for which the file is too short", *bodies));
      if (!next_line()) fail("ends before the second line of its frame");
      return bodies;
    }
    return std::nullopt;
  }

  bool skip_frame() {
    const auto bodies = begin_frame();
    for (std::uint64_t n = 0; bodies && n < *bodies; ++n)
      if (!next_line()) fail(fmt::format("ends after {} of the {} bodies of its last frame", n, *bodies));
    return bodies.has_value();
  }

  /// The frame that has begun.
  void read_frame(std::uint64_t claimed) {
    require_utf8(line_, path_.string(), in_->line_number());
    const Pairs pairs = pairs_in(line_);
    const auto properties = pairs.find("Properties");
    set_properties(properties == pairs.end() ? "species:S:1:pos:R:3" : properties->second);
    const auto bodies = static_cast<std::size_t>(claimed);
    if (bodies == 0) fail("has a frame without bodies");
    reserve(bodies);
    first_line_ = in_->line_number() + 1;
    for (std::size_t n = 0; n < bodies; ++n) {
      if (!next_line()) fail(fmt::format("ends after {} of {} bodies", n, bodies));
      read_body();
    }
    finish(bodies);
    describe(pairs);
  }

  void set_properties(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
      if (c == ':')
        parts.emplace_back();
      else
        parts.back() += c;
    }
    if (parts.size() % 3 != 0) fail("Properties must be triples name:type:columns");
    std::vector<std::string> left_out;
    for (std::size_t k = 0; k < parts.size(); k += 3) {
      std::string small = parts[k];
      std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
      const auto count = count_in(parts[k + 2]);
      if (!count || *count == 0 || *count > 10'000 || parts[k + 1].size() != 1)
        fail(fmt::format("`{}:{}:{}` in Properties is not name:type:columns", parts[k], parts[k + 1], parts[k + 2]));
      const auto* known = std::ranges::find(property_names, small, &PropertyName::name);
      Use use = known == std::end(property_names) ? Use::nothing : known->use;
      const bool text_column = parts[k + 1] == "S",
                 vector = use == Use::position || use == Use::velocity || use == Use::momentum;
      if (text_column != (use == Use::name || use == Use::component) || *count != (vector ? 3 : 1)) use = Use::nothing;
      if (use != Use::nothing && has(use))
        fail(fmt::format("Properties has two columns for one thing, the second is `{}`", parts[k]));
      if (use == Use::id && !options_.ids) use = Use::nothing;
      if (use == Use::nothing && small != "id") left_out.push_back(parts[k]);
      properties_.push_back({use, static_cast<std::size_t>(*count)});
    }
    if (!has(Use::position)) fail("Properties has no pos:R:3");
    if (has(Use::momentum) && has(Use::velocity)) fail("Properties has velocities and momenta");
    if (!left_out.empty()) read_.remarks.push_back(fmt::format("left out: {}", fmt::join(left_out, ", ")));
  }

  [[nodiscard]] bool has(Use use) const {
    return std::ranges::find(properties_, use, &Property::use) != properties_.end();
  }

  void reserve(std::size_t bodies) {
    const double texts = (has(Use::name) ? 1 : 0) + (has(Use::component) ? 1 : 0);
    const double need = static_cast<double>(bodies) * (2 * 8 * 8 + texts * 2 * 64),
                 have = static_cast<double>(usable_memory());
    if (need > have)
      fail(fmt::format("{} bodies need {} of memory, this machine has {}", bodies, in_bytes(need), in_bytes(have)));
    // A short file may claim more bodies than it has: no line is shorter than 2 bytes for each of its fields.
    mass_.reserve(bodies);
    position_.reserve(3 * bodies);
    velocity_.reserve(3 * bodies);
    if (has(Use::charge)) charge_.reserve(bodies);
    if (has(Use::radius)) radius_.reserve(bodies);
    if (has(Use::name)) names_.reserve(bodies);
    if (has(Use::component)) components_.reserve(bodies);
  }

  void read_body() {
    double mass = options_.mass.value_or(1), charge = 0, radius = 0, place[3] = {}, speed[3] = {};
    fields_.begin(line_);
    for (const Property& property : properties_) {
      for (std::size_t k = 0; k < property.fields; ++k) {
        std::string_view field;
        if (!fields_.next(field) || field.empty()) fail("has fewer fields than Properties");
        switch (property.use) {
          case Use::nothing:
            break;
          case Use::position:
            place[k] = number(field);
            break;
          case Use::velocity:
          case Use::momentum:
            speed[k] = number(field);
            break;
          case Use::mass:
            mass = number(field);
            break;
          case Use::charge:
            charge = number(field);
            break;
          case Use::radius:
            radius = number(field);
            break;
          case Use::name:
            names_.push_back(text(field));
            break;
          case Use::component:
            components_.push_back(text(field));
            break;
          case Use::id:
            ids_.push_back(integer(field));
            break;
        }
      }
    }
    if (std::string_view more; fields_.next(more) && !more.empty()) fail("has more fields than Properties");
    if (!(mass >= 0 && radius >= 0)) fail("mass and radius must be at least 0");
    if (has(Use::momentum)) {
      if (!(mass > 0)) fail("has a momentum but no mass");
      for (double& v : speed) v /= mass;
    }
    mass_.push_back(mass);
    position_.insert(position_.end(), place, place + 3);
    velocity_.insert(velocity_.end(), speed, speed + 3);
    if (has(Use::charge)) charge_.push_back(charge);
    if (has(Use::radius)) radius_.push_back(radius);
  }

  [[nodiscard]] double number(std::string_view field) {
    const auto value = decimals_.read(field);
    if (!value || !std::isfinite(*value) || decimals_.commas())
      fail(fmt::format("`{}` is not a number", field.substr(0, 40)));
    return *value;
  }

  [[nodiscard]] std::int64_t integer(std::string_view field) {
    constexpr double exact = 0x1p53;
    const double value = number(field);
    if (value != std::floor(value) || std::abs(value) > exact)
      fail(fmt::format("`{}` is not an integer", field.substr(0, 40)));
    return static_cast<std::int64_t>(value);
  }

  [[nodiscard]] std::string text(std::string_view field) const {
    require_utf8(field, path_.string(), in_->line_number());
    return std::string(field);
  }

  void finish(std::size_t bodies) {
    auto table = std::make_shared<Columns>();
    table->rows = bodies;
    table->numbers.emplace("mass", std::move(mass_));  // an initializer list would copy
    table->numbers.emplace("position", std::move(position_));
    table->numbers.emplace("velocity", std::move(velocity_));
    if (has(Use::charge)) table->numbers.emplace("charge", std::move(charge_));
    if (has(Use::radius)) table->numbers.emplace("radius", std::move(radius_));
    if (has(Use::name)) table->texts.emplace("name", std::move(names_));
    if (has(Use::component)) table->texts.emplace("component", std::move(components_));
    read_.bodies = std::move(table);
    read_.ids = std::exchange(ids_, {});
    read_.where = [path = path_.string(), line = first_line_](std::size_t row) {
      return fmt::format("{}:{}:1", path, line + row);
    };
    read_.units.emplace();                                          // the format does not state them
    if (!has(Use::mass)) read_.units->mass = options_.units->mass;  // that of the key
    if (!has(Use::mass) && !options_.mass) read_.asked.push_back({"mass", "the file has no masses"});
    read_.at_rest = !has(Use::velocity) && !has(Use::momentum);
    if (read_.at_rest) read_.remarks.emplace_back("without velocities bodies are at rest");
  }

  void describe(const Pairs& pairs) {
    const auto value = [&](std::initializer_list<std::string_view> names) {
      for (const std::string_view name : names)
        if (const auto found = pairs.find(name); found != pairs.end()) return numbers_in(found->second);
      return std::vector<double>();
    };
    if (const auto time = value({"Time", "time"}); time.size() == 1) read_.time = time.front();
    const std::vector<double> lattice = value({"Lattice", "lattice", "cell", "Cell"});
    if (lattice.size() == 9) {
      bool rectangular = true;
      for (std::size_t k = 0; k < 9; ++k) rectangular = rectangular && (k % 4 == 0 ? lattice[k] >= 0 : lattice[k] == 0);
      for (std::size_t axis = 0; axis < 3 && rectangular; ++axis) read_.edges[axis] = lattice[4 * axis];
      if (!rectangular) read_.remarks.emplace_back("its box has other angles than right ones");
    }
    const auto pbc = pairs.find("pbc");
    const std::vector<std::string> ends = pbc == pairs.end() ? std::vector<std::string>() : fields_of(pbc->second, ' ');
    for (std::size_t axis = 0; axis < 3; ++axis)
      read_.periodic[axis] =
          read_.edges[axis] > 0 && (ends.size() == 3 ? ends[axis].starts_with('T') : pbc == pairs.end());
  }

  [[nodiscard]] std::string_view shown_line() const { return trimmed(line_).substr(0, 40); }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_.string(), std::max(in_->line_number(), 1U), what), Fault::request);
  }

  std::filesystem::path path_;
  const BodyFileOptions& options_;
  InputFile* in_ = nullptr;
  std::string_view line_;
  Fields fields_{' '};
  Decimals decimals_;
  std::vector<Property> properties_;
  std::uint32_t first_line_ = 0;
  std::vector<double> mass_, position_, velocity_, charge_, radius_;
  std::vector<std::string> names_, components_;
  std::vector<std::int64_t> ids_;
  BodyFile read_;
};

/// A number alone, then a line with Properties or Lattice; or a number, any line, and a word and three numbers, as plain XYZ has them.
bool is_extxyz(const std::filesystem::path&, std::string_view begin) {
  if (begin.starts_with("\xEF\xBB\xBF")) begin.remove_prefix(3);
  const auto next = [&] {
    const std::size_t end = std::min(begin.find('\n'), begin.size());
    const std::string_view line = begin.substr(0, end);
    begin.remove_prefix(std::min(end + 1, begin.size()));
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  };
  if (!count_in(next())) return false;
  const std::string_view comment = next();
  if (comment.find("Properties=") != std::string_view::npos || comment.find("Lattice=") != std::string_view::npos)
    return true;
  const std::string_view first = next();
  if (first.find('"') != std::string_view::npos) return false;
  const std::vector<std::string> fields = fields_of(first, ' ');
  if (fields.size() < 4 || Decimals().read(fields.front())) return false;
  return std::all_of(fields.begin() + 1, fields.begin() + 4,
                     [](const std::string& field) { return Decimals().read(field).has_value(); });
}

BodyFile read_extxyz(const std::filesystem::path& file, const BodyFileOptions& options) {
  return ExtxyzReader(file, options).read();
}

ForeignFrames read_extxyz_frames(const std::filesystem::path& file, const BodyFileOptions& options) {
  return ExtxyzReader(file, options).read_all();
}

constexpr std::string_view extxyz_keys[] = {"frame", "mass"};

}  // namespace

extern const BodyFormat extxyz_bodies{.name = "extxyz",
                                      .meaning = "extended XYZ, as ASE and OVITO have it, and plain XYZ",
                                      .recognises = is_extxyz,
                                      .read = read_extxyz,
                                      .read_frames = read_extxyz_frames,
                                      .keys = extxyz_keys};

}  // namespace orrery::pipeline
