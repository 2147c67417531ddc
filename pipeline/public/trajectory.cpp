// SPDX-License-Identifier: MIT
// Trajectory files, finished or being written.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "pipeline/public/handles.hpp"
#include "pipeline/trajectory/trajectory.hpp"

namespace orrery::pipeline {
namespace {

/// A column of the rows of observables.
struct RowColumn {
  std::string name;
  std::vector<double> values;
};

std::vector<RowColumn> columns_of(const History& rows) {
  std::vector<RowColumn> all;
  const auto add = [&](std::string name, std::vector<double> values) {
    if (!values.empty() || rows.step.empty()) all.push_back({std::move(name), std::move(values)});
  };
  const auto component = [](const auto& vectors, std::size_t k) {
    std::vector<double> values;
    for (const auto& v : vectors) values.push_back(v[k]);
    return values;
  };
  add("step", {rows.step.begin(), rows.step.end()});
  add("time", rows.time);
  add("kinetic_energy", rows.kinetic_energy);
  add("potential_energy", rows.potential_energy);
  add("total_energy", rows.total_energy);
  std::vector<double> errors;
  if (!rows.step.empty()) {
    const sim::InitialEnergy first(rows.kinetic_energy.front(), rows.potential_energy.front());
    for (const double energy : rows.total_energy) errors.push_back(first.error(energy));
  }
  add("energy_error", std::move(errors));
  const std::pair<const char*, const std::vector<std::array<double, 3>>*> vectors[] = {
      {"momentum", &rows.momentum},
      {"angular_momentum", &rows.angular_momentum},
      {"center_of_mass", &rows.center_of_mass}};
  for (const auto& [name, values] : vectors)
    for (std::size_t k = 0; k < 3; ++k) add(fmt::format("{}_{}", name, "xyz"[k]), component(*values, k));
  const auto optional = [&](const char* name, std::vector<double> values) {
    if (!values.empty()) all.push_back({name, std::move(values)});
  };
  optional("virial", rows.virial);
  optional("temperature", rows.temperature);
  optional("pressure", rows.pressure);
  optional("energy_low", component(rows.energy_range, 0));
  optional("energy_high", component(rows.energy_range, 1));
  optional("closest_approach", rows.closest_approach);
  return all;
}

/// A part of a frame of a file.
const sim::Vectors& part_of(const sim::Snapshot& frame, orrery_part part, const std::filesystem::path& file) {
  if (part < ORRERY_PART_POSITION || part > ORRERY_PART_IMAGE) throw Misuse("`part` is none of its values");
  const sim::Vectors* const parts[] = {&frame.position, &frame.velocity, &frame.image};
  const char* const names[] = {"positions", "velocities", "images: no axis is periodic"};
  const sim::Vectors& all = *parts[part];
  if (all.size() != frame.size())
    throw Error(fmt::format("{}: frames have no {}", file.string(), names[part]), Fault::request);
  return all;
}

}  // namespace
}  // namespace orrery::pipeline

using namespace orrery::pipeline;

struct orrery_trajectory {
  SharedContext context;
  std::filesystem::path file;
  std::unique_ptr<TrajectoryReader> reader{};
  std::vector<RowColumn> columns{};
  bool has_columns = false;
  std::vector<const char*> names{}, components{};

  /// Reads the file as it is now.
  void open() {
    reader.reset();
    reader = std::make_unique<TrajectoryReader>(file);
    has_columns = false;
    names.assign(reader->bodies().size(), "");
    const std::vector<std::string>& given = reader->bodies().names;
    for (std::size_t i = 0; i < given.size(); ++i) names[i] = given[i].c_str();
  }
  const std::vector<RowColumn>& rows() {
    if (!std::exchange(has_columns, true)) columns = columns_of(reader->history());
    return columns;
  }
};

