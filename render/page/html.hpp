// SPDX-License-Identifier: MIT
// What a page in HTML is made of. Nothing that comes from a run becomes markup, style or script: every text goes through
// `escaped`, and every datum is in a block that browsers do not execute.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace orrery::render::html {

/// The text without what could hide or reorder it: control, format, private and unassigned characters become U+FFFD, and
/// so does invalid UTF-8. Line ends and tabs stay if there may be `lines`, else they become spaces.
std::string plain(std::string_view text, bool lines = false);

/// Plain text for elements and double-quoted attributes.
std::string escaped(std::string_view text, bool lines = false);

/// An element that holds data under a name: JSON in ASCII, in which no `<` is left to end it.
std::string json_block(std::string_view name, const nlohmann::json& value);

/// The same for bytes, in base64.
std::string bytes_block(std::string_view name, std::string_view bytes);

/// Bytes as deflate without a header (RFC 1951), which browsers call "deflate-raw".
std::string deflated(std::string_view bytes);

/// A picture that svg_of() made, as a part of a page: without its metadata, with ids that begin with `prefix`, and a name
/// for those who hear it.
std::string inline_svg(std::string_view svg, std::string_view prefix, std::string_view name);

}  // namespace orrery::render::html
