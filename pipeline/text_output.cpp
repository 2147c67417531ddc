// SPDX-License-Identifier: MIT
#include "pipeline/text_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>

#include "common/error.hpp"
#include "pipeline/printable.hpp"

namespace orrery::pipeline {
namespace {

namespace fs = std::filesystem;

/// Returns whether a file is written directly: pipes, devices, and names like /dev/stdout and /proc/self/fd/3.
bool is_stream(const fs::path& file) {
  std::error_code none;
  if (fs::exists(file, none) && !fs::is_regular_file(file, none) && !fs::is_directory(file, none)) return true;
  const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : ".", none);
  return fs::exists(file, none) && (folder == "/dev" || folder.string().starts_with("/proc/"));
}

/// Returns whether a JSON text has that key with a value that starts with `value`.
bool has(std::string_view text, std::string_view key, std::string_view value) {
  const auto skip_blanks = [](std::string_view rest) {
    return rest.substr(std::min(rest.find_first_not_of(" \n"), rest.size()));
  };
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::string_view rest = skip_blanks(text.substr(at + key.size()));
    if (rest.starts_with(':') && skip_blanks(rest.substr(1)).starts_with(value)) return true;
  }
  return false;
}

}  // namespace

TextOutput::TextOutput(const std::filesystem::path& file, Replacing replacing)
    : file_(file), replacing_(replacing), descriptor_(STDOUT_FILENO) {
  if (file.empty() || file == "-") {
    file_ = "standard output";
    on_screen_ = ::isatty(STDOUT_FILENO) == 1;
    std::fflush(stdout);
    return;
  }
  if (is_stream(file)) {
    descriptor_ = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) refuse({errno, std::generic_category()});
    return;
  }
  refuse_to_replace(file, replacing, written_by_orrery);
  try {
    descriptor_ = draft_.emplace(file).descriptor();
  } catch (const std::system_error& failure) {
    refuse(failure.code());
  }
}

TextOutput::~TextOutput() {
  if (!draft_ && descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
}

void TextOutput::refuse(const std::error_code& reason) const {
  throw Error(file_.string() + ": cannot be written: " + reason.message());
}

void TextOutput::write() {
  const std::string_view text(text_.data(), text_.size());
  try {
    write_all(descriptor_, on_screen_ ? printable(text, Lines::several) : text);
  } catch (const std::system_error& failure) {
    refuse(failure.code());
  }
  text_.clear();
}

const std::filesystem::path& TextOutput::draft() const {
  if (!draft_)
    throw Error(file_.string() + ": this format is not written in order: give a file, `-o FILE`", Fault::request);
  return draft_->path();
}

void TextOutput::finish() {
  write();
  if (descriptor_ == STDOUT_FILENO) return;
  if (!draft_) {
    if (::close(std::exchange(descriptor_, -1)) != 0) refuse({errno, std::generic_category()});
    return;
  }
  try {
    draft_->sync();
    draft_->rename_to(file_, replacing_, written_by_orrery);
  } catch (const std::system_error& failure) {
    refuse(failure.code());
  }
  sync_folder(file_);
}

void sync_folder(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  (void)::fsync(descriptor);
  ::close(descriptor);
}

std::string quoted(const std::string& argument) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c >= 128 || std::strchr("%+,-./:=@_", c) != nullptr;
  };
  if (!argument.empty() && std::ranges::all_of(argument, plain)) return argument;
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

bool written_by_orrery(const std::filesystem::path& file) {
  std::string head(std::size_t{1} << 20U, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (head.starts_with("<!DOCTYPE html>"))
    return head.find("<meta name=\"generator\" content=\"orrery\">") != std::string::npos;
  if (!head.starts_with('{'))
    return head.starts_with("<?xml version=\"1.0\"?>\n<!-- orrery ") || head.starts_with("# Studies: `orrery study`\n");
  return has(head, "\"program\"", "\"orrery ");
}

void refuse_unwritable(const std::filesystem::path& file, Replacing replacing) {
  if (file != "-" && !is_stream(file)) const TextOutput tried(file, replacing);
}

void write_whole(const std::filesystem::path& file, std::string_view text, Replacing replacing) {
  TextOutput output(file, replacing);
  output.add(text);
  output.finish();
}

}  // namespace orrery::pipeline
