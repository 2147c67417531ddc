// SPDX-License-Identifier: MIT
// Bytes per pixel are measurements with 2 and 15 threads at 512² to 16384² pixels (docs/pictures.md), rounded up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/thread_pool.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/pictures/picture_plan.hpp"
#include "pipeline/progress.hpp"
#include "render/canvas/canvas.hpp"

namespace orrery::pipeline {
namespace {

double pixels(render::Size size) {
  return static_cast<double>(size.width) * size.height;
}

/// Returns encoder_bytes() of films with yuv420p.
double usual_encoder_bytes(render::Codec codec) {
  const int threads = std::min(loop_threads() + 1, 16);
  if (codec == render::Codec::h264) return 50 + 10 * threads;
  if (codec == render::Codec::hevc) return 150 + 12 * threads;
  return codec == render::Codec::vp9 ? 120 + threads : 120;
}

/// Bytes per pixel of queued frames and of those that the encoder keeps, which grow with its threads.
double encoder_bytes(const PicturePlan& plan) {
  if (!plan.film.codec) return plan.numbered() ? 30 : 60;
  // Not measured: frames of 4:4:4, and those of 10 bits, have twice the bytes.
  const double wider =
      (plan.film.pixel_format.starts_with("yuv444") ? 2 : 1) * (plan.film.pixel_format.ends_with("10") ? 2 : 1);
  return wider * usual_encoder_bytes(*plan.film.codec);
}

bool is_point_cloud(const PicturePlan& plan, std::size_t bodies) {
  return plan.shows_bodies() && bodies > render::max_bodies_with_paths;
}

double memory_at(const PicturePlan& plan, render::Size size, bool points, bool opengl) {
  // With FFmpeg; and with VTK, OpenGL and its buffers of 2048 × 2048 samples.
  const double program = opengl ? 450e6 : 220e6;
  // Stills have point clouds of 2 × 2 pixels for each, unless a PNG is large.
  const bool fine = !plan.format->pixels || pixels(size) <= static_cast<double>(render::max_supersampled);
  const double cloud = points ? (fine && !plan.moving ? 90 : 24) : 0;
  const double picture = plan.moving ? encoder_bytes(plan) + 6 : plan.format->pixels ? 9 : 0;
  const double scene = opengl ? 4 : 0;
  return program + pixels(size) * (picture + cloud + scene);
}

/// The largest size of the same shape that fits into `memory`; {0, 0} if none does.
render::Size largest(const PicturePlan& plan, double memory, bool points, bool opengl) {
  const auto scaled = [&](int width) {
    const int height = static_cast<int>(std::floor(static_cast<double>(width) * plan.size.height / plan.size.width));
    return render::Size{width, height};
  };
  int fits = 0, fails = plan.size.width;
  while (fails - fits > 1) {
    const int middle = (fits + fails) / 2;
    (memory_at(plan, scaled(middle), points, opengl) <= memory ? fits : fails) = middle;
  }
  const render::Size size = scaled(fits / 10 * 10);
  constexpr int least = 64;
  return std::min(size.width, size.height) < least ? render::Size{0, 0} : size;
}

}  // namespace

double memory_to_draw(const PicturePlan& plan, std::size_t bodies) {
  return memory_at(plan, plan.size, is_point_cloud(plan, bodies), plan.needs_opengl(bodies));
}

void refuse_too_large(const PicturePlan& plan, std::size_t bodies) {
  const double need = memory_to_draw(plan, bodies), have = static_cast<double>(usable_memory());
  if (need <= have) return;
  const render::Size fits = largest(plan, 0.95 * have, is_point_cloud(plan, bodies), plan.needs_opengl(bodies));
  plan.keys.complain(plan.lettering == render::Lettering::by_page ? "width" : "size",
                     fmt::format("{} × {} pixels may need {} of memory, this machine has {}: {}", plan.size.width,
                                 plan.size.height, in_bytes(need), in_bytes(have),
                                 fits.width == 0 ? "that is too little for any picture"
                                                 : fmt::format("{} × {} fit", fits.width, fits.height)));
}

}  // namespace orrery::pipeline
