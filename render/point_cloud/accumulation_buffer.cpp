// SPDX-License-Identifier: MIT
// Blooms are blurred on coarse copies.
#include "render/point_cloud/accumulation_buffer.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/error.hpp"
#include "common/huge_pages.hpp"
#include "render/bands.hpp"

namespace orrery::render {
namespace {

Splat splat_of(const Dot& dot, Size size) {
  // Clamp far positions to the range of the integers.
  const float x = std::clamp(dot.at.x, -1e4F, static_cast<float>(size.width) + 1e4F);
  const float y = std::clamp(dot.at.y, -1e4F, static_cast<float>(size.height) + 1e4F);
  const float left = std::floor(x), top = std::floor(y);
  return {static_cast<std::int16_t>(left),
          static_cast<std::int16_t>(top),
          dot.color,
          static_cast<std::uint8_t>(Profile::parts * (x - left)),
          static_cast<std::uint8_t>(Profile::parts * (y - top)),
          dot.weight};
}

/// Calls use(i, splat) for the dots `first` … `last` − 1.
template <class Use>
void for_splats(const AccumulationBuffer::Dots& dots, Size size, std::size_t first, std::size_t last, const Use& use) {
  std::array<Dot, 256> some;
  for (; first < last; first += some.size()) {
    const std::span now = std::span(some).first(std::min(some.size(), last - first));
    dots(first, now);
    for (std::size_t k = 0; k < now.size(); ++k) use(first + k, splat_of(now[k], size));
  }
}

std::vector<Texel> linear_colors(const std::vector<Color>& palette) {
  std::vector<Texel> colors;
  colors.reserve(palette.size());
  for (const Color& c : palette) colors.push_back({linear(c.red), linear(c.green), linear(c.blue), 1});
  return colors;
}

/// Dots that touch the canvas, sorted by tiles of it, row by row, for locality in the caches; stable.
class Splats {
 public:
  static constexpr int side = 32;  // of a tile

  Splats(std::size_t count, const AccumulationBuffer::Dots& dots, Size size, int reach)
      : size_(size), reach_(reach), columns_(tiles(size.width)), rows_(tiles(size.height)) {
    const std::size_t tile_count = rows_ * columns_;
    // A counting sort in parts: first the number of dots of each part in each tile, then their places.
    auto places = by_parts(count, [&](std::size_t first, std::size_t last) {
      std::vector<std::uint32_t> counts(tile_count, 0);
      visit(dots, first, last, [&](const Splat& s) { ++counts[tile_of(s)]; });
      return counts;
    });
    for (std::size_t tile = 0; tile < tile_count; ++tile) {
      if (tile % columns_ == 0) sizes_.push_back(0);
      for (auto& part : places) sizes_.back() += std::exchange(part[tile], sizes_.back());
    }
    for (const std::uint32_t splats : sizes_) {
      sorted_.push_back(std::make_unique_for_overwrite<Splat[]>(splats));
      use_huge_pages(sorted_.back().get(), splats * sizeof(Splat));
    }
    by_parts(count, [&](std::size_t first, std::size_t last) {
      std::vector<std::uint32_t>& place = places[first / part_size];
      visit(dots, first, last, [&](const Splat& s) {
        const std::size_t tile = tile_of(s);
        sorted_[tile / columns_][place[tile]++] = s;
      });
      return true;
    });
  }

  /// Calls use(splat) for those that may touch rows `first` … `last` of pixels, in order.
  template <class Use>
  void for_each(int first, int last, const Use& use) const {
    for (std::size_t row = tile_at(first - reach_, rows_); row <= tile_at(last + reach_, rows_); ++row) {
      for (std::uint32_t k = 0; k < sizes_[row]; ++k) use(sorted_[row][k]);
    }
  }

