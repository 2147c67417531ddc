// SPDX-License-Identifier: MIT
// The same work for more and more bodies: what several studies are made of.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/study/study.hpp"
#include "sim/bodies.hpp"
#include "sim/precision.hpp"
#include "sim/study/setting.hpp"

namespace orrery::pipeline {

/// The time of one step or evaluation for so many bodies.
struct SweepPoint {
  std::size_t bodies;
  Timing timing;              ///< of one repetition where `extrapolated`
  bool extrapolated = false;  ///< from the point before, by the square of the number of bodies
};

struct Sweep {
  std::string name;  ///< of its curve
  std::vector<SweepPoint> points;
};

/// Bodies of equal mass, together 1, at random in a cube of edge 10 and at rest: no two runs of a study have others.
sim::Bodies bodies_of_study(std::size_t n);

/// Plummer softening of all studies of gravity, in the units of `bodies_of_study`.
inline constexpr double study_softening = 0.05, study_step = 1e-6;

/// That softening and step, and the threads and the device of the run.
sim::study::Setting setting_of(const StudyRun& run);

/// Times `make(n)` for each of the ascending sizes; beyond `longest_measured_step` by the law of squares. Ends where stopped, or
/// before the first size for which `make` is null.
Sweep sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
            const std::function<std::unique_ptr<sim::study::Work>(std::size_t)>& make);

/// Steps of the engine, by the rows of `bench --suite forces`; threads of a processor, ignored by a device.
Sweep engine_sweep(const StudyRun& run, std::string name, std::span<const std::size_t> sizes,
                   const sim::BackendKind& kind, sim::Precision precision, int threads, std::string_view kernel = "");

/// The cpu's kind.
const sim::BackendKind& cpu_kind();

/// A work made of a function.
std::unique_ptr<sim::study::Work> work_of(std::function<double(std::int64_t)> take);

/// A curve of the times of all points, of those divided into `interactions(n)` if that is given.
ResultCurve curve_of(const Sweep& sweep, const std::function<double(std::size_t)>& work = {});

/// A row a size and a column a sweep, "bodies" first; what is extrapolated says so in words.
ResultTable table_of(std::string name, std::string title, std::span<const Sweep> sweeps, const ResultColumn& column,
                     const std::function<double(std::size_t, double)>& value);

/// The time at `bodies`; 0 where there is none.
double time_at(const Sweep& sweep, std::size_t bodies);

}  // namespace orrery::pipeline
