// SPDX-License-Identifier: MIT
// Small reference pictures, and how far new drawings may differ from them.
#pragma once

#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "scene.hpp"

namespace orrery::render {

/// Differences in levels of 255: the mean over the picture, and the 99th percentile.
struct Difference {
  double mean = 255, high = 255;
};

/// Differences allowed for another font rasteriser or another Mesa: for a picture, and for a label in close-up.
inline constexpr Difference tolerance{.mean = 1.5, .high = 6}, label_tolerance{.mean = 2.2, .high = 24};

inline bool passes(const Difference& d, const Difference& most = tolerance) {
  return d.mean <= most.mean && d.high <= most.high;
}

/// The part of `image` of the given size around a place; black outside the image.
inline Image crop(const Image& image, Point center, Size size) {
  Image part{size, {}};
  const int left = static_cast<int>(center.x) - size.width / 2, top = static_cast<int>(center.y) - size.height / 2;
  for (int y = top; y < top + size.height; ++y) {
    for (int x = left; x < left + size.width; ++x) {
      const bool inside = x >= 0 && y >= 0 && x < image.size.width && y < image.size.height;
      const Color c = inside ? image.at(x, y) : Color{};
      part.rgb.insert(part.rgb.end(), {c.red, c.green, c.blue});
    }
  }
  return part;
}

/// Each channel averaged over a neighbourhood and rounded to steps of 4, which makes the stored file small.
inline Image blurred(const Image& image) {
  Image soft = image;
  const auto [w, h] = image.size;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        int sum = 0, n = 0;
        for (int v = std::max(0, y - 1); v <= std::min(h - 1, y + 1); ++v) {
          for (int u = std::max(0, x - 1); u <= std::min(w - 1, x + 1); ++u, ++n)
            sum += image.rgb[3 * static_cast<std::size_t>(v * w + u) + c];
        }
        soft.rgb[3 * static_cast<std::size_t>(y * w + x) + c] = static_cast<std::uint8_t>(sum / n / 4 * 4);
      }
    }
  }
  return soft;
}

/// The maximum difference if the sizes differ.
inline Difference difference(const Image& a, const Image& b) {
  if (a.size != b.size) return {};
  std::vector<int> each;
  double sum = 0;
  for (int y = 0; y < a.size.height; ++y) {
    for (int x = 0; x < a.size.width; ++x) {
      each.push_back(distance(a.at(x, y), b.at(x, y)));
      sum += each.back();
    }
  }
  const auto high = each.begin() + static_cast<std::ptrdiff_t>(each.size() * 99 / 100);
  std::ranges::nth_element(each, high);
  return {.mean = sum / static_cast<double>(each.size()), .high = static_cast<double>(*high)};
}

/// Path of a reference picture.
inline std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(ORRERY_SOURCE_DIR) / "tests" / "render" / "golden" / (name + ".png");
}

/// Reads a reference picture; an empty one if there is no such file or it is not a PNG.
inline Image golden(const std::string& name) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, golden_file(name).c_str()) == 0) return {};
  png.format = PNG_FORMAT_RGB;
  Image image{{static_cast<int>(png.width), static_cast<int>(png.height)}, {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0) return {};
  return image;
}

/// The difference of `small` from the reference picture of that name; with ORRERY_NEW_GOLDEN set `small` replaces it.
inline Difference from_golden(const std::string& name, const Image& small) {
  const Image soft = blurred(small);
  if (std::getenv("ORRERY_NEW_GOLDEN") != nullptr) {
    std::filesystem::create_directories(golden_file(name).parent_path());
    std::filesystem::remove(golden_file(name));  // it stores no run, so the writer would refuse to replace it
    write_png(soft, golden_file(name), 96);
  }
  return difference(soft, golden(name));
}

}  // namespace orrery::render
