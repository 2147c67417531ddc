// SPDX-License-Identifier: MIT
// HDF5 as the trajectory needs it: handles that close themselves, failures with a reason, arrays and texts.
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

static_assert(std::endian::native == std::endian::little, "the file is little-endian, and so are the checksums");

/// Owns one identifier of the library, of whatever kind.
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
  /// Never closes.
  void abandon() { id_ = H5I_INVALID_HID; }
  /// Closes now, and says so if that failed.
  void close() {
    if (id_ >= 0) check(H5Idec_ref(std::exchange(id_, H5I_INVALID_HID)));
  }
  operator hid_t() const { return id_; }  // NOLINT: a handle is used where the library wants an identifier

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// The library's name for T.
template <class T>
hid_t type_of() {
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
}

using Extents = std::vector<hsize_t>;

Handle open_group(hid_t where, const std::string& name);
Handle create_group(hid_t where, const std::string& name);
/// How a group, or a file at its top, keeps room for `links` in its own header: one comes to it with a single write.
void keep_room(hid_t creation, unsigned links);
Handle create_roomy_group(hid_t where, const std::string& name, unsigned links);
/// A group that nothing leads to until `link` is called: what it holds is on the disk before anybody can meet it.
Handle create_unlinked_group(hid_t file);
void link(hid_t object, hid_t where, const std::string& name);
/// Waits until the disk has everything that was written to an open file. Throws CallFailure.
void sync(int descriptor);
/// Writes what the library keeps back of a file, and waits until the disk has it.
void settle(hid_t object);
/// Of a scalar where there are no extents.
Handle space_of(const Extents& extents);
Handle open_dataset(hid_t where, const std::string& name);
/// The same without a chunk cache: what is written goes to the disk before the library knows of it, or fails there. (What
/// it flushes later and cannot write it forgets, but tells the file that it is there.)
Handle open_uncached(hid_t where, const std::string& name);
/// A dataset of fixed size in one piece, allocated at once; no extents: a scalar.
Handle create_fixed(hid_t where, const std::string& name, hid_t type, const Extents& extents);
/// A dataset that starts empty and grows along its first axis.
Handle create_growing(hid_t where, const std::string& name, hid_t type, Extents extents, const Extents& chunk,
                      bool fletcher32);
/// Rows of one chunk of such a dataset that will have `expected` (0: nobody knows): the power of two that holds them all,
/// at most `most`, which is one itself.
std::size_t chunk_for(std::size_t expected, std::size_t most = 1024);
/// Throws Failure where the numbers of a dataset lie in other files than its own: who made it may have named any file.
void require_own(hid_t object);
bool exists(hid_t where, const std::string& name);
void hard_link(hid_t from, const std::string& name, hid_t to, const std::string& link);
/// A link that leaves what it points to as it is: a hard one would be counted there.
void soft_link(const std::string& path, hid_t to, const std::string& link);

/// Where an object lies: "/particles/all/mass".
std::string path_of(hid_t object);
/// That of the file which an object is in; the library keeps it.
int descriptor_of(hid_t object);
Extents extents(hid_t dataset);
/// The length of the first axis.
std::size_t length(hid_t dataset);
/// Throws Failure where this machine has not twice as many bytes of memory left: so several such never take all of it.
void require_memory(hid_t object, double bytes);
/// How many values of `size` bytes a dataset holds; one that claims more than the file has room for is refused.
std::size_t elements(hid_t dataset, std::size_t size);
std::size_t elements(hid_t object, const Extents& extents, std::size_t size);
/// What is read into an array must have the shape of it: [any number] of `row`; or a scalar. Others are refused.
void require_rows(hid_t dataset, const Extents& row);
void require_scalar(hid_t dataset);
/// Numbers that are of another type in the file would be converted, to others where they do not fit: such are refused.
void require_type(hid_t dataset, hid_t type);
/// How many rows a chunk of a growing dataset has; in how many chunks so many rows are.
std::size_t chunk_rows(hid_t dataset);
std::size_t chunks(hid_t dataset, std::size_t rows);
void resize(hid_t dataset, std::size_t rows);
/// Rows [first, first + count) of the first axis. Writing makes a growing dataset long enough. Reading leaves
/// Fletcher-32 alone: our own checksums judge frame by frame, not chunk by chunk.
void write_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, const void* data);
/// One chunk as it will lie in the file, filters included, past the library's own copies and checks.
void write_chunk(hid_t dataset, const Extents& corner, std::span<const std::byte> bytes);
void read_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data);
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

/// Texts are of fixed length, UTF-8, padded with zeros. A list of texts is as wide as its longest.
void write_text(hid_t where, const std::string& name, const std::string& text);
std::string read_text(hid_t where, const std::string& name);
void write_texts(hid_t where, const std::string& name, const std::vector<std::string>& texts);
std::vector<std::string> read_texts(hid_t where, const std::string& name);

/// Attributes; the ones that hold a list are left out when it is empty, and read back as empty.
void write_text_attribute(hid_t object, const std::string& name, const std::string& text);
/// The same declared as ASCII, which H5MD wants of units.
void write_ascii_attribute(hid_t object, const std::string& name, const std::string& text);
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
