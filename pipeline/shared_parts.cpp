// SPDX-License-Identifier: MIT
#include "pipeline/shared_parts.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <thread>

#include "sim/ranks/message.hpp"
#include "sim/ranks/shared_backend.hpp"

namespace orrery::pipeline {
namespace {

/// The context of a part, whose rank is alone. Only its warnings are told.
class PartContext final : public Silenced {
 public:
  explicit PartContext(Context& whole)
      : Silenced(whole, {.threads = whole.resources.threads, .device = whole.resources.device}) {}

 private:
  void write(Kind kind, const std::string& line) override {
    if (kind == Kind::warning) whole_.warning("{}", line);
  }
};

Outcome carry_out(const SharedPart& part, Context& whole) {
  PartContext context(whole);
  try {
    const bool ended = std::holds_alternative<ScenarioOptions>(part)
                           ? run_scenario(std::get<ScenarioOptions>(part), context)
                           : render(std::get<RenderOptions>(part), context);
    return ended ? Outcome::done : Outcome::stopped;
  } catch (const Error& error) {
    context.warning("{}", error.what());
    return error.fault() == Fault::request ? Outcome::refused : Outcome::failed;
  } catch (const std::exception& error) {
    context.warning("{}", error.what());
    return Outcome::failed;
  }
}

/// Appends the members of a part to a message, or sets them from one.
template <class Message, class Path>
void pass(Message& message, Path& path) requires std::is_same_v<std::remove_const_t<Path>, std::filesystem::path> {
  std::string text = path.string();
  message(text);
  if constexpr (!std::is_const_v<Path>) path = text;
}

template <class Message, class Part>
void pass_members(Message& message, Part& part) {
  bool has_output = part.output.has_value();
  std::string output = part.output.value_or("").string();
  message(has_output)(output)(part.overrides);
  if constexpr (!std::is_const_v<Part>) {
    part.output.reset();
    if (has_output) part.output = output;
  }
  if constexpr (std::is_same_v<std::remove_const_t<Part>, ScenarioOptions>) {
    pass(message, part.source);
    message(part.force)(part.command_line)(part.task)(part.pictures);
  } else {
    pass(message, part.runs.front());
    message(part.figure)(part.against)(part.frames)(part.piece)(part.preview)(part.replacing);
  }
}

sim::MessageWriter message_of(const SharedPart& part) {
  sim::MessageWriter message;
  message(part.index());
  std::visit([&](const auto& options) { pass_members(message, options); }, part);
  return message;
}

SharedPart part_in(sim::MessageReader message) {
  SharedPart part;
  if (message.next<std::size_t>() == 1) part = RenderOptions{.runs = {""}};
  std::visit([&](auto& options) { pass_members(message, options); }, part);
  return part;
}

/// Gives parts to other ranks as long as `take` returns one.
void give(sim::Ranks& ranks, const std::vector<SharedPart>& parts, const std::function<std::size_t()>& take,
          std::vector<Outcome>& outcomes) {
  std::vector<std::size_t> doing(static_cast<std::size_t>(ranks.size()), parts.size());
  const auto start = [&](int rank) {
    std::size_t& one = doing[static_cast<std::size_t>(rank)];
    one = take();
    if (one < parts.size()) sim::request_work(ranks, rank, message_of(parts[one]).bytes());
  };
  for (int rank = 1; rank < ranks.size(); ++rank) start(rank);
  const auto is_busy = [&](std::size_t one) { return one < parts.size(); };
  while (std::ranges::any_of(doing, is_busy)) {
    for (int rank = 1; rank < ranks.size(); ++rank) {
      const std::size_t one = doing[static_cast<std::size_t>(rank)];
      if (!is_busy(one) || !ranks.has_sent(rank)) continue;
      const auto bytes = ranks.receive_all(rank);
      sim::MessageReader answer(bytes);
      answer(outcomes[one]);
      start(rank);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

std::vector<Outcome> share(const std::vector<SharedPart>& parts, Context& context) {
  std::vector<Outcome> outcomes(parts.size(), Outcome::not_begun);
  std::atomic<std::size_t> next = 0;
  const auto take = [&] { return context.stopped() ? parts.size() : next++; };
  std::exception_ptr failure;
  std::jthread giving([&] {
    try {
      give(*context.resources.ranks, parts, take, outcomes);
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
  });
  for (std::size_t k = take(); k < parts.size(); k = take()) outcomes[k] = carry_out(parts[k], context);
  giving.join();
  if (failure != nullptr) std::rethrow_exception(failure);
  return outcomes;
}

std::vector<std::byte> carry_out(std::span<const std::byte> message, Context& context) {
  sim::MessageWriter answer;
  answer(carry_out(part_in(sim::MessageReader(message)), context));
  return {answer.bytes().begin(), answer.bytes().end()};
}

}  // namespace orrery::pipeline
