// SPDX-License-Identifier: MIT
// Applies --set and --unset to a TOML document, and what follows: a key that is set replaces those that exclude it, and keys
// that only another kind has fall away with that kind.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/exclusive_keys.hpp"
#include "pipeline/scenario/key_homes.hpp"
#include "pipeline/scenario/overrides.hpp"
#include "pipeline/scenario/section_reader.hpp"
#include "pipeline/scenario/toml_depth.hpp"
#include "pipeline/scenario/units.hpp"
#include "pipeline/text_encoding.hpp"
#include "sim/backend.hpp"
#include "sim/force.hpp"
#include "sim/solver.hpp"

namespace orrery::pipeline {
namespace {

[[noreturn]] void refuse_override(const std::string& override, const std::string& what) {
  throw Error(fmt::format("{}: {}", place_of(override), what), Fault::request);
}

/// One step of a dotted path: `film[0]` has name "film" and index 0.
struct Step {
  std::string name;
  std::optional<std::size_t> index;
};

Step step_of(std::string name, const std::string& override) {
  Step step{std::move(name), {}};
  if (const auto bracket = step.name.find('['); bracket != std::string::npos) {
    const std::string digits = step.name.substr(bracket + 1, step.name.size() - bracket - 2);
    if (step.name.back() != ']' || digits.empty() || digits.size() > 6 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      refuse_override(override, "write an index as name[0]");
    }
    step.index = std::stoul(digits);
    step.name.resize(bracket);
  }
  if (step.name.empty())
    refuse_override(override, is_unset(override) ? "write it as section.key" : "write it as section.key=value");
  return step;
}

std::vector<Step> steps_of(const std::string& override) {
  std::string path = key_of(override);
  std::erase(path, ' ');
  std::vector<Step> steps;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    steps.push_back(step_of(path.substr(begin, end - begin), override));
    begin = end + 1;
    if (steps.size() > max_depth) refuse_override(override, fmt::format("a key has at most {} parts", max_depth));
  }
  return steps;
}

/// Whether a value that is not TOML is a text without its quotes: words, a name, a file or a duration such as
/// "1/100 period", none of whose characters has a meaning in TOML values.
bool is_bare_text(std::string_view text) {
  const auto is_special = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < ' ' || code == 0x7F || std::string_view("[]{}\"'#=,\\").find(c) != std::string_view::npos;
  };
  const auto is_of_words = [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || code >= 0x80;
  };
  return std::ranges::none_of(text, is_special) && std::ranges::any_of(text, is_of_words);
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// { value = … }; words are read as a text.
toml::table parsed(const std::string& override) {
  const std::string text = override.substr(override.find('=') + 1);
  if (const auto deep = too_deep(text)) refuse_override(override, deep->what);
  try {
    toml::table table = toml::parse("value = " + text, place_of(override));
    if (table.size() == 1) return table;
  } catch (const toml::parse_error& error) {
    if (is_bare_text(text)) return toml::parse(fmt::format("value = \"{}\"", without_blanks(text)), place_of(override));
    if (without_blanks(text).empty())
      refuse_override(override, fmt::format("`` is not a TOML value: --unset {} removes the key", key_of(override)));
    refuse_override(override,
                    fmt::format("`{}` is not a TOML value ({}); a text needs quotes: --set '{}\"{}\"'", text,
                                error.description(), override.substr(0, override.size() - text.size()), text));
  }
  refuse_override(override, "one --set sets one key");
}

/// The entry at the index of `step`, or the only entry.
toml::node& entry_of(toml::array& array, const Step& step, const std::string& override) {
  if (!step.index && array.size() != 1) {
    refuse_override(override, fmt::format("there are {} [[{}]]: write {}[0], or another index", array.size(), step.name,
                                          step.name));
  }
  toml::node* entry = array.get(step.index.value_or(0));
  if (entry == nullptr)
    refuse_override(override,
                    fmt::format("`{}` has only {} entr{}", step.name, array.size(), array.size() == 1 ? "y" : "ies"));
  return *entry;
}

[[noreturn]] void refuse_absent(const toml::table& table, const std::string& name, const std::string& override) {
  std::vector<std::string_view> names;
  for (const auto& [key, _] : table) names.push_back(key.str());
  refuse_override(override, fmt::format("the scenario has no `{}` there{}", name, suggestion(name, names)));
}

/// The table that a step leads to; inserted by --set if it is absent.
toml::table& enter(toml::table& table, const Step& step, const std::string& override) {
  toml::node* next = table.get(step.name);
  if (next == nullptr && is_unset(override)) refuse_absent(table, step.name, override);
  if (next == nullptr && step.index.value_or(0) == 0) {
    next = &table.insert(step.name, toml::parse("", place_of(override))).first->second;
  }
  if (next != nullptr && next->is_array()) {
    next = &entry_of(*next->as_array(), step, override);
  } else if (step.index.value_or(0) > 0) {
    refuse_override(override, fmt::format("there is no {}[{}]", step.name, *step.index));
  }
  if (!next->is_table()) refuse_override(override, fmt::format("`{}` is not a table", step.name));
  return *next->as_table();
}

/// The end of a path: the table that has, or gets, its last step. A quoted key of the file may have dots: those of [sweep].
struct Target {
  toml::table* table;
  std::vector<Step> above;  ///< the steps to the table
  Step last;
};

Target target_of(toml::table& root, const std::string& override) {
  std::vector<Step> steps = steps_of(override);
  toml::table* table = &root;
  std::size_t k = 0;
  std::string rest = key_of(override);
  std::erase(rest, ' ');
  for (; k + 1 < steps.size(); ++k) {
    if (k > 0 && table->contains(rest)) break;
    table = &enter(*table, steps[k], override);
    rest.erase(0, rest.find('.') + 1);
  }
  Step last = k + 1 < steps.size() ? Step{rest, {}} : steps.back();
  steps.resize(k);
  return {table, std::move(steps), std::move(last)};
}

bool is_from_override(const toml::node& node) {
  return node.source().path && is_override(*node.source().path);
}

/// The table of descriptions that the end of a path belongs to: "figure" for film[0].part[1] too; "" at the top.
std::string_view described_by(const Target& target) {
  if (target.above.empty()) return "";
  return target.above.back().name == "part" ? target.above.front().name : target.above.back().name;
}

/// The text of a key; "" if it is absent or no text.
std::string text_in(const toml::table& table, std::string_view key) {
  const toml::node* text = table.get(key);
  return text == nullptr ? "" : text->value<std::string>().value_or("");
}

std::string kind_in(const toml::table& table) {
  return text_in(table, "kind");
}

/// The method of a pair force; "" if it is an external field.
std::string method_in(const toml::table& table, const sim::PlugIns& plug_ins) {
  if (const std::string given = text_in(table, "method"); !given.empty()) return given;
  const std::string kind = kind_in(table);
  const sim::ForceLaw* law = kind.empty() ? plug_ins.laws().front() : plug_ins.law(kind);
  return law == nullptr ? "" : std::string(sim::default_solver(*law).name);
}

/// Erases a key that stands in the file.
bool erase_of_file(toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr || is_from_override(*node)) return false;
  table.erase(key);
  return true;
}

