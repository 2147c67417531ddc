/* Handles made and freed again and again, in any order, also after failures, and on two threads at once. Run under the sanitizers of
 * addresses and leaks by tests/consumer_test.sh. */
#include <orrery/orrery.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 12

/* What one thread computes, and what came out. */
struct work {
  const char* backend;
  int64_t bodies, steps;
  int threads, failed;
  char hash[17];
};

static int stop_at_once(void* user, double done, const char* what) {
  (void)done, (void)what;
  ++*(int*)user;
  return 1;
}

static int expect(const struct work* work, int holds, const char* what) {
  if (!holds) fprintf(stderr, "%s, %s: not so\n", work->backend, what);
  return !holds;
}

/* A Plummer sphere, stepped once more in each round. Returns the number of failures. */
static int one_round(struct work* work, int round) {
  const orrery_key plummer[] = {orrery_integer("n", work->bodies)}, wrong[] = {orrery_number("softning", 0.1)};
  orrery_backend_options where = ORRERY_INIT(orrery_backend_options);
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  orrery_state state = ORRERY_INIT(orrery_state);
  orrery_context* context = NULL;
  orrery_model* model = NULL;
  orrery_simulation* simulation = NULL;
  char hash[17] = "";
  int failed = 0;
  options.threads = work->threads;
  where.kind = work->backend;
  failed += expect(work, orrery_context_create(&options, &context) == ORRERY_OK, "a context is made");
  failed += expect(work, orrery_model_create(context, &model) == ORRERY_OK, "a model is made");
  failed += expect(work, orrery_model_add_initial(model, "plummer", plummer, 1) == ORRERY_OK, "bodies are added");
  failed +=
      expect(work, orrery_model_set_force(model, "gravity", wrong, 1) == ORRERY_REFUSED, "a wrong key is refused");
  failed += expect(work, strstr(orrery_context_message(context), "softning") != NULL, "it is named");
  failed += expect(work, orrery_model_set_steps(model, 0.01, work->steps) == ORRERY_OK, "steps are set");
  failed += expect(work, orrery_simulation_create(model, &where, &simulation) == ORRERY_OK, "a simulation is made");
  if (round % 2 == 0) orrery_model_free(model), model = NULL;
  failed += expect(work, orrery_simulation_advance(simulation, work->steps) == ORRERY_OK, "it advances");
  failed += expect(work, orrery_simulation_state(simulation, &state) == ORRERY_OK, "it has a state");
  failed += expect(work, state.count == (size_t)work->bodies && state.step == work->steps, "of all bodies");
  failed += expect(work, orrery_simulation_hash(simulation, hash) == ORRERY_OK, "and a hash");
  if (round > 0) failed += expect(work, strcmp(hash, work->hash) == 0, "which is that of the round before");
  memcpy(work->hash, hash, sizeof hash);
  if (round % 3 == 0) orrery_context_free(context), context = NULL;
  orrery_simulation_free(simulation);
  orrery_model_free(model);
  orrery_context_free(context);
  return failed;
}

static void* rounds(void* argument) {
  struct work* const work = argument;
  int round;
  for (round = 0; round < ROUNDS; ++round) work->failed += one_round(work, round);
  return NULL;
}

/* A run that its caller stops, and what is left of it. */
static int stopped_run(void) {
  const orrery_key plummer[] = {orrery_integer("n", 257)};
  const struct work work = {.backend = "cpu"};
  orrery_context_options options = ORRERY_INIT(orrery_context_options);
  orrery_context* context = NULL;
  orrery_model* model = NULL;
  int calls = 0, failed = 0;
  options.progress = stop_at_once, options.user = &calls;
  failed += expect(&work, orrery_context_create(&options, &context) == ORRERY_OK, "a context is made");
  failed += expect(&work, orrery_model_create(context, &model) == ORRERY_OK, "a model is made");
  failed += expect(&work, orrery_model_add_initial(model, "plummer", plummer, 1) == ORRERY_OK, "bodies are added");
  failed += expect(&work, orrery_model_set_steps(model, 0.001, 1000000) == ORRERY_OK, "steps are set");
  failed += expect(&work, orrery_run(model, NULL, "stopped.h5") == ORRERY_STOPPED, "a run is stopped");
  failed += expect(&work, calls > 0, "by its caller");
  orrery_model_free(model);
  orrery_context_free(context);
  return failed;
}

int main(void) {
  struct work two[] = {{.backend = "cpu", .bodies = 257, .steps = 20, .threads = 2},
                       {.backend = "reference", .bodies = 129, .steps = 20, .threads = 1}};
  struct work alone[] = {two[0], two[1]};
  pthread_t thread[2];
  int failed = stopped_run(), k;
  for (k = 0; k < 2; ++k) {
    if (pthread_create(&thread[k], NULL, rounds, &two[k]) != 0) return 2;
  }
  for (k = 0; k < 2; ++k) {
    pthread_join(thread[k], NULL);
    failed += two[k].failed + one_round(&alone[k], 0) + (strcmp(alone[k].hash, two[k].hash) != 0);
    printf("%s: %s\n", two[k].backend, two[k].hash);
  }
  return failed != 0;
}
