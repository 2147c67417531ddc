// SPDX-License-Identifier: MIT
#include "render/page/page.hpp"

#include <fmt/format.h>

#include "common/base64.hpp"
#include "render/page/assets.hpp"
#include "render/page/html.hpp"

namespace orrery::render {
namespace {

/// A hash as a policy writes it.
std::string source(const PageAssets::Text& asset) {
  std::string bytes;
  for (std::size_t i = 0; i < asset.sha256.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(asset.sha256.substr(i, 2)), nullptr, 16));
  return fmt::format("'sha256-{}'", base64(bytes));
}

}  // namespace

std::string html_of(const Page& page) {
  const PageAssets& assets = page_assets();
  const std::string policy = fmt::format(
      "default-src 'none'; script-src {}{}; style-src {}; img-src data: blob:; media-src data: blob:; base-uri 'none'; "
      "form-action 'none'",
      source(assets.script), page.steps ? " 'wasm-unsafe-eval'" : "", source(assets.style));
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"orrery\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<header>\n{}</header>\n<main>\n{}</main>\n",
      policy, html::escaped(page.title), assets.style.text, page.header, page.main);
  text += assets.parts;
  text += page.blocks;
  if (page.steps) {
    text += html::bytes_block("engine", html::deflated(assets.engine));
    text += html::bytes_block("engine-fused", html::deflated(assets.engine_fused));
  }
  return text + fmt::format("<script>{}</script>\n</body>\n</html>\n", assets.script.text);
}

}  // namespace orrery::render
