// SPDX-License-Identifier: MIT
// gadget2: a snapshot in GADGET-2's binary format 1, little-endian. Source: Springel, "User guide for GADGET-2" (2005), section 6.
#include <array>
#include <cstring>
#include <limits>

#include "common/error.hpp"
#include "pipeline/exports/particle_groups.hpp"
#include "pipeline/formats/gadget.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

/// Writes the records of a block, between two copies of their length modulo 2³².
class Blocks {
 public:
  explicit Blocks(TextOutput& out) : out_(out) {}
  template <class Number>
  void add(Number number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out_.add({bytes, sizeof bytes});
  }
  template <class Write>
  void block(std::uint64_t bytes, const Write& write) {
    const auto marker = static_cast<std::uint32_t>(bytes);
    add(marker);
    write();
    add(marker);
  }

 private:
  TextOutput& out_;
};

void write_header(Blocks& out, const Groups& groups, double time, double box) {
  out.block(256, [&] {
    for (std::size_t type = 0; type < gadget::usual_types; ++type)
      out.add(static_cast<std::uint32_t>(groups.size(type)));
    for (std::size_t type = 0; type < gadget::usual_types; ++type) out.add(groups.common_mass(type));
    out.add(time);
    out.add(0.0);                                                   // redshift
    for (int flag = 0; flag < 2; ++flag) out.add(std::int32_t{0});  // star formation, feedback
    for (std::size_t type = 0; type < gadget::usual_types; ++type)
      out.add(static_cast<std::uint32_t>(groups.size(type)));
    out.add(std::int32_t{0});  // cooling
    out.add(std::int32_t{1});  // files
    out.add(box);
    for (const double cosmology : {0.0, 0.0, 1.0}) out.add(cosmology);  // Omega0, OmegaLambda, HubbleParam
    for (int rest = 0; rest < 24; ++rest) out.add(std::int32_t{0});
  });
}

template <class Number>
void write_blocks(const ExportJob& job, Blocks& out, const Groups& groups, const sim::Snapshot& frame) {
  const sim::Bodies& bodies = job.trajectory.bodies();
  const auto& ids = job.trajectory.ids();
  const auto for_each_body = [&](std::size_t type, const auto& visit) {
    groups.for_each_run(type, [&](std::size_t, std::span<const std::size_t> run) {
      for (const std::size_t n : run) visit(n);
    });
  };
  const std::uint64_t count = bodies.size();
  for (const sim::Vectors* vectors : {&frame.position, &frame.velocity}) {
    out.block(3 * sizeof(Number) * count, [&] {
      for (std::size_t type = 0; type < gadget::usual_types; ++type)
        for_each_body(type, [&](std::size_t n) {
          for (const auto* axis : {&vectors->x, &vectors->y, &vectors->z}) out.add(static_cast<Number>((*axis)[n]));
        });
    });
  }
  const bool long_ids = !ids.empty() && ids.back() >= std::numeric_limits<std::uint32_t>::max();
  out.block((long_ids ? 8 : 4) * count, [&] {
    for (std::size_t type = 0; type < gadget::usual_types; ++type)
      for_each_body(type, [&](std::size_t n) {
        const auto id = static_cast<std::uint64_t>(ids[n]) + 1;  // some programs take 0 for no particle
        long_ids ? out.add(id) : out.add(static_cast<std::uint32_t>(id));
      });
  });
  std::uint64_t masses = 0;
  for (std::size_t type = 0; type < gadget::usual_types; ++type)
    masses += groups.common_mass(type) == 0 ? groups.size(type) : 0;
  if (masses == 0) return;
  out.block(sizeof(Number) * masses, [&] {
    for (std::size_t type = 0; type < gadget::usual_types; ++type)
      if (groups.common_mass(type) == 0)
        for_each_body(type, [&](std::size_t n) { out.add(static_cast<Number>(bodies.mass[n])); });
  });
}

void write_gadget2(const ExportJob& job) {
  require_velocities(job, "gadget2");
  const Groups groups(job, gadget::usual_types, gadget::type_of_component);
  for (std::size_t type = 0; type < gadget::usual_types; ++type)
    if (groups.size(type) > std::numeric_limits<std::uint32_t>::max())
      refuse(job.file, "has more bodies than gadget2 can hold: use gadget-hdf5");
  const double box = periodic_cube(job.trajectory.record().domain);
  note_what_is_left_out(job, "gadget2", box > 0);
  if (in_double(job))
    job.context.note(
        "numbers are in double precision; GADGET-2 itself and some other programs read floats only: --precision "
        "float32 writes them");
  const sim::Snapshot frame = job.trajectory.snapshot(job.begin);
  Blocks out(job.out);
  write_header(out, groups, frame.time, box);
  in_double(job) ? write_blocks<double>(job, out, groups, frame) : write_blocks<float>(job, out, groups, frame);
}

}  // namespace

extern const ExportFormat gadget2_format{.name = "gadget2",
                                         .meaning = "one frame as a snapshot of GADGET-2, binary format 1",
                                         .write = write_gadget2,
                                         .of_state = true,
                                         .one_frame = true,
                                         .binary = true,
                                         .precision = true};

}  // namespace orrery::pipeline
