// SPDX-License-Identifier: MIT
// Publications: all that plug-ins cite is complete, and becomes text and BibTeX.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "pipeline/literature.hpp"
#include "pipeline/plug_in_lists.hpp"
#include "pipeline/version.hpp"
#include "sim/external_field.hpp"
#include "sim/force.hpp"
#include "sim/initial_state.hpp"
#include "sim/integrator.hpp"
#include "sim/literature.hpp"
#include "sim/solver.hpp"
#include "tests/pipeline/program_support.hpp"

namespace orrery::pipeline::testing {
namespace {

using sim::Publication;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A plug-in with its words and what it cites.
struct Citing {
  std::string name, words;
  sim::Citations references;
};

std::vector<Citing> all_plug_ins() {
  std::vector<Citing> all;
  const auto add = [&](const auto& list) {
    for (const auto* one : list) all.push_back({std::string(one->name), std::string(one->meaning), one->references});
  };
  add(sim::integrators());
  add(sim::force_laws());
  add(sim::field_laws());
  add(sim::initial_states());
  add(sim::force_solvers());
  return all;
}

std::map<std::string, const Publication*> all_publications() {
  std::map<std::string, const Publication*> all;
  for (const Citing& one : all_plug_ins()) {
    for (const sim::Citation& each : one.references) {
      const auto [place, is_new] = all.emplace(each.of->key, each.of);
      EXPECT_TRUE(is_new || place->second == each.of) << "two have the key " << each.of->key;
    }
  }
  all.emplace(sim::literature::salmon2011.key, &sim::literature::salmon2011);
  return all;
}

/// The fields of an entry of BibTeX, and "" for its type and key; empty if it is none.
std::map<std::string, std::string> fields_of(std::string text) {
  std::map<std::string, std::string> fields;
  const std::size_t open = text.find('{'), comma = text.find(",\n");
  if (!text.starts_with('@') || comma == std::string::npos || !text.ends_with("\n}\n")) return {};
  fields[""] = text.substr(1, open - 1) + " " + text.substr(open + 1, comma - open - 1);
  for (std::size_t at = comma + 2; text[at] != '}';) {
    const std::size_t equals = text.find(" = {", at), end = text.find("},\n", at);
    if (equals == std::string::npos || end == std::string::npos || equals > end) return {};
    const std::string value = text.substr(equals + 4, end - equals - 4);
    int depth = 0;
    for (const char c : value) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth < 0) return {};
    }
    if (depth != 0) return {};
    fields[text.substr(at + 2, equals - at - 2)] = value;
    at = end + 3;
  }
  return fields;
}

TEST(Literature, IsComplete) {
  for (const auto& [key, publication] : all_publications()) {
    SCOPED_TRACE(key);
    const auto& [kind, own, authors, title, year, in, brief, volume, pages, edition, doi] = *publication;
    EXPECT_THAT(key, ::testing::MatchesRegex("[a-z]+[0-9]{4}"));
    EXPECT_THAT(key, HasSubstr(std::to_string(year)));
    EXPECT_FALSE(authors.empty() || title.empty() || in.empty());
    EXPECT_TRUE(kind != Publication::Kind::article || !(volume.empty() || pages.empty()));
    EXPECT_TRUE(doi.empty() || doi.starts_with("10."));
    // "Surname, I. J. and Surname, K."
    for (std::string_view rest = authors; !rest.empty();) {
      const std::size_t end = std::min(rest.find(" and "), rest.size());
      EXPECT_NE(rest.substr(0, end).find(", "), std::string_view::npos) << rest;
      EXPECT_TRUE(rest.substr(0, end).ends_with('.')) << rest;
      rest.remove_prefix(std::min(end + 5, rest.size()));
    }
  }
}

