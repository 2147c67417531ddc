// SPDX-License-Identifier: MIT
#include "tests/generator/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "common/error.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/scenario/bodies.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "sim/boundary.hpp"
#include "sim/external_field.hpp"
#include "sim/force.hpp"
#include "sim/initial_state.hpp"
#include "sim/integrator.hpp"
#include "sim/solver.hpp"
#include "tests/generator/values.hpp"

namespace orrery::generator {
namespace {

using pipeline::section_keys;

/// Keys of a plug-in followed by those that its section adds.
std::vector<Parameter> keys_of(std::span<const Parameter> own, std::string_view section) {
  std::vector<Parameter> all(own.begin(), own.end());
  for (Parameter key : section_keys(section)) {
    if (key.name == "kind" || std::ranges::find(own, key.name, &Parameter::name) != own.end()) continue;
    key.optional = key.optional || !key.fallback.empty();
    all.push_back(key);
  }
  return all;
}

/// Whether an initial state can be made with its defaults in such a scenario.
bool can_be_made(std::string_view kind, std::string_view setting) {
  try {
    const std::string text = fmt::format(
        "{}\n[[initial]]\nkind = \"{}\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.001\nsteps = 1\n", setting, kind);
    return set_up(pipeline::parse_scenario(text, "s.toml")).model.bodies.size() > 0;
  } catch (const Error&) {
    return false;
  }
}

/// The initial states that suit a scenario, since most are orbits or spheres, which need attraction and space.
struct Suitable {
  std::vector<const sim::InitialState*> without_attraction, in_a_plane, others;
  Suitable() {
    for (const sim::InitialState* kind : sim::initial_states()) {
      const bool listed = std::ranges::find(kind->parameters, "bodies", &Parameter::name) != kind->parameters.end();
      others.push_back(kind);
      if (listed || can_be_made(kind->name, "[[force]]\nkind = \"soft\"")) without_attraction.push_back(kind);
      if (listed || can_be_made(kind->name, "[domain]\ndimensions = 2")) in_a_plane.push_back(kind);
    }
  }
};

class Author {
 public:
  Author(std::uint64_t seed, std::uint64_t number) {
    std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                           static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
    random_.seed(sequence);
    edges_ = any(std::array{0.0, 0.0, 0.0, 0.02, 0.02, 0.1}, random_);
    given_ = any(std::array{0.05, 0.15, 0.4}, random_);
    many_ = chance(random_, 0.85) ? 33 : 257;
  }

  Drawn written() {
    top();
    domain();
    forces();
    const std::size_t states = any(std::array<std::size_t, 6>{1, 1, 1, 1, 2, 3}, random_);
    for (std::size_t i = 0; i < states; ++i) initial(states);
    if (happens(0.1)) table("[[perturb]]", "perturb", 0.6);
    integrator();
    if (happens(0.4)) schedule("trajectory", "frames");
    if (happens(0.25)) schedule("observables", "rows");
    if (happens(0.12)) backend();
    pictures();
    if (happens(0.1)) sweep();
    return std::move(drawn_);
  }

 private:
  bool happens(double probability) { return chance(random_, probability); }
  double between(double low, double high) { return uniform(random_, low, high); }
  void say(const std::string& text) { drawn_.text += text; }
  std::string lines(const std::vector<Parameter>& keys, const std::vector<std::string_view>& without = {},
                    double given = -1) {
    return lines_of(keys, random_, given < 0 ? given_ : given, edges_, many_, without);
  }
  void table(std::string_view header, std::string_view section, double given) {
    const auto keys = section_keys(section);
    say(fmt::format("{}\n{}", header, lines({keys.begin(), keys.end()}, {"kind"}, given)));
  }

  void top() {
    const auto keys = section_keys("");
    say(lines({keys.begin(), keys.end()}, {"units"}, 0.3));
    units_ = happens(0.25);
    if (units_)
      say(fmt::format("units = {}\n", generic_value(*std::ranges::find(keys, "units", &Parameter::name), random_, 0)));
  }

