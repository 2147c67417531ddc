// SPDX-License-Identifier: MIT
// Reads only lengths, two rows and the header of a slot.
#include <algorithm>

#include "pipeline/trajectory/frames.hpp"
#include "pipeline/trajectory/opening.hpp"
#include "pipeline/trajectory/record.hpp"
#include "pipeline/trajectory/rows.hpp"
#include "pipeline/trajectory/slots.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {

RunStatus run_status(const std::filesystem::path& path) {
  using namespace trajectory;
  return wrap_errors(path, [&] {
    const hdf5::Handle file = open_to_read(path);
    const Shape shape = read_shape(file);
    RunStatus status{.finished = read_finished(file) != 0};
    status.steps = hdf5::read_attribute<std::int64_t>(hdf5::open_group(file, "/parameters"), "steps");
    const std::size_t in_place = FrameSeries(file, shape).committed();
    const TailScan tail = status.finished ? TailScan() : TailSlots(file, shape).scan(in_place);
    status.frames = std::max(in_place, tail.fitting ? tail.fitting->base + tail.fitting->frames.size() : 0);
    const RestartSummary state = RestartSlots(file, shape).summary();
    status.seconds = state.at.seconds;
    const RowSeries rows(file);
    if (std::size_t count = rows.committed(); count > 0) {
      const Row first = rows.read(0, 1).front();
      // A power loss may leave steps of rows that are not on the disk.
      if (rows.count_intact(count - 1, count) < count && state.at.rows > 0)
        count = std::min(count, static_cast<std::size_t>(state.at.rows));
      const Row last = rows.read(count - 1, 1).front();
      status.first_energy = {first.kinetic_energy, first.potential_energy};
      status.energy_error = status.first_energy.error(last.total_energy);
      status.step = last.step;
    }
    // The state may be ahead of the last row. A torn header may have any step.
    if (state.step <= status.steps) status.step = std::max(status.step, state.step);
    return status;
  });
}

}  // namespace orrery::pipeline
