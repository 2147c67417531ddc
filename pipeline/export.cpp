// SPDX-License-Identifier: MIT
#include "pipeline/export.hpp"

#include "pipeline/progress.hpp"

namespace orrery::pipeline {

extern const ExportFormat csv_format;          // exports/csv.cpp
extern const ExportFormat xdmf_format;         // exports/xdmf.cpp
extern const ExportFormat json_format;         // exports/json.cpp
extern const ExportFormat cs267_format;        // exports/cs267.cpp
extern const ExportFormat elements_format;     // exports/elements.cpp
extern const ExportFormat extxyz_format;       // exports/extxyz.cpp
extern const ExportFormat gadget2_format;      // exports/gadget2.cpp
extern const ExportFormat gadget_hdf5_format;  // exports/gadget_hdf5.cpp
extern const ExportFormat h5md_format;         // exports/h5md.cpp
extern const ExportFormat tipsy_format;        // exports/tipsy.cpp

std::span<const ExportFormat* const> export_formats() {
  static constexpr const ExportFormat* list[] = {&csv_format,      &xdmf_format,   &json_format,    &cs267_format,
                                                 &elements_format, &extxyz_format, &gadget2_format, &gadget_hdf5_format,
                                                 &h5md_format,     &tipsy_format};
  return list;
}

void ExportJob::for_each_frame(const std::function<void(std::size_t, const sim::Snapshot&)>& visit) const {
  Progress progress("reading", context);
  for (std::size_t i = begin; i < end && !context.stopped(); ++i) {
    visit(i, trajectory.snapshot(i));
    progress.show(static_cast<double>(i + 1 - begin) / static_cast<double>(end - begin),
                  [&] { return fmt::format("{} of {} frames", i + 1 - begin, end - begin); });
  }
}

}  // namespace orrery::pipeline
