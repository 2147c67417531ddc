// SPDX-License-Identifier: MIT
#include "pipeline/following.hpp"

#include <fmt/format.h>

#include "pipeline/refusal.hpp"
#include "pipeline/text_output.hpp"

namespace orrery::pipeline {

LiveRun live_run(const std::filesystem::path& file) {
  LiveRun live;
  live.written = being_written(file);  // before the status, which may become `finished`
  try {
    live.run = run_status(file);
  } catch (const Error& error) {
    if (error.fault() != Fault::request) throw;  // 2: there is no such file
  }
  return live;
}

void refuse_live(const std::filesystem::path& file) {
  if (being_written(file)) refuse(file, "another orrery is writing it: wait for it, or stop it");
}

Error writer_is_gone(const std::filesystem::path& file, const RunStatus& run) {
  return Error(fmt::format("{}: its writer is gone at step {} of {}; `orrery resume {}` goes on", file.string(),
                           run.step, run.steps, quoted(file)));
}

}  // namespace orrery::pipeline
