// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/hdf5_output.hpp"

#include <map>

#include "pipeline/trajectory/opening.hpp"

namespace orrery::pipeline {
namespace {

using hdf5::check;
using hdf5::Handle;

hid_t stored_as(Hdf5Output::Number type) {
  switch (type) {
    case Hdf5Output::Number::float32:
      return H5T_IEEE_F32LE;
    case Hdf5Output::Number::float64:
      return H5T_IEEE_F64LE;
    case Hdf5Output::Number::int32:
      return H5T_STD_I32LE;
    case Hdf5Output::Number::int64:
      return H5T_STD_I64LE;
    case Hdf5Output::Number::uint32:
      return H5T_STD_U32LE;
    case Hdf5Output::Number::uint64:
      return H5T_STD_U64LE;
  }
  return H5I_INVALID_HID;
}

}  // namespace

struct Hdf5Output::Impl {
  std::filesystem::path path;
  Handle file;
  std::map<std::string, Handle> datasets;

  template <class Work>
  void attempt(const Work& work) {
    trajectory::wrap_errors(path, work);
  }

  template <class T>
  void attribute(const std::string& object, const std::string& name, Number type, std::span<const T> numbers) {
    attempt([&] {
      const Handle opened(H5Oopen(file, object.c_str(), hdf5::within_file()));
      const Handle space = hdf5::space_of({numbers.size()});
      const Handle made(H5Acreate2(opened, name.c_str(), stored_as(type), space, H5P_DEFAULT, H5P_DEFAULT));
      check(H5Awrite(made, hdf5::type_of<T>(), numbers.data()));
    });
  }

  template <class T>
  void write(const std::string& name, std::span<const T> numbers, const Extents& offset, const Extents& count) {
    attempt([&] {
      const Handle& dataset = datasets.at(name);
      if (offset.empty()) {
        hdf5::write_all(dataset, hdf5::type_of<T>(), numbers.data());
        return;
      }
      const hdf5::Extents from(offset.begin(), offset.end()), size(count.begin(), count.end());
      const Handle space(H5Dget_space(dataset)), memory = hdf5::space_of({numbers.size()});
      check(H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr));
      check(H5Dwrite(dataset, hdf5::type_of<T>(), memory, space, H5P_DEFAULT, numbers.data()));
    });
  }
};

Hdf5Output::Hdf5Output(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->attempt([&] {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS));
    check(H5Pset_file_locking(access, false, true));
    impl_->file = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  });
}

Hdf5Output::~Hdf5Output() = default;

void Hdf5Output::group(const std::string& path) {
  impl_->attempt([&] { hdf5::create_group(impl_->file, path); });
}

void Hdf5Output::link(const std::string& object, const std::string& as) {
  impl_->attempt([&] { hdf5::hard_link(impl_->file, object, impl_->file, as); });
}

void Hdf5Output::attribute(const std::string& object, const std::string& name, const std::string& text) {
  impl_->attempt([&] {
    const Handle opened(H5Oopen(impl_->file, object.c_str(), hdf5::within_file()));
    hdf5::write_text_attribute(opened, name, text, H5T_CSET_ASCII);
  });
}

void Hdf5Output::attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts) {
  impl_->attempt([&] {
    const Handle opened(H5Oopen(impl_->file, object.c_str(), hdf5::within_file()));
    hdf5::write_texts_attribute(opened, name, texts);
  });
}

void Hdf5Output::attribute(const std::string& object, const std::string& name, double number) {
  impl_->attempt([&] {
    const Handle opened(H5Oopen(impl_->file, object.c_str(), hdf5::within_file()));
    hdf5::write_attribute(opened, name, number);
  });
}

void Hdf5Output::attribute(const std::string& object, const std::string& name, Number type,
                           std::span<const double> numbers) {
  impl_->attribute(object, name, type, numbers);
}

void Hdf5Output::attribute(const std::string& object, const std::string& name, Number type,
                           std::span<const std::int64_t> numbers) {
  impl_->attribute(object, name, type, numbers);
}

void Hdf5Output::dataset(const std::string& path, Number type, const Extents& extents) {
  impl_->attempt([&] {
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
    check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
    const Handle space = hdf5::space_of({extents.begin(), extents.end()});
    impl_->datasets.insert_or_assign(path, Handle(H5Dcreate2(impl_->file, path.c_str(), stored_as(type), space,
                                                             H5P_DEFAULT, creation, hdf5::dataset_within_file())));
  });
}

void Hdf5Output::write(const std::string& dataset, std::span<const double> numbers, const Extents& offset,
                       const Extents& count) {
  impl_->write(dataset, numbers, offset, count);
}

void Hdf5Output::write(const std::string& dataset, std::span<const std::int64_t> numbers, const Extents& offset,
                       const Extents& count) {
  impl_->write(dataset, numbers, offset, count);
}

void Hdf5Output::close() {
  impl_->attempt([&] {
    for (auto& [path, dataset] : impl_->datasets) dataset.close();
    impl_->file.close();
  });
}

}  // namespace orrery::pipeline
