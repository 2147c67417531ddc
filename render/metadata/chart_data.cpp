// SPDX-License-Identifier: MIT
// Metadata of the numbers of charts: texts at the front of a JSON; a CSV has none, but is known by its first line.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/error.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

/// Collects the texts of the outermost object up to the first value that is none, where it stops. That is the list of charts,
/// unless the file is another JSON of orrery, such as summary.json.
class Texts : public nlohmann::json_sax<nlohmann::json> {
 public:
  Provenance found;
  bool stopped = false, charts = false;

  bool start_object(std::size_t /*size*/) override { return std::exchange(open_, true) ? stop() : true; }
  bool key(string_t& name) override {
    const auto tag = std::ranges::find(json_tags, name, &decltype(json_tags)::value_type::first);
    charts = name == "charts";
    into_ = tag == json_tags.end() ? nullptr : tag->second;
    return true;
  }
  bool string(string_t& text) override {
    if (!open_) return stop();
    if (into_ != nullptr) found.*into_ = std::move(text);
    return true;
  }
  bool end_object() override { return true; }
  bool null() override { return stop(); }
  bool boolean(bool /*value*/) override { return stop(); }
  bool number_integer(number_integer_t /*value*/) override { return stop(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return stop(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return stop(); }
  bool binary(binary_t& /*value*/) override { return stop(); }
  bool start_array(std::size_t /*size*/) override { return stop(); }
  bool end_array() override { return stop(); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*why*/) override {
    return false;
  }

 private:
  bool stop() {
    stopped = true;
    return false;
  }
  bool open_ = false;
  std::string Provenance::*into_ = nullptr;
};

}  // namespace

std::optional<Provenance> provenance_of_json(std::istream& json) {
  Texts texts;
  if (!nlohmann::json::sax_parse(json, &texts, nlohmann::json::input_format_t::json, false) && !texts.stopped)
    throw Error("is no JSON, or is damaged: take a whole copy of the file", Fault::request);
  return texts.charts && texts.found.ours() ? std::optional(texts.found) : std::nullopt;
}

std::optional<Provenance> provenance_of_csv(std::istream& csv) {
  if (next_bytes(csv, chart_columns.size()) != chart_columns) return std::nullopt;
  return Provenance{.version = "orrery (unknown version)"};
}

}  // namespace orrery::render
