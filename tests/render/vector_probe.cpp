// SPDX-License-Identifier: MIT
// Just enough of XML and PDF to read what this program writes.
#include "vector_probe.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "common/utf8.hpp"
#include "render/canvas/text.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

using Attributes = std::map<std::string, std::string>;

std::string unescaped(std::string text) {
  for (const auto& [entity, letter] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#13;", "\r"}, {"&amp;", "&"}}) {
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::string(entity).size(), letter);
  }
  return text;
}

/// A tag's attributes; throws unless it is `name (key="value")* /?`.
Attributes attributes_of(const std::string& tag) {
  Attributes all;
  std::size_t at = std::min(tag.find_first_of(" \n/"), tag.size());
  while ((at = tag.find_first_not_of(" \n/", at)) != std::string::npos) {
    const std::size_t equals = tag.find("=\"", at);
    const std::size_t end = equals == std::string::npos ? equals : tag.find('"', equals + 2);
    if (end == std::string::npos || tag.substr(at, equals - at).find_first_of(" \"<") != std::string::npos)
      throw std::runtime_error("no attribute: " + tag.substr(at));
    all[tag.substr(at, equals - at)] = unescaped(tag.substr(equals + 2, end - equals - 2));
    at = end + 1;
  }
  return all;
}

std::size_t points_in(const std::string& path) {
  return std::count(path.begin(), path.end(), ' ') / 2;
}

double inches(const std::string& length) {
  if (!length.ends_with("mm")) throw std::runtime_error("not in mm: " + length);
  return std::stod(length) / 25.4;
}

/// The content of each object, by its number.
std::map<int, std::string> objects_of(const std::string& bytes) {
  std::map<int, std::string> all;
  const std::string mark = " 0 obj\n";
  for (std::size_t at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at + 1)) {
    const std::size_t number = bytes.rfind('\n', at) + 1, end = bytes.find("\nendobj", at);
    if (end == std::string::npos) throw std::runtime_error("an object has no end");
    all[std::stoi(bytes.substr(number, at - number))] = bytes.substr(at + mark.size(), end - at - mark.size());
  }
  if (all.empty()) throw std::runtime_error("no objects");
  return all;
}

std::string dictionary(const std::string& object) {
  return object.substr(0, object.find("stream\n"));
}

std::string stream(const std::string& object) {
  const std::size_t at = object.find("stream\n");
  if (at == std::string::npos) return "";
  std::string_view bytes = std::string_view(object).substr(at + 7);
  std::size_t budget = std::size_t{64} << 20U;
  return inflated(bytes, budget);
}

/// The text of a font's codes from its ToUnicode map; unmapped codes are themselves.
std::map<unsigned, std::string> to_unicode(const std::string& map) {
  std::map<unsigned, std::string> words;
  const auto utf8 = [](const std::string& hex) {
    std::string text;
    for (std::size_t i = 0; i + 3 < hex.size(); i += 4)
      append_utf8(text, static_cast<char32_t>(std::stoul(hex.substr(i, 4), nullptr, 16)));
    return text;
  };
  static const std::regex one(R"(<(\w+)> <(\w+)>\n)"), range(R"(<(\w+)> <(\w+)> \[([^\]]*)\]|<(\w+)> <(\w+)> <(\w+)>)"),
      hex(R"(<(\w+)>)");
  for (std::sregex_iterator m(map.begin(), map.end(), range), none; m != none; ++m) {
    const auto& found = *m;
    if (found[3].matched) {
      const std::string list = found[3];
      unsigned code = static_cast<unsigned>(std::stoul(found[1], nullptr, 16));
      for (std::sregex_iterator entry(list.begin(), list.end(), hex); entry != none; ++entry)
        words[code++] = utf8((*entry)[1]);
    } else {
      const auto first = std::stoul(found[4], nullptr, 16), last = std::stoul(found[5], nullptr, 16);
      const auto letter = std::stoul(found[6], nullptr, 16);
      for (auto code = first; code <= last; ++code) {
        std::string text;
        append_utf8(text, static_cast<char32_t>(letter + code - first));
        words[static_cast<unsigned>(code)] = text;
      }
    }
  }
  for (std::sregex_iterator m(map.begin(), map.end(), one), none; m != none; ++m)
    words.try_emplace(static_cast<unsigned>(std::stoul((*m)[1], nullptr, 16)), utf8((*m)[2]));
  return words;
}

/// Reads a page's commands: its text, and the number of points of each stroke.
class PageOfPdf {
 public:
  PageOfPdf(VectorFile& file, const std::map<std::string, std::map<unsigned, std::string>>& fonts)
      : file_(file), fonts_(fonts) {}

  void read(const std::string& commands) {
    for (std::size_t at = 0; at < commands.size();) {
      const char c = commands[at];
      if (c == '(') {
        at = literal(commands, at + 1);
      } else if (c == '<' && commands[at + 1] != '<') {
        const std::size_t end = commands.find('>', at);
        for (std::size_t i = at + 1; i + 3 < end; i += 4) put(std::stoul(commands.substr(i, 4), nullptr, 16));
        at = end + 1;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '[' || c == ']' || c == '<' || c == '>') {
        ++at;
      } else {
        const std::size_t end = std::min(commands.find_first_of(" \n[]<>(", at), commands.size());
        word(commands.substr(at, end - at));
        at = std::max(end, at + 1);
      }
    }
  }

 private:
  std::size_t literal(const std::string& commands, std::size_t at) {
    for (; commands.at(at) != ')'; ++at) {
      if (commands[at] != '\\') {
        put(static_cast<unsigned char>(commands[at]));
      } else if (std::isdigit(static_cast<unsigned char>(commands[at + 1])) != 0) {
        put(std::stoul(commands.substr(at + 1, 3), nullptr, 8));
        at += 3;
      } else {
        put(static_cast<unsigned char>(commands[++at]));
      }
    }
    return at + 1;
  }

