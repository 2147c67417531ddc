// SPDX-License-Identifier: MIT
// Thin C++ wrappers of the HDF5 C library. Every function throws Failure or CallFailure.
#pragma once

#include <hdf5.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pipeline/trajectory/failure.hpp"

namespace orrery::pipeline::hdf5 {

static_assert(std::endian::native == std::endian::little, "the file and its checksums are little-endian");

/// Owns an HDF5 identifier of any kind.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(check(id)) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  /// Releases ownership without closing.
  void abandon() { id_ = H5I_INVALID_HID; }
  /// Closes now. Unlike the destructor, throws if that fails.
  void close() {
    if (id_ >= 0) check(H5Idec_ref(std::exchange(id_, H5I_INVALID_HID)));
  }
  operator hid_t() const { return id_; }  // NOLINT: implicit, for calls of the C library

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// HDF5's native type for T.
template <class T>
hid_t type_of() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
}

using Extents = std::vector<hsize_t>;

/// Access to links, datasets and groups that does not follow links to other files. They live as long as the process.
hid_t within_file();
hid_t dataset_within_file();
hid_t group_within_file();

Handle open_group(hid_t where, const std::string& name);
/// `links` > 0: reserves space for that many links in the header of the group.
Handle create_group(hid_t where, const std::string& name, unsigned links = 0);
/// Sets a creation property list of a group or file to reserve space for `links` in the header: adding one is a single write.
void reserve_links(hid_t creation, unsigned links);
/// Creates a group that readers cannot reach until `link` is called, which first syncs the contents.
Handle create_unlinked_group(hid_t file);
void link(hid_t object, hid_t where, const std::string& name);
/// fdatasync.
void sync(int descriptor);
/// Flushes the library's buffers of the file of `object`, then syncs.
void flush_and_sync(hid_t object);
/// A scalar dataspace if there are no extents.
Handle space_of(const Extents& extents);
Handle open_dataset(hid_t where, const std::string& name);
/// Without a chunk cache: chunks are written immediately and errors are reported by the write. (If a later flush of the cache
/// fails, the library drops the data but keeps the chunk in the index.)
Handle open_uncached(hid_t where, const std::string& name);
/// A contiguous dataset of fixed size, allocated immediately; a scalar if there are no extents.
Handle create_fixed(hid_t where, const std::string& name, hid_t type, const Extents& extents);
/// A chunked dataset that starts empty and grows along its first axis.
Handle create_growing(hid_t where, const std::string& name, hid_t type, Extents extents, const Extents& chunk,
                      bool fletcher32);
/// Number of rows per chunk for a dataset that will have `expected` rows (0: unknown): the smallest power of two that holds them
/// all, at most `most`, which must be a power of two.
std::size_t chunk_for(std::size_t expected, std::size_t most = 1024);
/// Throws Failure if a dataset is stored in another file: a crafted file could name any file of the user.
void require_internal_storage(hid_t object);
bool exists(hid_t where, const std::string& name);
void hard_link(hid_t from, const std::string& name, hid_t to, const std::string& link);
/// Does not change the target, unlike a hard link, which changes its reference count.
void soft_link(const std::string& path, hid_t to, const std::string& link);

/// The path of an object: "/particles/all/mass".
std::string path_of(hid_t object);
/// The descriptor of the file of an object, owned by the library.
int descriptor_of(hid_t object);
Extents extents(hid_t dataset);
/// Length of the first axis.
std::size_t length(hid_t dataset);
/// Throws Failure unless twice as many bytes of memory are available.
void require_memory(hid_t object, double bytes);
/// Number of values of `size` bytes in a dataset. Throws Failure if they would be larger than the file or than memory allows.
std::size_t elements(hid_t dataset, std::size_t size);
std::size_t elements(hid_t object, const Extents& extents, std::size_t size);
/// Throw Failure unless the shape is [any number] × `row`, or a scalar.
void require_rows(hid_t dataset, const Extents& row);
void require_scalar(hid_t dataset);
/// Throws Failure if the stored type differs from `type`: HDF5 would convert, and clamp values that do not fit.
void require_type(hid_t dataset, hid_t type);
/// The shape of a chunk; its number of rows; the number of chunks that hold `rows` rows.
Extents chunk_of(hid_t dataset);
std::size_t chunk_rows(hid_t dataset);
std::size_t chunks(hid_t dataset, std::size_t rows);
void resize(hid_t dataset, std::size_t rows);
/// Rows [first, first + count) of the first axis. Writing extends a growing dataset if necessary. Reading skips Fletcher-32,
/// which would reject a whole chunk: callers verify the checksum of each frame.
void write_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, const void* data);
/// Writes the raw bytes of one chunk, already filtered, without the library's copies and checks.
void write_chunk(hid_t dataset, const Extents& corner, std::span<const std::byte> bytes);
void read_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data);
/// Items [first, first + count) of the second axis of a row, likewise.
void read_items(hid_t dataset, hid_t type, std::size_t row, std::size_t first, std::size_t count, void* data);
/// A whole dataset of any rank.
void write_all(hid_t dataset, hid_t type, const void* data);
void read_all(hid_t dataset, hid_t type, void* data);

/// A whole dataset as one flat array.
template <class T>
std::vector<T> read_flat(hid_t where, const std::string& name) {
  const Handle dataset = open_dataset(where, name);
  std::vector<T> values(elements(dataset, sizeof(T)));
  read_all(dataset, type_of<T>(), values.data());
  return values;
}
template <class T>
void write_flat(hid_t where, const std::string& name, std::span<const T> values, Extents shape = {}) {
  if (shape.empty()) shape = {values.size()};
  write_all(create_fixed(where, name, type_of<T>(), shape), type_of<T>(), values.data());
}

/// Texts are UTF-8 of fixed length, zero-padded; a list of texts has the length of its longest.
void write_text(hid_t where, const std::string& name, const std::string& text);
std::string read_text(hid_t where, const std::string& name);
void write_texts(hid_t where, const std::string& name, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(hid_t where, const std::string& name);

/// Attributes. An empty list is stored as no attribute, which reads back as empty. H5MD requires units in ASCII.
void write_text_attribute(hid_t object, const std::string& name, const std::string& text,
                          H5T_cset_t encoding = H5T_CSET_UTF8);
std::string read_text_attribute(hid_t object, const std::string& name);
void write_texts_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts);
std::vector<std::string> read_texts_attribute(hid_t object, const std::string& name);
bool has_attribute(hid_t object, const std::string& name);
std::vector<std::string> attribute_names(hid_t object);
void write_attribute(hid_t object, const std::string& name, hid_t type, const Extents& extents, const void* data);
void read_attribute(hid_t object, const std::string& name, hid_t type, void* data);

template <class T>
void write_attribute(hid_t object, const std::string& name, T value) {
  write_attribute(object, name, type_of<T>(), {}, &value);
}
template <class T>
T read_attribute(hid_t object, const std::string& name) {
  T value{};
  read_attribute(object, name, type_of<T>(), &value);
  return value;
}

}  // namespace orrery::pipeline::hdf5
