// SPDX-License-Identifier: MIT
// Text, a mebibyte at a time.
#include "pipeline/text_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/error.hpp"
#include "pipeline/say.hpp"

namespace orrery::pipeline {

TextOutput::TextOutput(const std::filesystem::path& file) : file_(file), descriptor_(STDOUT_FILENO) {
  namespace fs = std::filesystem;
  if (file.empty() || file == "-") {
    file_ = "standard output";
    on_screen_ = ::isatty(STDOUT_FILENO) == 1;
    std::fflush(stdout);
    return;
  }
  std::error_code error;
  if (fs::is_directory(file, error)) throw Error(file.string() + ": a folder; a file is wanted", 2);
  const bool whole = !fs::exists(file, error) || fs::is_regular_file(file, error);
  if (whole) part_ = file.string() + ".part";
  descriptor_ = ::open((whole ? part_ : file).c_str(), O_WRONLY | O_CLOEXEC | (whole ? O_CREAT | O_TRUNC : 0), 0666);
  if (descriptor_ < 0) {
    part_.clear();
    refuse(errno);
  }
}

TextOutput::~TextOutput() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

void TextOutput::refuse(int reason) const {
  throw Error(file_.string() + ": cannot be written: " + std::strerror(reason));
}

void TextOutput::write() {
  const std::string_view text(text_.data(), text_.size());
  const std::string shown = on_screen_ ? printable(text, Lines::several) : "";
  for (std::string_view rest = on_screen_ ? shown : text; !rest.empty();) {
    const auto count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno != EINTR) refuse(errno);
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
  text_.clear();
}

void TextOutput::finish() {
  write();
  if (descriptor_ == STDOUT_FILENO) return;
  if (!part_.empty() && ::fsync(descriptor_) != 0) refuse(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse(errno);
  if (part_.empty()) return;
  if (std::rename(part_.c_str(), file_.c_str()) != 0) refuse(errno);
  part_.clear();
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

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void refuse_unwritable(const std::filesystem::path& file) {
  std::error_code error;
  if (file != "-" && (!std::filesystem::exists(file, error) || std::filesystem::is_regular_file(file, error) ||
                      std::filesystem::is_directory(file, error)))
    const TextOutput tried(file);
}

void write_whole(const std::filesystem::path& file, std::string_view text) {
  TextOutput output(file);
  output.add(text);
  output.finish();
}

}  // namespace orrery::pipeline
