// SPDX-License-Identifier: MIT
// How far a run has come: lengths, two rows and the header of a slot, whatever else the file holds.
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
  return told(path, [&] {
    const hdf5::Handle file = open_to_read(path);
    const Shape shape = read_shape(file);
    RunStatus seen{.finished = read_finished(file) != 0};
    seen.steps = hdf5::read_attribute<std::int64_t>(hdf5::open_group(file, "/parameters"), "steps");
    const std::size_t in_place = FrameSeries(file, shape).committed();
    const TailLook tail = seen.finished ? TailLook() : TailSlots(file, shape).look(in_place);
    seen.frames = std::max(in_place, tail.fitting ? tail.fitting->base + tail.fitting->frames.size() : 0);
    const RestartMark mark = RestartSlots(file, shape).mark();
    seen.seconds = mark.at.seconds;
    const RowSeries rows(file);
    if (std::size_t count = rows.committed(); count > 0) {
      const Row first = rows.read(0, 1).front();
      // A loss of power may have left steps beyond every whole state, without their rows.
      if (rows.whole(count - 1, count) < count && mark.at.rows > 0)
        count = std::min(count, static_cast<std::size_t>(mark.at.rows));
      const Row last = rows.read(count - 1, 1).front();
      seen.energy_error = sim::energy_error(last.total_energy, first.total_energy);
      seen.step = last.step;
    }
    // The state may be ahead of the last row; half written it is anything.
    if (mark.step <= seen.steps) seen.step = std::max(seen.step, mark.step);
    return seen;
  });
}

}  // namespace orrery::pipeline
