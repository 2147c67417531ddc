// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/hdf5_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/error.hpp"
#include "pipeline/refusal.hpp"
#include "pipeline/trajectory/opening.hpp"

namespace orrery::pipeline {
namespace {

using hdf5::check;
using hdf5::Extents;
using hdf5::Failure;
using hdf5::Handle;

constexpr std::size_t most_members = 1000, most_numbers = 1000, longest_text = 4096;
/// Deflate makes at most 1032 bytes of one.
constexpr double most_compressed = 1100;

/// Does `work` on an object of a file; any failure is one of the request, since the file is the user's.
template <class Work>
decltype(auto) about(const std::filesystem::path& file, const std::string& object, const Work& work) {
  trajectory::silence_hdf5();
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& reason) {
    refuse(object.empty() ? file.string() : fmt::format("{}: {}", file.string(), object), reason.what());
  }
}

void require_numbers(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Tget_size(type) > sizeof(double))
    throw Failure("should hold numbers of at most 64 bits");
}

}  // namespace

struct Hdf5Input::Impl {
  std::filesystem::path path;
  double bytes;
  Handle file;

  [[nodiscard]] Handle open(const std::string& object) const {
    return Handle(H5Oopen(file, object.c_str(), hdf5::within_file()));
  }

  /// A dataset of numbers, whose sizes are possible.
  [[nodiscard]] Handle dataset(const std::string& name) const {
    Handle opened = hdf5::open_dataset(file, name);
    const Handle type(H5Dget_type(opened));
    require_numbers(type);
    const Handle creation(H5Dget_create_plist(opened));
    const double most = bytes * (check(H5Pget_nfilters(creation)) > 0 ? most_compressed : 1);
    require_possible(opened, hdf5::extents(opened), H5Tget_size(type), most);
    if (check(H5Pget_layout(creation)) == H5D_CHUNKED)
      require_possible(opened, hdf5::chunk_of(opened), H5Tget_size(type), most);
    return opened;
  }

 private:
  static void require_possible(hid_t object, const Extents& extents, std::size_t size, double most) {
    auto need = static_cast<double>(size);
    for (const hsize_t n : extents) need *= static_cast<double>(n);
    if (need > most) throw Failure("claims to be larger than the file");
    hdf5::require_memory(object, need);
  }
};

Hdf5Input::Hdf5Input(const std::filesystem::path& path) {
  about(path, "", [&] {
    trajectory::require_hdf5(path);
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    check(H5Pset_file_locking(access, false, true));
    impl_ = std::make_unique<Impl>(path, static_cast<double>(std::filesystem::file_size(path)),
                                   Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access)));
  });
}

Hdf5Input::~Hdf5Input() = default;
Hdf5Input::Hdf5Input(Hdf5Input&&) noexcept = default;
Hdf5Input& Hdf5Input::operator=(Hdf5Input&&) noexcept = default;

bool Hdf5Input::contains(const std::string& object) const {
  return about(impl_->path, object, [&] {
    for (std::size_t end = object.find('/', 1);; end = object.find('/', end + 1)) {
      if (!hdf5::exists(impl_->file, object.substr(0, end))) return false;
      if (end == std::string::npos) break;
    }
    return check(H5Oexists_by_name(impl_->file, object.c_str(), hdf5::within_file())) > 0;
  });
}

bool Hdf5Input::is_dataset(const std::string& object) const {
  return about(impl_->path, object, [&] { return H5Iget_type(impl_->open(object)) == H5I_DATASET; });
}

std::vector<std::string> Hdf5Input::members(const std::string& group) const {
  return about(impl_->path, group, [&] {
    std::vector<std::string> names;
    const auto note = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
      auto& all = *static_cast<std::vector<std::string>*>(list);
      if (all.size() == most_members) return 1;
      all.emplace_back(name);
      return 0;
    };
    const Handle opened = hdf5::open_group(impl_->file, group);
    check(H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names));
    std::ranges::sort(names);
    return names;
  });
}

