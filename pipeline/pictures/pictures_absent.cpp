// SPDX-License-Identifier: MIT
// A build without pictures: everything works but drawing, which says how to get it.
#include <fmt/format.h>

#include "common/error.hpp"
#include "pipeline/pictures/picture_file.hpp"
#include "pipeline/pictures/pictures.hpp"
#include "pipeline/say.hpp"

namespace orrery::pipeline {

struct Pictures::Impl {
  std::size_t count;
};

Pictures::Pictures(const Scenario& scenario, const Setup&, bool)
    : impl_(std::make_unique<Impl>(Impl{scenario.document.count("figure") + scenario.document.count("film")})) {}
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
void Pictures::refuse_absent_runs(const std::filesystem::path&, const std::set<std::filesystem::path>&) const {}
void Pictures::make_previews() {}
std::string Pictures::hindrance() const {
  return "";
}
std::string Pictures::resolved() const {
  return "";
}

std::vector<std::filesystem::path> Pictures::draw(const TrajectoryReader&, const std::filesystem::path&, bool, What,
                                                  const std::string&) const {
  if (impl_->count > 0) {
    say(stderr, "orrery: this build draws no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)\n");
  }
  return {};
}

bool write_chart(const std::filesystem::path&, render::Size, render::Theme, const std::vector<render::Chart>&, int) {
  return false;
}

render::Provenance told_by_picture(const std::filesystem::path& file) {
  throw Error(fmt::format("{}: this build reads no pictures: configure with -DORRERY_RENDER=ON (VTK and FFmpeg)",
                          file.string()),
              2);
}

std::vector<FigureDescription> figure_descriptions(std::string_view) {
  return {};
}

}  // namespace orrery::pipeline
