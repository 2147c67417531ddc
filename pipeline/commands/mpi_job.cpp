// SPDX-License-Identifier: MIT
#include "pipeline/commands/mpi_job.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "common/error.hpp"
#include "common/installed.hpp"
#include "common/thread_pool.hpp"
#include "pipeline/commands/interrupt.hpp"
#include "pipeline/commands/terminal.hpp"
#include "pipeline/shared_parts.hpp"
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

using Start = sim::Ranks* (*)();

/// Returns the function of the module that joins the job; null, and why, if there is none.
Start load_module(std::string& why) {
  why = "it has no orrery_mpi.so: install the package orrery-mpi, or build it where CMake finds MPI (docs/clusters.md)";
  const auto file = installed_module("orrery_mpi.so");
  if (!file) return nullptr;
  // Open MPI loads parts of itself, which look for it among the global symbols.
  if (void* const module = ::dlopen(file->c_str(), RTLD_NOW | RTLD_GLOBAL); module != nullptr)
    return reinterpret_cast<Start>(::dlsym(module, "orrery_start_mpi"));
  why = ::dlerror();
  return nullptr;
}

}  // namespace

MpiJob::MpiJob() {
  const char* const rank = launched_rank();
  if (rank == nullptr) return;
  std::string why;
  const Start start = load_module(why);
  if (start == nullptr) {
    silent_ = std::string_view(rank) != "0";
    if (silent_) return;
    throw Error("orrery was started as one of several processes, but cannot join them: " + why, Fault::request);
  }
  ranks_.reset(start());
  if (ranks_ == nullptr) return;
  if (ranks_->ranks_per_node() > 1 && std::getenv("OMP_NUM_THREADS") == nullptr)
    resources_.threads = std::max(1, resources_.threads / ranks_->ranks_per_node());
  resources_.device = ranks_->position();
  const std::string version = version_line();
  if (ranks_->rank() > 0) {
    ranks_->send_all(0, sim::MessageWriter()(version).bytes());
    return;
  }
  resources_.ranks = ranks_;
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
  throw Error(unequal, Fault::request);
}

MpiJob::~MpiJob() {
  if (ranks_ != nullptr && ranks_->rank() == 0) sim::dismiss(*ranks_, Interrupt::signal() == 0);
}

int MpiJob::serve() {
  if (silent_) return 2;
  // Launchers pass signals to all; rank 0 decides what they mean, but each rank stops its own part.
  const auto heed_signals = [](auto handler) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, handler);
  };
  heed_signals(SIG_IGN);
  const UseThreads threads(resources_.threads);
  Terminal terminal(resources_, true);
  sim::RankServer server(ranks_, [&](std::span<const std::byte> message) {
    heed_signals(SIG_DFL);
    auto answer = carry_out(message, terminal);
    heed_signals(SIG_IGN);
    return answer;
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
