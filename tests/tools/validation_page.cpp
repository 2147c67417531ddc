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
     "Two bodies of masses 1 and 0.3 with e = 0.5, from pericentre, with steps of dt, against Kepler's "
     "equation. The slope of log error against log dt is taken over the seven finest steps whose error is "
     "thirty times the rounding. Rounding is how far apart the same run comes out in axes that are turned: the "
     "method is the same, the last bits are not. Times are no period, half or third of one. Methods of an odd "
     "order that are not symplectic lose energy by odd powers of h alone, so their errors grow as t² and their "
     "order is at its purest after many periods. The order of the fifteenth meets rounding before h² is as "
     "good as nothing: its slope is p of log error = C + p log h + c h², from errors three hundred times the "
     "rounding."},
    {"own-steps",
     "Two bodies with e = 0.9 for ten periods, with steps of the integrators' own choice and seven accuracies, each a "
     "quarter of the one before. What is compared with the accuracy goes with a power of the step (the fifth for rk45, "
     "the second for hermite4, the seventh for ias15), so steps and errors go with powers of the accuracy. States are "
     "looked at when no step ends. Within steps they are compared with the true orbit through the beginning of the "
     "step."},
    {"work",
     "What an error of the same two bodies costs after 10.43 periods, with steps of dt and with their own: "
     "nothing is asked here, but choosing an integrator is done with these numbers and the figures above."},
    {"reversal",
     "Forward, and back with −dt; those that choose their steps come back by others. A method that is its own adjoint "
     "comes back to the start but for rounding, one with a tolerance but for that in every step. "
     "symplectic-euler and ruth3 are symplectic but not their own adjoints, so −dt cannot undo their steps, "
     "nor those of Runge, Kutta, Hermite and Gauss-Radau: of these the miss must fall at least as fast as the "
     "order says."},
    {"long-run",
     "The same two bodies for ten thousand periods. A symplectic method keeps an energy that is near the true "
     "one, so the error has the same extremes in the last tenth as in the first (Hairer, Lubich & Wanner, "
     "Geometric Numerical Integration, IX.8). Others lose the same in every period. Where nothing but rounding "
     "is left, the bound is ten times the width of its random walk: 10 · 2⁻⁵³ √(kicks and drifts)."},
    {"closure",
     "Periodic orbits, with digits that close them to 1e-24: what is left at T is the integrator's. The bound "
     "for an integrator whose own error is below rounding is ten random walks of it, times the greatest speed "
     "on the way, times the orbit's own amplification, which neighbouring runs measure; for one with a "
     "tolerance, that in every step, amplified."},
    {"orbits",
     "Lagrange's triangle of equal masses, disturbed by 1e-10, must fall apart by exp(2π/√2) = 85.02 a period. "
     "Jupiter after 10 000 days is compared with 113-bit arithmetic. The limits for steps of 58 days are those "
     "of REBOUND's own tests, whose leapfrogs of order 2 and 4 are leapfrog-dkd and forest-ruth; its limit of "
     "1e-9 for order 6 is one for nine stages of Kahan and Li, and yoshida6, which has seven, does not meet "
     "it, nor yoshida4 the 3e-6: their numbers stand without a bound. A restart leaves no bit different."},
    {"rounding",
     "What is left where an integrator's own error is below that of double. Over 1e5 periods of Jupiter the "
     "energy of four runs in turned axes walks at random. The encounters of the Pythagorean problem amplify "
     "the last bit of a double: the figure shows how far two runs in turned axes, which differ in nothing but "
     "last bits, come apart. Within 2e-3 at t = 70, as is asked, must be the run in the axes of the scenario "
     "and the greatest of eight in turned axes; their median is shown."},
};

constexpr std::string_view opening = R"(# What was validated: `orrery validate`

```sh
orrery validate                          # all of it; some minutes on two cores
orrery validate --quick                  # seconds: a part of the tests
orrery validate --integrator ias15 --orbit pythagorean --json result.json
```

Made by {} and `build/release/bin/validation_page docs`: {} checks, {}. Bounds come from theory and from references, never from what the program gives, and the exit
code is 1 where one does not hold. What has no bound is there to be seen. A test makes the coefficients of the integrators
wrong by 1e-4, one after the other, and each time the suite `order` fails; left out are eight that theory keeps silent. Of
those that choose their steps it makes all by which positions move wrong by 1e-6, and the suite `own-steps` fails too.
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
    // What differs from orbit to orbit by a number stands in the JSON.
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
  const Context context{.quick = quick, .make = [](sim::System system) {
                          return sim::cpu_backend.make(std::move(system), {.threads = 1});
                        }};
  const Findings found = carry_out(planned({.quick = quick}), context, usable_threads(), [](double) { return false; });
  std::vector<std::string> names;
  for (const auto& file : draw(found, folder / "validation")) names.push_back("validation/" + file.filename().string());
  std::ofstream(folder / "validation.md") << page(found, names);
  return std::ranges::all_of(found.checks, &Check::passed) ? 0 : 1;
}
