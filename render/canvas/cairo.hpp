// SPDX-License-Identifier: MIT
// Owners of cairo's objects. Private to render/canvas.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>

#include "common/error.hpp"

namespace orrery::render::cairo {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Release<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Release<cairo_destroy>>;
using Pattern = std::unique_ptr<cairo_pattern_t, Release<cairo_pattern_destroy>>;
using FontOptions = std::unique_ptr<cairo_font_options_t, Release<cairo_font_options_destroy>>;

/// Throws Error unless `status` is success.
inline void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(std::string("cairo cannot draw a picture: ") + cairo_status_to_string(status));
}

}  // namespace orrery::render::cairo
