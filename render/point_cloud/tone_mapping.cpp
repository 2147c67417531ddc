// SPDX-License-Identifier: MIT
#include "render/point_cloud/tone_mapping.hpp"

#include <algorithm>
#include <cmath>

#include "render/statistics.hpp"

namespace orrery::render {

ToneMapping::ToneMapping(const std::vector<float>& luminances, double faint, double contrast, double alone,
                         double visible) {
  // Percentiles, since single bright pairs must not matter. 0.5 % of the bodies are white; more if a dense core would leave
  // the others dark; none if all have about the same light.
  std::vector<float> found = percentiles(luminances, 0, {0.3, 0.995});
  if (found.empty()) found = {1, 1};
  const auto low_luminance = static_cast<double>(found[0]), bright = static_cast<double>(found[1]);
  const double white = std::clamp(bright, 1.7 * low_luminance, 15 * low_luminance);
  scale_ = static_cast<float>(1 / white);

  // Bisection: faint light is brighter for smaller s.
  const auto brightness = [&](double l, double s) { return std::pow(std::asinh(l / s) / std::asinh(1 / s), contrast); };
  const auto scale_for = [&](double luminance, double wanted, double least) {
    double low = std::log(least), high = std::log(10.0);
    for (int step = 0; step < 40; ++step) {
      const double s = (low + high) / 2;
      (brightness(luminance / white, std::exp(s)) > wanted ? low : high) = s;
    }
    return std::exp((low + high) / 2);
  };
  // Below the lower bound blooms would be as bright as bodies.
  double s = scale_for(low_luminance, faint, 7e-4);
  if (alone > 0 && visible > 0) s = std::min(s, scale_for(alone, visible, 1e-7));
  for (std::size_t i = 0; i < table_.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>((static_cast<std::int64_t>(i) + first) << shift) + (1U << (shift - 1));
    const auto l = static_cast<double>(std::bit_cast<float>(bits));
    table_[i] = static_cast<float>(std::min(2.0, brightness(l, s)));
  }
}

float ToneMapping::luminance_of(float brightness) const {
  const auto entry = std::ranges::lower_bound(table_, brightness) - table_.begin();
  return std::bit_cast<float>(static_cast<std::uint32_t>(entry + first) << shift) / scale_;
}

}  // namespace orrery::render
