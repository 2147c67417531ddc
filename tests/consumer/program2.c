/* SPDX-License-Identifier: MIT */
/* Gravity and leapfrog once more, as a law and an integrator of this program: a run with them has the hash of one with those of the
 * library, on every backend. */
#include <orrery/orrery.h>

#include <stdio.h>
#include <string.h>

enum { bodies = 300, steps = 50 };

/* c = r⁻³, u = −1/r and the slope −3 r⁻⁵ of each r², in blocks that the library's own powers take. */
static int gravity(void* user, size_t n, const double* r2, double* c, double* u, double* slope,
                   const double* parameters) {
  double y[64];
  (void)user, (void)parameters;
  orrery_inverse_cube(n, r2, c);
  for (size_t begin = 0; (u || slope) && begin < n; begin += 64) {
    const size_t count = n - begin < 64 ? n - begin : 64;
    orrery_inverse_root(count, r2 + begin, y);
    for (size_t k = 0; k < count; ++k) {
      if (u) u[begin + k] = 0.0 - y[k];
      if (slope) slope[begin + k] = -3.0 * (c[begin + k] * (y[k] * y[k]));
    }
  }
  return 0;
}

static int leapfrog(void* user, orrery_stepper* bodies_now, const orrery_step* step) {
  (void)user;
  orrery_step_accelerate(bodies_now); /* known from the step before, except in the first one */
  orrery_step_kick(bodies_now, step->dt / 2);
  orrery_step_drift(bodies_now, step->dt);
  orrery_step_accelerate(bodies_now);
  orrery_step_kick(bodies_now, step->dt / 2);
  return 0; /* an operation that fails ends the work by itself */
}

/* A number in [0, 1), the same on every machine. */
static double draw(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

static int fail(const orrery_context* context, const char* what) {
  fprintf(stderr, "%s: %s\n", what, orrery_context_message(context));
  return 1;
}

int main(void) {
  orrery_context* context = NULL;
  orrery_model* models[2] = {NULL, NULL};
  const char* laws[] = {"gravity", "my-gravity"};
  const char* integrators[] = {"leapfrog", "my-leapfrog"};
  const char* backends[] = {"reference", "cpu"};
  const char* files[] = {"builtin/run.h5", "own/run.h5"};
  double mass[bodies], position[bodies][3], velocity[bodies][3];
  orrery_law law = ORRERY_INIT(orrery_law);
  orrery_integrator integrator = ORRERY_INIT(orrery_integrator);
  const orrery_key softening = orrery_number("softening", 0.05);
  char expected[17] = "";
  int same = 0;

  if (orrery_context_create(NULL, &context) != ORRERY_OK) return 1;
  law.name = "my-gravity", law.meaning = "gravity, by a program", law.slope = 1, law.pairs = gravity;
  integrator.name = "my-leapfrog", integrator.meaning = "leapfrog, by a program";
  integrator.reference = "Verlet 1967, Phys. Rev. 159, 98";
  integrator.order = 2, integrator.symplectic = integrator.symmetric = 1;
  integrator.same_each_step = 1, integrator.step = leapfrog;
  if (orrery_register_law(context, &law) != ORRERY_OK || orrery_register_integrator(context, &integrator) != ORRERY_OK)
    return fail(context, "registering");

  for (size_t i = 0; i < bodies; ++i) {
    mass[i] = i % 7 == 3 ? 0 : 1.0 / bodies; /* some are test particles */
    for (size_t q = 0; q < 3; ++q) position[i][q] = 2 * draw() - 1, velocity[i][q] = draw() - 0.5;
  }
  for (size_t k = 0; k < 2; ++k) {
    orrery_bodies all = ORRERY_INIT(orrery_bodies);
    all.count = bodies, all.mass = mass;
    all.position = orrery_rows_of_three(position[0], bodies), all.velocity = orrery_rows_of_three(velocity[0], bodies);
    if (orrery_model_create(context, &models[k]) != ORRERY_OK ||
        orrery_model_add_bodies(models[k], &all) != ORRERY_OK ||
        orrery_model_set_force(models[k], laws[k], &softening, 1) != ORRERY_OK ||
        orrery_model_set_integrator(models[k], integrators[k], NULL, 0) != ORRERY_OK ||
        orrery_model_set_steps(models[k], 1e-3, steps) != ORRERY_OK)
      return fail(context, laws[k]);
    for (size_t b = 0; b < 2; ++b) {
      orrery_backend_options options = ORRERY_INIT(orrery_backend_options);
      orrery_simulation* simulation = NULL;
      char hash[17];
      options.kind = backends[b];
      if (orrery_simulation_create(models[k], &options, &simulation) != ORRERY_OK ||
          orrery_simulation_advance(simulation, steps) != ORRERY_OK ||
          orrery_simulation_hash(simulation, hash) != ORRERY_OK)
        return fail(context, backends[b]);
      printf("%s with %s on %s: state %s\n", laws[k], integrators[k], backends[b], hash);
      if (expected[0] == '\0') strcpy(expected, hash);
      if (strcmp(hash, expected) != 0) return fputs("another state than that of the library's own\n", stderr), 1;
      orrery_simulation_free(simulation);
    }
    if (orrery_run(models[k], NULL, files[k]) != ORRERY_OK) return fail(context, files[k]);
    orrery_model_free(models[k]);
  }
  /* The program `orrery` refuses to repeat this run, since it does not have the law; here it is registered. */
  if (orrery_verify(context, files[1], &same) != ORRERY_OK) return fail(context, "verifying");
  printf("%s: %s\n", files[1], same ? "the same bits again" : "other bits");
  orrery_context_free(context);
  return same ? 0 : 1;
}