TEST(Literature, BecomesBibtex) {
  std::set<std::string> dois;
  for (const auto& [key, publication] : all_publications()) {
    const std::string entry = bibtex_of(*publication);
    const auto fields = fields_of(entry);
    ASSERT_FALSE(fields.empty()) << entry;
    EXPECT_TRUE(fields.at("").ends_with(" " + key)) << entry;
    EXPECT_TRUE(fields.contains("author") && fields.contains("title") && fields.contains("year")) << entry;
    EXPECT_TRUE(std::ranges::all_of(entry, [](char c) { return static_cast<unsigned char>(c) < 128; })) << entry;
    EXPECT_TRUE(!fields.contains("doi") || dois.insert(fields.at("doi")).second) << entry;
  }
  EXPECT_EQ(bibtex_of(sim::literature::suvakov2013), R"(@article{suvakov2013,
  author = {{\v{S}}uvakov, M. and Dmitra{\v{s}}inovi{\'c}, V.},
  title = {{Three classes of Newtonian three-body planar periodic orbits}},
  journal = {Physical Review Letters},
  volume = {110},
  pages = {114301},
  year = {2013},
  doi = {10.1103/PhysRevLett.110.114301},
}
)");
}

TEST(Literature, BecomesText) {
  using namespace sim::literature;
  EXPECT_EQ(
      brief_text({yoshida1990, {hairer2006, "V.3.2"}}),
      "Yoshida 1990, Phys. Lett. A 150, 262; Hairer, Lubich & Wanner 2006, Geometric Numerical Integration (V.3.2)");
  EXPECT_EQ(brief_text({}), "");
  EXPECT_EQ(full_text(makino1992),
            "J. Makino and S. J. Aarseth, “On a Hermite integrator with Ahmad-Cohen scheme for gravitational many-body "
            "problems”, Publications of the Astronomical Society of Japan 44, 141–151 (1992)");
  EXPECT_THAT(full_text(verlet1967), HasSubstr("“Computer ‘experiments’ on classical fluids. I. "));
  EXPECT_EQ(full_text(binney2008),
            "J. Binney and S. Tremaine, Galactic Dynamics, 2nd edition, Princeton University Press (2008)");
  EXPECT_EQ(link_to(yoshida1990), "https://doi.org/10.1016/0375-9601(90)90092-3");
  EXPECT_EQ(link_to(makino1992), "");
}

/// Text that a program gives for its own plug-in cannot end the entry.
TEST(Literature, TextIsEscapedInBibtex) {
  const std::string entry = bibtex_of("mine", R"(50 % of A & B_1 }}{\input{x}, $x^2$)");
  EXPECT_FALSE(fields_of(entry).empty()) << entry;
  EXPECT_THAT(entry, AllOf(HasSubstr(R"(50 \% of A \& B\_1 {\textbraceright})"), Not(HasSubstr("\\input"))));
}

/// Whoever is named by a plug-in is cited by it.
TEST(Literature, AuthorsInWordsOfPlugInsAreCited) {
  std::set<std::string> surnames{"Verlet", "Gauss-Radau", "Kepler", "Runge-Kutta", "Hermite"};
  for (const auto& [key, publication] : all_publications()) {
    for (std::string_view rest = publication->authors; !rest.empty();) {
      surnames.emplace(rest.substr(0, rest.find(',')));
      rest.remove_prefix(std::min(std::min(rest.find(" and "), rest.size()) + 5, rest.size()));
    }
  }
  for (const Citing& one : all_plug_ins()) {
    for (const std::string& surname : surnames)
      EXPECT_TRUE(one.words.find(surname) == std::string::npos || !one.references.empty()) << one.name << surname;
  }
}

TEST(Literature, ListsShowReferences) {
  const auto note_of = [](const std::vector<PlugIn>& list, std::string_view name) {
    const auto found = std::ranges::find(list, name, &PlugIn::name);
    return found == list.end() ? "" : found->note;
  };
  EXPECT_EQ(
      note_of(integrator_list(), "yoshida4"),
      "order 4, symplectic, symmetric in time, 3 force evaluations per step; Yoshida 1990, Phys. Lett. A 150, 262");
  EXPECT_THAT(note_of(integrator_list(), "langevin"), HasSubstr("order 2 without friction"));
  EXPECT_EQ(note_of(initial_state_list(), "pythagorean"),
            "Burrau 1913, Astron. Nachr. 195, 113; Szebehely & Peters 1967, Astron. J. 72, 876");
  EXPECT_EQ(note_of(pair_force_list(), "gravity"), "Aarseth 1963, MNRAS 126, 223 (softening)");
  EXPECT_THAT(note_of(solver_list(), "tree"), HasSubstr("Greengard & Rokhlin 1987, J. Comput. Phys. 73, 325"));
  const Folder folder;
  EXPECT_THAT(run(folder, {"list", "force", "plummer-halo"}).output,
              HasSubstr("gravity by default; Plummer 1911, MNRAS 71, 460\n"));
}

/// CITATION.cff says the same of the program.
TEST(Literature, ProgramIsThatOfTheCitationFile) {
  const std::string citation = read(std::filesystem::path(ORRERY_SOURCE_DIR) / "CITATION.cff");
  const std::string version_here = version();
  const Publication program = program_publication(version_here);
  EXPECT_THAT(citation, AllOf(HasSubstr(fmt::format("\ntitle: {}\n", program.title)),
                              HasSubstr(fmt::format("\nversion: {}\n", version_here)),
                              HasSubstr("\n  - name: the orrery developers\n")));
  EXPECT_EQ(full_text(program), fmt::format("the orrery developers, orrery, version {}", version_here));
  EXPECT_EQ(bibtex_of(program), fmt::format("@misc{{orrery,\n  author = {{{{the orrery developers}}}},\n  title = "
                                            "{{{{orrery}}}},\n  note = {{Version {}}},\n}}\n",
                                            version_here));
}

}  // namespace
}  // namespace orrery::pipeline::testing
