// SPDX-License-Identifier: MIT
// HDF5 handles, arrays and texts.
#include "pipeline/trajectory/hdf5.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pipeline/trajectory/chunk_index.hpp"

namespace orrery::pipeline::hdf5 {
namespace {

// The library must not tidy up at exit: after a disk has filled up there are files in it that cannot be closed, and it
// crashes over them. Whatever could be written has been by then, for every file is closed where its writer ends.
const herr_t no_tidying_at_exit = H5dont_atexit();

// A file that somebody else made opens no other file, and no code is loaded to unpack it.
const herr_t no_links_to_files = H5Lunregister(H5L_TYPE_EXTERNAL);
const herr_t no_plug_ins = H5PLset_loading_state(0);

Handle space_of(const Extents& extents) {
  if (extents.empty()) return Handle(H5Screate(H5S_SCALAR));
  return Handle(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
}

Handle text_type(std::size_t width) {
  Handle type(H5Tcopy(H5T_C_S1));
  check(H5Tset_size(type, std::max<std::size_t>(width, 1)));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

struct PackedTexts {
  std::size_t width = 1;
  std::string bytes;

  explicit PackedTexts(const std::vector<std::string>& texts) {
    for (const auto& text : texts) width = std::max(width, text.size());
    for (const auto& text : texts) bytes.append(text).append(width - text.size(), '\0');
  }
};

std::vector<std::string> unpack(const std::string& bytes, std::size_t width) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    std::string text = bytes.substr(at, width);
    text.resize(std::min(text.size(), text.find_last_not_of('\0') + 1));
    texts.push_back(std::move(text));
  }
  return texts;
}

// The width of a text type; anything else (numbers, variable-length strings) was not written by this house.
std::size_t text_width(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw Failure("a text of fixed length was expected");
  return H5Tget_size(type);
}

std::size_t points(hid_t space) {
  return static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space)));
}

std::string texts_of(hid_t object, hid_t type, hid_t space) {
  return std::string(text_width(type) * elements(object, {points(space)}, text_width(type)), '\0');
}

struct RowSelection {
  Handle file, memory;

  RowSelection(hid_t dataset, std::size_t first, std::size_t count) : file(H5Dget_space(dataset)) {
    Extents shape = extents(dataset);
    Extents offset(shape.size(), 0);
    offset.at(0) = first;
    shape.at(0) = count;
    check(H5Sselect_hyperslab(file, H5S_SELECT_SET, offset.data(), nullptr, shape.data(), nullptr));
    memory = space_of(shape);
  }
};

}  // namespace

Handle open_group(hid_t where, const std::string& name) {
  return Handle(H5Gopen2(where, name.c_str(), H5P_DEFAULT));
}

Handle create_group(hid_t where, const std::string& name) {
  return Handle(H5Gcreate2(where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

void keep_room(hid_t creation, unsigned links) {
  check(H5Pset_link_phase_change(creation, links, links / 2));
  check(H5Pset_est_link_info(creation, links, 12));
}

Handle create_roomy_group(hid_t where, const std::string& name, unsigned links) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE));
  keep_room(creation, links);
  return Handle(H5Gcreate2(where, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT));
}

Handle create_unlinked_group(hid_t file) {
  return Handle(H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT));
}

void settle(hid_t object) {
  check(H5Fflush(object, H5F_SCOPE_LOCAL));
  if (::fdatasync(descriptor_of(object)) != 0)
    throw CallFailure("fdatasync: " + std::string(std::strerror(errno)), errno);
}

void link(hid_t object, hid_t where, const std::string& name) {
  settle(object);
  check(H5Olink(object, where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  check(H5Fflush(object, H5F_SCOPE_LOCAL));
}

void require_own(hid_t object) {
  if (H5Iget_type(object) != H5I_DATASET) return;
  const Handle creation(H5Dget_create_plist(object));
  if (check(H5Pget_external_count(creation)) > 0 || check(H5Pget_layout(creation)) == H5D_VIRTUAL)
    throw Failure(path_of(object) + " lies in another file");
}

Handle open_dataset(hid_t where, const std::string& name) {
  Handle dataset(H5Dopen2(where, name.c_str(), H5P_DEFAULT));
  require_own(dataset);
  return dataset;
}

Handle open_uncached(hid_t where, const std::string& name) {
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS));
  check(H5Pset_chunk_cache(access, 1, 0, 1.0));
  Handle dataset(H5Dopen2(where, name.c_str(), access));
  require_own(dataset);
  return dataset;
}

