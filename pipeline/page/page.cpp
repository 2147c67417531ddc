// SPDX-License-Identifier: MIT
#include "pipeline/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "common/base64.hpp"
#include "pipeline/input_file.hpp"
#include "pipeline/page/phrases.hpp"
#include "pipeline/page/run_figures.hpp"
#include "pipeline/page/stage_data.hpp"
#include "pipeline/page/words.hpp"
#include "pipeline/pictures/picture_keys.hpp"
#include "pipeline/pictures/render_run.hpp"
#include "pipeline/progress.hpp"
#include "pipeline/run/runs_in_folder.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "pipeline/text_output.hpp"
#include "render/page/html.hpp"
#include "render/page/page.hpp"

namespace orrery::pipeline {
namespace {

using render::html::bytes_block;
using render::html::escaped;

constexpr double megabyte = 1e6;
constexpr double fixed_part = 1.5e5;  // bytes: script, style, engines, words
constexpr double share_of_figures = 0.5;
constexpr double share_of_films = 0.5;  // of what is left, at most

/// A run and what has been made of it for the page.
struct PageRun {
  std::unique_ptr<TrajectoryReader> trajectory;
  RunWords words{};
  std::vector<RunFigure> figures{};  ///< the first one shows bodies
  StageData stage{};
};

std::string title(std::string_view words, int level) {
  return fmt::format("<h{0}>{1}</h{0}>\n", level, escaped(words));
}

std::string paragraph(std::string_view text, std::string_view kind = "") {
  if (text.empty()) return "";
  return kind.empty() ? fmt::format("<p>{}</p>\n", escaped(text))
                      : fmt::format("<p class=\"{}\">{}</p>\n", kind, escaped(text));
}

std::string folded(std::string_view summary, const std::string& markup) {
  return fmt::format("<details><summary>{}</summary>\n{}</details>\n", escaped(summary), markup);
}

/// Text to be copied.
std::string copied(const std::string& id, std::string_view text) {
  return fmt::format(
      "<pre id=\"{0}\" tabindex=\"0\">{1}</pre>\n<button type=\"button\" class=\"copy\" data-from=\"{0}\">Copy"
      "</button>\n",
      id, escaped(text, true));
}

std::string facts_table(const std::vector<WordsRow>& rows) {
  std::string text = "<table class=\"facts\"><tbody>\n";
  for (const WordsRow& row : rows) {
    text += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}</tr>\n", escaped(row.name), escaped(row.value),
                        row.meaning.empty() ? "" : fmt::format("<td class=\"soft\">{}</td>", escaped(row.meaning)));
  }
  return text + "</tbody></table>\n";
}

std::string figure_of(const RunFigure& figure) {
  std::string numbers;
  for (const render::Chart& chart : figure.charts) numbers += table_of(chart);
  return fmt::format("<figure class=\"chart\">{}<figcaption>{}</figcaption>\n{}</figure>\n", figure.markup,
                     escaped(figure.caption), numbers.empty() ? "" : folded("Its numbers", numbers));
}

/// The figures of its scenario, one that shows bodies first, and films; defaults for a run that has none.
struct OwnPictures {
  std::vector<Picture> figures, films;
  std::string color_by;  ///< what colours stand for there, if that does not change with time
};

OwnPictures own_pictures_of(const TrajectoryReader& trajectory) {
  OwnPictures own;
  const Document document(scenario_text(trajectory, trajectory.path()), {});
  for (Picture& picture : read_pictures(document)) {
    const std::string by = picture.color_by();
    if (own.color_by.empty() && (by == "component" || by == "body" || by == "mass" || by == "id")) own.color_by = by;
    (picture.moving ? own.films : own.figures).push_back(std::move(picture));
  }
  const auto add = [&](const char* kind) {
    own.figures.push_back(make_picture(false, {{{"kind", kind}, {"file", "figure.svg"}}}));
  };
  // The first one is shown where the stage is not, so it should show the same.
  const auto shows_bodies = [](const Picture& picture) { return picture.kind->needs_frames; };
  const auto shows_space = [](const Picture& picture) { return picture.kind->has_paths && !has_parts(*picture.kind); };
  if (std::ranges::none_of(own.figures, shows_space)) add("projection");
  if (std::ranges::all_of(own.figures, shows_bodies)) add("energy-error");
  std::ranges::stable_partition(own.figures, shows_space);
  return own;
}

/// The films of the run that lie in its folder, as long as they fit into `room` bytes, which becomes what is left of it.
std::string films_of(const TrajectoryReader& trajectory, const std::vector<Picture>& films, const std::string& prefix,
                     double& room, std::string& blocks, std::vector<std::string>& left_out) {
  std::string text;
  for (std::size_t k = 0; k < films.size(); ++k) {
    const Picture& film = films[k];
    const std::filesystem::path file = trajectory.path().parent_path() / film.file();
    const std::string ending = file.extension().string();
    std::error_code none;
    const auto bytes = std::filesystem::file_size(file, none);
    if (none || (ending != ".mp4" && ending != ".webm")) continue;
    const double size = base64_size(bytes);
    if (size > room) {
      left_out.push_back(fmt::format("{} ({:.1f} MB)", file.filename().string(), size / megabyte));
      continue;
    }
    room -= size;
    const std::string id = fmt::format("{}film-{}", prefix, k);
    blocks += bytes_block(id, read_whole(file));
    text += fmt::format(
        "<figure><video controls loop muted playsinline preload=\"metadata\" data-from=\"{}\" data-type=\"video/{}\" "
        "aria-label=\"{}\"></video><figcaption>{}</figcaption></figure>\n",
        id, ending.substr(1), escaped("Film: " + std::string(film.kind->meaning)), escaped(file.filename().string()));
  }
  return text;
}