  void domain() {
    if (happens(0.55)) return;
    plane_ = happens(0.25);
    const std::size_t axes = plane_ ? 2 : 3;
    const bool same = happens(0.6);
    const auto kinds = sim::boundaries();
    std::vector<const sim::Boundary*> at(axes, any(kinds, random_));
    if (!same) std::ranges::generate(at, [&] { return any(kinds, random_); });
    const double size = between(2, 30);
    std::vector<std::string> names, edges, low;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const double edge = at[axis]->bounded ? (happens(0.7) ? size : scaled(random_, size, 0.5)) : 0;
      names.push_back(fmt::format("\"{}\"", at[axis]->name));
      edges.push_back(text_of(edge));
      low.push_back(text_of(-edge / 2));
      boxed_ = boxed_ || at[axis]->bounded;
      joined_ = joined_ || at[axis]->periodic;
    }
    if (happens(edges_)) {
      table("[domain]", "domain", 0.7);
      return;
    }
    say(fmt::format("[domain]\n{}boundary = [{}]\n", plane_ ? "dimensions = 2\n" : "", fmt::join(names, ", ")));
    if (boxed_) say(fmt::format("edges = [{}]\nlow = [{}]\n", fmt::join(edges, ", "), fmt::join(low, ", ")));
  }

  void forces() {
    const auto laws = sim::force_laws();
    const auto begin_of_short = std::ranges::find_if(laws, [](const auto* law) { return law->cutoff != nullptr; });
    const bool any_law = happens(0.1);
    if (happens(joined_ ? 1 : 0.6)) {
      const sim::ForceLaw* law = any(laws, random_);
      // Only laws with a cutoff are defined in periodic boxes.
      if (joined_ && !any_law)
        law = *(begin_of_short +
                static_cast<std::ptrdiff_t>(below(random_, static_cast<std::size_t>(laws.end() - begin_of_short))));
      if (!joined_ && happens(0.4)) law = laws.front();
      charged_ = law->coupling == sim::Coupling::electric;
      attraction_ = law->attracts_by_mass;
      say(fmt::format("[[force]]\nkind = \"{}\"\n", law->name));
      std::vector<std::string_view> without;  // keys of one method only
      std::vector<const sim::ForceSolver*> approximate;
      for (const sim::ForceSolver* solver : sim::force_solvers()) {
        for (const Parameter& key : solver->parameters) without.push_back(key.name);
        if (solver->is_approximate()) approximate.push_back(solver);
      }
      if (happens(0.85)) without.emplace_back("method");
      if (units_ && law->coupling == sim::Coupling::gravitational && happens(0.95))
        without.push_back(law->coupling_key);  // units define it
      if (units_ && law->coupling != sim::Coupling::gravitational) {
        const auto constant = std::ranges::find(law->parameters, law->coupling_key, &Parameter::name);
        say(fmt::format("{} = {}\n", law->coupling_key, generic_value(*constant, random_, many_)));
        without.push_back(law->coupling_key);
      }
      if (happens(0.15 * (law->cutoff == nullptr ? 1 : 0))) {
        const sim::ForceSolver& solver = *any(approximate, random_);
        say(fmt::format("method = \"{}\"\n", solver.name));
        without.emplace_back("method");
        std::erase(without, solver.parameters.front().name);
      }
      say(lines(keys_of(law->parameters, "force"), without));
    }
    while (happens(joined_ ? 0.02 : 0.15)) {
      const auto fields = sim::field_laws();
      const sim::FieldLaw& field = *any(fields, random_);
      say(fmt::format("[[force]]\nkind = \"{}\"\n", field.name));
      say(lines_of({field.parameters.begin(), field.parameters.end()}, random_, given_, edges_, many_));
    }
  }