std::vector<double> Hdf5Input::numbers(const std::string& object, const std::string& attribute) const {
  return about(impl_->path, fmt::format("{}@{}", object, attribute), [&] {
    const Handle opened = impl_->open(object);
    if (!hdf5::has_attribute(opened, attribute)) return std::vector<double>();
    const Handle stored(H5Aopen(opened, attribute.c_str(), H5P_DEFAULT));
    require_numbers(Handle(H5Aget_type(stored)));
    const auto count = check(H5Sget_simple_extent_npoints(Handle(H5Aget_space(stored))));
    if (count < 1 || count > static_cast<hssize_t>(most_numbers))
      throw Failure(fmt::format("has {} numbers, not 1 to {}", count, most_numbers));
    std::vector<double> values(static_cast<std::size_t>(count));
    check(H5Aread(stored, H5T_NATIVE_DOUBLE, values.data()));
    return values;
  });
}

std::optional<double> Hdf5Input::number(const std::string& object, const std::string& attribute) const {
  const auto all = numbers(object, attribute);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::vector<std::string> Hdf5Input::texts(const std::string& object, const std::string& attribute) const {
  return about(impl_->path, fmt::format("{}@{}", object, attribute), [&] {
    std::vector<std::string> found;
    const Handle opened = impl_->open(object);
    if (!hdf5::has_attribute(opened, attribute)) return found;
    const Handle stored(H5Aopen(opened, attribute.c_str(), H5P_DEFAULT));
    const Handle type(H5Aget_type(stored)), space(H5Aget_space(stored));
    if (H5Tget_class(type) != H5T_STRING) return found;
    const auto count = check(H5Sget_simple_extent_npoints(space));
    if (count < 1 || count > static_cast<hssize_t>(most_numbers)) throw Failure("has no texts, or too many");
    const auto texts = static_cast<std::size_t>(count);
    if (check(H5Tis_variable_str(type)) > 0) {
      std::vector<char*> pointers(texts, nullptr);
      check(H5Aread(stored, type, pointers.data()));
      for (const char* pointer : pointers)
        found.emplace_back(pointer == nullptr ? "" : std::string(pointer, ::strnlen(pointer, longest_text)));
      check(H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data()));
      return found;
    }
    const std::size_t width = H5Tget_size(type);
    if (width > longest_text) throw Failure("is longer than a text here may be");
    std::string bytes(texts * width, '\0');
    check(H5Aread(stored, type, bytes.data()));
    for (std::size_t k = 0; k < texts; ++k) {
      std::string one(bytes, k * width, ::strnlen(bytes.data() + k * width, width));
      one.resize(one.find_last_not_of(' ') + 1);  // Fortran pads with blanks
      found.push_back(std::move(one));
    }
    return found;
  });
}

std::string Hdf5Input::text(const std::string& object, const std::string& attribute) const {
  const auto all = texts(object, attribute);
  return all.empty() ? "" : all.front();
}

std::vector<std::uint64_t> Hdf5Input::shape(const std::string& dataset) const {
  return about(impl_->path, dataset, [&] {
    const Extents extents = hdf5::extents(impl_->dataset(dataset));
    return std::vector<std::uint64_t>(extents.begin(), extents.end());
  });
}

void Hdf5Input::read(const std::string& dataset, std::span<double> numbers) const {
  about(impl_->path, dataset, [&] {
    const Handle opened = impl_->dataset(dataset);
    std::size_t count = 1;
    for (const hsize_t n : hdf5::extents(opened)) count *= n;
    if (count != numbers.size()) throw Failure(fmt::format("holds {} numbers, not {}", count, numbers.size()));
    hdf5::read_all(opened, H5T_NATIVE_DOUBLE, numbers.data());
  });
}

void Hdf5Input::read_row(const std::string& dataset, std::uint64_t row, std::span<double> numbers) const {
  about(impl_->path, dataset, [&] {
    const Handle opened = impl_->dataset(dataset);
    const Extents extents = hdf5::extents(opened);
    std::size_t count = 1;
    for (std::size_t axis = 1; axis < extents.size(); ++axis) count *= extents[axis];
    if (extents.empty() || row >= extents[0] || count != numbers.size())
      throw Failure(fmt::format("has no row {} of {} numbers", row, numbers.size()));
    const Handle space(H5Dget_space(opened)), memory = hdf5::space_of({numbers.size()});
    Extents from(extents.size(), 0), size = extents;
    from[0] = row, size[0] = 1;
    check(H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr));
    check(H5Dread(opened, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers.data()));
  });
}

void Hdf5Input::fail(const std::string& object, const std::string& what) const {
  refuse(fmt::format("{}: {}", impl_->path.string(), object), what);
}

}  // namespace orrery::pipeline
