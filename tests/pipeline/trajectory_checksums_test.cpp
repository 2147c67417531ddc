// SPDX-License-Identifier: MIT
// For any damage to the bytes of a file its contents are read correctly, or the damage is reported.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "pipeline/trajectory/hdf5.hpp"
#include "sim/boundaries/list.hpp"
#include "trajectory_support.hpp"

namespace orrery::pipeline::testing {
namespace {

const SyntheticRun kChecksummed{.bodies = 40,
                                .frames = 30,
                                .columns = 1,
                                .rows_a_frame = 2,
                                .commit_every = 9,
                                .options = {.bodies = {1, 2, 5, 39}},
                                .domain = {.dimensions = 2,
                                           .boundary = {&sim::Periodic::kind, &sim::Open::kind, &sim::Open::kind},
                                           .edges = {3, 4}},
                                .virial = true};

RunRecord long_record() {
  RunRecord record = kChecksummed.record();
  record.provenance["overrides"] = std::string(9000, 'o');  // too long for the checksums of the library
  record.resolved = std::string(9000, 'p');
  return record;
}

sim::Bodies charged_bodies() {
  sim::Bodies made = kChecksummed.initial_bodies();
  for (std::size_t i = 0; i < made.size(); ++i) made.charge.push_back(static_cast<double>(i) - 0.5);
  return made;
}

/// All contents of a file, or the error messages, part by part.
struct Words {
  static constexpr std::size_t history = 6;  ///< the part that is a sequence of rows
  std::vector<std::string> parts;

