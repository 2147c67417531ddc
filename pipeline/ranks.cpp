// SPDX-License-Identifier: MIT
#include "pipeline/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "common/error.hpp"
#include "common/usable_threads.hpp"
#include "pipeline/interrupt.hpp"
#include "pipeline/version.hpp"
#include "sim/ranks/message.hpp"
#include "sim/ranks/shared_backend.hpp"

namespace orrery::pipeline {
namespace {

/// Set by a launcher for each process, with its rank. Not SLURM_PROCID: the tasks of job arrays have that as well.
constexpr const char* ranks_in_environment[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};

/// Returns the rank that a launcher gave to this process; null if none did.
const char* launched_rank() {
  for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const text = std::getenv(size);
    if (text == nullptr) continue;
    if (std::string_view(text) == "1") return nullptr;
    break;  // mpirun in a step of Slurm counts more than the step
  }
  for (const char* name : ranks_in_environment) {
    if (const char* text = std::getenv(name); text != nullptr) return text;
  }
  return nullptr;
}

RunCommand& run_command() {
  static RunCommand run;
  return run;
}

/// Gives commands to other ranks as long as `take` returns one.
void give(sim::Ranks& ranks, const std::vector<std::vector<std::string>>& commands,
          const std::function<std::size_t()>& take, std::vector<int>& codes) {
  std::vector<std::size_t> doing(static_cast<std::size_t>(ranks.size()), commands.size());
  const auto start = [&](int rank) {
    std::size_t& task = doing[static_cast<std::size_t>(rank)];
    task = take();
    if (task < commands.size()) sim::request_work(ranks, rank, sim::MessageWriter()(commands[task]).bytes());
  };
  for (int rank = 1; rank < ranks.size(); ++rank) start(rank);
  const auto is_busy = [&](std::size_t task) { return task < commands.size(); };
  while (std::ranges::any_of(doing, is_busy)) {
    for (int rank = 1; rank < ranks.size(); ++rank) {
      const std::size_t task = doing[static_cast<std::size_t>(rank)];
      if (!is_busy(task) || !ranks.has_sent(rank)) continue;
      const auto bytes = ranks.receive_all(rank);
      sim::MessageReader answer(bytes);
      answer(codes[task]);
      start(rank);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

using Start = sim::Ranks* (*)();

/// Returns the function of the module that joins the job; null, and why, if there is none.
Start load_module(std::string& why) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  why = "it was built without MPI (docs/clusters.md)";
  for (const char* folder : {"../lib", "../" ORRERY_LIBRARY_FOLDER}) {
    const std::filesystem::path file = program / folder / "orrery_mpi.so";
    if (!std::filesystem::exists(file, error)) continue;
    // Open MPI loads parts of itself, which look for it among the global symbols.
    if (void* const module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL); module != nullptr)
      return reinterpret_cast<Start>(::dlsym(module, "orrery_start_mpi"));
    why = ::dlerror();
  }
  return nullptr;
}

}  // namespace

int rank_count() {
  return sim::process_ranks() != nullptr ? sim::process_ranks()->size() : 1;
}

int rank_count(const sim::BackendOptions& options) {
  return rank_count() > 1 ? rank_count() : sim::ranks_of(options);
}

std::vector<int> carry_out_on_ranks(const std::vector<std::vector<std::string>>& commands) {
  constexpr int not_begun = -1;
  std::vector<int> codes(commands.size(), not_begun);
  std::atomic<std::size_t> next = 0;
  const auto take = [&] { return Interrupt::signal() == 0 ? next++ : commands.size(); };
  // The commands themselves are alone.
  const std::shared_ptr<sim::Ranks> ranks = std::exchange(sim::process_ranks(), nullptr);
  std::exception_ptr failure;
  std::jthread giving([&] {
    try {
      give(*ranks, commands, take, codes);
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
  });
  for (std::size_t k = take(); k < commands.size(); k = take()) codes[k] = run_command()(commands[k]);
  giving.join();
  sim::process_ranks() = ranks;
  if (failure != nullptr) std::rethrow_exception(failure);
  return codes;
}

MpiJob::MpiJob(RunCommand run) {
  run_command() = std::move(run);
  const char* const rank = launched_rank();
  if (rank == nullptr) return;
  std::string why;
  const Start start = load_module(why);
  if (start == nullptr) {
    silent_ = std::string_view(rank) != "0";
    if (silent_) return;
    throw Error("orrery was started as one of several processes, but cannot join them: " + why, 2);
  }
  ranks_.reset(start());
  if (ranks_ == nullptr) return;
  if (ranks_->ranks_per_node() > 1 && requested_threads() == 0 && std::getenv("OMP_NUM_THREADS") == nullptr)
    requested_threads() = std::max(1, usable_threads() / ranks_->ranks_per_node());
  sim::preferred_device() = ranks_->position();
  const std::string version = version_line();
  if (ranks_->rank() > 0) {
    ranks_->send_all(0, sim::MessageWriter()(version).bytes());
    return;
  }
  sim::process_ranks() = ranks_;
  std::string unequal;
  for (int other = 1; other < ranks_->size(); ++other) {
    const auto bytes = ranks_->receive_all(other);
    std::string there;
    sim::MessageReader message(bytes);
    message(there);
    if (there != version && unequal.empty())
      unequal = fmt::format("rank {} runs {}, rank 0 {}: start the same program everywhere", other, there, version);
  }
  if (unequal.empty()) return;
  sim::dismiss(*ranks_);
  sim::process_ranks().reset();
  throw Error(unequal, 2);
}

MpiJob::~MpiJob() {
  if (ranks_ != nullptr && ranks_->rank() == 0) sim::dismiss(*ranks_, Interrupt::signal() == 0);
  sim::process_ranks().reset();
}

int MpiJob::serve() {
  if (silent_) return 2;
  // Launchers pass signals to all; rank 0 decides what they mean, but each rank stops its own command.
  const auto heed_signals = [](auto handler) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, handler);
  };
  heed_signals(SIG_IGN);
  sim::RankServer server(*ranks_, [&](std::span<const std::byte> bytes) {
    std::vector<std::string> command;
    sim::MessageReader message(bytes);
    message(command);
    heed_signals(SIG_DFL);
    sim::MessageWriter answer;
    answer(run_command()(command));
    heed_signals(SIG_IGN);
    return std::vector<std::byte>(answer.bytes().begin(), answer.bytes().end());
  });
  try {
    while (server.carry_out_next()) {
    }
  } catch (const Error&) {  // rank 0 has been told, or is gone
    return 1;
  }
  return 0;
}

}  // namespace orrery::pipeline