orrery_status orrery_trajectory_open(orrery_context* context, const char* file, orrery_trajectory** trajectory) {
  return answer_of(context, [&](orrery_context& c) {
    (void)needed(trajectory, "trajectory");
    auto made = std::unique_ptr<orrery_trajectory>(
        new orrery_trajectory{.context = c.context, .file = needed_text(file, "file")});
    made->open();
    *trajectory = made.release();
  });
}

void orrery_trajectory_free(orrery_trajectory* trajectory) {
  delete trajectory;
}

orrery_status orrery_trajectory_refresh(orrery_trajectory* trajectory) {
  return answer_of(trajectory, [](orrery_trajectory& t) { t.open(); });
}

orrery_status orrery_trajectory_describe(orrery_trajectory* trajectory, orrery_trajectory_info* info) {
  return answer_of(trajectory, [&](orrery_trajectory& t) {
    const RunRecord& record = t.reader->record();
    orrery_trajectory_info all = ORRERY_INIT(orrery_trajectory_info);
    all.frames = t.reader->size();
    all.bodies = t.reader->bodies().size();
    all.bodies_of_run = t.reader->whole();
    all.steps = record.steps;
    all.dt = record.dt;
    all.finished = t.reader->finished();
    all.being_written = being_written(t.file);
    all.velocities = t.reader->options().velocities;
    all.title = record.title.c_str();
    all.units = record.units.c_str();
    all.length_unit = record.length_unit.c_str();
    all.time_unit = record.time_unit.c_str();
    all.mass_unit = record.mass_unit.c_str();
    all.toml = record.resolved.c_str();
    all.G = record.initial_facts.G;
    all.dimensions = record.domain.dimensions;
    for (std::size_t k = 0; k < 3; ++k) {
      all.periodic[k] = record.domain.boundary[k]->periodic;
      all.low[k] = record.domain.low[k];
      all.edges[k] = record.domain.edges[k];
    }
    fill(info, all, "info");
  });
}

orrery_status orrery_trajectory_times(orrery_trajectory* trajectory, orrery_numbers_view* times) {
  return answer_of(trajectory, [&](orrery_trajectory& t) { needed(times, "times") = view_of(t.reader->times()); });
}

orrery_status orrery_trajectory_steps(orrery_trajectory* trajectory, const int64_t** steps) {
  return answer_of(trajectory, [&](orrery_trajectory& t) { needed(steps, "steps") = t.reader->steps().data(); });
}

orrery_status orrery_trajectory_masses(orrery_trajectory* trajectory, orrery_numbers_view* masses) {
  return answer_of(trajectory,
                   [&](orrery_trajectory& t) { needed(masses, "masses") = view_of(t.reader->bodies().mass); });
}

orrery_status orrery_trajectory_indices(orrery_trajectory* trajectory, const int64_t** indices) {
  return answer_of(trajectory, [&](orrery_trajectory& t) { needed(indices, "indices") = t.reader->ids().data(); });
}

orrery_status orrery_trajectory_names(orrery_trajectory* trajectory, const char* const** names) {
  return answer_of(trajectory, [&](orrery_trajectory& t) { needed(names, "names") = t.names.data(); });
}

orrery_status orrery_trajectory_read(orrery_trajectory* trajectory, size_t frame, orrery_vectors_out position,
                                     orrery_vectors_out velocity) {
  return answer_of(trajectory, [&](orrery_trajectory& t) {
    if (frame >= t.reader->size())
      throw Misuse(fmt::format("there is no frame {}: there are {}", frame, t.reader->size()));
    if (velocity.x != nullptr && !t.reader->options().velocities)
      throw orrery::Error(t.file.string() + ": frames have no velocities", orrery::Fault::request);
    const orrery::sim::Snapshot now = t.reader->snapshot(frame);
    if (position.x != nullptr) copy_to(position, now.position, "position");
    if (velocity.x != nullptr) copy_to(velocity, now.velocity, "velocity");
  });
}