  void initial(std::size_t states) {
    static const Suitable suitable;
    const auto& kinds = happens(0.03)  ? suitable.others
                        : !attraction_ ? suitable.without_attraction
                        : plane_       ? suitable.in_a_plane
                                       : suitable.others;
    const sim::InitialState* kind = any(kinds, random_);
    // Those that consist of listed bodies are the most versatile.
    if (happens(0.2)) kind = *std::ranges::find(suitable.others, "table", &sim::InitialState::name);
    say(fmt::format("[[initial]]\nkind = \"{}\"\n", kind->name));
    std::vector<std::string_view> without{"offset", "file", "xxh3", "radius", "bodies"};
    without.insert(without.end(), std::begin(pipeline::keys_of_file), std::end(pipeline::keys_of_file));
    const bool listed = std::ranges::find(kind->parameters, "bodies", &Parameter::name) != kind->parameters.end();
    listed_ = listed_ || listed;
    if (listed) say(bodies());
    if (std::ranges::find(kind->parameters, "lattice", &Parameter::name) != kind->parameters.end() && happens(0.9)) {
      // Whole cells: of 1, 1 and 4 bodies.
      say(any(plane_ ? std::array{"lattice = \"square\"\nn = 16\n", "lattice = \"square\"\nn = 49\n"}
                     : std::array{"lattice = \"cubic\"\nn = 27\n", "lattice = \"fcc\"\nn = 32\n"},
              random_));
      without.insert(without.end(), {"lattice", "n"});
    }
    if (charged_ && !listed &&
        std::ranges::find(kind->parameters, "charge", &Parameter::name) != kind->parameters.end()) {
      say("charge = [-1.0, 1.0]\n");
      without.emplace_back("charge");
    }
    if (happens(0.85)) without.emplace_back("velocity");
    if (boxed_ && std::ranges::find(kind->parameters, "n", &Parameter::name) != kind->parameters.end() &&
        happens(0.5)) {
      say("offset = [-0.9, -0.9, 0.0]\n");
    } else if (states > 1 || happens(0.15)) {
      const double far = states > 1 ? 6 : 1;
      say(fmt::format("offset = [{}, {}, {}]\n", text_of(between(-far, far)), text_of(between(-far, far)),
                      plane_ ? "0.0" : text_of(between(-far, far))));
    }
    say(lines(keys_of(kind->parameters, "initial"), without));
  }

  /// A list of bodies: any number, also none, some without mass, some at one place or fast.
  std::string bodies() {
    const std::size_t count = any(std::array<std::size_t, 9>{0, 1, 2, 2, 3, 3, 4, 5, 9}, random_);
    std::string text = "bodies = [";
    std::string last = "[0.0, 0.0, 0.0]";
    const bool massless = happens(0.2), named = happens(0.5);
    for (std::size_t i = 0; i < count; ++i) {
      const auto triple = [&](double size) {
        return fmt::format("[{}, {}, {}]", text_of(between(-size, size)), text_of(between(-size, size)),
                           plane_ ? "0.0" : text_of(between(-size, size)));
      };
      if (!happens(edges_)) last = triple(0.9);
      const double mass = happens(massless ? 0.6 : 0.08) ? 0 : between(0, 2);
      text += fmt::format("\n  {{ {}mass = {}, position = {}, velocity = {}{} }},",
                          named ? fmt::format("name = \"b{}\", ", i) : "", text_of(mass), last,
                          triple(happens(edges_) ? 5000 : 0.7),
                          charged_ && mass > 0 ? fmt::format(", charge = {}", text_of(between(-1, 1))) : "");
    }
    return text + (count > 0 ? "\n" : "") + "]\n";
  }

  void integrator() {
    const auto kinds = sim::integrators();
    const sim::Integrator* kind = any(kinds, random_);
    while (boxed_ && !kind->why_open.empty() && happens(0.95)) kind = any(kinds, random_);
    say(fmt::format("[integrator]\nkind = \"{}\"\n", kind->name));
    const std::string sign = happens(0.08) ? "-" : "";
    const bool periods = happens(attraction_ && !listed_ ? 0.4 : 0.03);
    if (periods) {
      const std::size_t steps = 1 + below(random_, 60);
      say(fmt::format("dt = \"{}1/{} {}\"\n", sign, steps,
                      happens(0.8) ? "period" : any(std::array{"day", "yr", "crossing time", "rotation"}, random_)));
      time_ = happens(0.5);
      say(time_ ? fmt::format("time = \"{} period\"\n", happens(0.5) ? 1 : 2) : fmt::format("steps = {}\n", steps));
    } else {
      const double dt = scaled(random_, 0.01, units_ ? 8 : 3);
      steps_ = happens(0.1) ? below(random_, 3) : 1 + below(random_, 80);
      say(fmt::format("dt = {}{}\n", sign, text_of(dt)));
      time_ = happens(0.2);
      say(time_ ? fmt::format("time = {}\n", text_of(dt * static_cast<double>(steps_)))
                : fmt::format("steps = {}\n", steps_));
    }
    say(lines(keys_of(kind->parameters, "integrator"), {"dt", "time", "steps"}));
  }

