// SPDX-License-Identifier: MIT
#include "pipeline/literature.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::pipeline {
namespace {

using sim::Publication;
using Published = Publication::Kind;

/// The authors of "Makino, J. and Aarseth, S. J.", surname and initials each; {a name without parts} has no initials.
std::vector<std::pair<std::string, std::string>> authors_of(const Publication& publication) {
  constexpr std::string_view between = " and ";
  std::string_view rest = publication.authors;
  if (rest.starts_with('{')) return {{std::string(rest.substr(1, rest.size() - 2)), ""}};
  std::vector<std::pair<std::string, std::string>> authors;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(between), rest.size());
    const std::string_view one = rest.substr(0, end);
    const std::size_t comma = std::min(one.find(", "), one.size());
    authors.emplace_back(one.substr(0, comma), one.substr(std::min(comma + 2, one.size())));
    rest.remove_prefix(std::min(end + between.size(), rest.size()));
  }
  return authors;
}

/// "a, b & c"
std::string joined_names(std::vector<std::string> names, std::string_view last) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::string end = std::move(names.back());
  names.pop_back();
  return fmt::format("{}{}{}", fmt::join(names, ", "), last, end);
}

std::string pages_in_text(std::string_view pages) {
  std::string text(pages);
  if (const std::size_t dash = text.find("--"); dash != std::string::npos) text.replace(dash, 2, "–");
  return text;
}

std::string brief_of(const sim::Citation& citation) {
  const Publication& of = *citation.of;
  std::vector<std::string> surnames;
  for (auto& [surname, initials] : authors_of(of)) surnames.push_back(std::move(surname));
  std::string text = fmt::format("{} {}, ", joined_names(std::move(surnames), " & "), of.year);
  text += of.kind == Published::book ? of.title.substr(0, of.title.find(':')) : of.brief.empty() ? of.in : of.brief;
  if (!of.volume.empty()) text += fmt::format(" {}", of.volume);
  if (!of.pages.empty()) text += fmt::format(", {}", of.pages.substr(0, of.pages.find('-')));
  return citation.place.empty() ? text : fmt::format("{} ({})", text, citation.place);
}

/// A title in quotation marks, in which it has single ones.
std::string in_quotation(std::string_view title) {
  std::string text(title);
  for (const auto& [outer, inner] : {std::pair{"“", "‘"}, std::pair{"”", "’"}}) {
    for (std::size_t at = text.find(outer); at != std::string::npos; at = text.find(outer, at))
      text.replace(at, std::string_view(outer).size(), inner);
  }
  return fmt::format("“{}”", text);
}

/// A text as LaTeX has it. BibTeX counts braces, even those behind a backslash.
std::string latex(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 33> written{{
      {"\\", "{\\textbackslash}"},
      {"{", "{\\textbraceleft}"},
      {"}", "{\\textbraceright}"},
      {"&", "\\&"},
      {"%", "\\%"},
      {"#", "\\#"},
      {"$", "\\$"},
      {"_", "\\_"},
      {"~", "{\\textasciitilde}"},
      {"^", "{\\textasciicircum}"},
      {"–", "--"},
      {"“", "``"},
      {"”", "''"},
      {"’", "'"},
      {"á", "{\\'a}"},
      {"ä", "{\\\"a}"},
      {"ć", "{\\'c}"},
      {"č", "{\\v{c}}"},
      {"ç", "{\\c{c}}"},
      {"è", "{\\`e}"},
      {"é", "{\\'e}"},
      {"í", "{\\'i}"},
      {"ñ", "{\\~n}"},
      {"ó", "{\\'o}"},
      {"ö", "{\\\"o}"},
      {"ø", "{\\o}"},
      {"Š", "{\\v{S}}"},
      {"š", "{\\v{s}}"},
      {"ü", "{\\\"u}"},
      {"ž", "{\\v{z}}"},
      {"Œ", "{\\OE}"},
      {"œ", "{\\oe}"},
      {"ß", "{\\ss}"},
  }};
  std::string result;
  while (!text.empty()) {
    const auto* found = std::ranges::find_if(written, [&](const auto& entry) { return text.starts_with(entry.first); });
    const bool special = found != written.end();
    result += special ? found->second : text.substr(0, 1);
    text.remove_prefix(special ? found->first.size() : 1);
  }
  return result;
}

}  // namespace

std::string brief_text(const sim::Citations& citations) {
  std::string all;
  for (const sim::Citation& each : citations) all += (all.empty() ? "" : "; ") + brief_of(each);
  return all;
}

std::string full_text(const Publication& publication) {
  std::vector<std::string> names;
  for (const auto& [surname, initials] : authors_of(publication))
    names.push_back(initials.empty() ? surname : fmt::format("{} {}", initials, surname));
  const std::string authors = joined_names(std::move(names), " and ");
  const auto& [kind, key, raw_authors, title, year, in, brief, volume, pages, edition, doi] = publication;
  switch (kind) {
    case Published::software:
      return fmt::format("{}, {}, version {}", authors, title, edition);
    case Published::book:
      return fmt::format("{}, {}{}, {} ({})", authors, title,
                         edition.empty() ? "" : fmt::format(", {} edition", edition), in, year);
    default:
      break;
  }
  std::string text =
      fmt::format("{}, {}, {}{}", authors, in_quotation(title), kind == Published::proceedings ? "in " : "", in);
  if (!volume.empty()) text += fmt::format(" {}", volume);
  if (!pages.empty()) text += fmt::format(", {}", pages_in_text(pages));
  return fmt::format("{} ({})", text, year);
}

std::string bibtex_of(const Publication& publication) {
  const auto& [kind, key, authors, title, year, in, brief, volume, pages, edition, doi] = publication;
  std::string entry = fmt::format("@{}{{{},\n",
                                  kind == Published::article       ? "article"
                                  : kind == Published::book        ? "book"
                                  : kind == Published::proceedings ? "inproceedings"
                                                                   : "misc",
                                  key);
  const auto add = [&](std::string_view field, const std::string& value) {
    if (!value.empty()) entry += fmt::format("  {} = {{{}}},\n", field, value);
  };
  const bool whole = authors.starts_with('{');
  add("author", whole ? fmt::format("{{{}}}", latex(authors.substr(1, authors.size() - 2))) : latex(authors));
  add("title", fmt::format("{{{}}}", latex(title)));  // the second pair of braces keeps capitals
  if (kind == Published::software) {
    add("note", fmt::format("Version {}", latex(edition)));
  } else {
    add(kind == Published::article ? "journal" : kind == Published::book ? "publisher" : "booktitle", latex(in));
    add("edition", std::string(edition));
  }
  add("volume", std::string(volume));
  add("pages", std::string(pages));
  add("year", year == 0 ? "" : fmt::format("{}", year));
  add("doi", std::string(doi));
  return entry + "}\n";
}

std::string bibtex_of(const std::string& key, const std::string& text) {
  return fmt::format("@misc{{{},\n  note = {{{}}},\n}}\n", key, latex(text));
}

std::string link_to(const Publication& publication) {
  return publication.doi.empty() ? "" : fmt::format("https://doi.org/{}", publication.doi);
}

Publication program_publication(const std::string& version) {
  return {.kind = Published::software,
          .key = "orrery",
          .authors = "{the orrery developers}",
          .title = "orrery",
          .edition = version};
}

}  // namespace orrery::pipeline
