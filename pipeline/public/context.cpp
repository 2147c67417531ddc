// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <new>
#include <string_view>
#include <utility>

#include "pipeline/public/handles.hpp"
#include "pipeline/scenario/key_error.hpp"
#include "pipeline/version.hpp"

namespace orrery::pipeline {
namespace {

/// Passes on how far the work is; texts are for terminals.
class ReachedLine : public ProgressLine {
 public:
  explicit ReachedLine(LibraryContext& context) : context_(context) {}
  [[nodiscard]] bool due() const override { return true; }
  void show(const std::string& /*text*/) override {}
  void reach(double fraction, const std::string& what) override { context_.reach(fraction, what); }
  void clear() override {}

 private:
  LibraryContext& context_;
};

}  // namespace

LibraryContext::LibraryContext(const orrery_context_options& options) : options_(options) {
  if (options.threads > 0) resources.threads = options.threads;
  resources.device = options.device;
  plug_ins = std::make_shared<const sim::PlugIns>();
}

void LibraryContext::reach(double fraction, const std::string& what) {
  if (options_.progress != nullptr && options_.progress(options_.user, fraction, what.c_str()) != 0) stop_now();
}

std::unique_ptr<ProgressLine> LibraryContext::progress_line(bool /*at_once*/) {
  if (options_.progress == nullptr) return nullptr;
  return std::make_unique<ReachedLine>(*this);
}

void LibraryContext::write(Kind kind, const std::string& line) {
  if (options_.log == nullptr) return;
  const orrery_log_kind kinds[] = {ORRERY_LOG_INFO, ORRERY_LOG_RESULT, ORRERY_LOG_NOTE, ORRERY_LOG_WARNING};
  options_.log(options_.user, kinds[static_cast<int>(kind)], line.c_str());
}

LibraryContext::Call::Call(LibraryContext& context) noexcept
    : context_(context), alone_(!context.busy_.exchange(true)) {
  if (!alone_) return;
  context_.stop_ = false;
  for (std::string* text : {&context_.message, &context_.key, &context_.place}) text->clear();
}

LibraryContext::Call::~Call() {
  if (alone_) context_.busy_ = false;
}

namespace {

/// What an error says, with advice for callers instead of that for the command line.
std::string advising(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> advice[] = {
      {"was not written by orrery; --force replaces it, -o DIR writes elsewhere",
       "was not written by orrery; give another name"},
      {"; --force replaces it, -o DIR writes elsewhere", "; `replace` replaces it, another name keeps it"},
      {"; --force replaces it", "; give another name"}};
  for (const auto& [flags, words] : advice) {
    const std::size_t at = text.find(flags);
    if (at != std::string::npos) text.replace(at, flags.size(), words);
  }
  return text;
}

}  // namespace

orrery_status LibraryContext::keep_error() noexcept {
  try {
    try {
      throw;
    } catch (const Misuse& error) {
      message = error.what();
      return ORRERY_MISUSED;
    } catch (const KeyError& error) {
      message = error.what(), key = error.key(), place = error.place();
      return ORRERY_REFUSED;
    } catch (const Error& error) {
      message = advising(error.what());
      return error.fault() == Fault::request ? ORRERY_REFUSED : ORRERY_FAILED;
    } catch (const std::bad_alloc&) {
      message = "there is not enough memory";
      return ORRERY_FAILED;
    } catch (const std::exception& error) {
      message = error.what();
      return ORRERY_FAILED;
    } catch (...) {
      message = "something was thrown that is no std::exception, perhaps by a callback";
      return ORRERY_FAILED;
    }
  } catch (...) {  // no memory for the text
    return ORRERY_FAILED;
  }
}

void check_size(std::size_t size, std::size_t least, std::size_t ours, const char* name) {
  if (size > least && size <= ours) return;
  throw Misuse(
      fmt::format("`{}` has size {}, this library knows up to {}: set `size` to its sizeof, as ORRERY_INIT "
                  "does, with the orrery.h of this library",
                  name, size, ours));
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> all;
  if (count > 0) (void)needed(texts, name);
  for (std::size_t k = 0; k < count; ++k) all.push_back(needed_text(texts[k], name));
  return all;
}

namespace {

Value value_of(const orrery_key& key) {
  switch (key.kind) {
    case ORRERY_BOOLEAN:
      return key.integer != 0;
    case ORRERY_INTEGER:
      return key.integer;
    case ORRERY_NUMBER:
      return key.number;
    case ORRERY_TEXT:
      return needed_text(key.text, key.name);
    case ORRERY_NUMBERS:
      if (key.count > 0) (void)needed(key.numbers, key.name);
      return std::vector<double>(key.numbers, key.numbers + key.count);
    case ORRERY_TEXTS:
      return texts_of(key.texts, key.count, key.name);
    case ORRERY_RECORDS: {
      std::vector<Arguments> all;
      if (key.count > 0) (void)needed(key.records, key.name);
      for (std::size_t k = 0; k < key.count; ++k)
        all.push_back(arguments_of(key.records[k].keys, key.records[k].count));
      return all;
    }
    default:
      throw Misuse(fmt::format("`{}` has no kind that a value can have: {}", key.name, key.kind));
  }
}

}  // namespace

Arguments arguments_of(const orrery_key* keys, std::size_t count) {
  Arguments all;
  if (count > 0) (void)needed(keys, "keys");
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = needed_text(keys[k].name, "name");
    if (all.has(name)) throw Misuse(fmt::format("the key `{}` is given twice", name));
    all.set(name, value_of(keys[k]));
  }
  return all;
}

