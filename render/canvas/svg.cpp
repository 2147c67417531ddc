// SPDX-License-Identifier: MIT

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "common/base64.hpp"
#include "common/xml.hpp"
#include "render/canvas/image.hpp"
#include "render/canvas/text.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

std::string paint_of(std::string_view what, Color color) {
  std::string text = fmt::format(R"({}="#{:02x}{:02x}{:02x}")", what, color.red, color.green, color.blue);
  if (color.alpha < 255) text += fmt::format(R"( {}-opacity="{:.3f}")", what, color.alpha / 255.0);
  return text;
}

/// Writes the body, and collects definitions (gradients, clips), which must precede it.
class SvgWriter {
 public:
  void write(const Line& given) {
    const Line line = with_gradual_colors(given);
    for (const Stretch& part : stretches(line)) {
      put(R"(<path fill="none" stroke-linejoin="round" stroke-linecap="{}" stroke-width="{:.2f}" {} d="M)",
          part.round ? "round" : "butt", line.width, paint_of("stroke", part.color));
      for (std::size_t i = part.from; i <= part.to; ++i) put("{:.2f} {:.2f} ", line.points[i].x, line.points[i].y);
      body += "\"/>\n";
    }
  }

  void write(const Area& area) {
    put(R"(<path {} d="M)", paint_of("fill", area.color));
    for (const Point p : area.points) put("{:.2f} {:.2f} ", p.x, p.y);
    body += "Z\"/>\n";
  }

  void write(const Disc& disc) {
    put(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}" )", disc.center.x, disc.center.y, disc.radius);
    body += disc.fill.alpha > 0 ? paint_of("fill", disc.fill) : R"(fill="none")";
    if (disc.rim.alpha > 0) put(R"( stroke-width="{:.2f}" {})", disc.rim_width, paint_of("stroke", disc.rim));
    body += "/>\n";
  }

  void write(const Ball& ball) {
    put(R"svg(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}" fill="url(#{})"/>)svg", ball.center.x, ball.center.y,
        ball.radius, gradient(ball.color));
    body += '\n';
  }

  void write(const Text& text) {
    if (text.words.empty()) return;
    const Point from = baseline_offset(text);
    put(R"svg(<g aria-label="{}" transform="translate({:.2f} {:.2f}){} translate({:.2f} {:.2f})"><path {} d="{}"/></g>)svg",
        xml_escaped(text.words), text.at.x, text.at.y, text.upwards ? " rotate(-90)" : "", from.x, from.y,
        paint_of("fill", text.color), outline_of(text.words, text.size, text.bold));
    body += '\n';
  }

  void write(const Picture& picture) {
    if (const std::vector<Patch> cells = patches(picture); !cells.empty()) {
      body += "<g shape-rendering=\"crispEdges\">\n";
      for (const Patch& patch : cells) {
        put("<path {} d=\"", paint_of("fill", patch.color));
        for (const Box& b : patch.boxes)
          put("M{:.2f} {:.2f}H{:.2f}V{:.2f}H{:.2f}Z", b.left, b.top, b.right, b.bottom, b.left);
        body += "\"/>\n";
      }
      body += "</g>\n";
      return;
    }
    const Box& b = picture.box;
    put(R"(<image x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" preserveAspectRatio="none" )", b.left, b.top,
        b.width(), b.height());
    body += "href=\"data:image/png;base64," + base64(png_of(picture.size, picture.rgba, 4, 300)) + "\"/>\n";
  }

  void write(const Clip& clip) {
    close();
    if (!clip.box) return;
    const Box& b = *clip.box;
    fmt::format_to(std::back_inserter(definitions),
                   R"(<clipPath id="clip{}"><rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/></clipPath>)",
                   clips_, b.left, b.top, b.width(), b.height());
    put("<g clip-path=\"url(#clip{})\">\n", clips_++);
    open_ = true;
  }

  void write(const Space& space) {
    put("<g transform=\"translate({:.2f} {:.2f})\">\n", space.at.x, space.at.y);
    for (const Shape& shape : space.scene->shapes()) std::visit([this](const auto& s) { write(s); }, shape);
    body += "</g>\n";
  }

  void write(const Layered& layered) {
    for (const Shape& shape : shapes_of(layered)) std::visit([this](const auto& s) { write(s); }, shape);
  }

  void close() {
    if (open_) body += "</g>\n";
    open_ = false;
  }

  std::string definitions, body;

 private:
  template <class... T>
  void put(fmt::format_string<T...> pattern, T&&... values) {
    fmt::format_to(std::back_inserter(body), pattern, std::forward<T>(values)...);
  }

  /// Returns the name of a gradient for a sphere of this colour, which is defined on first use.
  std::string gradient(Color color) {
    std::string name = fmt::format("ball{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
    if (definitions.find(name) != std::string::npos) return name;
    const Shades shades = shades_of(color);
    fmt::format_to(std::back_inserter(definitions), R"(<radialGradient id="{}" cx="{:.3f}" cy="{:.3f}" r="{:.3f}">)",
                   name, 0.5 + 0.5 * shades.x, 0.5 + 0.5 * shades.y, 0.5 * shades.radius);
    for (const auto& [offset, c] : shades.stops) {
      fmt::format_to(std::back_inserter(definitions), R"(<stop offset="{:.1f}" stop-color="#{:02x}{:02x}{:02x}"/>)",
                     offset, c.red, c.green, c.blue);
    }
    definitions += "</radialGradient>\n";
    return name;
  }

  int clips_ = 0;
  bool open_ = false;
};

}  // namespace

std::string svg_of(const Drawing& drawing, double dpi, const Provenance& provenance) {
  SvgWriter writer;
  for (const Shape& shape : drawing.shapes) std::visit([&](const auto& s) { writer.write(s); }, shape);
  writer.close();
  const Size size = drawing.size;
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{:.3f}mm\" height=\"{:.3f}mm\" "
      "viewBox=\"0 0 {} {}\">\n{}<defs>{}</defs>\n<rect width=\"{}\" height=\"{}\" {}/>\n",
      size.width / dpi * 25.4, size.height / dpi * 25.4, size.width, size.height,
      provenance.empty() ? "" : svg_metadata(provenance), writer.definitions, size.width, size.height,
      paint_of("fill", drawing.background));
  return text + writer.body + "</svg>\n";
}

}  // namespace orrery::render
