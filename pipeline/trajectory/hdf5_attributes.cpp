// SPDX-License-Identifier: MIT
// Texts and attributes.
#include <algorithm>
#include <utility>

#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::hdf5 {
namespace {

Handle text_type(std::size_t width, H5T_cset_t encoding = H5T_CSET_UTF8) {
  Handle type(H5Tcopy(H5T_C_S1));
  check(H5Tset_size(type, std::max<std::size_t>(width, 1)));
  check(H5Tset_strpad(type, H5T_STR_NULLPAD));
  check(H5Tset_cset(type, encoding));
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

std::size_t text_width(hid_t type) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw Failure("a text of fixed length was expected");
  return H5Tget_size(type);
}

std::size_t points(hid_t space) {
  return static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space)));
}

/// A buffer for the packed texts. Throws Failure if they, or the strings made of them, do not fit into memory.
std::string texts_of(hid_t object, hid_t type, hid_t space) {
  const std::size_t width = text_width(type), count = elements(object, {points(space)}, width);
  require_memory(object, static_cast<double>(count) * static_cast<double>(2 * width + sizeof(std::string)));
  return std::string(width * count, '\0');
}

}  // namespace

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

void write_text_attribute(hid_t object, const std::string& name, const std::string& text, H5T_cset_t encoding) {
  const Handle type = text_type(text.size(), encoding);
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
