// SPDX-License-Identifier: MIT
// Chunks are written with their checksum: HDF5's filter would compute it on a single thread.
#include "pipeline/trajectory/matrix_file.hpp"

#include <fcntl.h>

#include <cstring>

#include "pipeline/text_output.hpp"
#include "pipeline/trajectory/hdf5_checksums.hpp"
#include "pipeline/trajectory/opening.hpp"

namespace orrery::pipeline {
namespace {

bool never_replaceable(const std::filesystem::path& /*file*/) {
  return false;
}

void write_facts(hid_t object, const MatrixFacts& facts) {
  for (const auto& [name, text] : facts.texts) hdf5::write_text_attribute(object, name, text);
  for (const auto& [name, number] : facts.numbers) hdf5::write_attribute(object, name, number);
  for (const auto& [name, range] : facts.ranges) {
    hdf5::write_attribute(object, name, hdf5::type_of<std::int64_t>(), {range.size()}, range.data());
  }
}

}  // namespace

struct MatrixFile::Impl {
  Impl(const std::filesystem::path& path, Replacing replacing) : name(path), how(replacing), draft(path) {}
  std::filesystem::path name;
  Replacing how;
  NewFile draft;
  hdf5::Handle file, dataset;
  MatrixShape shape;
};

MatrixFile::MatrixFile(const std::filesystem::path& path, const MatrixFacts& facts, Replacing replacing) {
  refuse_to_replace(path, replacing, never_replaceable);
  trajectory::wrap_errors(path, [&] {
    impl_ = std::make_unique<Impl>(path, replacing);
    const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS));
    hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    hdf5::check(H5Pset_file_locking(access, false, true));
    impl_->file = hdf5::Handle(H5Fcreate(impl_->draft.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    write_facts(impl_->file, facts);
  });
}

MatrixFile::~MatrixFile() = default;

void MatrixFile::begin(const MatrixShape& shape, const MatrixFacts& facts) {
  trajectory::wrap_errors(impl_->name, [&] {
    using hdf5::check;
    impl_->shape = shape;
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE)), access(H5Pcreate(H5P_DATASET_ACCESS));
    const hsize_t chunk[2] = {shape.chunk_rows(), shape.chunk_columns()};
    check(H5Pset_chunk(creation, 2, chunk));
    check(H5Pset_fletcher32(creation));
    check(H5Pset_chunk_cache(access, 1, 0, 1.0));
    const hdf5::Handle space = hdf5::space_of({shape.rows, shape.columns});
    impl_->dataset = hdf5::Handle(H5Dcreate2(impl_->file, "matrix", shape.floats ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE,
                                             space, H5P_DEFAULT, creation, access));
    write_facts(impl_->dataset, facts);
  });
}

void MatrixFile::seal(std::byte* chunk, std::size_t chunk_bytes) {
  const std::uint32_t sum = trajectory::fletcher32({chunk, chunk_bytes});
  std::memcpy(chunk + chunk_bytes, &sum, sizeof sum);
}

void MatrixFile::write(std::size_t row, std::size_t column, const std::byte* chunk) {
  trajectory::wrap_errors(impl_->name, [&] {
    hdf5::write_chunk(impl_->dataset, {row, column}, {chunk, impl_->shape.chunk_bytes() + checksum_bytes});
  });
}

void MatrixFile::begin_sync() const {
  (void)::sync_file_range(impl_->draft.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
}

void MatrixFile::add(const std::string& name, std::span<const double> values, const std::string& unit) {
  trajectory::wrap_errors(impl_->name, [&] {
    hdf5::write_flat<double>(impl_->file, name, values);
    if (!unit.empty()) hdf5::write_text_attribute(hdf5::open_dataset(impl_->file, name), "unit", unit);
  });
}

void MatrixFile::add(const std::string& name, std::span<const std::int64_t> values) {
  trajectory::wrap_errors(impl_->name, [&] { hdf5::write_flat<std::int64_t>(impl_->file, name, values); });
}

void MatrixFile::finish() {
  trajectory::wrap_errors(impl_->name, [&] {
    impl_->dataset.close();
    impl_->file.close();
    impl_->draft.sync();
    impl_->draft.rename_to(impl_->name, impl_->how, never_replaceable);
    sync_folder(impl_->name);
  });
}

}  // namespace orrery::pipeline
