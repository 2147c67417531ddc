/* SPDX-License-Identifier: MIT */
/* Three bodies: a run that is watched every hundred steps, its file, and a figure of it. */
#include <orrery/orrery.h>
#include <stdio.h>

static int look(void* user, const orrery_state* state, const orrery_observables* now) {
  (void)user;
  printf("t = %4.1f  B at %8.5f %8.5f  energy error %9.2e\n", state->time, state->position.x[1], state->position.y[1],
         now->energy_error);
  return 0; /* go on */
}

int main(void) {
  const double mass[] = {1, 1e-3, 1e-4};
  const double position[][3] = {{0, 0, 0}, {1, 0, 0}, {0, -2, 0.1}}, velocity[][3] = {{0, 0, 0}, {0, 1, 0}, {0.7, 0, 0}};
  const char* const names[] = {"A", "B", "C"};
  const orrery_key every = orrery_integer("every", 10);
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  orrery_context* context = NULL;
  orrery_model* model = NULL;
  orrery_status status = orrery_context_create(NULL, &context);
  bodies.count = 3, bodies.mass = mass, bodies.names = names;
  bodies.position = orrery_rows_of_three(position[0], 3);
  bodies.velocity = orrery_rows_of_three(velocity[0], 3);
  options.trajectory = &every, options.trajectory_count = 1;
  options.observe = look, options.observe_every = 100;

  if (!status) status = orrery_model_create(context, &model);
  if (!status) status = orrery_model_add_bodies(model, &bodies);
  if (!status) status = orrery_model_set_integrator(model, "yoshida4", NULL, 0);
  if (!status) status = orrery_model_set_steps(model, 0.01, 1000);
  if (!status) status = orrery_run(model, &options, "three.h5");
  if (!status) status = orrery_draw(context, "three.h5", ORRERY_FIGURE, "projection", NULL, 0, "three.svg");
  if (status) fprintf(stderr, "%s\n", orrery_context_message(context));
  orrery_model_free(model);
  orrery_context_free(context);
  return status != ORRERY_OK;
}