  explicit Words(const std::filesystem::path& path) {
    const auto hear = [&](const auto& say) {
      std::string said;
      const std::string why = complaint([&] { said = say(); });
      parts.push_back(why.empty() ? said : "! " + why);
    };
    std::optional<TrajectoryReader> reader;
    const std::string why = complaint([&] { reader.emplace(path); });
    if (!reader) return;
    const auto text = [](const auto& numbers) {
      return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
    };
    const auto vectors = [&](const sim::Vectors& v) { return text(v.x) + text(v.y) + text(v.z); };
    hear([&] { return std::to_string(reader->size()) + (reader->finished() ? " finished" : ""); });
    hear([&] {
      const RunRecord& r = reader->record();
      std::string all = r.title + r.author + r.scenario + r.resolved + std::to_string(r.seed) + std::to_string(r.dt) +
                        std::to_string(r.steps) + std::to_string(r.frames) + r.units + r.length_unit + r.time_unit +
                        r.mass_unit;
      const InitialFacts facts = r.initial_facts;
      all +=
          facts.timescale_name + std::to_string(facts.G) + std::to_string(facts.timescale) + std::to_string(facts.mass);
      for (const auto& [key, value] : r.provenance) all += key + value;
      for (const RunPart& part : r.parts) {
        all += std::to_string(part.step);
        for (const auto& [key, value] : part.provenance) all += key + value;
      }
      for (const auto& list : {r.components, r.columns})
        for (const auto& entry : list) all += entry;
      for (const sim::Boundary* boundary : r.domain.boundary) all += boundary->name;
      return all + std::to_string(r.domain.dimensions) + text(r.domain.edges) + text(r.domain.low);
    });
    hear([&] {
      const SharedColumns listed = reader->initial(1);
      std::string all = listed ? "listed" : "";
      for (const auto& [name, values] : listed ? listed->numbers : Columns().numbers) all += name + text(values);
      for (const auto& [name, values] : listed ? listed->texts : Columns().texts) {
        for (const auto& value : values) all += name + value;
      }
      return all;
    });
    hear([&] {
      const sim::Bodies& b = reader->bodies();
      std::string all = text(b.mass) + text(b.charge) + text(b.species) + vectors(b.position) + vectors(b.velocity);
      for (const auto& name : b.names) all += name;
      return all;
    });
    hear([&] { return text(reader->ids()) + std::to_string(reader->whole()); });
    hear([&] { return text(reader->options().bodies) + std::to_string(reader->options().commit); });
    hear([&] {
      const History h = reader->history();
      std::string all;  // row by row
      const auto add = [&](const auto& column, std::size_t row) {
        if (!column.empty()) all += text(std::span(column).subspan(row, 1));
      };
      for (std::size_t row = 0; row < h.time.size(); ++row) {
        add(h.time, row), add(h.total_energy, row), add(h.angular_momentum, row), add(h.center_of_mass, row);
        add(h.virial, row), add(h.temperature, row), add(h.pressure, row);
        add(h.closest_approach, row), add(h.closest_bodies, row);
      }
      return all;
    });
    hear([&] { return text(reader->times()) + text(reader->steps()); });
    hear([&] {
      const auto state = reader->restart();
      if (!state) return std::string();
      return std::to_string(state->step) + vectors(state->position) + vectors(state->velocity) +
             vectors(state->columns.at(0)) + vectors(state->image);
    });
    for (std::size_t i = 0; i < reader->size(); ++i) {
      hear([&] {
        const sim::Snapshot frame = reader->snapshot(i);
        return std::to_string(frame.step) + std::to_string(frame.time) + vectors(frame.position) +
               vectors(frame.velocity) + vectors(frame.image);
      });
    }
  }
};

/// Damages the file in many ways, undoing each: every page, and of 1500 bits every `stride`-th one. Every part read from a
/// damaged file must be among `right`, the recent states of the run.
void expect_no_lie(const std::filesystem::path& path, const std::vector<Words>& right, std::size_t stride) {
  std::string sound;
  {
    std::ifstream in(path, std::ios::binary);
    sound.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto check = [&](std::size_t place, const std::string& bytes) {
    if (sound.compare(place, bytes.size(), bytes) == 0) return 0;
    const auto put = [&](const std::string& what) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(place));
      file.write(what.data(), static_cast<std::streamsize>(what.size()));
    };
    put(bytes);
    const Words said(path);
    // the reader may have corrected the superblock
    std::ofstream(path, std::ios::binary | std::ios::in)
        .write(sound.data(), static_cast<std::streamsize>(sound.size()));
    for (std::size_t k = 0; k < said.parts.size(); ++k) {
      const std::string& part = said.parts[k];
      // A history may end between two commits, where the next row is damaged.
      const auto same = [&](const Words& words) {
        return k < words.parts.size() &&
               (k == Words::history ? words.parts[k].starts_with(part) : words.parts[k] == part);
      };
      if (part.starts_with("! ") || std::ranges::any_of(right, same)) continue;
      ADD_FAILURE() << "a lie in part " << k << " with " << bytes.size() << " bytes at " << place << " of "
                    << sound.size();
      return 1;
    }
    return 0;
  };
  int lies = 0;
  for (std::size_t block = 0; block < sound.size(); block += 4096) {
    lies += check(block, std::string(std::min<std::size_t>(4096, sound.size() - block), '\0'));
  }
  for (std::size_t k = 0; k < 1500 && lies < 5; k += stride) {
    const std::size_t place = k < 700 ? k * 13 : (k * 2654435761U) % sound.size();
    lies += check(place, std::string(1, static_cast<char>(sound[place] ^ (1 << (k % 8)))));
  }
}

// In a separate process, since the library does not free everything after damaged metadata.
int done_in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

void expect_no_lie_of_a_finished_file(std::size_t stride) {
  const Folder folder;
  const auto path = folder / "run.h5";
  {
    TrajectoryWriter writer(path, charged_bodies(), long_record(), kChecksummed.options);
    kChecksummed.write(writer, 0, 30);
  }
  {
    TrajectoryWriter writer(path, kChecksummed.options, {{"device", std::string(9000, 'd')}});
    kChecksummed.write(writer, 27, kChecksummed.last_step());
    writer.finish(kChecksummed.at(kChecksummed.last_step()));
  }
  EXPECT_EQ(done_in_child([&] { expect_no_lie(path, {Words(path)}, stride); }), 0);
}

void expect_no_lie_of_an_unfinished_file(std::size_t stride) {
  const Folder folder;
  const auto path = folder / "run.h5";
  std::vector<Words> right;
  {
    TrajectoryWriter writer(path, charged_bodies(), long_record(), kChecksummed.options);
    right.emplace_back(path);
    kChecksummed.write(writer, 0, 50, [&](std::int64_t) { right.emplace_back(path); });
  }
  right.emplace_back(path);
  EXPECT_EQ(done_in_child([&] { expect_no_lie(path, right, stride); }), 0);
}

TEST(TrajectoryChecksums, DamageOfAFinishedFileIsDetected) {
  expect_no_lie_of_a_finished_file(7);
}
TEST(TrajectoryChecksums, DamageOfAFinishedFileIsDetectedSlow) {
  expect_no_lie_of_a_finished_file(1);
}
TEST(TrajectoryChecksums, DamageOfAnUnfinishedFileIsDetected) {
  expect_no_lie_of_an_unfinished_file(7);
}
TEST(TrajectoryChecksums, DamageOfAnUnfinishedFileIsDetectedSlow) {
  expect_no_lie_of_an_unfinished_file(1);
}

TEST(TrajectoryChecksums, OtherFormatsAreRefusedByNumber) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const auto make = [&](const std::function<void(hid_t)>& fill) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (const char* group : {"/h5md", "/h5md/creator", "/parameters"})
      H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    fill(file);
    H5Fclose(file);
    return complaint([&] { const TrajectoryReader reader(path); });
  };
  const std::string said = ": written by orrery of an unknown version in format 1; this orrery reads format 5";
  EXPECT_EQ(make([](hid_t) {}), path.string() + said);
  const auto later = [](hid_t file) {
    const hid_t group = H5Gopen2(file, "/parameters", H5P_DEFAULT), one = H5Screate(H5S_SCALAR);
    const hid_t format = H5Acreate2(group, "format", H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT);
    const int number = 6;
    H5Awrite(format, H5T_NATIVE_INT, &number);
    H5Aclose(format), H5Sclose(one), H5Gclose(group);
  };
  EXPECT_NE(make(later).find("in format 6; this orrery reads format 5"), std::string::npos);
  EXPECT_NE(complaint([&] { const TrajectoryWriter writer(path, {}); }).find("in format 6"), std::string::npos);
}