orrery_status orrery_trajectory_charges(orrery_trajectory* trajectory, orrery_numbers_view* charges) {
  return answer_of(trajectory,
                   [&](orrery_trajectory& t) { needed(charges, "charges") = view_of(t.reader->bodies().charge); });
}

orrery_status orrery_trajectory_radii(orrery_trajectory* trajectory, orrery_numbers_view* radii) {
  return answer_of(trajectory,
                   [&](orrery_trajectory& t) { needed(radii, "radii") = view_of(t.reader->bodies().radius); });
}

orrery_status orrery_trajectory_components(orrery_trajectory* trajectory, const char* const** components) {
  return answer_of(trajectory, [&](orrery_trajectory& t) {
    const std::vector<std::string>& all = t.reader->record().components;
    t.components.clear();
    for (const std::int32_t species : t.reader->bodies().species)
      t.components.push_back(all.at(static_cast<std::size_t>(species)).c_str());
    needed(components, "components") = t.components.data();
  });
}

orrery_status orrery_trajectory_read_slice(orrery_trajectory* trajectory, const orrery_slice* slice, double* to) {
  return answer_of(trajectory, [&](orrery_trajectory& t) {
    const orrery_slice given = given_struct(&needed(slice, "slice"), "slice");
    const std::size_t there = t.reader->bodies().size();
    std::vector<std::size_t> bodies(given.count);
    for (std::size_t k = 0; k < given.count; ++k) {
      bodies[k] = given.bodies == nullptr ? k : static_cast<std::size_t>(given.bodies[k]);
      if (bodies[k] >= there) throw Misuse(fmt::format("there is no body {}: frames have {}", bodies[k], there));
    }
    if (given.frames * given.count > 0) (void)needed(to, "to");
    for (std::size_t k = 0; k < given.frames; ++k) {
      const auto frame = static_cast<std::ptrdiff_t>(given.first) + static_cast<std::ptrdiff_t>(k) * given.step;
      if (frame < 0 || static_cast<std::size_t>(frame) >= t.reader->size())
        throw Misuse(fmt::format("there is no frame {}: there are {}", frame, t.reader->size()));
      const auto now = t.reader->snapshot(static_cast<std::size_t>(frame));
      const orrery::sim::Vectors& part = part_of(now, given.part, t.file);
      for (const std::size_t i : bodies) *to++ = part.x[i], *to++ = part.y[i], *to++ = part.z[i];
      t.context->reach(static_cast<double>(k + 1) / static_cast<double>(given.frames), "reading");
      if (t.context->stopped() && k + 1 < given.frames) return ORRERY_STOPPED;
    }
    return ORRERY_OK;
  });
}

size_t orrery_trajectory_column_count(orrery_trajectory* trajectory) {
  std::size_t count = 0;
  (void)answer_of(trajectory, [&](orrery_trajectory& t) { count = t.rows().size(); });
  return count;
}

const char* orrery_trajectory_column_name(orrery_trajectory* trajectory, size_t index) {
  const char* name = nullptr;
  (void)answer_of(trajectory, [&](orrery_trajectory& t) {
    if (index < t.rows().size()) name = t.rows()[index].name.c_str();
  });
  return name;
}

orrery_status orrery_trajectory_column(orrery_trajectory* trajectory, const char* name, orrery_numbers_view* column) {
  return answer_of(trajectory, [&](orrery_trajectory& t) {
    const std::string wanted = needed_text(name, "name");
    const auto& all = t.rows();
    const auto found = std::ranges::find(all, wanted, &RowColumn::name);
    if (found == all.end()) {
      std::vector<std::string_view> names;
      for (const RowColumn& one : all) names.push_back(one.name);
      throw orrery::Error(
          fmt::format("{}: its rows have no column `{}`{}", t.file.string(), wanted, suggestion(wanted, names)),
          orrery::Fault::request);
    }
    needed(column, "column") = view_of(found->values);
  });
}