 private:
  /// The number of tiles along a side, with one beyond each end.
  static std::size_t tiles(int pixels) { return (static_cast<std::size_t>(pixels) + side - 1) / side + 2; }
  static std::size_t tile_at(int pixel, std::size_t tiles) {
    return std::min(static_cast<std::size_t>(std::max(0, pixel / side + 1)), tiles - 1);
  }
  [[nodiscard]] std::size_t tile_of(const Splat& s) const {
    return tile_at(s.y, rows_) * columns_ + tile_at(s.x, columns_);
  }
  template <class Use>
  void visit(const AccumulationBuffer::Dots& dots, std::size_t first, std::size_t last, const Use& use) const {
    for_splats(dots, size_, first, last, [&](std::size_t, const Splat& s) {
      const bool touches =
          s.x + reach_ >= 0 && s.x - reach_ < size_.width && s.y + reach_ >= 0 && s.y - reach_ < size_.height;
      if (touches && s.weight != 0) use(s);
    });
  }

  Size size_;
  int reach_;
  std::size_t columns_, rows_;
  // Of each row of tiles. One array for all would be so large that malloc returned its memory after each picture.
  std::vector<std::uint32_t> sizes_;
  std::vector<std::unique_ptr<Splat[]>> sorted_;
};

void add(Texel& to, const Texel& from, float times) {
  to.red += times * from.red;
  to.green += times * from.green;
  to.blue += times * from.blue;
  to.amount += times * from.amount;
}

/// Adds `light` times each weight to consecutive texels. The channels are the lanes of a vector, since compilers choose texels.
void add_row(Texel* to, const Texel& light, const float* weights, int count) {
  using Channels [[gnu::vector_size(sizeof(Texel))]] = float;
  Channels from, sum;
  std::memcpy(&from, &light, sizeof from);
  for (int k = 0; k < count; ++k) {
    std::memcpy(&sum, &to[k], sizeof sum);
    sum += from * weights[k];
    std::memcpy(static_cast<void*>(&to[k]), &sum, sizeof sum);
  }
}

/// Replaces each texel of a line by the mean of those within `radius`, with zeros beyond the ends.
void blur_line(Texel* line, int count, int stride, int radius, std::vector<Texel>& copy) {
  copy.resize(static_cast<std::size_t>(count));
  const auto at = [&](int i) -> Texel& { return line[static_cast<std::ptrdiff_t>(i) * stride]; };
  for (int i = 0; i < count; ++i) copy[static_cast<std::size_t>(i)] = at(i);
  // A running sum would leave rounding errors behind bright stars.
  const float share = 1 / static_cast<float>(2 * radius + 1);
  for (int i = 0; i < count; ++i) {
    Texel sum;
    for (int k = std::max(0, i - radius); k <= std::min(count - 1, i + radius); ++k) {
      add(sum, copy[static_cast<std::size_t>(k)], share);
    }
    at(i) = sum;
  }
}

/// Returns how much coarser the grid of a bloom may be than pixels of this size.
int coarseness(const Bloom& bloom, float pixel) {
  return std::max(1, static_cast<int>(std::lround(bloom.sigma / (1.6F * pixel))));
}

}  // namespace

float linear(std::uint8_t channel) {
  const float c = static_cast<float>(channel) / 255;
  return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}

AccumulationBuffer::AccumulationBuffer(Size size)
    : size_(size),
      blocks_((size.width + block - 1) / block),
      memory_(nullptr, std::free),
      lit_(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(size.height)) {
  const std::size_t pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  memory_.reset(static_cast<Texel*>(std::malloc(pixels * sizeof(Texel))));
  if (!memory_ && pixels > 0) throw std::bad_alloc();
  texels_ = {memory_.get(), pixels};
  use_huge_pages(memory_.get(), pixels * sizeof(Texel));
}

void AccumulationBuffer::clear() {
  bloom_.reset();
  std::ranges::fill(lit_, std::uint8_t{0});
}

[[gnu::noinline]] void AccumulationBuffer::clear_block(int y, int k) {  // rarely called: inline, it slows the loop down
  std::fill(&texels_[index(k * block, y)], texels_.data() + index(std::min(size_.width, (k + 1) * block), y), Texel{});
}

void AccumulationBuffer::add(std::size_t count, const Dots& dots, const std::vector<Color>& palette, float sigma,
                             float gain) {
  const Profile profile(sigma);
  const int reach = profile.reach;
  const std::vector<Texel> colors = linear_colors(palette);
  const Splats splats(count, dots, size_, reach);
  Texel* const texels = texels_.data();
  constexpr int height = Splats::side;
  // Dots come in the same order in each band, so that sums in a pixel are always added in the same order.
  parallel_for((size_.height + height - 1) / height, 4 * count, [&](int band) {
    const int low = band * height, high = std::min(low + height, size_.height) - 1;
    splats.for_each(low, high, [&](const Splat s) {
      const int top = std::max(low, s.y - reach), bottom = std::min(high, s.y + reach);
      const float *across = profile.of(s.x_part), *down = profile.of(s.y_part);
      const int first = std::max(0, s.x - reach), last = std::min(size_.width - 1, s.x + reach);
      const Texel color = colors[s.color];
      for (int y = top; y <= bottom; ++y) {
        Texel luminance;
        render::add(luminance, color, gain * s.weight * down[y - s.y + reach]);
        light(y, first, last);
        add_row(&texels[index(first, y)], luminance, across + (first - s.x + reach), last - first + 1);
      }
    });
  });
}

void AccumulationBuffer::add_on(GpuLight& gpu, std::size_t count, const Dots& dots, const std::vector<Color>& palette,
                                float sigma, float gain) {
  try {
    const std::span<Splat> splats = gpu.splats(count);
    parallel_parts(count, 4 * count, [&](std::size_t first, std::size_t last) {
      for_splats(dots, size_, first, last, [&](std::size_t i, const Splat& s) { splats[i] = s; });
    });
    texels_ = {gpu.add(Profile(sigma), linear_colors(palette), gain, size_.width, size_.height, lit_.data()),
               texels_.size()};
  } catch (const Error& error) {
    gpu.failure = error.what();
    clear();
    add(count, dots, palette, sigma, gain);
  }
}

AccumulationBuffer AccumulationBuffer::smaller(int factor) const {
  AccumulationBuffer small({(size_.width + factor - 1) / factor, (size_.height + factor - 1) / factor});
  std::ranges::fill(small.lit_, std::uint8_t{1});  // blooms spread over all of it
  const float share = 1 / static_cast<float>(factor * factor);
  parallel_for(small.size_.height, texels_.size(), [&](int y) {
    Texel* to = &small.texels_[small.index(0, y)];
    std::fill_n(to, small.size_.width, Texel{});
    for (int v = y * factor; v < std::min(size_.height, (y + 1) * factor); ++v) {
      const Texel* from = plain_row(v);
      for (int left = 0; left < size_.width; left += factor) {
        const int right = std::min(size_.width, left + factor);
        if (dark(v, left, right - 1)) continue;
        Texel sum;
        for (int x = left; x < right; ++x) {
          if (!dark(v, x, x)) render::add(sum, from[x], share);
        }
        render::add(to[left / factor], sum, 1);
      }
    }
  });
  return small;
}

void AccumulationBuffer::blur(int radius) {
  parallel_parts(size_.height, texels_.size(), [&](int first, int last) {
    std::vector<Texel> copy;
    for (int y = first; y < last; ++y) blur_line(&texels_[index(0, y)], size_.width, 1, radius, copy);
  });
  parallel_parts(size_.width, texels_.size(), [&](int first, int last) {
    std::vector<Texel> copy;
    for (int x = first; x < last; ++x) blur_line(&texels_[index(x, 0)], size_.height, size_.width, radius, copy);
  });
}

void AccumulationBuffer::set_blooms(std::span<const Bloom> blooms) {
  if (blooms.empty()) return;
  const int factor = coarseness(blooms.front(), 1);
  set_bloom_grid(coarse_bloom(blooms, 1, factor), factor);
}

AccumulationBuffer::Between AccumulationBuffer::between(int pixel, int cells) const {
  const float at = (static_cast<float>(pixel) + 0.5F) / static_cast<float>(coarseness_) - 0.5F;
  const int low = std::clamp(static_cast<int>(std::floor(at)), 0, std::max(0, cells - 2));
  return {low, std::clamp(at - static_cast<float>(low), 0.F, 1.F)};
}

void AccumulationBuffer::set_bloom_grid(AccumulationBuffer bloom, int factor) {
  coarseness_ = factor;
  columns_.clear();
  for (int x = 0; x < size_.width; ++x) columns_.push_back(between(x, bloom.size_.width));
  bloom_ = std::make_shared<const AccumulationBuffer>(std::move(bloom));
}

/// Computes all blooms on a grid that is coarser by `factor` than this one, which has cells of `pixel` pixels; wider
/// blooms come from still coarser grids.
AccumulationBuffer AccumulationBuffer::coarse_bloom(std::span<const Bloom> blooms, float pixel, int factor) const {
  AccumulationBuffer buffer = smaller(factor);
  const float cell = pixel * static_cast<float>(factor), sigma = blooms.front().sigma / cell;
  if (blooms.size() > 1) {
    const int next = coarseness(blooms[1], cell);
    buffer.set_bloom_grid(buffer.coarse_bloom(blooms.subspan(1), cell, next), next);
  }
  // Three means over 2r + 1 make a Gaussian of variance r (r + 1).
  const int radius = std::max(1, static_cast<int>(std::lround(std::sqrt(sigma * sigma + 0.25F) - 0.5F)));
  for (int pass = 0; pass < 3; ++pass) buffer.blur(radius);
  for (Texel& texel : buffer.texels_) {
    const Texel whole = texel;
    texel = {};
    render::add(texel, whole, blooms.front().share);
  }
  std::vector<Texel> scratch;
  if (buffer.bloom_) {  // read more than once per row: add it permanently
    for (int y = 0; y < buffer.size_.height; ++y) {
      buffer.visit_row(y, 0, scratch, [&](int x, const Texel* from, int count) {
        std::copy_n(from, count, &buffer.texels_[buffer.index(x, y)]);
      });
    }
    buffer.bloom_.reset();
  }
  return buffer;
}

std::span<Texel> AccumulationBuffer::bloom_line(int y, std::vector<Texel>& scratch) const {
  if (!bloom_) return {};
  const Size small = bloom_->size_;
  const auto cells = static_cast<std::size_t>(small.width);
  scratch.resize(cells + 1 + block);
  const auto [above, down] = between(y, small.height);
  const Texel *a = bloom_->plain_row(above), *b = bloom_->plain_row(std::min(above + 1, small.height - 1));
  for (std::size_t x = 0; x < cells; ++x) {
    scratch[x] = {};
    render::add(scratch[x], a[x], 1 - down);
    render::add(scratch[x], b[x], down);
  }
  scratch[cells] = scratch[cells - 1];
  return scratch;
}

const Texel* AccumulationBuffer::piece_of(int y, int first, int end, float least, std::span<Texel> line) const {
  const bool empty = dark(y, first, end - 1);
  const Texel* from = &texels_[index(first, y)];
  if (line.empty()) return empty ? nullptr : from;
  const auto* columns = &columns_[static_cast<std::size_t>(first)];
  const auto count = static_cast<std::size_t>(end - first);
  if (empty) {
    const auto lit = [least](const Texel& t) { return t.amount >= least; };
    if (std::none_of(&line[static_cast<std::size_t>(columns[0].low)],
                     &line[static_cast<std::size_t>(columns[count - 1].low)] + 2, lit)) {
      return nullptr;
    }
  }
  Texel* to = &line[line.size() - block];
  for (std::size_t x = 0; x < count; ++x) {
    const auto [left, right] = columns[x];
    Texel sum = empty ? Texel{} : from[x];
    render::add(sum, line[static_cast<std::size_t>(left)], 1 - right);
    render::add(sum, line[static_cast<std::size_t>(left) + 1], right);
    to[x] = sum;
  }
  return to;
}

float AccumulationBuffer::amount(Point at) const {
  if (!(at.x >= 0 && at.y >= 0 && at.x < static_cast<float>(size_.width) && at.y < static_cast<float>(size_.height))) {
    return 0;
  }
  const int x = static_cast<int>(at.x), y = static_cast<int>(at.y);
  return dark(y, x, x) ? 0 : texels_[index(x, y)].amount;
}

}  // namespace orrery::render