Handle create_fixed(hid_t where, const std::string& name, hid_t type, const Extents& extents) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_layout(creation, H5D_CONTIGUOUS));
  check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  const Handle space = space_of(extents);
  return Handle(H5Dcreate2(where, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
}

Handle create_growing(hid_t where, const std::string& name, hid_t type, Extents extents, const Extents& chunk,
                      bool fletcher32) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()));
  if (fletcher32) check(H5Pset_fletcher32(creation));
  Extents most = extents;
  extents.at(0) = 0;
  most.at(0) = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), most.data()));
  return Handle(H5Dcreate2(where, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
}

bool exists(hid_t where, const std::string& name) {
  return check(H5Lexists(where, name.c_str(), H5P_DEFAULT)) > 0;
}

void hard_link(hid_t from, const std::string& name, hid_t to, const std::string& link) {
  check(H5Lcreate_hard(from, name.c_str(), to, link.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

void soft_link(const std::string& path, hid_t to, const std::string& link) {
  check(H5Lcreate_soft(path.c_str(), to, link.c_str(), H5P_DEFAULT, H5P_DEFAULT));
}

Extents extents(hid_t dataset) {
  const Handle space(H5Dget_space(dataset));
  Extents result(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space))));
  check(H5Sget_simple_extent_dims(space, result.data(), nullptr));
  return result;
}

std::size_t length(hid_t dataset) {
  const Extents shape = extents(dataset);
  if (shape.empty()) throw Failure(path_of(dataset) + " should be a list");
  return shape[0];
}

void resize(hid_t dataset, std::size_t rows) {
  Extents shape = extents(dataset);
  if (shape.at(0) == rows) return;
  shape[0] = rows;
  check(H5Dset_extent(dataset, shape.data()));
}

void write_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, const void* data) {
  if (count == 0) return;
  if (length(dataset) < first + count) resize(dataset, first + count);
  const RowSelection rows(dataset, first, count);
  check(H5Dwrite(dataset, type, rows.memory, rows.file, H5P_DEFAULT, data));
}

void write_chunk(hid_t dataset, const Extents& corner, std::span<const std::byte> bytes) {
  constexpr std::uint32_t no_filter_left_out = 0;
  check(H5Dwrite_chunk(dataset, H5P_DEFAULT, no_filter_left_out, corner.data(), bytes.size(), bytes.data()));
}

void read_rows(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data) {
  if (count == 0) return;
  const RowSelection rows(dataset, first, count);
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER));
  check(H5Pset_edc_check(transfer, H5Z_DISABLE_EDC));
  if (H5Dread(dataset, type, rows.memory, rows.file, transfer, data) >= 0) return;
  try {
    fail();
  } catch (const CallFailure&) {
    if (!trajectory::read_past_the_library(dataset, type, first, count, data)) throw;
  }
}

void write_all(hid_t dataset, hid_t type, const void* data) {
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

void read_all(hid_t dataset, hid_t type, void* data) {
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

void write_text(hid_t where, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size());
  write_all(create_fixed(where, name, type, {}), type, text.empty() ? "\0" : text.data());
}

std::string read_text(hid_t where, const std::string& name) {
  const auto texts = read_texts(where, name);
  if (texts.empty()) throw Failure("“" + name + "” holds no text");
  return texts.front();
}

void write_texts(hid_t where, const std::string& name, const std::vector<std::string>& texts) {
  const PackedTexts packed(texts);
  const Handle type = text_type(packed.width);
  write_all(create_fixed(where, name, type, {texts.size()}), type, packed.bytes.data());
}

std::vector<std::string> read_texts(hid_t where, const std::string& name) {
  const Handle dataset = open_dataset(where, name);
  const Handle type(H5Dget_type(dataset));
  const Handle space(H5Dget_space(dataset));
  std::string bytes = texts_of(dataset, type, space);
  read_all(dataset, type, bytes.data());
  return unpack(bytes, text_width(type));
}

void write_text_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size());
  write_attribute(object, name, type, {}, text.empty() ? "\0" : text.data());
}

void write_ascii_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type(text.size());
  check(H5Tset_cset(type, H5T_CSET_ASCII));
  write_attribute(object, name, type, {}, text.empty() ? "\0" : text.data());
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const auto texts = read_texts_attribute(object, name);
  if (texts.empty()) throw Failure("the attribute “" + name + "” is missing");
  return texts.front();
}

void write_texts_attribute(hid_t object, const std::string& name, const std::vector<std::string>& texts) {
  if (texts.empty()) return;
  const PackedTexts packed(texts);
  write_attribute(object, name, text_type(packed.width), {texts.size()}, packed.bytes.data());
}

std::vector<std::string> read_texts_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) return {};
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  const Handle type(H5Aget_type(attribute));
  const Handle space(H5Aget_space(attribute));
  std::string bytes = texts_of(object, type, space);
  check(H5Aread(attribute, type, bytes.data()));
  return unpack(bytes, text_width(type));
}

bool has_attribute(hid_t object, const std::string& name) {
  return check(H5Aexists(object, name.c_str())) > 0;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names));
  return names;
}

void write_attribute(hid_t object, const std::string& name, hid_t type, const Extents& extents, const void* data) {
  const Handle space = space_of(extents);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT));
  check(H5Awrite(attribute, type, data));
}

void read_attribute(hid_t object, const std::string& name, hid_t type, void* data) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  const Handle space(H5Aget_space(attribute));
  if (points(space) != 1) throw Failure("the attribute “" + name + "” should hold one number");
  check(H5Aread(attribute, type, data));
}

}  // namespace orrery::pipeline::hdf5
