// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "common/error.hpp"
#include "render/point_cloud/accumulation_buffer.hpp"

namespace orrery::render {
namespace {

constexpr Size size{257, 113};
const std::vector<Color> palette{{255, 90, 10}, {20, 200, 255}, {128, 128, 128}};

/// Dots on the canvas, across its edges, far outside, and some that are not drawn.
AccumulationBuffer::Dots some_dots(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-20, 280);
  std::vector<Dot> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back({{place(random), place(random) - 80}, static_cast<std::uint16_t>(i % 3), i % 7 == 0 ? 0 : 0.5F});
    if (i % 101 == 0) all.back().at = {1e9F, -1e9F};
  }
  return [all](std::size_t first, std::span<Dot> dots) {
    for (std::size_t k = 0; k < dots.size(); ++k) dots[k] = all[first + k];
  };
}

std::vector<Texel> all_texels(const AccumulationBuffer& buffer) {
  std::vector<Texel> texels(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height));
  std::vector<Texel> scratch;
  for (int y = 0; y < size.height; ++y) {
    buffer.visit_row(y, 0, scratch, [&](int x, const Texel* from, int count) {
      std::copy_n(
          from, count,
          &texels[static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) + static_cast<std::size_t>(x)]);
    });
  }
  return texels;
}

class GpuLightTest : public testing::Test {
 protected:
  void SetUp() override {
    if (GpuLight::count() == 0) GTEST_SKIP() << "there is no GPU";
  }
};

TEST_F(GpuLightTest, AddsTheLightOfTheProcessor) {
  GpuLight gpu(0);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{257}, std::size_t{50021}}) {
    for (const float sigma : {0.7F, 3.1F}) {
      AccumulationBuffer expected(size), actual(size);
      expected.add(count, some_dots(count), palette, sigma, 1.3F);
      actual.add_on(gpu, count, some_dots(count), palette, sigma, 1.3F);
      EXPECT_EQ(gpu.failure, "");
      const auto a = all_texels(expected), b = all_texels(actual);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const auto near = [](float x, float y) { return std::abs(x - y) <= 1e-5F * std::abs(x) + 1e-8F; };
        ASSERT_TRUE(near(a[i].red, b[i].red) && near(a[i].green, b[i].green) && near(a[i].blue, b[i].blue) &&
                    near(a[i].amount, b[i].amount))
            << count << " dots, sigma " << sigma << ", pixel " << i << ": " << a[i].amount << ", " << b[i].amount;
      }
    }
  }
}

TEST_F(GpuLightTest, SumsAreThoseOfIntegersInAnyOrder) {
  GpuLight gpu(0);
  const Profile profile(0.9F);
  const std::vector<Texel> colors{{0.25F, 0.5F, 0.125F, 1}, {0.9F, 0.1F, 0.3F, 1}};
  constexpr std::size_t count = 3001;
  const std::size_t pixels = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  std::vector<std::int64_t> sums(4 * pixels);
  std::mt19937 random(3);
  auto splats = gpu.splats(count);
  for (Splat& s : splats) {
    s = {static_cast<std::int16_t>(static_cast<int>(random() % 300) - 20),
         static_cast<std::int16_t>(random() % 8),
         static_cast<std::uint16_t>(random() % 2),
         static_cast<std::uint8_t>(random() % 16),
         static_cast<std::uint8_t>(random() % 16),
         static_cast<float>(random() % 5)};
    for (int v = -profile.reach; v <= profile.reach; ++v) {
      for (int u = -profile.reach; u <= profile.reach; ++u) {
        const int x = s.x + u, y = s.y + v;
        if (x < 0 || y < 0 || x >= size.width || y >= size.height) continue;
        for (std::size_t c = 0; c < 4; ++c) {
          const float light = 0.7F * s.weight * (&colors[s.color].red)[c] * 4294967296.0F;
          const float part = light * profile.of(s.y_part)[v + profile.reach] * profile.of(s.x_part)[u + profile.reach];
          const std::size_t pixel =
              static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) + static_cast<std::size_t>(x);
          sums[4 * pixel + c] += std::llrint(part);
        }
      }
    }
  }
  const std::size_t blocks = (static_cast<std::size_t>(size.width) + 31) / 32;
  std::vector<std::uint8_t> lit(blocks * static_cast<std::size_t>(size.height));
  const Texel* texels = gpu.add(profile, colors, 0.7F, size.width, size.height, lit.data());
  std::vector<std::uint8_t> expected_lit(lit.size());
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t c = 0; c < 4; ++c)
      ASSERT_EQ((&texels[i].red)[c], static_cast<float>(sums[4 * i + c]) / 4294967296.0F) << i << ", " << c;
    const std::size_t x = i % static_cast<std::size_t>(size.width), y = i / static_cast<std::size_t>(size.width);
    if (sums[4 * i + 3] != 0) expected_lit[y * blocks + x / 32] = 1;
  }
  EXPECT_EQ(lit, expected_lit);
}

TEST_F(GpuLightTest, AddsOnTheProcessorIfMemoryIsShort) {
  GpuLight gpu(0);
  AccumulationBuffer expected(size), actual(size);
  const auto dots = some_dots(1000);
  expected.add(1000, dots, palette, 1, 1);
  gpu.splats(1000);
  int asked = 0;
  const AccumulationBuffer::Dots failing = [&](std::size_t first, std::span<Dot> some) {
    if (asked++ == 0) throw Error("the GPU's memory is full");
    dots(first, some);
  };
  actual.add_on(gpu, 1000, failing, palette, 1, 1);
  EXPECT_EQ(gpu.failure, "the GPU's memory is full");
  const auto a = all_texels(expected), b = all_texels(actual);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i].amount, b[i].amount);
}

TEST(GpuLightChoice, RefusesADeviceThatDoesNotExist) {
  EXPECT_THROW(GpuLight{GpuLight::count()}, Error);
  EXPECT_THROW(GpuLight{-1}, Error);
}

}  // namespace
}  // namespace orrery::render