  /// The table of frames or rows.
  void schedule(const std::string& section, const std::string& count) {
    const auto keys = section_keys(section);
    if (happens(0.1 + edges_)) {
      table("[" + section + "]", section, 0.2);
      return;
    }
    say("[" + section + "]\n");
    const std::size_t most = std::max<std::size_t>(steps_, 1);
    if (happens(0.4)) {
      say(fmt::format("{} = {}\n", count, 1 + below(random_, most + 1)));
      if (happens(0.2)) say("spacing = \"log\"\n");
    } else if (happens(0.6)) {
      say(fmt::format("every = {}\n", 1 + below(random_, most)));
    }
    say(lines({keys.begin(), keys.end()}, {"frames", "rows", "every", "times", "spacing", "first", "file", "bodies",
                                           "components", "commit", "sync"}));
  }

  void backend() {
    drawn_.backend = true;
    const auto keys = section_keys("backend");
    say("[backend]\n" + lines({keys.begin(), keys.end()}, {"kind", "device", "devices", "threads"}, 0.4));
  }

  void pictures() {
    const std::size_t figures = any(std::array<std::size_t, 6>{0, 0, 1, 1, 2, 3}, random_);
    for (std::size_t i = 0; i < figures; ++i)
      picture("figure", fmt::format("f{}{}", i, any(std::array{".png", ".svg", ".pdf"}, random_)));
    if (happens(0.08))
      picture("film", fmt::format("m{}", any(std::array{".gif", ".mp4", ".webm", "-###.png"}, random_)));
  }

  void picture(const std::string& section, const std::string& file) {
    const auto kinds = pipeline::figure_descriptions(section);
    if (!pipeline::draws_pictures()) return;
    const auto& kind = any(kinds, random_);
    ++drawn_.tables;
    if (file.find('#') == std::string::npos) drawn_.pictures.push_back(file);
    say(fmt::format("[[{}]]\nkind = \"{}\"\nfile = \"{}\"\nsize = [{}, {}]\n", section, kind.name, file,
                    64 + below(random_, 200), 64 + below(random_, 200)));
    std::vector<std::string_view> without{"kind",  "file",  "size",   "part",  "dpi",
                                          "width", "other", "others", "codec", "pixel_format"};
    if (section == "film") {
      say("duration = 0.3\nfps = 10\n");
      without.insert(without.end(), {"duration", "fps", "max_file_size"});
    }
    const bool takes_other = std::ranges::find(kind.parameters, "other", &Parameter::name) != kind.parameters.end();
    if (!units_) without.insert(without.end(), {"time_unit", "length_unit", "mass_unit"});
    if (takes_other) say("other = \"run.h5\"\n");
    say(lines(kind.parameters, without, 0.5 * given_));
    if (std::ranges::find(kind.parameters, "part", &Parameter::name) == kind.parameters.end() || happens(0.3)) return;
    for (std::size_t i = 0, parts = 1 + below(random_, 3); i < parts; ++i) {
      const auto& part = any(kinds, random_);
      say(fmt::format("[[{}.part]]\nkind = \"{}\"\n", section, part.name));
      std::vector<Parameter> keys = part.parameters;
      std::erase_if(keys, [&](const Parameter& key) {
        const auto of_picture = {"theme",    "trails",        "time_unit", "length_unit",  "mass_unit",
                                 "title",    "dpi",           "width",     "size",         "fps",
                                 "duration", "max_file_size", "codec",     "pixel_format", "file",
                                 "kind",     "part",          "other",     "others"};
        return std::ranges::find(of_picture, key.name) != of_picture.end();
      });
      say(lines(keys, {}, 0.5 * given_));
    }
  }

  void sweep() {
    drawn_.sweep = true;
    say("[sweep]\n");
    if (happens(0.3)) say("combine = \"zip\"\n");
    const bool steps = !time_ && happens(0.3);
    if (!steps || happens(0.5)) say("seed = [3, 4]\n");
    if (happens(0.5)) say("integrator.dt = [0.01, 0.005]\n");
    if (steps) say("integrator.steps = [5, 10]\n");
    if (happens(0.2)) say("integrator.kind = [\"leapfrog\", \"yoshida4\"]\n");
  }

  Random random_;
  Drawn drawn_;
  double edges_ = 0, given_ = 0;
  std::size_t many_ = 0, steps_ = 40;
  bool units_ = false, plane_ = false, boxed_ = false, joined_ = false, charged_ = false, attraction_ = true,
       listed_ = false, time_ = false;
};

}  // namespace

Drawn draw(std::uint64_t seed, std::uint64_t number) {
  return Author(seed, number).written();
}

}  // namespace orrery::generator