/// Calls use(table) for [name], or for each [[name]].
template <class Use>
void each_table_named(toml::table& root, std::string_view name, const Use& use) {
  toml::node* node = root.get(name);
  if (node == nullptr) return;
  if (toml::table* table = node->as_table()) use(*table);
  if (toml::array* list = node->as_array()) {
    for (toml::node& entry : *list)
      if (toml::table* table = entry.as_table()) use(*table);
  }
}

/// Erases the keys of the file that the one just set excludes. "auto" sets nothing.
void replace_exclusive(toml::table& root, const Target& target) {
  const toml::node* value = target.table->get(target.last.name);
  if (value == nullptr || value->value<std::string>() == "auto") return;
  const std::string_view name = described_by(target);
  for (const ExclusiveKeys& keys : exclusive_keys) {
    const bool concerns =
        keys.table == (name == "film" ? "figure" : name) && (keys.kind.empty() || keys.kind == kind_in(*target.table));
    if (!concerns || std::ranges::find(keys.keys, target.last.name) == keys.keys.end()) continue;
    if (!keys.only_with.empty() && text_in(*target.table, keys.keys[1]) != keys.only_with) continue;
    for (const std::string_view other : keys.keys)
      if (!other.empty() && other != target.last.name) erase_of_file(*target.table, other);
  }
  if (name == "initial" && target.last.name == "bodies") {
    for (const std::string_view key : keys_of_file) erase_of_file(*target.table, key);
  }
  if (name == "domain" && target.last.name == "edges") {  // they give the area of short-range-box
    each_table_named(root, "initial", [](toml::table& table) {
      if (kind_in(table) == "short-range-box") erase_of_file(table, "area");
    });
  }
}

void apply(toml::table& root, const std::string& override) {
  if (const auto found = misencoded(override)) refuse_override(override, found->why);
  const bool unset = is_unset(override);
  toml::table value = unset ? toml::table() : parsed(override);
  const Target target = target_of(root, override);
  const Step& last = target.last;
  toml::node* node = target.table->get(last.name);
  if (node == nullptr && unset) refuse_absent(*target.table, last.name, override);
  if (!last.index) {
    if (unset) {
      target.table->erase(last.name);
    } else {
      target.table->insert_or_assign(last.name, std::move(*value.get("value")));
      replace_exclusive(root, target);
    }
    return;
  }
  if (node == nullptr || !node->is_array()) refuse_override(override, fmt::format("`{}` is not an array", last.name));
  toml::array& array = *node->as_array();
  (void)entry_of(array, last, override);
  const auto entry = array.cbegin() + static_cast<std::ptrdiff_t>(*last.index);
  if (!unset) {
    array.replace(entry, std::move(*value.get("value")));
  } else if (array.size() > 1) {
    array.erase(entry);
  } else {
    target.table->erase(last.name);
  }
}