std::string references_of(const std::vector<Cited>& references) {
  std::string text = "<ol class=\"references\">\n";
  for (const Cited& cited : references) {
    text += fmt::format(
        "<li>{}{}</li>\n", escaped(cited.text),
        cited.link.empty() ? "" : fmt::format(". <a href=\"{0}\" rel=\"noreferrer\">{0}</a>", escaped(cited.link)));
  }
  return text + "</ol>\n";
}

/// Everything about one run below its stage.
std::string sections_of(const PageRun& run, const std::string& films, const std::vector<std::string>& left_out,
                        const std::string& prefix, int level) {
  const RunWords& words = run.words;
  std::string text;
  const auto section = [&](std::string_view name, const std::string& markup) {
    if (!markup.empty()) text += title(name, level) + markup;
  };
  section("What was simulated", paragraph(words.simulated));
  std::string cautions;
  for (const std::string& caution : words.cautions) cautions += fmt::format("<li>{}</li>\n", escaped(caution));
  if (!cautions.empty()) cautions = fmt::format("<ul class=\"cautions\">\n{}</ul>\n", cautions);
  section("Be careful about", cautions);
  std::string figures;
  for (std::size_t k = 1; k < run.figures.size(); ++k) figures += figure_of(run.figures[k]);
  section("Figures", figures);
  section("Films", films);
  if (!left_out.empty()) text += paragraph(fmt::format("Too large for this page: {}.", listed(left_out)), "soft");
  section("Conserved quantities", words.conserved.empty() ? "" : facts_table(words.conserved));
  section("Methods", paragraph(words.methods) + references_of(words.references) +
                         folded("BibTeX", copied(prefix + "bibtex", words.bibtex())));
  std::string again;
  for (const ShellLine& line : words.commands)
    again += fmt::format("<p><code>{}</code> <span class=\"soft\">{}</span></p>\n", escaped(line.command),
                         escaped(line.meaning));
  section("Run it again", again + folded("The scenario", copied(prefix + "scenario", words.scenario)));
  section("Provenance", facts_table(words.provenance));
  return text;
}

std::string stage_of(const PageRun& run, std::size_t k, int level) {
  const std::string still = run.figures.empty() ? "" : run.figures.front().markup;
  std::string text =
      fmt::format("<div class=\"stage\" data-run=\"{}\"><figure class=\"still\">{}</figure></div>\n", k, still);
  const std::string& why_not = run.stage.engine.why_not;
  text += paragraph(run.stage.thinned, "soft") + paragraph(run.stage.between, "soft");
  text += title("Step it here", level);
  if (!why_not.empty())
    return text + paragraph(fmt::format("This page cannot step the run itself: {}.", why_not), "soft");
  return text + fmt::format(
                    "<p>This page holds the initial state and an engine of its own, which takes every step again and "
                    "compares the last bit.</p>\n<div class=\"stepper\" data-run=\"{}\"></div>\n",
                    k);
}

std::string data_of(const PageRun& run, std::size_t k) {
  std::string blocks = bytes_block(fmt::format("frames-{}", k), run.stage.frames);
  if (!run.stage.velocities.empty()) blocks += bytes_block(fmt::format("velocities-{}", k), run.stage.velocities);
  if (!run.stage.engine.state.empty()) blocks += bytes_block(fmt::format("state-{}", k), run.stage.engine.state);
  if (!run.stage.engine.checksums.empty())
    blocks += bytes_block(fmt::format("checksums-{}", k), run.stage.engine.checksums);
  return blocks;
}

/// A table of what several runs differ in, and figures of all of them.
std::string comparison_of(const std::vector<PageRun>& runs, const RunsSideBySide& all,
                          const std::vector<std::filesystem::path>& files, Context& context) {
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table class=\"runs\"><thead><tr><th scope=\"col\">run</th>";
  for (const std::string& column : all.columns) text += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t k = 0; k < runs.size(); ++k) {
    text += fmt::format("<tr><th scope=\"row\"><a href=\"#run-{}\">{}</a></th>", k, escaped(all.titles[k]));
    for (const std::string& value : all.rows[k]) text += fmt::format("<td>{}</td>", escaped(value));
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  std::vector<std::string> kinds{"energy-error"};
  if (!all.swept.empty()) kinds.insert(kinds.begin(), "convergence");
  const TrajectoryReader& first = *runs.front().trajectory;
  for (const std::string& kind : kinds) {
    try {
      const RenderJob job = one_figure({.runs = files, .output = "figure.svg", .figure = kind}, first);
      for (const RunFigure& figure : run_figures(first, job.pictures, "all-" + kind, context))
        text += figure_of(figure);
    } catch (const Error& error) {
      context.warning("{} of all runs is left out: {}", kind, error.what());
    }
  }
  return fmt::format("<section class=\"all\">\n<h2>{} runs</h2>\n{}</section>\n", runs.size(), text);
}

