// SPDX-License-Identifier: MIT
// A backend whose force evaluations several ranks share.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "sim/backend.hpp"
#include "sim/ranks/ranks.hpp"

namespace orrery::sim {

/// For rank 0: makes a backend of this kind on every one of `options.ranks`. All carry out the same operations, so that each has the whole
/// state, and share the evaluations of forces; results are read from that of rank 0. Throws Error, also if a rank
/// cannot make its own, or if the ranks would not agree on the bits in this precision.
std::unique_ptr<Backend> make_shared_backend(const BackendKind& kind, System system, const BackendOptions& options);

/// For other ranks: carries out one request of rank 0. Returns false if there will be no more. Throws Error if this rank
/// cannot go on; the others have been told. `work`: carries out what `request_work` asks for and returns an answer.
class RankServer {
 public:
  using Bytes = std::vector<std::byte>;
  using Work = std::function<Bytes(std::span<const std::byte>)>;
  explicit RankServer(std::shared_ptr<Ranks> ranks, Work work = {});
  ~RankServer();
  RankServer(const RankServer&) = delete;
  RankServer& operator=(const RankServer&) = delete;
  bool carry_out_next();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// For rank 0: asks a rank for something else than a backend. It answers by `receive_all`.
void request_work(Ranks& ranks, int rank, std::span<const std::byte> what);
/// For rank 0: there will be no more requests. `orderly`: no signal is ending the job.
void dismiss(Ranks& ranks, bool orderly = true) noexcept;

}  // namespace orrery::sim