  void put(unsigned long code) {
    const auto found = font_->find(static_cast<unsigned>(code));
    if (found != font_->end()) {
      file_.words += found->second;
    } else {
      append_utf8(file_.words, static_cast<char32_t>(code));
    }
  }

  void word(const std::string& command) {
    if (command.starts_with("/f-")) font_ = &fonts_.at(command.substr(1));
    if (command == "m") points_ = 0;
    if (command == "m" || command == "l" || command == "c") ++points_;
    if (command == "S") file_.paths.push_back(points_);
  }

  VectorFile& file_;
  const std::map<std::string, std::map<unsigned, std::string>>& fonts_;
  const std::map<unsigned, std::string>* font_ = nullptr;
  std::size_t points_ = 0;
};

}  // namespace

VectorFile parsed_svg(const std::string& bytes) {
  VectorFile file;
  std::vector<std::string> open;
  for (std::size_t at = bytes.find('<'); at != std::string::npos; at = bytes.find('<', at)) {
    const std::size_t end = bytes.find('>', at);
    if (end == std::string::npos) throw std::runtime_error("a tag has no end");
    const std::string tag = bytes.substr(at + 1, end - at - 1);
    at = end;
    if (tag.starts_with("?")) continue;
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) throw std::runtime_error("tags do not match at " + tag);
      open.pop_back();
      continue;
    }
    const std::string name = tag.substr(0, tag.find_first_of(" \n/"));
    const Attributes attributes = attributes_of(tag);
    if (!tag.ends_with("/")) open.push_back(name);
    if (name == "svg") {
      file.width = inches(attributes.at("width"));
      file.height = inches(attributes.at("height"));
    }
    if (attributes.contains("aria-label")) file.words += attributes.at("aria-label");
    if (name == "path" && attributes.contains("stroke")) file.paths.push_back(points_in(attributes.at("d")));
  }
  if (!open.empty()) throw std::runtime_error("tags are left open");
  return file;
}

VectorFile parsed_pdf(const std::string& bytes) {
  if (!bytes.starts_with("%PDF-1.") || bytes.find("\n%%EOF") == std::string::npos)
    throw std::runtime_error("no whole PDF");
  VectorFile file;
  const auto objects = objects_of(bytes);
  std::map<std::string, std::map<unsigned, std::string>> fonts;
  static const std::regex font(R"(/(f-\d+-\d+) (\d+) 0 R)"), reference(R"(/ToUnicode (\d+) 0 R)"),
      page(R"(/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \])"), image(R"(/Subtype /Image\s+/Width (\d+)\s+/Height (\d+))");
  std::smatch match;
  for (const auto& [number, object] : objects) {
    const std::string head = dictionary(object);
    for (std::sregex_iterator m(head.begin(), head.end(), font), none; m != none; ++m) {
      const std::string& described = objects.at(std::stoi((*m)[2]));
      auto& words = fonts[(*m)[1]];
      if (std::regex_search(described, match, reference)) words = to_unicode(stream(objects.at(std::stoi(match[1]))));
    }
    if (std::regex_search(head, match, page)) {
      file.width = std::stod(match[1]) / 72;
      file.height = std::stod(match[2]) / 72;
    }
    if (std::regex_search(head, match, image)) file.pictures.push_back({std::stoi(match[1]), std::stoi(match[2])});
  }
  for (const auto& [number, object] : objects) {
    if (object.find("stream\n") == std::string::npos || dictionary(object).find("/FlateDecode") == std::string::npos ||
        dictionary(object).find("/Image") != std::string::npos)
      continue;
    const std::string commands = stream(object);
    if (commands.find(" cm\n") != std::string::npos) PageOfPdf(file, fonts).read(commands);
  }
  return file;
}

/// Whether the font lacks a letter, which is drawn as □.
static bool lacks_letters(const Text& text) {
  const unsigned missing = glyphs_of("□", text.bold).glyphs.front().index;
  return std::ranges::any_of(glyphs_of(text.words, text.bold).glyphs,
                             [missing](const Glyph& glyph) { return glyph.index == missing && glyph.letter != U'□'; });
}

std::vector<std::string> faults(const Drawing& drawing, const VectorFile& file) {
  std::vector<std::string> all;
  std::size_t from = 0;
  auto paths = file.paths;
  for (const Shape& shape : drawing.shapes) {
    if (const Text* text = std::get_if<Text>(&shape)) {
      const std::size_t at = file.words.find(text->words, from);
      if (at == std::string::npos) {
        all.push_back("not written: " + text->words);
      } else {
        from = at + text->words.size();
      }
      const Box room = room_of(*text);
      if (room.left < 0 || room.top < 0 || room.right > static_cast<float>(drawing.size.width) ||
          room.bottom > static_cast<float>(drawing.size.height))
        all.push_back("cut: " + text->words);
      if (lacks_letters(*text)) all.push_back("no letter in the font: " + text->words);
    }
    const Line* line = std::get_if<Line>(&shape);
    if (line == nullptr) continue;
    for (const Stretch& part : stretches(*line)) {
      // Collinear points may have been merged.
      const std::size_t points = part.to - part.from + 1, least = points < 8 ? points / 2 : points * 3 / 4;
      const auto drawn = std::ranges::find_if(paths, [&](std::size_t n) { return n >= least && n <= points; });
      if (drawn == paths.end()) {
        all.push_back("no curve of " + std::to_string(points) + " points");
      } else {
        paths.erase(drawn);
      }
    }
  }
  return all;
}

}  // namespace orrery::render
