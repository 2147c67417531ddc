// SPDX-License-Identifier: MIT
// For builds without pictures. Drawing prints a warning.
#include <fmt/format.h>

#include "common/error.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"

namespace orrery::pipeline {

struct Pictures::Impl {
  std::size_t count;
};

Pictures::Pictures(Subject, const std::vector<Picture>& pictures, bool)
    : impl_(std::make_unique<Impl>(Impl{pictures.size()})) {}
Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;
Pictures& Pictures::operator=(Pictures&&) noexcept = default;

std::size_t Pictures::count() const {
  return impl_->count;
}
std::vector<std::string> Pictures::files() const {
  return {};
}
std::vector<std::string> Pictures::plan() const {
  return {};
}
void Pictures::check_other_runs(const std::filesystem::path&, const Outliner&, const RunsToCome&) const {}
void Pictures::check_sweep_figures(const std::vector<RunOutline>&) const {}
void Pictures::refuse_too_large() const {}
void Pictures::refuse_to_replace(const std::filesystem::path&, Replacing, std::string_view) const {}
bool Pictures::draws(const std::string&) const {
  return false;
}
void Pictures::make_previews() {}
std::vector<std::string> Pictures::divide(const render::Piece&) {
  return {};
}
std::vector<Picture> Pictures::sweep_figures() const {
  return {};
}
std::vector<std::string> Pictures::unseen() const {
  return {};
}

std::string Pictures::why_not_drawn() const {
  return "";
}
Pictures::Divisible Pictures::divisible() const {
  return {};
}

std::string Pictures::resolved() const {
  return "";
}

std::vector<std::filesystem::path> Pictures::draw(const TrajectoryReader&, const std::filesystem::path&,
                                                  Messages& messages, What, const std::string&, Replacing) const {
  if (impl_->count > 0)
    messages.warning("this build draws no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)");
  return {};
}

bool write_chart(const std::filesystem::path&, render::Size, render::Theme, const render::Chart&, Replacing) {
  return false;
}

bool write_heat_map(const std::filesystem::path&, render::Size, render::Theme, const render::HeatMap&, Replacing) {
  return false;
}

render::Provenance provenance_of_picture(const std::filesystem::path& file) {
  throw Error(fmt::format("{}: this build reads no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)",
                          file.string()),
              2);
}

bool fits_film(const std::string&, std::string_view, const Value&) {
  return true;
}

std::vector<Picture> read_pictures(const Document& document, std::string_view, const GivenKeys&) {
  return {document.count("figure") + document.count("film"), Picture{nullptr, false, Section({}, "", {}, {})}};
}

std::vector<Parameter> keys_of(std::string_view, const render::FigureKind&) {
  return {};
}

const render::FigureKind& figure_kind(std::string_view, std::string_view place) {
  throw Error(
      fmt::format("{}: this build draws no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)", place), 2);
}

std::vector<FigureDescription> figure_descriptions(std::string_view) {
  return {};
}

}  // namespace orrery::pipeline

namespace orrery::render {

JoinedFilm join(const std::filesystem::path& film, Replacing) {
  throw Error(
      fmt::format("{}: this build joins no films: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)", film.string()),
      2);
}

Provenance quick_provenance(const std::filesystem::path&) {
  return {};
}

}  // namespace orrery::render
