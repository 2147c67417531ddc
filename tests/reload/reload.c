/* SPDX-License-Identifier: MIT */
/* Loads the library named by the argument, works with it and unloads it, three times. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/public/orrery.h"

/* A function of the library; ISO C has no conversion of the pointer. */
#define LOAD(function)                                                  \
  do {                                                                  \
    void* found = dlsym(library, "orrery_" #function);                  \
    if (found == NULL) return fprintf(stderr, "no " #function "\n"), 1; \
    memcpy(&function, &found, sizeof found);                            \
  } while (0)

static const char* const scenario =
    "[initial]\nkind = \"plummer\"\nn = 300\n[integrator]\ndt = 0.01\nsteps = 5\n[backend]\nkind = \"cpu\"\n";

static int use(void* library, char hash[17]) {
  orrery_status (*context_create)(const orrery_context_options*, orrery_context**);
  orrery_status (*model_from_toml)(orrery_context*, const char*, const char*, const char*, const char* const*, size_t,
                                   orrery_model**);
  orrery_status (*simulation_create)(orrery_model*, const orrery_backend_options*, orrery_simulation**);
  orrery_status (*simulation_advance)(orrery_simulation*, int64_t);
  orrery_status (*simulation_hash)(orrery_simulation*, char*);
  const orrery_plug_in* (*plug_in_at)(orrery_topic, size_t);
  void (*simulation_free)(orrery_simulation*);
  void (*model_free)(orrery_model*);
  void (*context_free)(orrery_context*);
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  orrery_context* context = NULL;
  orrery_model* model = NULL;
  orrery_simulation* simulation = NULL;
  orrery_status status;
  LOAD(context_create);
  LOAD(model_from_toml);
  LOAD(simulation_create);
  LOAD(simulation_advance);
  LOAD(simulation_hash);
  LOAD(plug_in_at);
  LOAD(simulation_free);
  LOAD(model_free);
  LOAD(context_free);
  options.threads = 2;
  status = context_create(&options, &context);
  if (!status) status = model_from_toml(context, scenario, NULL, NULL, NULL, 0, &model);
  if (!status) status = simulation_create(model, NULL, &simulation);
  if (!status) status = simulation_advance(simulation, 5);
  if (!status) status = simulation_hash(simulation, hash);
  simulation_free(simulation);
  model_free(model);
  context_free(context);
  return status != ORRERY_OK || plug_in_at(ORRERY_FIGURES, 0) == NULL;
}

int main(int count, char** arguments) {
  char first[17] = "", hash[17] = "";
  int k;
  for (k = 0; k < 3; ++k) {
    void* library = dlopen(count > 1 ? arguments[1] : "liborrery.so", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (use(library, k == 0 ? first : hash) != 0) return fprintf(stderr, "time %d: it fails\n", k), 1;
    if (k > 0 && strcmp(first, hash) != 0) return fprintf(stderr, "time %d: other bits\n", k), 1;
    if (dlclose(library) != 0) return fprintf(stderr, "%s\n", dlerror()), 1;
  }
  return 0;
}