sim::Vectors vectors_of(const orrery_vectors& from, std::size_t n, const char* name) {
  sim::Vectors all(n);
  if (from.count != n) throw Misuse(fmt::format("`{}` has {} vectors, not {}", name, from.count, n));
  if (n == 0) return all;
  const std::pair<const double*, std::vector<double>*> axes[] = {{from.x, &all.x}, {from.y, &all.y}, {from.z, &all.z}};
  for (const auto& [source, target] : axes) {
    if (source == nullptr && target == &all.z) continue;
    (void)needed(source, name);
    for (std::size_t i = 0; i < n; ++i) (*target)[i] = source[static_cast<std::ptrdiff_t>(i) * from.stride];
  }
  return all;
}

void copy_to(const orrery_vectors_out& to, const sim::Vectors& from, const char* name) {
  const std::size_t n = from.size();
  if (to.count != n) throw Misuse(fmt::format("`{}` has room for {} vectors, there are {}", name, to.count, n));
  if (n == 0) return;
  const std::pair<double*, const std::vector<double>*> axes[] = {{to.x, &from.x}, {to.y, &from.y}, {to.z, &from.z}};
  (void)needed(to.x, name), (void)needed(to.y, name);
  for (const auto& [target, source] : axes)
    for (std::size_t i = 0; target != nullptr && i < n; ++i)
      target[static_cast<std::ptrdiff_t>(i) * to.stride] = (*source)[i];
}

orrery_observables observables_of(const sim::Observables& now, const sim::InitialEnergy& first) {
  const auto put = [](double(&to)[3], const sim::Vec3& from) { to[0] = from.x, to[1] = from.y, to[2] = from.z; };
  orrery_observables all = ORRERY_INIT(orrery_observables);
  all.kinetic_energy = now.kinetic_energy;
  all.potential_energy = now.potential_energy;
  all.total_energy = now.total_energy();
  put(all.momentum, now.momentum);
  put(all.angular_momentum, now.angular_momentum);
  put(all.center_of_mass, now.center_of_mass);
  all.virial = now.virial;
  all.energy_error = first.error(now.total_energy());
  return all;
}

orrery_state state_of(const sim::Snapshot& now, const std::vector<double>& mass) {
  orrery_state all = ORRERY_INIT(orrery_state);
  all.step = now.step;
  all.time = now.time;
  all.count = now.size();
  all.mass = view_of(mass);
  all.position = view_of(now.position);
  all.velocity = view_of(now.velocity);
  all.image = view_of(now.image);
  return all;
}

}  // namespace orrery::pipeline

using namespace orrery::pipeline;

const char* orrery_version() {
  static const std::string text = version();
  return text.c_str();
}

orrery_status orrery_context_create(const orrery_context_options* options, orrery_context** context) {
  if (context == nullptr) return ORRERY_MISUSED;
  try {
    const orrery_context_options all = given_struct(options, "options");
    if (all.threads < 0 || all.device < 0) return ORRERY_MISUSED;
    *context = new orrery_context{std::make_shared<LibraryContext>(all)};
    return ORRERY_OK;
  } catch (const Misuse&) {
    return ORRERY_MISUSED;
  } catch (...) {
    return ORRERY_FAILED;
  }
}

void orrery_context_free(orrery_context* context) {
  if (context != nullptr) context->context->drop_callbacks();
  delete context;
}

const char* orrery_context_message(const orrery_context* context) {
  return context == nullptr ? "" : context->context->message.c_str();
}

const char* orrery_context_key(const orrery_context* context) {
  return context == nullptr ? "" : context->context->key.c_str();
}

const char* orrery_context_place(const orrery_context* context) {
  return context == nullptr ? "" : context->context->place.c_str();
}
