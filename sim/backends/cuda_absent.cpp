// SPDX-License-Identifier: MIT
// The cuda backend of a build without a CUDA compiler.
#include "common/error.hpp"
#include "sim/backends/cuda.hpp"

namespace orrery::sim {
namespace {

constexpr std::string_view kernels[] = {"pair-once", "tiled"};

std::string absence() {
  return "this program was built without CUDA: install NVIDIA's CUDA Toolkit, 12 or newer, so that nvcc is on the PATH "
         "or "
         "in /usr/local/cuda, then `rm -rf build` and build again (docs/install.md)";
}

}  // namespace

const BackendKind cuda_backend{
    .name = "cuda",
    .meaning = "an NVIDIA GPU, the same bits as the reference",
    .kernels = kernels,
    .precisions = every_precision,
    .absence = absence,
    // NOLINTNEXTLINE(performance-unnecessary-value-param): the type of a function pointer
    .make = [](System, const BackendOptions&) -> std::unique_ptr<Backend> { throw Error(absence(), Fault::request); },
};

}  // namespace orrery::sim
