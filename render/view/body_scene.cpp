// SPDX-License-Identifier: MIT
#include "render/view/body_scene.hpp"

#include <algorithm>

#include "render/module.hpp"

namespace orrery::render {

void BodyScene::add(Ring ring, const Place& behind) {
  add(std::min(camera_.nearness(ring.center), camera_.nearness(behind) - 1e-6), ring);
}

void BodyScene::add(const Path& path) {
  constexpr double deepest = 0.06;  // see Camera::nearness()
  constexpr std::size_t max_points = 256;
  const bool colored = path.colors.size() == path.points.size();
  Path part{{}, colored ? std::vector<Color>{} : path.colors, path.width};
  double nearest = 0, farthest = 0;
  for (std::size_t i = 0; i < path.points.size(); ++i) {
    const double nearness = camera_.nearness(path.points[i]);
    if (part.points.empty()) nearest = farthest = nearness;
    nearest = std::max(nearest, nearness);
    farthest = std::min(farthest, nearness);
    part.points.push_back(path.points[i]);
    if (colored) part.colors.push_back(path.colors[i]);
    const bool last = i + 1 == path.points.size();
    if (part.points.size() < 2 || (!last && nearest - farthest <= deepest && part.points.size() < max_points)) continue;
    add((nearest + farthest) / 2, part);
    part.points = {path.points[i]};
    if (colored) part.colors = {path.colors[i]};
    nearest = farthest = nearness;
  }
}

Picture BodyScene::pixels(Size canvas, int samples) const {
  return load_opengl().pixels_of(*this, canvas, samples);
}

std::vector<const BodyScene::Object*> BodyScene::sorted() const {
  std::vector<const Part*> order;
  for (const Part& part : parts_) order.push_back(&part);
  std::ranges::stable_sort(order, {}, [](const Part* part) { return part->nearness; });
  std::vector<const Object*> objects;
  for (const Part* part : order) objects.push_back(&part->object);
  return objects;
}

std::vector<Shape> BodyScene::shapes() const {
  std::vector<Shape> shapes;
  const auto flatten = [&]<class T>(const T& object) {
    if constexpr (std::is_same_v<T, Sphere>) {
      shapes.emplace_back(Ball{camera_.at(object.center), object.radius, object.color});
    } else if constexpr (std::is_same_v<T, Ring>) {
      shapes.emplace_back(Disc{camera_.at(object.center), object.radius, object.fill, object.rim, object.rim_width});
    } else {
      Line line{{}, object.colors, object.width};
      for (const Place& p : object.points) line.points.push_back(camera_.at(p));
      shapes.emplace_back(thinned(std::move(line)));
    }
  };
  for (const Object* object : sorted()) std::visit(flatten, *object);
  return shapes;
}

}  // namespace orrery::render
