// SPDX-License-Identifier: MIT
#include "sim/ranks/thread_ranks.hpp"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/error.hpp"
#include "sim/ranks/shared_backend.hpp"

namespace orrery::sim {
namespace {

using Bytes = std::vector<std::byte>;

/// The messages from one rank to another.
class Mailbox {
 public:
  void put(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(bytes));
    changed_.notify_all();
  }
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    failure_ = why;
    changed_.notify_all();
  }
  Bytes take() {
    // Short waits are for a GPU, and waking a thread takes longer.
    for (int k = 0; k < 2000 && !ready(); ++k) std::this_thread::yield();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !messages_.empty() || failure_; });
    if (failure_) throw Error(*failure_);
    Bytes first = std::move(messages_.front());
    messages_.pop_front();
    return first;
  }
  [[nodiscard]] bool ready() {
    const std::lock_guard lock(mutex_);
    return !messages_.empty() || failure_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Bytes> messages_;
  std::optional<std::string> failure_;
};

/// Mailboxes [from][to].
struct Mail {
  explicit Mail(int ranks) : size(static_cast<std::size_t>(ranks)), boxes(size * size) {}
  Mailbox& at(int from, int to) { return boxes[static_cast<std::size_t>(from) * size + static_cast<std::size_t>(to)]; }
  std::size_t size;
  std::vector<Mailbox> boxes;
  std::mutex mutex;
  std::string failure;  ///< the first one
};

class ThreadRanks : public Ranks {
 public:
  ThreadRanks(int rank, std::shared_ptr<Mail> mail)
      : Ranks(rank, static_cast<int>(mail->size)), mail_(std::move(mail)) {}
  using Ranks::receive;
  using Ranks::send;
  void send(int to, std::span<const std::byte> bytes) override {
    refuse_if_failed();
    mail_->at(rank(), to).put(Bytes(bytes.begin(), bytes.end()));
  }
  void receive(int from, std::span<std::byte> bytes, bool) override {
    refuse_if_failed();
    const Bytes message = mail_->at(from, rank()).take();
    if (message.size() != bytes.size()) throw Error("ranks disagree about the size of a message");
    std::memcpy(bytes.data(), message.data(), bytes.size());
  }
  void fail(const std::string& why) noexcept override {
    {
      const std::lock_guard lock(mail_->mutex);
      if (mail_->failure.empty()) mail_->failure = why;
    }
    for (Mailbox& box : mail_->boxes) box.fail(why);  // whoever waits for anybody
  }
  [[nodiscard]] bool has_sent(int from) override { return mail_->at(from, rank()).ready(); }
  [[nodiscard]] Nearness nearness(int) const override { return Nearness::process; }
  [[nodiscard]] std::string why_broken() const override {
    const std::lock_guard lock(mail_->mutex);
    return mail_->failure;
  }
  [[nodiscard]] int position() const override { return rank(); }
  [[nodiscard]] int ranks_per_node() const override { return size(); }

 protected:
  void refuse_if_failed() const {
    if (const std::string why = why_broken(); !why.empty()) throw Error(why);
  }
  std::shared_ptr<Mail> mail_;
};

/// Rank 0, which owns the threads of the others.
class Leader final : public ThreadRanks {
 public:
  explicit Leader(int size) : ThreadRanks(0, std::make_shared<Mail>(size)) {
    for (int rank = 1; rank < size; ++rank) threads_.emplace_back([mail = mail_, rank] { serve(mail, rank); });
  }
  ~Leader() override { dismiss(*this); }

 private:
  static void serve(const std::shared_ptr<Mail>& mail, int rank) {
    const auto ranks = std::make_shared<ThreadRanks>(rank, mail);
    RankServer server(ranks);
    try {
      while (server.carry_out_next()) {
      }
    } catch (const std::exception& error) {  // or memory is short
      ranks->fail(error.what());
    }
  }
  std::vector<std::jthread> threads_;
};

}  // namespace

std::shared_ptr<Ranks> start_thread_ranks(int size) {
  return std::make_shared<Leader>(size);
}

}  // namespace orrery::sim
