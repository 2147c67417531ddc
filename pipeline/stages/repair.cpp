// SPDX-License-Identifier: MIT
// orrery repair: put right what a killed writer left, and say what is damaged.
#include <fmt/format.h>

#include "pipeline/following.hpp"
#include "pipeline/say.hpp"
#include "pipeline/stages/stages.hpp"
#include "pipeline/trajectory/trajectory_copy.hpp"
#include "pipeline/trajectory/trajectory_repair.hpp"

namespace orrery::pipeline {
namespace {

constexpr Flag flags[] = {Flag::output};

std::string in_words(const Repaired& file) {
  const std::string what = fmt::format("{} {}", file.frames, file.frames == 1 ? "frame" : "frames");
  if (!file.changed) return "nothing to do: " + what;
  if (file.finished) return fmt::format("put right: {}, finished", what);
  if (!file.step) return fmt::format("put right: {}, nothing to go on from", what);
  return fmt::format("put right: {}, to be gone on with from step {}", what, *file.step);
}

int repair_file(const Request& request) {
  const std::filesystem::path file = request.operands.front();
  refuse_live(file);
  if (std::error_code none; request.output && std::filesystem::exists(symlink_status(*request.output, none)))
    throw Error(fmt::format("{}: is there already: give another name with -o", request.output->string()), 2);
  // Who wants a copy may want to keep what there is.
  if (!request.output) say("{}: {}\n", file.string(), in_words(repair(file)));
  const auto damage = damage_in(file);
  for (const std::string& line : damage) say("{}: {}\n", file.string(), line);
  if (request.output) {
    const Salvaged copy = salvage(file, *request.output);
    say("{}: {} of {} frames and {} of {} rows{}\n", request.output->string(), copy.frames, copy.all_frames, copy.rows,
        copy.all_rows, copy.state ? "" : ", nothing to go on from");
  }
  return damage.empty() ? 0 : 1;
}

}  // namespace

const Stage repair_stage{.name = "repair",
                         .meaning = "put right a file whose writer was killed, and name what is damaged",
                         .operands = "RUN.h5",
                         .least = 1,
                         .most = 1,
                         .flags = flags,
                         .run = repair_file};

}  // namespace orrery::pipeline