/// Erases keys of the file that depended on what overrides changed, with a line for each.
class Dependents {
 public:
  Dependents(std::vector<std::string>& notes, const sim::PlugIns& plug_ins) : notes_(notes), plug_ins_(plug_ins) {}

  /// After a change of `kind`, or of `method` in [force].
  void of_kind(const Target& target, const std::string& override) {
    toml::table& table = *target.table;
    const std::string_view name = described_by(target);
    const std::string kind = kind_in(table);
    const auto own = keys_of_kind(name, kind, plug_ins_);
    if (!own) return;  // refused as a kind
    std::vector<std::string> foreign;
    const std::string method = method_in(table, plug_ins_);
    for (const auto& [key, _] : table) {
      const std::string_view key_name = key.str();
      const sim::ForceSolver* solver = name == "force" ? sim::solver_with(key_name) : nullptr;
      const bool lost =
          (solver != nullptr && solver->name != method) ||
          (name == "force" && plug_ins_.field(kind) != nullptr && (solver != nullptr || key_name == "method")) ||
          (std::ranges::find(*own, key_name, &Parameter::name) == own->end() &&
           some_kind_has(name, key_name, plug_ins_));
      if (lost) foreign.emplace_back(key_name);
    }
    for (const std::string& key : foreign) erase(table, key, override);
    if (name == "backend" && !has_kernel_of(table, kind)) erase(table, "kernel", override);
  }

  /// The constant of a force after a change of `units`, if these have one.
  void of_units(toml::table& root, const std::string& override) {
    const auto units = std::ranges::find(all_units(), text_in(root, "units"), &Units::name);
    if (units == all_units().end()) return;
    each_table_named(root, "force", [&](toml::table& table) {
      const std::string kind = kind_in(table);
      const sim::ForceLaw* law = plug_ins_.law(kind.empty() ? "gravity" : kind);
      if (law != nullptr && units->coupling(law->coupling)) erase(table, law->coupling_key, override);
    });
  }

  /// Keys of a film that its new format does not have, or not with their values.
  void of_file(toml::table& film, const std::string& override) {
    for (const char* key : {"codec", "pixel_format", "fps", "max_file_size"}) {
      const toml::node* node = film.get(key);
      if (node == nullptr) continue;
      const auto text = node->value<std::string>();
      const Value value = text ? Value(*text) : Value(node->value<double>().value_or(0));
      if (!fits_film(text_in(film, "file"), key, value)) erase(film, key, override);
    }
  }

  /// `spacing` and `first` after a change of the rule of frames or rows.
  void of_schedule(toml::table& table, std::string_view count, const std::string& override) {
    const auto is_log = [&] { return text_in(table, "spacing") == "log"; };
    if (is_log() && !table.contains(count)) erase(table, "spacing", override);
    if (!is_log() && !table.contains("every") && table.contains("first")) erase(table, "first", override);
  }

 private:
  /// Whether the `kernel` of [backend], if any, is one of this kind of backend; true for "auto".
  static bool has_kernel_of(const toml::table& table, const std::string& kind) {
    const auto kinds = sim::backend_kinds();
    const auto found = std::ranges::find(kinds, kind, &sim::BackendKind::name);
    const std::string name = text_in(table, "kernel");
    return found == kinds.end() || name.empty() || name == "auto" ||
           std::ranges::find((*found)->kernels, name) != (*found)->kernels.end();
  }

  void erase(toml::table& table, std::string_view key, const std::string& override) {
    const toml::node* node = table.get(key);
    if (node == nullptr || is_from_override(*node)) return;
    notes_.push_back(
        fmt::format("{}: `{}` falls away with {}", place(table.find(key)->first, *node), key, place_of(override)));
    table.erase(key);
  }

  std::vector<std::string>& notes_;
  const sim::PlugIns& plug_ins_;
};

/// The target of an override that has been applied; nullopt if a later one removed its table.
std::optional<Target> applied_target(toml::table& root, const std::string& override) {
  try {
    return target_of(root, key_of(override));  // as --unset it inserts nothing
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

Value value_of(const std::string& override) {
  if (is_unset(override)) return std::string();
  return value_of(*parsed(override).get("value"));
}

std::vector<std::string> apply_overrides(toml::table& root, std::span<const std::string> overrides,
                                         const sim::PlugIns& plug_ins) {
  std::vector<std::string> notes;
  for (const std::string& override : overrides) apply(root, override);
  Dependents dependents(notes, plug_ins);
  for (const std::string& override : overrides) {
    const auto target = applied_target(root, override);
    if (!target) continue;
    const std::string_view table = described_by(*target);
    if (table.empty() && target->last.name == "units") dependents.of_units(root, override);
    if (target->last.name == "kind" || (table == "force" && target->last.name == "method"))
      dependents.of_kind(*target, override);
    if (table == "film" && target->last.name == "file") dependents.of_file(*target->table, override);
    if (table == "trajectory" || table == "observables")
      dependents.of_schedule(*target->table, table == "trajectory" ? "frames" : "rows", override);
  }
  return notes;
}

}  // namespace orrery::pipeline
