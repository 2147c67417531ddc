// SPDX-License-Identifier: MIT
// Snapshots of GADGET-2 in its binary formats 1 and 2: Fortran records, each between two copies of its length in 32 bits. In format 2 a
// record of 8 bytes with a name of four letters precedes each block. Source: Springel, "User guide for GADGET-2" (2005), section 6.
#include <fmt/format.h>

#include <array>
#include <map>
#include <numeric>
#include <string>

#include "pipeline/formats/binary_file.hpp"
#include "pipeline/formats/gadget.hpp"
#include "pipeline/refusal.hpp"

namespace orrery::pipeline {
namespace {

using gadget::Counts;
using gadget::Header;
constexpr std::uint64_t header_size = 256, marker = 4, label_size = 8;

/// The first number of a file, in the byte order in which it is the length of a first record.
std::optional<std::endian> order_of(const std::byte* begin) {
  std::uint32_t first = 0;
  std::memcpy(&first, begin, sizeof first);
  constexpr std::uint32_t lengths[] = {header_size, label_size};
  for (const std::uint32_t length : lengths) {
    if (first == length) return std::endian::native;
    if (first == __builtin_bswap32(length))
      return std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
  }
  return std::nullopt;
}

/// Where the numbers of a block begin, and their width.
struct Block {
  std::uint64_t at = 0;
  std::size_t width = 0;
};

class Gadget2File {
 public:
  explicit Gadget2File(const std::filesystem::path& path) : in_(path) {
    std::byte first[4];
    in_.read(0, first);
    const auto order = order_of(first);
    if (!order) in_.fail(0, "neither 256 nor 8 is here, with which GADGET's formats 1 and 2 begin");
    in_.set_order(*order);
    labelled_ = in_.number<std::uint32_t>(0) == label_size;
    read_header();
    find_blocks();
  }

  [[nodiscard]] const Header& header() const { return header_; }

  /// Appends the particles of the wanted types.
  void read(const std::array<bool, gadget::most_types>& wanted, gadget::Bodies& bodies) const {
    std::uint64_t first = 0, first_mass = 0;  // of this type, in blocks of all and of masses
    for (std::size_t type = 0; type < gadget::usual_types; ++type) {
      const std::uint64_t count = header_.here[type];
      const bool own_mass = header_.masses[type] == 0;
      if (wanted[type] && count > 0) {
        const auto rows = bodies.next(type, count);
        in_.read_floats(position_.at + first * 3 * position_.width, position_.width, rows.position, "coordinate");
        in_.read_floats(velocity_.at + first * 3 * velocity_.width, velocity_.width, rows.velocity, "velocity");
        if (rows.id.empty() || id_.width == 0) {
          bodies.drop_ids();
        } else {
          in_.for_each_run(id_.at + first * id_.width, count, id_.width,
                           [&](std::uint64_t from, std::size_t records, const std::byte* bytes) {
                             for (std::size_t k = 0; k < records; ++k)
                               rows.id[from + k] = identifier(bytes + k * id_.width);
                           });
        }
        if (own_mass)
          in_.read_floats(mass_.at + first_mass * mass_.width, mass_.width, rows.mass, "mass", 0);
        else
          std::ranges::fill(rows.mass, header_.masses[type]);
      }
      first += count;
      if (own_mass) first_mass += count;
    }
  }

 private:
  [[nodiscard]] std::int64_t identifier(const std::byte* bytes) const {
    return id_.width == 4 ? std::int64_t{in_.number_in<std::uint32_t>(bytes)} : in_.number_in<std::int64_t>(bytes);
  }

  void read_header() {
    const std::uint64_t at = (labelled_ ? label_size + 2 * marker : 0) + marker;
    if (labelled_ && label_at(marker) != "HEAD")
      in_.fail(marker, fmt::format("the first block is `{}`, not HEAD", label_at(marker)));
    const auto opening = in_.number<std::uint32_t>(at - marker);
    if (opening != header_size) in_.fail(at - marker, fmt::format("the header has {} bytes, not 256", opening));
    std::array<std::byte, header_size> bytes;
    in_.read(at, bytes);
    const auto number = [&]<class Number>(Number, std::size_t offset) {
      return in_.number_in<Number>(bytes.data() + offset);
    };
    for (std::size_t type = 0; type < gadget::usual_types; ++type) {
      header_.here[type] = number(std::uint32_t{}, 4 * type);
      header_.masses[type] = number(double{}, 24 + 8 * type);
      header_.total[type] =
          number(std::uint32_t{}, 96 + 4 * type) | std::uint64_t{number(std::uint32_t{}, 168 + 4 * type)} << 32;
    }
    header_.time = number(double{}, 72);
    header_.redshift = number(double{}, 80);
    header_.files = number(std::int32_t{}, 124);
    header_.box = number(double{}, 128);
    header_.omega_matter = number(double{}, 136);
    header_.omega_lambda = number(double{}, 144);
    header_.hubble = number(double{}, 152);
    check(header_, fmt::format("{}: byte {}", in_.path().string(), at));
    require_marker(at + header_size, header_size, at - marker);
    next_ = at + header_size + marker;
  }

  void find_blocks() {
    const std::uint64_t all = header_.particles();
    std::uint64_t masses = 0;
    for (std::size_t type = 0; type < gadget::usual_types; ++type)
      if (header_.masses[type] == 0) masses += header_.here[type];
    if (all == 0) return;
    if (labelled_) {
      find_labels();
      position_ = labelled_block("POS ", 3 * all);
      velocity_ = labelled_block("VEL ", 3 * all);
      if (masses > 0) mass_ = labelled_block("MASS", masses);
      if (starts_.contains("ID  ")) id_ = labelled_block("ID  ", all);
      return;
    }
    position_ = next_block("positions", 3 * all);
    velocity_ = next_block("velocities", 3 * all);
    id_ = next_block("identifiers", all);
    if (masses > 0) mass_ = next_block("masses", masses);
  }

