// SPDX-License-Identifier: MIT
// What there is: the lists of all plug-ins with their parameters.
#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <mutex>
#include <type_traits>

#include "pipeline/plug_in_lists.hpp"
#include "pipeline/public/handles.hpp"

namespace orrery::pipeline {
namespace {

/// A parameter as a struct of C, and the texts that it refers to.
struct ParameterOfC {
  std::string name, meaning, unit, fallback;
  std::vector<std::string> choices{};
  std::vector<const char*> choice_texts{};
  orrery_parameter view{};

  explicit ParameterOfC(const Parameter& p)
      : name(p.name),
        meaning(p.meaning),
        unit(p.unit),
        fallback(p.fallback),
        choices(p.choices.begin(), p.choices.end()) {
    for (const std::string& choice : choices) choice_texts.push_back(choice.c_str());
    view = {.size = sizeof view,
            .name = name.c_str(),
            .kind = kind_of(p.kind),
            .meaning = meaning.c_str(),
            .unit = unit.c_str(),
            .fallback = fallback.c_str(),
            .optional = p.optional || !p.fallback.empty(),
            .low = p.range.low,
            .high = p.range.high,
            .low_open = p.range.low_open,
            .high_open = p.range.high_open,
            .entries = p.count,
            .choices = choice_texts.data(),
            .choice_count = choice_texts.size()};
  }
  ParameterOfC(const ParameterOfC&) = delete;
  ParameterOfC& operator=(const ParameterOfC&) = delete;

  static orrery_kind kind_of(Kind kind) {
    switch (kind) {
      case Kind::boolean:
        return ORRERY_BOOLEAN;
      case Kind::integer:
        return ORRERY_INTEGER;
      case Kind::number:
        return ORRERY_NUMBER;
      case Kind::text:
        return ORRERY_TEXT;
      case Kind::number_or_text:
        return ORRERY_NUMBER_OR_TEXT;
      case Kind::text_or_texts:
        return ORRERY_TEXT_OR_TEXTS;
      case Kind::numbers:
        return ORRERY_NUMBERS;
      case Kind::texts:
        return ORRERY_TEXTS;
      case Kind::numbers_or_texts:
        return ORRERY_NUMBERS_OR_TEXTS;
      case Kind::records:
      case Kind::columns:
        break;
    }
    return ORRERY_RECORDS;
  }
};

/// The view is the first member, so that a pointer to it is one to all.
struct PlugInOfC {
  orrery_plug_in view{};
  std::string name, meaning, note;
  std::deque<ParameterOfC> parameters{};

  explicit PlugInOfC(PlugIn&& p) : name(std::move(p.name)), meaning(std::move(p.meaning)), note(std::move(p.note)) {
    for (const Parameter& parameter : p.parameters) parameters.emplace_back(parameter);
    view = {.size = sizeof view,
            .name = name.c_str(),
            .meaning = meaning.c_str(),
            .note = note.c_str(),
            .parameter_count = parameters.size()};
  }
  PlugInOfC(const PlugInOfC&) = delete;
  PlugInOfC& operator=(const PlugInOfC&) = delete;
};
static_assert(std::is_standard_layout_v<orrery_plug_in>);

using ListOfC = std::deque<PlugInOfC>;

ListOfC made(std::vector<PlugIn> plug_ins) {
  ListOfC list;
  for (PlugIn& p : plug_ins) list.emplace_back(std::move(p));
  return list;
}

/// The lists in the order of orrery_topic.
constexpr std::vector<PlugIn> (*makers[])() = {initial_state_list,
                                               pair_force_list,
                                               field_list,
                                               solver_list,
                                               integrator_list,
                                               boundary_list,
                                               backend_list,
                                               unit_list,
                                               [] { return figure_list("figure"); },
                                               [] { return figure_list("film"); },
                                               table_list};

/// The list of a topic, made when it is first asked for; empty for an unknown one.
const ListOfC& list_of(orrery_topic topic) {
  struct Once {
    std::once_flag flag{};
    ListOfC list{};
  };
  static std::array<Once, std::size(makers) + 1> lists;
  const std::size_t k = topic < 0 ? std::size(makers) : std::min(static_cast<std::size_t>(topic), std::size(makers));
  Once& one = lists[k];
  if (k < std::size(makers)) std::call_once(one.flag, [&] { one.list = made(makers[k]()); });
  return one.list;
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;

size_t orrery_plug_in_count(orrery_topic topic) try { return list_of(topic).size(); } catch (...) {
  return 0;
}

const orrery_plug_in* orrery_plug_in_at(orrery_topic topic, size_t index) try {
  const auto& list = list_of(topic);
  return index < list.size() ? &list[index].view : nullptr;
} catch (...) {
  return nullptr;
}

const orrery_plug_in* orrery_plug_in_named(orrery_topic topic, const char* name) try {
  if (name == nullptr) return nullptr;
  for (const auto& entry : list_of(topic))
    if (entry.name == name) return &entry.view;
  return nullptr;
} catch (...) {
  return nullptr;
}

const orrery_parameter* orrery_parameter_at(const orrery_plug_in* plug_in, size_t index) {
  if (plug_in == nullptr || index >= plug_in->parameter_count) return nullptr;
  return &reinterpret_cast<const PlugInOfC*>(plug_in)->parameters[index].view;
}
