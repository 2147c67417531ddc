// SPDX-License-Identifier: MIT
// Results are compared as bytes, so that NaN equals itself and nothing is left out.
#include "tests/faults/account.hpp"

#include <optional>
#include <set>
#include <type_traits>

namespace orrery::pipeline::testing {
namespace {

/// Concatenates values so that different values give different bytes.
class Bytes {
 public:
  template <class T>
  Bytes& operator<<(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (requires { requires std::is_arithmetic_v<std::remove_pointer_t<decltype(value.data())>>; }) {
      *this << value.size();
      bytes_.append(reinterpret_cast<const char*>(value.data()), value.size() * sizeof *value.data());
    } else {
      *this << value.size();
      for (const auto& part : value) *this << part;
    }
    return *this;
  }
  Bytes& operator<<(const sim::Vectors& v) { return *this << v.x << v.y << v.z; }
  template <class Value>
  Bytes& operator<<(const std::pair<const std::string, Value>& entry) {
    return *this << entry.first << entry.second;
  }
  operator std::string() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string text_of(const InitialFacts& f) {
  const sim::DensityProfile density = f.density.value_or(sim::DensityProfile());
  return Bytes() << f.G << f.timescale << f.timescale_name << f.mass << static_cast<int>(density.form) << density.mass
                 << density.length;
}

std::string text_of(const Columns& c) {
  return Bytes() << c.rows << c.numbers << c.texts;
}

std::string text_of(const sim::Domain& d) {
  Bytes bytes;
  bytes << d.dimensions << std::vector(d.low.begin(), d.low.end()) << std::vector(d.edges.begin(), d.edges.end());
  for (const sim::Boundary* boundary : d.boundary) bytes << std::string(boundary->name);
  return bytes;
}

std::string text_of(const RunRecord& r) {
  return Bytes() << r.title << r.author << r.scenario << r.resolved << r.seed << r.dt << r.steps << r.frames
                 << r.provenance << r.components << r.units << r.length_unit << r.time_unit << r.mass_unit << r.columns
                 << text_of(r.initial_facts) << text_of(r.domain) << r.virial;
}

std::string text_of(const TrajectoryOptions& o) {
  return Bytes() << o.single_precision << o.velocities << o.bodies << o.commit << o.sync;
}

std::string text_of(const sim::Bodies& b) {
  return Bytes() << b.mass << b.charge << b.position << b.velocity << b.species << b.names;
}

std::string text_of(const sim::Snapshot& s) {
  return Bytes() << s.step << s.time << s.position << s.velocity << s.columns << s.image << s.observables;
}

std::string text_of(const render::Frame& f) {
  return Bytes() << f.time << f.position << f.velocity << f.image;
}

std::string text_of(const History& h) {
  return Bytes() << h.time << h.kinetic_energy << h.potential_energy << h.total_energy << h.momentum
                 << h.angular_momentum << h.center_of_mass << h.virial << h.temperature << h.pressure;
}

template <class Ask>
Piece piece(Ask ask) {
  try {
    return {.value = ask()};
  } catch (const Error& error) {
    return {.complaint = error.what()};
  }
}

}  // namespace

Account account_of(const std::filesystem::path& path) {
  Account account;
  std::optional<TrajectoryReader> reader;
  account["opening"] = piece([&] {
    reader.emplace(path);
    return std::string();
  });
  if (!reader) return account;
  account["record"] = piece([&] { return text_of(reader->record()); });
  account["options"] = piece([&] { return text_of(reader->options()); });
  account["finished"] = piece([&] { return std::string(reader->finished() ? "yes" : "no"); });
  account["initial"] = piece([&] {
    const SharedColumns listed = reader->initial(1);
    return listed ? text_of(*listed) : std::string("none");
  });
  account["bodies"] = piece([&] { return text_of(reader->bodies()); });
  account["size"] = piece([&] { return std::to_string(reader->size()); });
  account["times"] = piece([&] { return std::string(Bytes() << reader->times()); });
  account["steps"] = piece([&] { return std::string(Bytes() << reader->steps()); });
  account["history"] = piece([&] { return text_of(reader->history()); });
  account["restart"] = piece([&] {
    const auto state = reader->restart();
    return state ? text_of(*state) : "none";
  });
  account["seconds"] = piece([&] { return std::string(Bytes() << reader->seconds()); });
  for (std::size_t i = 0; i < reader->size(); ++i) {
    const std::string number = std::to_string(i);
    account["snapshot " + number] = piece([&] { return text_of(reader->snapshot(i)); });
    account["frame " + number] = piece([&] { return text_of(reader->frame(i)); });
  }
  return account;
}

std::vector<std::string> misreadings(const Account& good, const Account& older, const Account& damaged,
                                     const std::filesystem::path& path) {
  std::set<std::string> may_be_older{"restart", "seconds"};
  if (good.at("finished").value == "no") may_be_older.insert({"size", "times", "steps"});
  const auto says = [](const Account& account, const std::string& name, const std::string& what) {
    const auto found = account.find(name);
    return found != account.end() && found->second.value == what;
  };
  std::vector<std::string> found;
  for (const auto& [name, piece] : damaged) {
    if (!piece.complaint.empty()) {
      if (piece.complaint.find('\n') != std::string::npos || piece.complaint.rfind(path.string() + ": ", 0) != 0)
        found.push_back("complaint about " + name + ": " + piece.complaint);
    } else if (!says(good, name, piece.value) && !(may_be_older.contains(name) && says(older, name, piece.value))) {
      found.push_back(name);
    }
  }
  return found;
}

}  // namespace orrery::pipeline::testing