TEST(TrajectoryChecksums, UnknownFeaturesAreRefusedByName) {
  const Folder folder;
  const auto path = folder / "run.h5";
  SyntheticRun{.bodies = 3, .frames = 2}.write(path);
  const auto said_if_required = [&](const std::vector<std::string>& features) {
    {
      const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      const hdf5::Handle parameters = hdf5::open_group(file, "/parameters");
      H5Adelete(parameters, "requires");
      if (!features.empty()) hdf5::write_texts_attribute(parameters, "requires", features);
    }
    return complaint([&] { const TrajectoryReader reader(path); });
  };
  EXPECT_EQ(complaint([&] { const TrajectoryReader reader(path); }), "");
  const std::string said = said_if_required({"states", "warp", "closest-approach", "weft"});
  EXPECT_NE(said.find(" with warp, weft, which this version does not know; this orrery reads format 5"),
            std::string::npos)
      << said;
  EXPECT_NE(said_if_required({}).find(" before the release of 0.1.0; this orrery reads format 5"), std::string::npos);
}

TEST(TrajectoryChecksums, ResumptionsAreRecorded) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.frames = 100, .commit_every = 10};
  {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
    run.write(writer, 0, 24);
  }
  EXPECT_TRUE(TrajectoryReader(path).record().parts.empty());
  { const TrajectoryWriter came_to_nothing(path, run.options, {{"device", "abacus"}}); }
  std::int64_t step = 20;
  for (const char* device : {"slide rule", "comptometer"}) {
    TrajectoryWriter writer(path, run.options, {{"device", device}});
    run.write(writer, step, step + 14);
    step += 10;
  }
  run.go_on(path);
  const RunRecord record = TrajectoryReader(path).record();
  ASSERT_EQ(record.parts.size(), 3U);
  EXPECT_EQ(record.parts[0].step, 19);
  EXPECT_EQ(record.parts[0].provenance.at("device"), "slide rule");
  EXPECT_EQ(record.parts[1].step, 29);
  EXPECT_EQ(record.parts[1].provenance.at("device"), "comptometer");
  EXPECT_EQ(record.parts[2].step, 39);
  EXPECT_TRUE(record.parts[2].provenance.empty());
  EXPECT_EQ(record.provenance, run.record().provenance);
}

TEST(TrajectoryChecksums, ManyResumptionsFit) {
  const Folder folder;
  const auto path = folder / "run.h5";
  const SyntheticRun run{.frames = 200, .commit_every = 1};
  {
    TrajectoryWriter writer(path, run.initial_bodies(), run.record(), run.options);
    run.write(writer, 0, 0);
  }
  for (std::int64_t k = 1; k <= 80; ++k) {
    TrajectoryWriter writer(path, run.options, {{"part", std::to_string(k)}});
    run.write(writer, k, k);
  }
  const auto parts = TrajectoryReader(path).record().parts;
  ASSERT_EQ(parts.size(), 80U);
  for (std::size_t k = 0; k < parts.size(); ++k) EXPECT_EQ(parts[k].provenance.at("part"), std::to_string(k + 1));
  run.go_on(path);
  ASSERT_NO_FATAL_FAILURE(expect_frames(run, TrajectoryReader(path)));
}

}  // namespace
}  // namespace orrery::pipeline::testing
