// SPDX-License-Identifier: MIT
// Writes <metadata> of SVG, and reads it also if another program has changed prefixes, whitespace and quotes.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "common/error.hpp"
#include "common/utf8.hpp"
#include "common/xml.hpp"
#include "render/metadata/formats.hpp"

namespace orrery::render {
namespace {

[[noreturn]] void was_stopped() {
  throw Error("is cut short, or is no XML: take a whole copy of the picture", Fault::request);
}

constexpr std::size_t deepest = 1000;       // nesting of elements
constexpr std::size_t longest_entity = 13;  // &#0000000065; with zeros to spare

/// Returns text with entities replaced and line ends normalised as in XML.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      if (text.substr(i + 1, 1) != "\n") result += '\n';
      continue;
    }
    const std::size_t length = text[i] == '&' ? text.substr(i, longest_entity).find(';') : std::string_view::npos;
    if (length == std::string_view::npos) {
      result += text[i];
      continue;
    }
    std::string_view name = text.substr(i + 1, length - 1);
    if (name.starts_with('#')) {
      const bool hex = name.substr(1, 1) == "x";
      name.remove_prefix(hex ? 2 : 1);
      std::uint32_t letter = 0;
      std::from_chars(name.data(), name.data() + name.size(), letter, hex ? 16 : 10);
      append_utf8(result, letter);
    } else {
      result += name == "lt" ? '<' : name == "gt" ? '>' : name == "quot" ? '"' : name == "apos" ? '\'' : '&';
    }
    i += length;
  }
  return result;
}

/// Returns the end of the tag that begins at `at`; a quoted > does not end it.
std::size_t behind_tag(std::string_view xml, std::size_t at) {
  char quote = 0;
  for (; at < xml.size(); ++at) {
    const char c = xml[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    }
  }
  was_stopped();
}

std::size_t behind(std::string_view xml, std::string_view end, std::size_t at) {
  const std::size_t found = xml.find(end, at);
  if (found == std::string_view::npos) was_stopped();
  return found + end.size();
}

/// Returns "scenario" for `<orrery:scenario xml:space="preserve">` or its end tag.
std::string_view local_name(std::string_view tag) {
  tag.remove_prefix(tag.starts_with("</") ? 2 : 1);
  tag = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
  const auto colon = tag.find(':');
  return colon == std::string_view::npos ? tag : tag.substr(colon + 1);
}

/// Parses a document and collects the elements in metadata/run/….
class Reader {
 public:
  Provenance read(std::string_view xml) {
    for (std::size_t at = 0; at < xml.size();) {
      if (xml[at] != '<') {
        const std::size_t end = std::min(xml.find('<', at), xml.size());
        if (into_ != nullptr) *into_ += plain(xml.substr(at, end - at));
        at = end;
        continue;
      }
      const std::string_view rest = xml.substr(at);
      std::size_t end = 0;
      if (rest.starts_with("<![CDATA[")) {
        end = behind(xml, "]]>", at);
        if (into_ != nullptr) *into_ += xml.substr(at + 9, end - at - 12);
      } else if (rest.starts_with("<!--")) {
        end = behind(xml, "-->", at + 4);
      } else if (rest.starts_with("<?")) {
        end = behind(xml, "?>", at);
      } else if (rest.starts_with("<!")) {
        end = behind_tag(xml, at);
        const std::size_t inner = xml.find('[', at);  // a document type with entities
        if (inner < end) end = behind_tag(xml, behind(xml, "]", inner) - 1);
      } else {
        end = behind_tag(xml, at);
        take(xml.substr(at, end - at));
      }
      at = end;
    }
    if (!seen_ || !open_.empty()) was_stopped();
    return found_;
  }

 private:
  void take(std::string_view tag) {
    const std::string_view name = local_name(tag);
    if (tag.starts_with("</")) {
      if (open_.empty() || open_.back() != name) was_stopped();
      open_.pop_back();
    } else {
      if (!seen_ && name != "svg")
        throw Error("is not an SVG file in spite of its name: give a picture that orrery drew", Fault::request);
      seen_ = true;
      if (!tag.ends_with("/>")) open_.push_back(name);
      if (open_.size() > deepest)
        throw Error("was not drawn by orrery: its elements are nested too deeply", Fault::request);
    }
    into_ = nullptr;
    const std::size_t n = open_.size();
    if (n < 3 || open_[n - 3] != "metadata" || open_[n - 2] != "run") return;
    std::string* const part = open_[n - 1] == "version"    ? &found_.version
                              : open_[n - 1] == "state"    ? &found_.state
                              : open_[n - 1] == "scenario" ? &found_.scenario
                                                           : nullptr;
    if (part != nullptr && part->empty()) into_ = part;
  }

  std::vector<std::string_view> open_;
  Provenance found_;
  std::string* into_ = nullptr;
  bool seen_ = false;
};

}  // namespace

std::string svg_metadata(const Provenance& provenance) {
  return fmt::format(
      "<metadata><orrery:run xmlns:orrery=\"urn:orrery\">\n<orrery:version>{}</orrery:version>\n"
      "<orrery:state>{}</orrery:state>\n<orrery:scenario xml:space=\"preserve\">{}</orrery:scenario>\n"
      "</orrery:run></metadata>\n",
      xml_escaped(provenance.version), xml_escaped(provenance.state), xml_escaped(provenance.scenario));
}

std::optional<Provenance> provenance_of_svg(std::string_view bytes) {
  const auto first = bytes.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '<')
    throw Error("is not an SVG file in spite of its name: give a picture that orrery drew", Fault::request);
  const Provenance found = Reader().read(bytes.substr(first));
  return found.ours() ? std::optional(found) : std::nullopt;
}

}  // namespace orrery::render
