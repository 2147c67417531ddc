// SPDX-License-Identifier: MIT
// xdmf: an index of the HDF5 file for ParaView before 5.13 and VisIt. The data remain in the HDF5 file.
#include <algorithm>

#include "common/error.hpp"
#include "common/xml.hpp"
#include "pipeline/export.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// A dataset of the file.
std::string item(const std::string& file, const std::string& dataset, std::string_view type, std::size_t precision,
                 const std::string& dimensions) {
  return fmt::format(
      "<DataItem Format=\"HDF\" NumberType=\"{}\" Precision=\"{}\" Endian=\"Little\" "
      "Dimensions=\"{}\">{}:{}</DataItem>",
      type, precision, dimensions, xml_escaped(file), dataset);
}

/// Properties common to all frames.
struct Index {
  std::string file;
  std::size_t frames, bodies;  ///< of the datasets
  bool single_precision, velocities;

  [[nodiscard]] std::string of_frame(std::size_t i, const std::string& dataset) const {
    return fmt::format(
        "<DataItem ItemType=\"HyperSlab\" Dimensions=\"{} 3\"><DataItem Format=\"XML\" NumberType=\"Int\" "
        "Dimensions=\"3 3\">{} 0 0 1 1 1 1 {} 3</DataItem>{}</DataItem>",
        bodies, i, bodies,
        item(file, dataset, "Float", single_precision ? 4 : 8, fmt::format("{} {} 3", frames, bodies)));
  }
  [[nodiscard]] std::string of_bodies(std::string_view name, std::string_view type, std::size_t precision) const {
    return fmt::format("<Attribute Name=\"{}\" AttributeType=\"Scalar\" Center=\"Node\">{}</Attribute>\n", name,
                       item(file, fmt::format("/particles/all/{}", name), type, precision, fmt::format("{}", bodies)));
  }
};

void write_frame(TextOutput& out, const Index& index, std::size_t i, double time) {
  out.print("<Grid Name=\"frame {}\" GridType=\"Uniform\">\n<Time Value=\"{}\"/>\n", i, time);
  out.print("<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\" NodesPerElement=\"1\"/>\n", index.bodies);
  out.print("<Geometry GeometryType=\"XYZ\">{}</Geometry>\n", index.of_frame(i, "/particles/all/position/value"));
  if (index.velocities)
    out.print("<Attribute Name=\"velocity\" AttributeType=\"Vector\" Center=\"Node\">{}</Attribute>\n",
              index.of_frame(i, "/particles/all/velocity/value"));
  out.add(index.of_bodies("mass", "Float", 8));
  out.add(index.of_bodies("id", "Int", 8));
  out.add(index.of_bodies("species", "Int", 4));
  out.add("</Grid>\n");
}

/// The path of `file` relative to `folder`, or the path itself if there is none.
std::string name_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code error;
  const auto relative = std::filesystem::relative(file, folder.empty() ? "." : folder, error);
  return (error || relative.empty() ? file : relative).generic_string();
}

void write_xdmf(const ExportJob& job) {
  const TrajectoryReader& trajectory = job.trajectory;
  const TrajectoryOptions& options = trajectory.options();
  const std::size_t visible = trajectory.in_place();
  const std::string remedy = "finish the run, or `orrery repair` the file";
  if (visible == 0) {
    throw Error(fmt::format("{}: xdmf shows whole chunk rows of frames, and the file has none: {}", job.file.string(),
                            trajectory.finished() ? "it was finished without a frame" : remedy));
  }
  if (!trajectory.finished()) {
    job.context.warning("{}: not finished: xdmf shows {} of {} frames, if other programs open it at all: {}",
                        job.file.string(), visible, trajectory.size(), remedy);
  }
  const Index index{.file = name_from(job.folder, job.file),
                    .frames = visible,
                    .bodies = trajectory.bodies().size(),
                    .single_precision = options.single_precision,
                    .velocities = options.velocities};
  job.out.print(
      "<?xml version=\"1.0\"?>\n<!-- orrery {} -->\n<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n<Xdmf "
      "Version=\"2.0\">\n<Domain>\n"
      "<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
      version(), xml_escaped(trajectory.record().title.empty() ? "bodies" : trajectory.record().title));
  const auto& times = trajectory.times();
  for (std::size_t i = job.begin; i < std::min(job.end, visible) && !job.context.stopped(); ++i)
    write_frame(job.out, index, i, times[i]);
  job.out.add("</Grid>\n</Domain>\n</Xdmf>\n");
}

}  // namespace

extern const ExportFormat xdmf_format{.name = "xdmf",
                                      .meaning = "an index for ParaView before 5.13 and VisIt",
                                      .write = write_xdmf,
                                      .replaces = Replacing::ours};

}  // namespace orrery::pipeline
