/* The library loaded, used and unloaded again and again, as an interpreter does with its extensions. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <orrery/orrery.h>
#include <stdio.h>
#include <string.h>

/* The function of that name, as a type of its own; a cast of an object pointer is not C. */
#define LOAD(library, name) memcpy(&(name##_), (void* [1]){dlsym(library, #name)}, sizeof(name##_))

static orrery_status (*orrery_context_create_)(const orrery_context_options*, orrery_context**);
static void (*orrery_context_free_)(orrery_context*);
static orrery_status (*orrery_model_from_toml_)(orrery_context*, const char*, const char*, const char*,
                                                const char* const*, size_t, orrery_model**);
static void (*orrery_model_free_)(orrery_model*);
static orrery_status (*orrery_simulation_create_)(orrery_model*, const orrery_backend_options*, orrery_simulation**);
static orrery_status (*orrery_simulation_advance_)(orrery_simulation*, int64_t);
static orrery_status (*orrery_simulation_hash_)(orrery_simulation*, char[17]);
static void (*orrery_simulation_free_)(orrery_simulation*);

int main(void) {
  static const char* const scenario =
      "[[initial]]\nkind = \"figure-eight\"\n[[force]]\nkind = \"gravity\"\n"
      "[integrator]\nkind = \"leapfrog\"\ndt = 0.01\nsteps = 50\n[backend]\nkind = \"cpu\"\n";
  char first[17] = "";
  int round;
  for (round = 0; round < 8; ++round) {
    void* const library = dlopen("liborrery.so." ORRERY_SONAME, RTLD_NOW | RTLD_LOCAL);
    orrery_context* context = NULL;
    orrery_model* model = NULL;
    orrery_simulation* simulation = NULL;
    orrery_status status;
    char hash[17] = "";
    if (library == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 2;
    }
    LOAD(library, orrery_context_create);
    LOAD(library, orrery_context_free);
    LOAD(library, orrery_model_from_toml);
    LOAD(library, orrery_model_free);
    LOAD(library, orrery_simulation_create);
    LOAD(library, orrery_simulation_advance);
    LOAD(library, orrery_simulation_hash);
    LOAD(library, orrery_simulation_free);
    status = orrery_context_create_(NULL, &context);
    if (!status) status = orrery_model_from_toml_(context, scenario, NULL, NULL, NULL, 0, &model);
    if (!status) status = orrery_simulation_create_(model, NULL, &simulation);
    if (!status) status = orrery_simulation_advance_(simulation, 50);
    if (!status) status = orrery_simulation_hash_(simulation, hash);
    orrery_simulation_free_(simulation);
    orrery_model_free_(model);
    orrery_context_free_(context);
    dlclose(library);
    if (status) return 1;
    if (round == 0) memcpy(first, hash, sizeof first);
    if (strcmp(first, hash) != 0) return 3;
  }
  printf("%s\n", first);
  return 0;
}
