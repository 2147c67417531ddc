// SPDX-License-Identifier: MIT
// validation_page FOLDER [--quick]: writes FOLDER/validation.md and its figures.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <string_view>

#include "common/usable_threads.hpp"
#include "pipeline/validate/validation.hpp"
#include "pipeline/version.hpp"
#include "sim/backends/cpu.hpp"
#include "validation_page.hpp"

namespace orrery::pipeline {
namespace {

struct Words {
  std::string_view suite, text;
};
constexpr Words words[] = {
    {"order",
     "Two bodies of masses 1 and 0.3 with e = 0.5, starting at pericentre, with steps of dt, are compared with the "
     "solution of Kepler's equation. The order is the slope of log error against log dt over the seven finest "
     "steps whose error is at least thirty times the rounding error. The rounding error is the difference between "
     "the same run in rotated axes, where the method is the same and only the last bits differ. The times are not "
     "a period, half a period or a third of one. The energy error of methods of odd order that are not symplectic "
     "contains only odd powers of h, so their errors grow as t² and their order shows best after many periods. At "
     "order fifteen the rounding error is reached before h² is negligible: there the order is p of log error = C + "
     "p log h + c h², fitted to errors at least three hundred times the rounding error."},
    {"own-steps",
     "Two bodies with e = 0.9 for ten periods, with adaptive steps and seven accuracies, each a quarter of the one "
     "before. The error estimate compared with the accuracy is proportional to a power of the step (the fifth for "
     "rk45, the second for hermite4, the seventh for ias15), so steps and errors are proportional to powers of the "
     "accuracy. States are observed at times at which no step ends. Within steps they are compared with the true "
     "orbit through the beginning of the step."},
    {"work",
     "The cost of a given error for the same two bodies after 10.43 periods, with steps of dt and with adaptive "
     "steps. There are no bounds here; these numbers and the figures above help to choose an integrator."},
    {"reversal",
     "A run forward, then back with −dt; integrators with adaptive steps come back by other steps. A self-adjoint "
     "method returns to the start up to rounding, one with a tolerance up to the tolerance in every step. "
     "symplectic-euler and ruth3 are symplectic but not self-adjoint, so −dt cannot undo their steps, nor those of "
     "Runge, Kutta, Hermite and Gauss-Radau: for these the distance from the start must fall at least as fast as "
     "the order says."},
    {"long-run",
     "The same two bodies for ten thousand periods. A symplectic method conserves an energy close to the true one, "
     "so the error has the same extremes in the last tenth as in the first (Hairer, Lubich & Wanner, Geometric "
     "Numerical Integration, IX.8). Other methods lose the same amount in every period. If only rounding is left, "
     "the bound is ten times the width of its random walk: 10 · 2⁻⁵³ √(kicks and drifts)."},
    {"closure",
     "Periodic orbits whose initial values close them to 1e-24, so the distance left at T is the integrator's "
     "error. For an integrator whose own error is below rounding, the bound is ten random walks of rounding, times "
     "the maximum speed along the orbit, times the orbit's amplification of errors, which neighbouring runs "
     "measure. For one with a tolerance, the bound is the tolerance in every step, amplified."},
    {"orbits",
     "Lagrange's triangle of equal masses, disturbed by 1e-10, must break up by exp(2π/√2) = 85.02 a period. "
     "Jupiter after 10 000 days is compared with 113-bit arithmetic. The limits for steps of 58 days are those of "
     "REBOUND's own tests, whose leapfrogs of order 2 and 4 are leapfrog-dkd and forest-ruth. Its limit of 1e-9 "
     "for order 6 is for a method of Kahan and Li with nine stages; yoshida6, which has seven, does not reach it, "
     "nor does yoshida4 reach the 3e-6: their numbers are given without a bound. A restart must not change a bit."},
    {"rounding",
     "What is left if an integrator's own error is below that of double precision. Over 1e5 periods of Jupiter the "
     "energy of four runs in rotated axes performs a random walk. The encounters of the Pythagorean problem "
     "amplify the last bit of a double: the figure shows how far two runs in rotated axes, which differ only in "
     "the last bits, diverge. The bound of 2e-3 at t = 70 applies to the run in the axes of the scenario and to "
     "the maximum of eight runs in rotated axes; their median is shown."},
};

constexpr std::string_view opening = R"(# What was validated: `orrery validate`

```sh
orrery validate                          # all of it; some minutes on two cores
orrery validate --quick                  # seconds: a part of the tests
orrery validate --integrator ias15 --orbit pythagorean --json result.json
```

Made by {} and `build/release/bin/validation_page docs`: {} checks, {}.
Bounds come from theory and from references, never from the program's own results. The exit code is 1 if a bound is exceeded.
Measurements without a bound are given for information. A test changes the coefficients of the integrators by 1e-4, one after the
other, and each time the suite `order` fails, except for eight coefficients to which the order is insensitive in theory. For
integrators with adaptive steps it changes all coefficients by which positions move by 1e-6, and the suite `own-steps` fails too.
)";

std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string page(const Findings& findings, const std::vector<std::string>& pictures) {
  const auto failures = std::ranges::count_if(findings.checks, [](const Check& check) { return !check.passed(); });
  const std::string program = version_line();  // without the build, which is no matter here
  std::string text =
      fmt::format(opening, program.substr(0, program.find(" (")), findings.checks.size(),
                  failures == 0 ? "all within their bounds" : fmt::format("{} beyond their bounds", failures));
  for (const std::string& picture : pictures) text += fmt::format("\n![]({})\n", picture);
  std::string suite;
  for (const Check& check : findings.checks) {
    if (check.suite != suite) {
      suite = check.suite;
      const auto found = std::ranges::find(words, suite, &Words::suite);
      text += fmt::format("\n## {}\n\n{}\n\n| integrator | orbit | measured | | bound | |\n|---|---|---|---|---|---|\n",
                          suite, found != std::end(words) ? found->text : "");
    }
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} |\n", check.integrator, check.orbit, cell(check.what),
                    check.bound.measured_text(check.measured), check.bound.text(), check.passed() ? "" : "**beyond**");
  }
  text += "\n## Why these bounds\n\n";
  std::map<std::string, bool> said;
  for (const Check& check : findings.checks) {
    const std::string line = fmt::format("- {}: {}\n", check.suite, cell(check.why));
    // Reasons that differ between orbits only by a number are in the JSON.
    if (check.why.find("times") == std::string::npos && !std::exchange(said[line], true)) text += line;
  }
  return text;
}

}  // namespace orrery::pipeline

int main(int arguments, char** words) {
  using namespace orrery;
  using namespace orrery::pipeline;
  if (arguments < 2) return std::fputs("validation_page FOLDER [--quick]\n", stderr), 2;
  const bool quick = arguments > 2 && std::string_view(words[2]) == "--quick";
  const std::filesystem::path folder = words[1];
  std::filesystem::create_directories(folder / "validation");
  Context silent;
  const Conditions conditions{.context = silent, .quick = quick, .make = [](sim::System system) {
                                return sim::cpu_backend.make(std::move(system), {.threads = 1});
                              }};
  const Findings found =
      carry_out(planned({.quick = quick}), conditions, usable_threads(), [](double) { return false; });
  std::vector<std::string> names;
  for (const auto& file : draw(found, folder / "validation")) names.push_back("validation/" + file.filename().string());
  std::ofstream(folder / "validation.md") << page(found, names);
  return std::ranges::all_of(found.checks, &Check::passed) ? 0 : 1;
}