/// Removes the figures that do not fit into `room` bytes, except the first, and returns what is left of it.
double fit(std::vector<RunFigure>& figures, double room, std::vector<std::string>& left_out) {
  const double for_figures = share_of_figures * room;
  double taken = 0;
  std::vector<RunFigure> kept;
  for (RunFigure& figure : figures) {
    const double size = static_cast<double>(figure.markup.size());
    if (!kept.empty() && taken + size > for_figures) {
      left_out.push_back(fmt::format("{} ({:.1f} MB)", figure.caption, size / megabyte));
      continue;
    }
    taken += size;
    kept.push_back(std::move(figure));
  }
  figures = std::move(kept);
  return room - taken;
}

/// Makes everything of run k that takes at most about `room` bytes, adds its data to the page, and returns its section. `heading`: ""
/// if it is the only run.
std::string section_of(PageRun& run, std::size_t k, const std::string& heading, double room, render::Page& page,
                       Context& context) {
  constexpr double least = 5e4;
  const std::string prefix = fmt::format("r{}-", k);
  const OwnPictures own = own_pictures_of(*run.trajectory);
  std::vector<std::string> left_out;
  run.figures = run_figures(*run.trajectory, own.figures, prefix + "f", context);
  room = fit(run.figures, room, left_out);
  double for_films = share_of_films * room;
  room -= for_films;
  const std::string films = films_of(*run.trajectory, own.films, prefix, for_films, page.blocks, left_out);
  if (context.stopped()) return "";
  run.stage = stage_data(*run.trajectory, std::max(room + for_films, least), own.color_by, context);
  page.blocks += data_of(run, k);
  page.steps = page.steps || run.stage.engine.why_not.empty();
  const bool alone = heading.empty();
  const int level = alone ? 2 : 3;
  const std::string more = sections_of(run, films, left_out, prefix, level);
  return fmt::format("<section class=\"run\" id=\"run-{}\">\n{}{}{}</section>\n", k,
                     alone ? "" : fmt::format("<h2>{}</h2>\n", escaped(heading)), stage_of(run, k, level),
                     alone ? more : folded("More of this run", more));
}

}  // namespace

std::filesystem::path write_page(const PageOptions& options, Context& context) {
  std::vector<PageRun> runs;
  std::vector<std::filesystem::path> files;
  for (const FolderRun& run : runs_of(options.runs, context).runs) {
    if (!run.readable()) continue;
    files.push_back(run.file);
    runs.push_back({.trajectory = std::make_unique<TrajectoryReader>(run.file)});
  }
  if (runs.empty()) throw Error(options.runs.front().string() + ": holds no run that can be read", Fault::request);
  const std::filesystem::path output = options.output.value_or(files.front().parent_path() / "page.html");
  refuse_unwritable(output, options.replacing);
  const Context::During orderly(context, Context::Phase::orderly);
  Progress progress(output.filename().string(), context);

  const auto count = static_cast<double>(runs.size());
  std::vector<const TrajectoryReader*> readers;
  for (const PageRun& run : runs) readers.push_back(run.trajectory.get());
  const bool several = runs.size() > 1;
  const RunsSideBySide all = several ? side_by_side(readers) : RunsSideBySide{};
  const double share =
      (options.size * megabyte - fixed_part) / (several ? count + 1 : 1);  // one more for what compares them
  render::Page page;
  nlohmann::json facts{{"runs", nlohmann::json::array()}};
  for (std::size_t k = 0; k < runs.size(); ++k) {
    progress.show(static_cast<double>(k) / count);
    runs[k].words = words_of(*runs[k].trajectory);
    page.main += section_of(runs[k], k, several ? all.titles[k] : "", share, page, context);
    if (context.stopped()) return {};
    facts["runs"].push_back(runs[k].stage.facts);
    if (several) facts["runs"].back()["title"] = render::html::plain(all.titles[k]);
  }
  if (several) page.main = comparison_of(runs, all, files, context) + page.main;
  if (context.stopped()) return {};
  page.blocks = render::html::json_block("facts", facts) + page.blocks;
  page.title = runs.front().words.title;
  page.header =
      fmt::format("<h1>{}</h1>\n{}", escaped(page.title), several ? "" : paragraph(runs.front().words.brief, "soft"));
  const std::string text = render::html_of(page);
  write_whole(output, text, options.replacing);
  if (static_cast<double>(text.size()) > 1.02 * options.size * megabyte)
    context.note("{} has {:.1f} MB: nothing more can be left out", output.string(),
                 static_cast<double>(text.size()) / megabyte);
  return output;
}

}  // namespace orrery::pipeline
