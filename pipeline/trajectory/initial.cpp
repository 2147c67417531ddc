// SPDX-License-Identifier: MIT
// One group a table, one dataset a column.
#include "pipeline/trajectory/initial.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/trajectory/checksums.hpp"

namespace orrery::pipeline::trajectory {
namespace {

using hdf5::Failure;
using hdf5::Handle;

constexpr const char* kGroup = "/parameters/initial";

std::string group_of(std::size_t i) {
  return std::string(kGroup) + "/" + std::to_string(i);
}

bool has_table(hid_t file, std::size_t i) {
  return hdf5::exists(file, kGroup) && hdf5::exists(file, group_of(i));
}

}  // namespace

void write_initial(hid_t parameters, const std::map<std::size_t, SharedColumns>& tables) {
  if (tables.empty()) return;
  const Handle initial = hdf5::create_group(parameters, "initial");
  for (const auto& [i, columns] : tables) {
    const Handle table = hdf5::create_group(initial, std::to_string(i));
    for (const auto& [name, values] : columns->numbers) {
      const std::size_t count = values.size() / columns->rows;
      hdf5::write_flat(table, name, std::span(values),
                       count == 1 ? hdf5::Extents{columns->rows} : hdf5::Extents{columns->rows, count});
      add_checksum(table, name);
    }
    for (const auto& [name, texts] : columns->texts) {
      hdf5::write_texts(table, name, texts);
      add_checksum(table, name);
    }
  }
}

std::size_t initial_rows(hid_t file, std::size_t i) {
  if (!has_table(file, i)) return 0;
  return hdf5::length(hdf5::open_dataset(file, group_of(i) + "/mass"));
}

SharedColumns read_initial(hid_t file, std::size_t i) {
  if (!has_table(file, i)) return nullptr;
  const Handle table = hdf5::open_group(file, group_of(i));
  auto columns = std::make_shared<Columns>();
  columns->rows = initial_rows(file, i);
  const auto read = [&](const char* name, const hdf5::Extents& row) {
    if (!hdf5::exists(table, name)) return false;
    const Handle dataset = hdf5::open_dataset(table, name);
    hdf5::require_rows(dataset, row);
    if (hdf5::length(dataset) != columns->rows) throw Failure(group_of(i) + ": its columns are of different lengths");
    verify_checksum(table, name);
    return true;
  };
  for (const auto& [name, row] :
       {std::pair<const char*, hdf5::Extents>{"mass", {}}, {"position", {3}}, {"velocity", {3}}, {"charge", {}}}) {
    if (read(name, row))
      columns->numbers.emplace(name, hdf5::read_flat<double>(table, name));
    else if (std::string(name) != "charge")
      throw Failure(group_of(i) + " has no " + name);
  }
  for (const char* name : {"name", "component"}) {
    if (read(name, {})) columns->texts.emplace(name, hdf5::read_texts(table, name));
  }
  return columns;
}

std::map<std::size_t, SharedColumns> read_all_initial(hid_t file) {
  std::map<std::size_t, SharedColumns> tables;
  if (!hdf5::exists(file, kGroup)) return tables;
  const Handle group = hdf5::open_group(file, kGroup);
  H5G_info_t info;
  hdf5::check(H5Gget_info(group, &info));
  constexpr std::size_t most_tables = 100'000;  // more than any scenario has
  for (std::size_t i = 0; tables.size() < info.nlinks && i < most_tables; ++i) {
    if (SharedColumns table = read_initial(file, i)) tables.emplace(i, std::move(table));
  }
  return tables;
}

}  // namespace orrery::pipeline::trajectory
