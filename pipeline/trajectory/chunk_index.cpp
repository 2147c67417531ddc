// SPDX-License-Identifier: MIT
#include "pipeline/trajectory/chunk_index.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/trajectory/extensible_array.hpp"
#include "pipeline/trajectory/hdf5.hpp"

namespace orrery::pipeline::trajectory {
namespace {

/// Clears the entries of a block that are not among the first `chunks` of the array. The block has `count` entries from offset `at`
/// on, the first of which is number `first`.
void clear_entries(Block& block, std::size_t at, std::size_t entry, std::size_t first, std::size_t count,
                   std::size_t chunks) {
  for (std::size_t k = chunks > first ? std::min(chunks - first, count) : 0; k < count; ++k) {
    std::ranges::fill(block.part(at + k * entry, entry), std::byte{0});
    block.put(at + k * entry, nowhere);
  }
}

/// The same for a data block with at least one remaining entry. Returns whether anything changed.
bool truncate_data(const ExtensibleArray& array, haddr_t address, const Group& group, std::size_t first,
                   std::size_t chunks) {
  const auto truncate = [&](Block block, std::size_t at, std::size_t from, std::size_t count) {
    require_index(block.intact() || block.may_be_torn());
    clear_entries(block, at, array.entry, from, count, chunks);
    return block.write();
  };
  const std::size_t whole = group.pages() == 0 ? group.entries * array.entry : 0;
  Block block(array.descriptor, address, data_head + whole + sum_size);
  require_index(block.begins("EADB"));
  if (group.pages() == 0) return truncate(std::move(block), data_head, first, group.entries);
  const std::size_t size = page_entries * array.entry + sum_size, pages = address + data_head + sum_size;
  bool changed = false;
  for (std::size_t k = 0; k < group.pages() && first + k * page_entries < chunks; ++k) {
    Block page(array.descriptor, pages + k * size, size);
    changed = truncate(std::move(page), 0, first + k * page_entries, page_entries) || changed;
  }
  return changed;
}

/// The same for all data blocks of a group. `parent` has the references to them from offset `at` on.
bool truncate_group(const ExtensibleArray& array, Block& parent, std::size_t at, const Group& group,
                    std::size_t chunks) {
  bool changed = false;
  for (std::size_t block = 0; block < group.blocks; ++block) {
    const std::size_t first = group.first + block * group.entries;
    for (std::size_t page = 0; page < group.pages(); ++page) {  // a bit tells whether it exists
      const std::size_t bit = block * group.pages() + page;
      std::byte &bits = parent.part(data_head + bit / 8, 1).front(), mine = std::byte{0x80} >> (bit % 8);
      if (first + page * page_entries >= chunks) bits &= ~mine;
      require_index(first + page * page_entries >= chunks || (bits & mine) != std::byte{0});
    }
    const std::size_t reference = at + block * address_size;
    if (first >= chunks) {
      parent.put(reference, nowhere);
    } else {
      changed = truncate_data(array, parent.get<haddr_t>(reference), group, first, chunks) || changed;
    }
  }
  return changed;
}

}  // namespace

bool ChunkIndex::truncate(std::size_t chunks) const {
  auto layout = reference_to_array(descriptor_, object_);
  if (!layout || (chunks == 0 && layout->address() == nowhere)) return false;
  ExtensibleArray array(descriptor_, layout->address());
  if (chunks == 0 && !array.header.intact()) {
    layout->block.put(layout->at, nowhere);
    return layout->block.write();
  }
  require_index(array.header.intact());
  if (chunks == 0 && array.index() == nowhere) return false;
  Block index = array.index_block();
  if (chunks == 0 && !(index.begins("EAIB") && index.intact())) {
    array.header.put(ExtensibleArray::index_reference, nowhere);
    return array.header.write();
  }
  require_index(index.begins("EAIB") && index.intact());
  bool changed = false;
  clear_entries(index, index_head, array.entry, 0, direct_entries, chunks);
  for (std::size_t n = 0; n < all_groups; ++n) {
    const Group group(n);
    const std::size_t reference = array.reference(group);
    if (n < direct_groups) {
      changed = truncate_group(array, index, reference, group, chunks) || changed;
    } else if (group.first >= chunks) {
      index.put(reference, nowhere);
    } else {
      Block secondary(descriptor_, index.get<haddr_t>(reference), group.secondary_size());
      require_index(secondary.begins("EASB") && (secondary.intact() || secondary.may_be_torn()));
      changed = truncate_group(array, secondary, group.references(), group, chunks) || changed;
      changed = secondary.write() || changed;
    }
  }
  return index.write() || changed;
}

std::optional<haddr_t> ChunkIndex::address(std::size_t k) const {
  const auto read_address = [&](haddr_t from) -> haddr_t {
    haddr_t address = nowhere;
    return read_at(descriptor_, from, std::as_writable_bytes(std::span(&address, 1))) ? address : nowhere;
  };
  const auto found = [](haddr_t address) { return address == nowhere ? std::nullopt : std::optional(address); };
  const auto layout = reference_to_array(descriptor_, object_);
  if (!layout) return std::nullopt;
  const ExtensibleArray array(descriptor_, layout->address());
  require_index(array.header.intact());
  if (k < direct_entries) return found(read_address(array.index() + index_head + k * array.entry));
  const Group group = Group::of(k);
  const std::size_t block = (k - group.first) / group.entries, inside = (k - group.first) % group.entries;
  haddr_t data = nowhere;
  if (group.number < direct_groups) {
    data = read_address(array.index() + array.reference(group, block));
  } else if (const haddr_t secondary = read_address(array.index() + array.reference(group)); secondary != nowhere) {
    data = read_address(secondary + group.references() + block * address_size);
  }
  if (data == nowhere) return std::nullopt;
  const std::size_t sums =
      group.pages() == 0 ? 0 : sum_size * (1 + inside / page_entries);  // of the head and the previous pages
  return found(read_address(data + data_head + sums + inside * array.entry));
}

bool read_chunks_directly(hid_t dataset, hid_t type, std::size_t first, std::size_t count, void* data) try {
  using hdf5::check, hdf5::Handle;
  const Handle stored(H5Dget_type(dataset)), creation(H5Dget_create_plist(dataset));
  if (check(H5Tequal(stored, type)) == 0 || H5Pget_layout(creation) != H5D_CHUNKED) return false;
  const hdf5::Extents extents = hdf5::extents(dataset), chunk = hdf5::chunk_of(dataset);
  if (extents.empty() || first + count > extents[0]) return false;
  for (std::size_t axis = 1; axis < extents.size(); ++axis) {
    if (chunk[axis] > extents[axis] || (axis > 1 && chunk[axis] != extents[axis])) return false;
  }
  // A chunk has `width` bytes of each of its rows. `parts` chunks side by side make up whole rows.
  std::size_t width = H5Tget_size(type), row = width, parts = 1;
  for (std::size_t axis = 1; axis < extents.size(); ++axis) width *= chunk[axis], row *= extents[axis];
  if (extents.size() > 1) parts = (extents[1] + chunk[1] - 1) / chunk[1];
  const int descriptor = hdf5::descriptor_of(dataset);
  const ChunkIndex index(descriptor, address_of(dataset));
  std::vector<std::byte> bytes;
  for (std::size_t i = first; i < first + count;) {
    const std::size_t rows = std::min<std::size_t>(chunk[0] - i % chunk[0], first + count - i);
    bytes.resize(rows * width);
    for (std::size_t part = 0; part < parts; ++part) {
      const auto address = index.address(i / chunk[0] * parts + part);
      if (!address || !read_at(descriptor, *address + i % chunk[0] * width, bytes)) return false;
      auto* to = static_cast<std::byte*>(data) + (i - first) * row + part * width;
      for (std::size_t k = 0; k < rows; ++k)
        std::memcpy(to + k * row, bytes.data() + k * width, std::min(width, row - part * width));
    }
    i += rows;
  }
  return true;
} catch (const hdf5::Failure&) {
  return false;
}

haddr_t address_of(hid_t object) {
  // The type of the information has another name in HDF5 1.12 and later.
  const auto call = [object]<class Info>(herr_t (*get_info)(hid_t, Info*, unsigned)) {
    Info info{};
    hdf5::check(get_info(object, &info, H5O_INFO_BASIC));
    return info.addr;
  };
  return call(H5Oget_info2);
}

}  // namespace orrery::pipeline::trajectory
