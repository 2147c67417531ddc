/* SPDX-License-Identifier: MIT */
/* orrery.h as C99 reads it: the sizes that ORRERY_INIT sets, and the keys that the inline functions make. */
#include "pipeline/public/orrery.h"

size_t size_in_c99(void) {
  orrery_run_options options = ORRERY_INIT(orrery_run_options);
  return options.size == sizeof(orrery_run_options) && options.observe == NULL ? options.size : 0;
}

/* Makes, steps and frees a model; returns the last status. */
orrery_status steps_in_c99(orrery_context* context, char hash[17]) {
  const double mass[] = {1, 0.5};
  const double position[][3] = {{0, 0, 0}, {1, 0, 0}}, velocity[][3] = {{0, 0, 0}, {0, 1.2, 0}};
  const orrery_key softening = orrery_number("softening", 0.01);
  orrery_bodies bodies = ORRERY_INIT(orrery_bodies);
  orrery_model* model = NULL;
  orrery_simulation* simulation = NULL;
  orrery_status status;
  bodies.count = 2;
  bodies.mass = mass;
  bodies.position = orrery_rows_of_three(position[0], 2);
  bodies.velocity = orrery_rows_of_three(velocity[0], 2);
  status = orrery_model_create(context, &model);
  if (status == ORRERY_OK) status = orrery_model_add_bodies(model, &bodies);
  if (status == ORRERY_OK) status = orrery_model_set_force(model, "gravity", &softening, 1);
  if (status == ORRERY_OK) status = orrery_model_set_steps(model, 0.01, 0);
  if (status == ORRERY_OK) status = orrery_simulation_create(model, NULL, &simulation);
  if (status == ORRERY_OK) status = orrery_simulation_advance(simulation, 10);
  if (status == ORRERY_OK) status = orrery_simulation_hash(simulation, hash);
  orrery_simulation_free(simulation);
  orrery_model_free(model);
  return status;
}
