// SPDX-License-Identifier: MIT
#include "pipeline/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "common/error.hpp"
#include "common/file_format.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

constexpr std::size_t block = std::size_t{1} << 20, max_line = std::size_t{1} << 16, max_text = std::size_t{64} << 20;
constexpr std::chrono::seconds max_wait{5};

std::string reason(int error) {
  return fmt::format("cannot be read: {}", std::strerror(error));
}

/// read(2), repeated if a signal interrupts it.
ssize_t read_some(int descriptor, char* bytes, std::size_t count) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor, bytes, count);
  } while (got < 0 && errno == EINTR);
  return got;
}

/// Closes a file descriptor other than standard input.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }  // NOLINT: implicit by design

 private:
  int number_;
};

/// Waits for input, and warns once if that takes longer than a second.
class InputWait {
 public:
  InputWait(const std::filesystem::path& path, Messages& messages) : path_(path), messages_(messages) {}
  /// Waits at most 0.2 s for input. Returns whether a pipe has no writer left.
  bool wait(int descriptor) {
    using namespace std::chrono_literals;
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, 200) == 0 && waited() > 1s && !std::exchange(said_, true))
      messages_.warning("waiting for what is written into {}", path_.string());
    return (waiting.revents & POLLHUP) != 0;
  }
  [[nodiscard]] std::chrono::steady_clock::duration waited() const { return std::chrono::steady_clock::now() - begin_; }

 private:
  const std::filesystem::path& path_;
  Messages& messages_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool said_ = false;
};

}  // namespace

InputFile::InputFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
  if (descriptor_ < 0) refuse(reason(errno));
  struct stat now {};
  const bool known = ::fstat(descriptor_, &now) == 0;
  const int error = errno;
  if (known && S_ISREG(now.st_mode)) {
    size_ = static_cast<std::uint64_t>(now.st_size);
    return;
  }
  ::close(descriptor_);
  refuse(known ? fmt::format("is {}, not an ordinary file", special_file_type(now.st_mode)) : reason(error));
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

bool InputFile::refill() {
  buffer_.erase(0, at_);
  before_ += at_;
  at_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + block);
  const ssize_t got = read_some(descriptor_, buffer_.data() + had, block);
  const int error = errno;
  buffer_.resize(had + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got < 0) refuse(reason(error));
  if (!order_) {
    order_ = utf16_order(buffer_);
    if (*order_ != Utf16::none) size_ /= 2;
  }
  if (*order_ != Utf16::none) {
    raw_.append(buffer_, had);
    buffer_.resize(had);
    const bool ended = got == 0 && !raw_.empty();
    raw_.erase(0, append_utf16(buffer_, raw_, *order_));
    if (ended) buffer_ += '\xFF', raw_.clear();  // half a letter
    return got > 0 || ended;
  }
  return got > 0;
}

std::string_view InputFile::beginning(std::size_t count) {
  while (buffer_.size() < count && refill()) {
  }
  return std::string_view(buffer_).substr(0, count);
}

bool InputFile::next_line(std::string_view& line) {
  std::size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos) {
    const std::size_t rest = buffer_.size() - at_;
    if (rest > max_line) break;
    const bool more = refill();
    end = buffer_.find('\n', rest);
    if (more) continue;
    if (rest == 0) return false;
    end = buffer_.size();
    break;
  }
  ++number_;
  const std::size_t length = std::min(end, buffer_.size()) - at_;
  if (length > max_line) {
    pipeline::refuse(fmt::format("{}:{}", path_.string(), number_),
                     fmt::format("is longer than {} KiB: no line of a table is", max_line >> 10));
  }
  line = std::string_view(buffer_).substr(at_, length);
  if (line.ends_with('\r')) line.remove_suffix(1);
  at_ = std::min(end + 1, buffer_.size());
  return true;
}

void InputFile::read_at(std::uint64_t place, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(reason(errno));
    if (got == 0) refuse("became shorter while it was read");
    place += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

void InputFile::refuse(const std::string& why) const {
  pipeline::refuse(path_, why);
}

std::string read_text(const std::filesystem::path& path, Messages& messages) {
  const Descriptor in(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat now {};
  if (in < 0 || ::fstat(in, &now) != 0) pipeline::refuse(path, reason(errno));
  const bool pipe = S_ISFIFO(now.st_mode) || S_ISSOCK(now.st_mode) || ::isatty(in) == 1;
  if (!pipe && !S_ISREG(now.st_mode))
    pipeline::refuse(path, fmt::format("is {}, not a scenario", special_file_type(now.st_mode)));
  const bool named_pipe = S_ISFIFO(now.st_mode) && path != "-";  // may not have a writer yet
  std::string text;
  InputWait input(path, messages);
  while (true) {
    const bool no_writer = pipe && input.wait(in);
    const std::size_t had = text.size();
    text.resize(had + block);
    const ssize_t got = read_some(in, text.data() + had, block);
    const int error = errno;
    text.resize(had + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && error != EAGAIN) pipeline::refuse(path, reason(error));
    if (got == 0) {
      if (!named_pipe || no_writer || !text.empty()) return text;
      if (input.waited() > max_wait) pipeline::refuse(path, "is a pipe without a writer after 5 s");
    }
    if (text.size() > max_text) {
      pipeline::refuse(
          path, fmt::format("is longer than {} MiB: bodies in such numbers go into a CSV file, `file = \"….csv\"`",
                            max_text >> 20));
    }
  }
}

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in.good() && !in.eof()) throw Error(file.string() + ": cannot be read");
  return bytes;
}

}  // namespace orrery::pipeline
