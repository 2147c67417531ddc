// SPDX-License-Identifier: MIT
// What tests of the library share. They see the library by orrery.h alone, and the program by its command line.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/public/orrery.h"

namespace orrery_test {

template <class Handle, void (*release)(Handle*)>
struct Release {
  void operator()(Handle* handle) const { release(handle); }
};
template <class Handle, void (*release)(Handle*)>
using Owned = std::unique_ptr<Handle, Release<Handle, release>>;

using Model = Owned<orrery_model, orrery_model_free>;
using Simulation = Owned<orrery_simulation, orrery_simulation_free>;
using Trajectory = Owned<orrery_trajectory, orrery_trajectory_free>;
using Charts = Owned<orrery_charts, orrery_charts_free>;
using Picture = Owned<orrery_picture, orrery_picture_free>;

/// A context whose messages are kept, and which stops when it is told to.
class Context {
 public:
  explicit Context(int threads = 2) {
    orrery_context_options options = ORRERY_INIT(orrery_context_options);
    options.threads = threads;
    options.user = this;
    options.log = [](void* self, orrery_log_kind, const char* text) {
      static_cast<Context*>(self)->lines.emplace_back(text);
    };
    options.progress = [](void* self, double part, const char*) {
      auto& context = *static_cast<Context*>(self);
      ++context.slices;
      context.done = part;
      return context.stop_after > 0 && context.slices >= context.stop_after ? 1 : 0;
    };
    EXPECT_EQ(orrery_context_create(&options, &handle), ORRERY_OK);
  }
  ~Context() { orrery_context_free(handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  operator orrery_context*() const { return handle; }  // NOLINT: as C functions take it

  [[nodiscard]] std::string message() const { return orrery_context_message(handle); }
  [[nodiscard]] std::string key() const { return orrery_context_key(handle); }
  [[nodiscard]] std::string place() const { return orrery_context_place(handle); }

  std::vector<std::string> lines{};
  int slices = 0, stop_after = 0;
  double done = 0;

 private:
  orrery_context* handle = nullptr;
};

#define EXPECT_DONE(context, call) EXPECT_EQ(call, ORRERY_OK) << (context).message()
#define ASSERT_DONE(context, call) ASSERT_EQ(call, ORRERY_OK) << (context).message()

/// A new folder, removed at the end.
class Folder {
 public:
  Folder() : path_((std::filesystem::temp_directory_path() / "orrery-public-XXXXXX").string()) {
    EXPECT_NE(::mkdtemp(path_.data()), nullptr);
  }
  ~Folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}
inline std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs the program quietly; returns its exit code.
inline int program(const std::string& arguments) {
  const int status = std::system((std::string(ORRERY_PROGRAM) + " " + arguments + " >/dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// What the program prints.
inline std::string output_of(const std::string& arguments) {
  std::FILE* pipe = ::popen((std::string(ORRERY_PROGRAM) + " " + arguments + " 2>/dev/null").c_str(), "r");
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

inline Model new_model(const Context& context) {
  orrery_model* model = nullptr;
  EXPECT_DONE(context, orrery_model_create(context, &model));
  return Model(model);
}
inline Model model_from(const Context& context, const std::string& toml) {
  orrery_model* model = nullptr;
  EXPECT_DONE(context, orrery_model_from_toml(context, toml.c_str(), nullptr, nullptr, nullptr, 0, &model));
  return Model(model);
}
inline Simulation simulation_of(const Context& context, const Model& model, const char* backend = "cpu") {
  orrery_backend_options options = ORRERY_INIT(orrery_backend_options);
  options.kind = backend;
  orrery_simulation* simulation = nullptr;
  EXPECT_DONE(context, orrery_simulation_create(model.get(), &options, &simulation));
  return Simulation(simulation);
}
inline std::string hash_of(const Context& context, const Simulation& simulation) {
  char hash[17] = "";
  EXPECT_DONE(context, orrery_simulation_hash(simulation.get(), hash));
  return hash;
}
inline bool same_files(const Context& context, const std::string& a, const std::string& b) {
  int same = 0;
  EXPECT_DONE(context, orrery_diff(context, a.c_str(), b.c_str(), &same));
  return same != 0;
}

/// Keys that a function takes as a pointer and a count.
template <class... Keys>
std::vector<orrery_key> keys(Keys... all) {
  return {all...};
}

/// n bodies on a bent line, at different speeds.
struct Bodies {
  std::vector<double> mass, rows, velocities;

  explicit Bodies(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = static_cast<double>(i);
      mass.push_back(1.0 / (2.0 + x));
      rows.insert(rows.end(), {x, 0.3 * x * (x - 1.7), 0.1 * (x - 0.5)});
      velocities.insert(velocities.end(), {0.01 * x, -0.02 + 0.003 * x, 0.05 / (1 + x)});
    }
  }
  [[nodiscard]] orrery_bodies view() const {
    orrery_bodies all = ORRERY_INIT(orrery_bodies);
    all.count = mass.size();
    all.mass = mass.data();
    all.position = orrery_rows_of_three(rows.data(), mass.size());
    all.velocity = orrery_rows_of_three(velocities.data(), mass.size());
    return all;
  }
};

}  // namespace orrery_test
