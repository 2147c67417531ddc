// SPDX-License-Identifier: MIT
// tipsy: a snapshot in TIPSY's standard format, big-endian. Source: the declarations of Quinn and Katz's TIPSY, which is also what ChaNGa,
// GASOLINE and pkdgrav read: a header of 32 bytes, then gas, dark and star particles of 48, 36 and 44 bytes.
#include <bit>
#include <cstring>
#include <limits>

#include "common/error.hpp"
#include "pipeline/exports/particle_groups.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

enum TipsyGroup : std::size_t { dark, star, tipsy_groups };

std::size_t tipsy_group(std::string_view component) {
  return component == "stars" ? star : dark;
}

void write_tipsy(const ExportJob& job) {
  require_velocities(job, "tipsy");
  const sim::Bodies& bodies = job.trajectory.bodies();
  if (bodies.size() > std::numeric_limits<std::int32_t>::max())
    refuse(job.file, "has more bodies than tipsy can hold: use gadget-hdf5");
  note_what_is_left_out(job, "tipsy");
  if (in_double(job)) job.context.note("tipsy has float32 only: numbers are rounded");
  const Groups groups(job, tipsy_groups, tipsy_group);
  const sim::Snapshot frame = job.trajectory.snapshot(job.begin);
  const auto add = [&](auto number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    if (std::endian::native == std::endian::little) std::ranges::reverse(bytes);
    job.out.add({bytes, sizeof bytes});
  };
  const auto add_float = [&](double number) {
    const auto rounded = static_cast<float>(number);
    if (rounded - rounded != 0) refuse(job.file, fmt::format("holds {}, which is beyond float32", number));
    add(rounded);
  };
  add(frame.time);
  add(static_cast<std::int32_t>(bodies.size()));
  add(std::int32_t{3});  // dimensions
  add(std::int32_t{0});  // gas
  add(static_cast<std::int32_t>(groups.size(dark)));
  add(static_cast<std::int32_t>(groups.size(star)));
  add(std::int32_t{0});  // to a multiple of eight bytes
  for (const std::size_t group : {dark, star}) {
    groups.for_each_run(group, [&](std::size_t, std::span<const std::size_t> run) {
      for (const std::size_t n : run) {
        add_float(bodies.mass[n]);
        for (const sim::Vectors* v : {&frame.position, &frame.velocity})
          for (const auto* axis : {&v->x, &v->y, &v->z}) add_float((*axis)[n]);
        if (group == star) add_float(0), add_float(0);  // metals, time of formation
        add_float(0);                                   // softening
        add_float(0);                                   // potential
      }
    });
  }
}

}  // namespace

extern const ExportFormat tipsy_format{.name = "tipsy",
                                       .meaning = "one frame in TIPSY's standard format, in float32",
                                       .write = write_tipsy,
                                       .of_state = true,
                                       .one_frame = true,
                                       .binary = true};

}  // namespace orrery::pipeline