  /// Notes where the blocks of format 2 begin.
  void find_labels() {
    constexpr std::size_t most_blocks = 1000;
    while (in_.size() - next_ > 0) {
      if (starts_.size() == most_blocks) in_.fail(next_, "has more than 1000 blocks");
      require_marker(next_, label_size, next_);
      const std::string label = label_at(next_ + marker);
      const std::uint64_t length = in_.number<std::uint32_t>(next_ + marker + 4);
      require_marker(next_ + marker + label_size, label_size, next_);
      const std::uint64_t begin = next_ + label_size + 2 * marker;
      // Labels hold the length of what follows, markers included; some writers leave that 0.
      const std::uint64_t data = in_.number<std::uint32_t>(begin);
      if (length != 0 && length != static_cast<std::uint32_t>(data + 2 * marker))
        in_.fail(next_ + marker + 4,
                 fmt::format("block {} has {} bytes by its label, {} by its record", label, length, data));
      starts_.emplace(label, begin);
      next_ = begin;
      if (label == "POS " || label == "VEL ")
        (void)next_block(label.c_str(), 3 * header_.particles());
      else
        skip_record();
    }
  }

  void skip_record() {
    const std::uint64_t length = in_.number<std::uint32_t>(next_);
    require_marker(next_ + marker + length, static_cast<std::uint32_t>(length), next_);
    next_ += length + 2 * marker;
  }

  Block labelled_block(const std::string& label, std::uint64_t numbers) {
    const auto found = starts_.find(label);
    if (found == starts_.end()) in_.fail(in_.size(), fmt::format("ends without a block `{}`", label));
    next_ = found->second;
    return next_block(label.c_str(), numbers);
  }

  /// The record at `next_`, of that many numbers. Markers are the length modulo 2³², so long blocks are recognised, too.
  Block next_block(const char* name, std::uint64_t numbers) {
    const auto length = in_.number<std::uint32_t>(next_);
    for (const std::size_t width : {sizeof(float), sizeof(double)}) {
      const std::uint64_t bytes = numbers * width;
      if (static_cast<std::uint32_t>(bytes) != length) continue;
      const std::uint64_t begin = next_ + marker;
      if (!in_.holds(begin, bytes + marker))
        in_.fail(next_, fmt::format("{} need {} bytes, but the file ends at byte {}", name, bytes, in_.size()));
      require_marker(begin + bytes, length, next_);
      next_ = begin + bytes + marker;
      return {begin, width};
    }
    in_.fail(next_, fmt::format("{} have a record of {} bytes; of {} particles it is {} or {}", name, length,
                                header_.particles(), numbers * sizeof(float), numbers * sizeof(double)));
  }

  void require_marker(std::uint64_t at, std::uint32_t expected, std::uint64_t begin) const {
    const auto found = in_.number<std::uint32_t>(at);
    if (found != expected)
      in_.fail(at, fmt::format("the record from byte {} should end with its length {}, and {} is here", begin, expected,
                               found));
  }

  [[nodiscard]] std::string label_at(std::uint64_t at) const {
    std::array<std::byte, 4> bytes;
    in_.read(at, bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  BinaryFile in_;
  bool labelled_ = false;  ///< format 2
  Header header_;
  std::uint64_t next_ = 0;  ///< the record to be read
  std::map<std::string, std::uint64_t> starts_;
  Block position_, velocity_, mass_, id_;
};

bool recognises(const std::filesystem::path& /*file*/, std::string_view begin) {
  if (begin.size() < 20) return false;
  const auto* bytes = reinterpret_cast<const std::byte*>(begin.data());
  if (!order_of(bytes)) return false;
  const bool labelled = begin[0] == 8 || begin[3] == 8;
  return !labelled || begin.substr(4, 4) == "HEAD";
}

BodyFile read_gadget2(const std::filesystem::path& file, const BodyFileOptions& options) {
  const auto wanted = gadget::wanted_types(options);
  const Header first = Gadget2File(file).header();
  const auto files = gadget::files_of(file, first.files);
  Counts counts{}, all{};
  for (const auto& part : files) {
    const Header header = Gadget2File(part).header();
    for (std::size_t type = 0; type < gadget::usual_types; ++type) {
      all[type] += header.here[type];
      if (wanted[type]) counts[type] += header.here[type];
    }
  }
  for (std::size_t type = 0; files.size() > 1 && type < gadget::usual_types; ++type) {
    if (all[type] != first.total[type])
      refuse(file, fmt::format("claims {} particles of type {} in {} files, which hold {}", first.total[type], type,
                               files.size(), all[type]));
  }
  std::vector<AskedKey> asked;
  const auto factors = gadget::factors_of(first, options, asked);
  gadget::Bodies bodies(file, counts, options);
  for (const auto& part : files) {
    const Gadget2File in(part);
    for (std::size_t type = 0; type < gadget::usual_types; ++type)
      if (in.header().here[type] > 0 && in.header().masses[type] != first.masses[type])
        refuse(part, fmt::format("has another mass of type {} than {}", type, file.string()));
    in.read(wanted, bodies);
  }
  return bodies.finish(first, factors, std::move(asked));
}

constexpr std::string_view keys[] = {"hubble", "comoving", "scale_factor", "components"};

}  // namespace

extern const BodyFormat gadget2_bodies{.name = "gadget2",
                                       .meaning = "snapshots of GADGET-2, binary formats 1 and 2",
                                       .recognises = recognises,
                                       .read = read_gadget2,
                                       .keys = keys};

}  // namespace orrery::pipeline
