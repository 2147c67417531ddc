/* SPDX-License-Identifier: MIT */
/*
 * The C interface of orrery: N-body models, their simulation, runs, trajectory files and pictures.
 *
 * Handles. Each kind of object has orrery_KIND_create, or another function that makes it, and orrery_KIND_free, which
 * accepts NULL. Handles may be freed in any order: one that needs another keeps what it needs. A handle, and all that were
 * made with the same context, are for one thread at a time; handles of different contexts are independent of each other.
 *
 * Errors. A function that can fail returns an orrery_status; then its results are not touched. The text of the failure, and
 * the key and the place that it is about, belong to the context until its next call.
 *
 * Memory. What is passed in is copied before the function returns. A view that is returned (a pointer, a stride, a count) is
 * for reading, and valid until the handle from which it comes advances, refreshes or is freed; its stride is 1. Texts are
 * UTF-8 and end with a zero.
 *
 * Structs. One that begins with `size` is made by the caller, also if it receives results: `type name = ORRERY_INIT(type);`
 * sets its size, and all else to zero, which means the default. Later versions may append fields, and know by `size` which
 * the caller has.
 *
 * Callbacks are called in the thread that called the library. They must not call functions with a handle of the same
 * context, which return ORRERY_MISUSED there, must not free handles, and must not leave by longjmp. If one throws a C++
 * exception, the call fails with its text; the wrapper orrery.hpp throws it again instead.
 *
 * The library handles no signals, prints nothing, and never ends the process.
 */
#ifndef ORRERY_ORRERY_H
#define ORRERY_ORRERY_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ORRERY_API __attribute__((visibility("default")))
#else
#define ORRERY_API
#endif

/* A struct of this type with its size, and zeros. */
#ifdef __cplusplus
template <class Struct>
constexpr Struct orrery_sized() {
  Struct zeros{};
  zeros.size = sizeof(Struct);
  return zeros;
}
#define ORRERY_INIT(type) orrery_sized<type>()
extern "C" {
#else
#define ORRERY_INIT(type) \
  { .size = sizeof(type) }
#endif

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/* What became of a call. */
typedef enum orrery_status {
  ORRERY_OK = 0,
  ORRERY_FAILED = 1,  /* the work failed: a file, a device, memory, numbers out of range */
  ORRERY_REFUSED = 2, /* the request cannot be carried out as given: a key, a value, a file that is no trajectory */
  ORRERY_STOPPED = 3, /* a callback said so; what was done until then is consistent */
  ORRERY_MISUSED = 4  /* a null handle or pointer, a struct of unknown size, an index out of range */
} orrery_status;

/* The version of the library that runs, "0.1.0". */
ORRERY_API const char* orrery_version(void);

/* ---- Context ----------------------------------------------------------------------------------------------------- */

/* One use of the library: where it computes, whom it tells, who stops it, and its last error. */
typedef struct orrery_context orrery_context;

/* What a message is about. */
typedef enum orrery_log_kind {
  ORRERY_LOG_INFO = 0,   /* what was done */
  ORRERY_LOG_RESULT = 1, /* a result, such as the hash of the last state of a run, or a line of a comparison */
  ORRERY_LOG_NOTE = 2,   /* what is left out or remains to be done */
  ORRERY_LOG_WARNING = 3 /* what differs from the request, or is doubtful, and what to do */
} orrery_log_kind;

/* Options of a context; zeros are the defaults. */
typedef struct orrery_context_options {
  size_t size;
  int threads; /* of the processor; 0: all that this process may use */
  int device;  /* index of the GPU */
  /* Receives each message, a line without its end, valid during the call. NULL: messages are dropped. */
  void (*log)(void* user, orrery_log_kind kind, const char* text);
  /* Called at each slice of the stepping (some 50 ms) and at each frame of a film, with the part that is done, from 0 to 1,
   * and what it is a part of. If it returns other than 0, the work ends as soon as its result is consistent, with
   * ORRERY_STOPPED. NULL: nothing is called. */
  int (*progress)(void* user, double done, const char* what);
  void* user; /* the first argument of both */
} orrery_context_options;

/* `options` may be NULL. Returns ORRERY_MISUSED or, without memory, ORRERY_FAILED. */
ORRERY_API orrery_status orrery_context_create(const orrery_context_options* options, orrery_context** context);
/* Handles that were made with it stay valid; its log and its progress are not called any more. */
ORRERY_API void orrery_context_free(orrery_context* context);

/* The last failure of a function with this context or one of its handles: what is wrong, where, and what to do, in one line;
 * "" after a success. */
ORRERY_API const char* orrery_context_message(const orrery_context* context);
/* The key that it is about, "dt"; "" if it is about none. */
ORRERY_API const char* orrery_context_key(const orrery_context* context);
/* Where that stands: "x.toml:3:8" in a text, "[integrator]" or "[[initial]] plummer" for keys that a function was given; "" if
 * nowhere. */
ORRERY_API const char* orrery_context_place(const orrery_context* context);

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

/* Kinds of values of keys, with the member of orrery_key that has the value. */
typedef int orrery_kind;
enum {
  ORRERY_BOOLEAN = 0,          /* integer, 0 or 1 */
  ORRERY_INTEGER = 1,          /* integer; may stand for a number */
  ORRERY_NUMBER = 2,           /* number; a whole one may stand for an integer */
  ORRERY_TEXT = 3,             /* text */
  ORRERY_NUMBERS = 4,          /* numbers[count] */
  ORRERY_TEXTS = 5,            /* texts[count] */
  ORRERY_RECORDS = 6,          /* records[count] */
  ORRERY_NUMBER_OR_TEXT = 7,   /* only of parameters: a duration may be 0.5 or "2 periods" */
  ORRERY_NUMBERS_OR_TEXTS = 8, /* only of parameters */
  ORRERY_TEXT_OR_TEXTS = 9     /* only of parameters */
};

struct orrery_record;

/* The value of a named key. Keys, their values and their checks are those of scenarios; `orrery list` and
 * orrery_parameter_at say which there are. Build it with orrery_number and its kind. */
typedef struct orrery_key {
  const char* name;
  orrery_kind kind;
  int64_t integer;
  double number;
  const char* text;
  const double* numbers;
  const char* const* texts;
  const struct orrery_record* records;
  size_t count;
} orrery_key;

/* Keys of one entry of a list: of a part of a picture, for example. */
typedef struct orrery_record {
  const orrery_key* keys;
  size_t count;
} orrery_record;

static inline orrery_key orrery_any_key(const char* name, orrery_kind kind) {
  orrery_key key;
  key.name = name, key.kind = kind, key.integer = 0, key.number = 0, key.text = NULL, key.numbers = NULL,
  key.texts = NULL;
  key.records = NULL, key.count = 0;
  return key;
}
static inline orrery_key orrery_boolean(const char* name, int value) {
  orrery_key key = orrery_any_key(name, ORRERY_BOOLEAN);
  key.integer = value != 0;
  return key;
}
static inline orrery_key orrery_integer(const char* name, int64_t value) {
  orrery_key key = orrery_any_key(name, ORRERY_INTEGER);
  key.integer = value;
  return key;
}
static inline orrery_key orrery_number(const char* name, double value) {
  orrery_key key = orrery_any_key(name, ORRERY_NUMBER);
  key.number = value;
  return key;
}
static inline orrery_key orrery_text(const char* name, const char* value) {
  orrery_key key = orrery_any_key(name, ORRERY_TEXT);
  key.text = value;
  return key;
}
static inline orrery_key orrery_numbers(const char* name, const double* values, size_t count) {
  orrery_key key = orrery_any_key(name, ORRERY_NUMBERS);
  key.numbers = values, key.count = count;
  return key;
}
static inline orrery_key orrery_texts(const char* name, const char* const* values, size_t count) {
  orrery_key key = orrery_any_key(name, ORRERY_TEXTS);
  key.texts = values, key.count = count;
  return key;
}
static inline orrery_key orrery_records(const char* name, const orrery_record* values, size_t count) {
  orrery_key key = orrery_any_key(name, ORRERY_RECORDS);
  key.records = values, key.count = count;
  return key;
}

/* ---- Lists of all plug-ins --------------------------------------------------------------------------------------- */

/* What is listed. */
typedef int orrery_topic;
enum {
  ORRERY_INITIAL_STATES = 0,
  ORRERY_PAIR_FORCES = 1,
  ORRERY_FIELDS = 2,
  ORRERY_SOLVERS = 3,
  ORRERY_INTEGRATORS = 4,
  ORRERY_BOUNDARIES = 5,
  ORRERY_BACKENDS = 6,
  ORRERY_UNITS = 7,
  ORRERY_FIGURES = 8,
  ORRERY_FILMS = 9,
  ORRERY_TABLES = 10 /* keys without plug-ins: "top", "domain", "trajectory", "observables", "backend", "perturb" */
};

/* Descriptions live as long as the library is loaded. */
typedef struct orrery_parameter {
  size_t size; /* of this struct in the library: later versions may append fields */
  const char* name;
  orrery_kind kind;
  const char* meaning;
  const char* unit;        /* "length", "mass", …; "" if it is dimensionless */
  const char* fallback;    /* its default as TOML; "" if there is none */
  int optional;            /* may be left out, also without a default */
  double low, high;        /* the range of a number, or of each entry; infinite where there is no limit */
  int low_open, high_open; /* whether the end of the range is excluded */
  size_t entries;          /* of a list; 0: any number */
  const char* const* choices;
  size_t choice_count; /* 0: any text */
} orrery_parameter;

/* Something that a model or a picture names. */
typedef struct orrery_plug_in {
  size_t size; /* of this struct in the library */
  const char* name;
  const char* meaning;
  const char* note; /* order of an integrator, why a backend is absent, …, and where it was published; else "" */
  size_t parameter_count;
} orrery_plug_in;

/* How many there are, in the order of `orrery list`; 0 for an unknown topic. */
ORRERY_API size_t orrery_plug_in_count(orrery_topic topic);
/* NULL beyond the last. */
ORRERY_API const orrery_plug_in* orrery_plug_in_at(orrery_topic topic, size_t index);
/* NULL if there is none of that name. */
ORRERY_API const orrery_plug_in* orrery_plug_in_named(orrery_topic topic, const char* name);
/* Parameter `index` of a plug-in; NULL beyond the last. */
ORRERY_API const orrery_parameter* orrery_parameter_at(const orrery_plug_in* plug_in, size_t index);

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

/* Vectors of `count` bodies to be read: components of body i are x[i·stride], y[i·stride], z[i·stride]. Three arrays have
 * stride 1; an array of [count][3] is {a, a + 1, a + 2, 3, count}. In a plane z may be NULL, which is 0. */
typedef struct orrery_vectors {
  const double* x;
  const double* y;
  const double* z;
  ptrdiff_t stride;
  size_t count;
} orrery_vectors;

/* The same to be written; z may be NULL. */
typedef struct orrery_vectors_out {
  double* x;
  double* y;
  double* z;
  ptrdiff_t stride;
  size_t count; /* for so many there is room; it must be the number of bodies */
} orrery_vectors_out;

/* Numbers to be read: entry i is data[i·stride]. */
typedef struct orrery_numbers_view {
  const double* data;
  ptrdiff_t stride;
  size_t count;
} orrery_numbers_view;

/* [count][3] numbers as vectors. */
static inline orrery_vectors orrery_rows_of_three(const double* rows, size_t count) {
  orrery_vectors view;
  view.x = rows, view.y = rows ? rows + 1 : NULL, view.z = rows ? rows + 2 : NULL, view.stride = 3, view.count = count;
  return view;
}
static inline orrery_vectors_out orrery_rows_of_three_out(double* rows, size_t count) {
  orrery_vectors_out view;
  view.x = rows, view.y = rows ? rows + 1 : NULL, view.z = rows ? rows + 2 : NULL, view.stride = 3, view.count = count;
  return view;
}

/* ---- Model ------------------------------------------------------------------------------------------------------- */

/* Everything that decides the bits of a run: bodies, forces, integrator, domain, units, precision. */
typedef struct orrery_model orrery_model;

/* Open space in three dimensions without bodies; Newtonian gravity with G = 1, all pairs; leapfrog. */
ORRERY_API orrery_status orrery_model_create(orrery_context* context, orrery_model** model);
/* The model, and the output that goes with it, of a scenario in TOML, which may also say how long a run is. `name` (NULL:
 * "scenario") is what messages call the text; CSV files are relative to `folder` (NULL: the current one). `overrides` are as
 * those of --set, "integrator.dt=0.01". */
ORRERY_API orrery_status orrery_model_from_toml(orrery_context* context, const char* text, const char* name,
                                                const char* folder, const char* const* overrides, size_t count,
                                                orrery_model** model);
/* The same of a file: a scenario, a picture that orrery drew, or a trajectory. */
ORRERY_API orrery_status orrery_model_from_file(orrery_context* context, const char* file, const char* const* overrides,
                                                size_t count, orrery_model** model);
/* A copy, to be changed apart from it. */
ORRERY_API orrery_status orrery_model_copy(orrery_model* model, orrery_model** copy);
/* Ends views of it; simulations that were made of it stay. */
ORRERY_API void orrery_model_free(orrery_model* model);

/* An element of the orbits of bodies, by its name or symbol: "semi_major_axis" or "a", "eccentricity" or "e", …; angles in
 * degrees. docs/orbits.md has all and which determine an orbit. */
typedef struct orrery_element {
  const char* name;
  const double* values; /* [count], body i at i·stride; NaN: not given, as for bodies that have positions */
  ptrdiff_t stride;     /* 0: 1 */
} orrery_element;

/* Bodies to add, in the units of the model; all arrays are copied. */
typedef struct orrery_bodies {
  size_t size;
  size_t count;
  const double* mass;    /* [count], body i at i·mass_stride */
  ptrdiff_t mass_stride; /* 0: 1 */
  orrery_vectors position;
  orrery_vectors velocity;  /* x NULL: at rest */
  const double* charge;     /* NULL: none */
  ptrdiff_t charge_stride;  /* 0: 1 */
  const char* const* names; /* [count], each NULL for none; NULL: no names */
  const char* component;    /* the name of all of them in figures; NULL: "table" */
  /* Orbits of bodies about others before them among these; positions and velocities of such bodies are NaN, or `position` has x
   * NULL. */
  const orrery_element* elements;
  size_t element_count;
  const char* const* around; /* [count], a name, "A + B" for a barycentre; NULL: the barycentre of all before */
  const char* const* planes; /* [count], "ecliptic", "equatorial"; NULL: ecliptic, the plane x-y */
  const double* radius;      /* of solid spheres, for figures: forces do not know it; NULL: none */
  ptrdiff_t radius_stride;   /* 0: 1 */
} orrery_bodies;

/* Adds bodies. Their centre of mass is not moved. Refused: numbers that are not finite; names that are not unique, and elements
 * that contradict each other (when the model is used). */
ORRERY_API orrery_status orrery_model_add_bodies(orrery_model* model, const orrery_bodies* bodies);
/* Adds an initial state by name with its keys: "plummer", n, … As in a scenario, the centre of mass of all bodies is put to
 * rest at the origin, unless a key `recentre` says otherwise or there are bodies from arrays. */
ORRERY_API orrery_status orrery_model_add_initial(orrery_model* model, const char* kind, const orrery_key* keys,
                                                  size_t count);
/* Displaces one body, by the keys of [[perturb]]: body, position, velocity, mass. */
ORRERY_API orrery_status orrery_model_perturb(orrery_model* model, const orrery_key* keys, size_t count);

/* Sets the force between pairs, by name with its keys, "gravity", softening. Solver and its keys stay, if they are not
 * given. */
ORRERY_API orrery_status orrery_model_set_force(orrery_model* model, const char* kind, const orrery_key* keys,
                                                size_t count);
/* Sets how it is computed: "direct", "cells", "tree", with the keys of that solver. */
ORRERY_API orrery_status orrery_model_set_solver(orrery_model* model, const char* name, const orrery_key* keys,
                                                 size_t count);
/* Adds an external field, by name with its keys. */
ORRERY_API orrery_status orrery_model_add_field(orrery_model* model, const char* kind, const orrery_key* keys,
                                                size_t count);
/* Sets the integrator, by name with its keys. `dt`, `time` and `steps` stay, if they are not given; with a `kind` of NULL it
 * stays itself, and so do its other keys. */
ORRERY_API orrery_status orrery_model_set_integrator(orrery_model* model, const char* kind, const orrery_key* keys,
                                                     size_t count);
/* Sets the length of a step (negative: backward) and the number of steps of a run. */
ORRERY_API orrery_status orrery_model_set_steps(orrery_model* model, double dt, int64_t steps);
/* Sets the domain by the keys of [domain]: dimensions, boundary, edges, low. */
ORRERY_API orrery_status orrery_model_set_domain(orrery_model* model, const orrery_key* keys, size_t count);
/* Sets the system of units of all numbers: "nbody", "si", "astronomical", "galactic", "au-yr", "stellar", "gadget", "cgs". It decides the constant
   of the force. Keys with a dimension may be texts with units ("1.37 Mearth") from then on; once there are some, other units are refused. */
ORRERY_API orrery_status orrery_model_set_units(orrery_model* model, const char* name);
/* Sets the precision of pair forces: "float64", "mixed", "float32". */
ORRERY_API orrery_status orrery_model_set_precision(orrery_model* model, const char* name);
/* The number that stands for a text with a unit, "29.78 km/s", in the units of the model; `dimension` is as orrery_parameter describes that of a key:
   "length", "mass", "time", "length/time", "charge", "degrees". */
ORRERY_API orrery_status orrery_model_quantity(orrery_model* model, const char* text, const char* dimension,
                                               double* value);
/* Sets the seed of all random numbers. */
ORRERY_API orrery_status orrery_model_set_seed(orrery_model* model, int64_t seed);
/* Sets the date of t = 0: "2026-11-27", "2026-11-27 18:30 UTC", "JD 2461371.5", "J2000"; TDB unless a time scale (TDB, TT, UTC) follows. */
ORRERY_API orrery_status orrery_model_set_epoch(orrery_model* model, const char* epoch);
/* Sets the title of figures and films. */
ORRERY_API orrery_status orrery_model_set_title(orrery_model* model, const char* title);

/* The bodies at the start, made of all initial states. Views are valid until the model is changed or freed. */
typedef struct orrery_bodies_view {
  size_t size;
  size_t count;
  orrery_numbers_view mass;
  orrery_numbers_view charge; /* count 0: none */
  orrery_vectors position;
  orrery_vectors velocity;
  const char* const* names;   /* [count], "" for none */
  orrery_numbers_view radius; /* count 0: none */
} orrery_bodies_view;
/* Makes them. Refused: what does not fit together in the model. */
ORRERY_API orrery_status orrery_model_bodies(orrery_model* model, orrery_bodies_view* bodies);
/* The model as a scenario; the text is valid until the model is changed or freed. It says what was given: `orrery simulate`
 * makes the same run of it. More than 1000 bodies from arrays are
 * replaced by their hash: their run's file has them. */
ORRERY_API orrery_status orrery_model_toml(orrery_model* model, const char** text);
/* Writes the model as a scenario into a file .toml, and bodies from arrays of more than 1000 into CSV files beside it;
 * orrery_model_from_file makes the same model of it. Refused: a file of another content is there, without `replace`. */
ORRERY_API orrery_status orrery_model_save(orrery_model* model, const char* file, int replace);
/* Whether two models have the same bits: bodies, numbers, steps. */
ORRERY_API orrery_status orrery_model_equal(orrery_model* a, orrery_model* b, int* equal);

/* ---- Simulation -------------------------------------------------------------------------------------------------- */

/* A model being stepped, with the backend that computes it. */
typedef struct orrery_simulation orrery_simulation;

/* Where a run is computed, which in float64 decides no bit. NULL instead of this struct: as the model's scenario says, else
 * the fastest on this machine. */
typedef struct orrery_backend_options {
  size_t size;
  const char* kind;    /* "auto", "reference", "cpu", "cuda"; NULL: auto, which may measure them */
  const char* kernel;  /* the loop over pairs; NULL: the default */
  int threads;         /* 0: those of the context */
  const char* devices; /* several GPUs that share the forces, "0,1" or "all"; NULL: the GPU of the context */
  /* For steps that are written with orrery_simulation_kick and the like: the number of scratch columns, and whether
   * orrery_simulation_accelerate_with_jerk is called. Ignored by orrery_run. */
  int scratch_columns;
  int jerk;
} orrery_backend_options;

/* At step 0, t = 0. The model is copied; it needs dt, and no number of steps. */
ORRERY_API orrery_status orrery_simulation_create(orrery_model* model, const orrery_backend_options* options,
                                                  orrery_simulation** simulation);
/* Ends views of it. */
ORRERY_API void orrery_simulation_free(orrery_simulation* simulation);

/* Takes steps of dt. Returns ORRERY_STOPPED at the step that was reached if the progress callback says so. After
 * ORRERY_FAILED (bodies out of the range of numbers) the state is not defined. */
ORRERY_API orrery_status orrery_simulation_advance(orrery_simulation* simulation, int64_t steps);

/* Never fails; 0 for NULL. */
ORRERY_API int64_t orrery_simulation_step(const orrery_simulation* simulation);
/* step·dt */
ORRERY_API double orrery_simulation_time(const orrery_simulation* simulation);
/* The number of bodies. */
ORRERY_API size_t orrery_simulation_count(const orrery_simulation* simulation);
/* The kind of backend that was chosen, "cpu"; "" for NULL. */
ORRERY_API const char* orrery_simulation_backend(const orrery_simulation* simulation);

/* A moment of a run. */
typedef struct orrery_state {
  size_t size;
  int64_t step;
  double time;
  size_t count;
  orrery_numbers_view mass;
  orrery_vectors position;
  orrery_vectors velocity;
  orrery_vectors image; /* box images, x + image·length is the unwrapped coordinate; x NULL if no axis is periodic */
} orrery_state;
/* Valid until the simulation advances or changes. */
ORRERY_API orrery_status orrery_simulation_state(orrery_simulation* simulation, orrery_state* state);

/* Quantities of the whole system, in the units of the model. */
typedef struct orrery_observables {
  size_t size;
  double kinetic_energy;
  double potential_energy;
  double total_energy;
  double momentum[3];
  double angular_momentum[3]; /* about the origin */
  double center_of_mass[3];
  double virial;       /* of pair forces with a cutoff, else 0 */
  double energy_error; /* relative to the start, as `orrery info` gives it; 0 at the start */
} orrery_observables;
/* Of the current state. Changes nothing, and costs an evaluation of the forces unless they are known with the potential. */
ORRERY_API orrery_status orrery_simulation_observe(orrery_simulation* simulation, orrery_observables* observables);
/* The hash of the current state, 16 hexadecimal digits and a zero, as `orrery info` gives that of a run's last state. */
ORRERY_API orrery_status orrery_simulation_hash(orrery_simulation* simulation, char hash[17]);

/* The operations that steps consist of. With them a step can be written outside; they change neither step nor time. The
 * result has the same bits on every backend. */
typedef int orrery_column;
enum {
  ORRERY_POSITION = 0,
  ORRERY_VELOCITY = 1,
  ORRERY_ACCELERATION = 2,
  ORRERY_SCRATCH = 3 /* the first scratch column; further ones are ORRERY_SCRATCH + k */
};

/* factor · source */
typedef struct orrery_term {
  double factor;
  orrery_column source;
} orrery_term;

/* a ← Σ forces at the current positions; does nothing if they are known. */
ORRERY_API orrery_status orrery_simulation_accelerate(orrery_simulation* simulation);
/* The same, and jerk ← da/dt in a scratch column. The simulation must have been created with `jerk`. */
ORRERY_API orrery_status orrery_simulation_accelerate_with_jerk(orrery_simulation* simulation, orrery_column jerk);
/* v ← v + dt·a */
ORRERY_API orrery_status orrery_simulation_kick(orrery_simulation* simulation, double dt);
/* x ← x + dt·v, then the boundary conditions of the domain. */
ORRERY_API orrery_status orrery_simulation_drift(orrery_simulation* simulation, double dt);
/* target ← Σ factor·source in the given order, one fused multiply-add per term; at most 32. A first term with factor 1 is
 * copied. */
ORRERY_API orrery_status orrery_simulation_combine(orrery_simulation* simulation, orrery_column target,
                                                   const orrery_term* terms, size_t count);
/* Copies a column to the caller's arrays. */
ORRERY_API orrery_status orrery_simulation_download(orrery_simulation* simulation, orrery_column column,
                                                    orrery_vectors_out to);
/* Copies the caller's arrays to a column, but not to the acceleration. */
ORRERY_API orrery_status orrery_simulation_upload(orrery_simulation* simulation, orrery_column column,
                                                  orrery_vectors from);

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* What a run stores and who watches it. */
typedef struct orrery_run_options {
  size_t size;
  /* Keys of [trajectory]: frames, every, times, velocities, store, bodies, … None: those of the model's scenario, else
   * defaults. */
  const orrery_key* trajectory;
  size_t trajectory_count;
  /* Keys of [observables]: every, rows, times, extremes. */
  const orrery_key* observables;
  size_t observables_count;
  const orrery_backend_options* backend; /* NULL: as the model's scenario says, else the fastest */
  int replace;                           /* replaces a file that holds another run */
  /* Called at step 0, then every so many steps, and at the last one, with views that are valid during the call. It changes
   * neither the run nor its file. If it returns other than 0, the run stops there, and can be resumed. Not called for a run
   * that is finished already. */
  int (*observe)(void* user, const orrery_state* state, const orrery_observables* observables);
  int64_t observe_every; /* 0: only at the ends */
  void* user;
} orrery_run_options;

/* Runs the model and writes its trajectory, as `orrery simulate` does: `file` ends with .h5, .hdf5 or .vtkhdf; in its
 * folder, which is made, summary.json is written at the end. A file that is there and holds the same run is used: finished,
 * there is nothing to do; unfinished, it is resumed. `options` may be NULL. After ORRERY_STOPPED the file holds all up to
 * the last step, and the same call goes on from there with the same bits. */
ORRERY_API orrery_status orrery_run(orrery_model* model, const orrery_run_options* options, const char* file);
/* Goes on with the run in a file, to its end. Of `options` (may be NULL), backend and observer count. */
ORRERY_API orrery_status orrery_resume(orrery_context* context, const char* file, const orrery_run_options* options);
/* Repeats the run in a file and compares every bit of it; the report goes to the log, line by line. */
ORRERY_API orrery_status orrery_verify(orrery_context* context, const char* file, int* same);
/* Compares two files: trajectories, or a trajectory and a scenario; the report goes to the log, line by line. */
ORRERY_API orrery_status orrery_diff(orrery_context* context, const char* a, const char* b, int* same);

/* Writes a finished run of frames that another program computed: time[frames], which increase or decrease, position[frames][n][3]
 * and velocity, likewise or NULL, of the n bodies of the model in their order. Rows have the energies that the forces of the model give;
 * without velocities the kinetic ones are NaN. The file must not exist. */
ORRERY_API orrery_status orrery_import_frames(orrery_model* model, const char* file, size_t frames, const double* time,
                                              const double* position, const double* velocity);

/* ---- Trajectories ------------------------------------------------------------------------------------------------ */

/* A file of a run, finished or being written, as it is when it is opened or refreshed. */
typedef struct orrery_trajectory orrery_trajectory;

/* Refused: a file that is no trajectory, or a damaged one. */
ORRERY_API orrery_status orrery_trajectory_open(orrery_context* context, const char* file,
                                                orrery_trajectory** trajectory);
/* Closes the file and ends views. */
ORRERY_API void orrery_trajectory_free(orrery_trajectory* trajectory);
/* Sees what was written since. Views from the handle end. */
ORRERY_API orrery_status orrery_trajectory_refresh(orrery_trajectory* trajectory);

/* What a trajectory is of. Texts are valid until it is refreshed or freed. */
typedef struct orrery_trajectory_info {
  size_t size;
  size_t frames;
  size_t bodies;        /* in each frame */
  size_t bodies_of_run; /* of which frames may store some */
  int64_t steps;        /* of the whole run */
  double dt;
  int finished;
  int being_written; /* a writer has the file open */
  int velocities;    /* frames have them */
  const char* title;
  const char* units;       /* name of the system of units */
  const char* length_unit; /* as H5MD writes units, "kpc"; "" in N-body units */
  const char* time_unit;
  const char* mass_unit;
  const char* toml; /* the scenario with all defaults */
  double G;         /* constant of gravity, in the units of the run */
  int dimensions;   /* 2: all bodies are in the plane z = 0 */
  int periodic[3];  /* whether the ends of an axis are joined */
  double low[3];    /* lower corner of the box */
  double edges[3];  /* its lengths; 0 along an axis without a length */
} orrery_trajectory_info;
/* As the file was when it was opened or refreshed. */
ORRERY_API orrery_status orrery_trajectory_describe(orrery_trajectory* trajectory, orrery_trajectory_info* info);

/* The time of each frame, [frames]. */
ORRERY_API orrery_status orrery_trajectory_times(orrery_trajectory* trajectory, orrery_numbers_view* times);
/* The step of each frame, [frames]. */
ORRERY_API orrery_status orrery_trajectory_steps(orrery_trajectory* trajectory, const int64_t** steps);
/* Masses of the bodies in frames, [bodies]. */
ORRERY_API orrery_status orrery_trajectory_masses(orrery_trajectory* trajectory, orrery_numbers_view* masses);
/* The indices in the run of the bodies in frames, ascending from 0. */
ORRERY_API orrery_status orrery_trajectory_indices(orrery_trajectory* trajectory, const int64_t** indices);
/* Their names, "" for none. */
ORRERY_API orrery_status orrery_trajectory_names(orrery_trajectory* trajectory, const char* const** names);

/* Their charges, [bodies]; count 0 if they have none. */
ORRERY_API orrery_status orrery_trajectory_charges(orrery_trajectory* trajectory, orrery_numbers_view* charges);
/* Their radii, [bodies]; count 0 if they have none. */
ORRERY_API orrery_status orrery_trajectory_radii(orrery_trajectory* trajectory, orrery_numbers_view* radii);
/* The names of the components that they belong to, [bodies]. */
ORRERY_API orrery_status orrery_trajectory_components(orrery_trajectory* trajectory, const char* const** components);

/* Reads frame `frame` into the caller's arrays. A target whose x is NULL is left out. Refused: velocities that the file does
 * not have. */
ORRERY_API orrery_status orrery_trajectory_read(orrery_trajectory* trajectory, size_t frame,
                                                orrery_vectors_out position, orrery_vectors_out velocity);

/* What frames have of each body. */
typedef int orrery_part;
enum {
  ORRERY_PART_POSITION = 0,
  ORRERY_PART_VELOCITY = 1,
  ORRERY_PART_IMAGE = 2 /* of a box: x + image·length is the unwrapped coordinate */
};

/* A part of many frames: of `frames` frames from `first` on, each `step` after the one before, for `count` bodies, whose
 * indices in the frames are `bodies` (NULL: 0, 1, …). */
typedef struct orrery_slice {
  size_t size;
  orrery_part part;
  size_t first;
  ptrdiff_t step; /* may be negative */
  size_t frames;
  const int64_t* bodies;
  size_t count;
} orrery_slice;
/* Reads it into to[frames][count][3]; other frames are not read. Refused: a part that the file does not have. Misused: indices
 * beyond the last. ORRERY_STOPPED if the progress callback says so. */
ORRERY_API orrery_status orrery_trajectory_read_slice(orrery_trajectory* trajectory, const orrery_slice* slice,
                                                      double* to);

/* The columns of the rows of observables: step, time, kinetic_energy, potential_energy, total_energy, energy_error,
 * momentum_x … _z, angular_momentum_x … _z, center_of_mass_x … _z, and those that the run has of virial, temperature,
 * pressure, energy_low, energy_high, closest_approach. */
ORRERY_API size_t orrery_trajectory_column_count(orrery_trajectory* trajectory);
/* NULL beyond the last. */
ORRERY_API const char* orrery_trajectory_column_name(orrery_trajectory* trajectory, size_t index);
/* A column by its name, one number per row. Refused: a name that is none of them. */
ORRERY_API orrery_status orrery_trajectory_column(orrery_trajectory* trajectory, const char* name,
                                                  orrery_numbers_view* column);

/* A file that the caller writes, frame by frame, of a simulation that he steps. */
typedef struct orrery_writer orrery_writer;

/* Creates the file, which must not exist, with the state of a simulation at step 0 as its first frame. `keys` are those of
 * [trajectory] that say what is stored: velocities, store, bodies, commit. The model must have a number of steps. */
ORRERY_API orrery_status orrery_writer_create(orrery_simulation* simulation, const orrery_key* keys, size_t count,
                                              const char* file, orrery_writer** writer);
/* Closes the file. Frames that were appended are in it, also without orrery_writer_finish. */
ORRERY_API void orrery_writer_free(orrery_writer* writer);
/* Appends the current state as a frame, and its observables as a row. Steps must increase. */
ORRERY_API orrery_status orrery_writer_append(orrery_writer* writer, orrery_simulation* simulation);
/* Closes the file. It is finished if its last frame is of the last step of the model; else orrery_resume goes on with it. */
ORRERY_API orrery_status orrery_writer_finish(orrery_writer* writer);

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

/* A still, or moving pictures. */
typedef int orrery_picture_type;
enum { ORRERY_FIGURE = 0, ORRERY_FILM = 1 };

/* Draws a figure or a film of the run in the trajectory `run` into `file`, whose extension says the format: .png, .svg,
 * .pdf, and for the numbers of curves .csv, .json; of films .mp4, .webm, .gif. `kind` is a name of ORRERY_FIGURES, `keys`
 * are those of [[figure]] or [[film]]; paths of other runs in them are relative to the folder of the run. Existing files are
 * replaced if orrery wrote them. */
ORRERY_API orrery_status orrery_draw(orrery_context* context, const char* run, orrery_picture_type type,
                                     const char* kind, const orrery_key* keys, size_t count, const char* file);

/* Writes a page of one or several runs, which turns, plays and steps itself, into `file`, one file of HTML that needs nothing
 * else. Each of `runs` is a trajectory or a folder of runs. `size` is the largest size of the page in MB, 0 for 5: frames, then
 * bodies, then bits of positions are left out. An existing file is replaced if orrery wrote it. */
ORRERY_API orrery_status orrery_write_page(orrery_context* context, const char* const* runs, size_t count,
                                           const char* file, double size);

/* The bytes of a picture. */
typedef struct orrery_picture orrery_picture;
/* The same in memory; `format` is the extension, "png". */
ORRERY_API orrery_status orrery_picture_create(orrery_context* context, const char* run, orrery_picture_type type,
                                               const char* kind, const orrery_key* keys, size_t count,
                                               const char* format, orrery_picture** picture);
/* Ends views of its bytes. */
ORRERY_API void orrery_picture_free(orrery_picture* picture);
/* Valid until the picture is freed; NULL and 0 for NULL. */
ORRERY_API const unsigned char* orrery_picture_bytes(const orrery_picture* picture, size_t* count);

/* The curves of a figure of curves, one chart per panel. */
typedef struct orrery_charts orrery_charts;
/* Refused: figures of bodies, which have no curves. */
ORRERY_API orrery_status orrery_charts_create(orrery_context* context, const char* run, const char* kind,
                                              const orrery_key* keys, size_t count, orrery_charts** charts);
/* Ends views of them. */
ORRERY_API void orrery_charts_free(orrery_charts* charts);

/* An axis of a chart. */
typedef struct orrery_axis {
  const char* name; /* "t" */
  const char* unit; /* "" if it is dimensionless */
  int logarithmic;
  double low, high; /* limits; both NaN: the range of the curves */
} orrery_axis;

/* A chart: curves over two axes. */
typedef struct orrery_chart {
  size_t size;
  const char* title;
  const char* remark; /* what it does not show; "" if there is nothing to say */
  orrery_axis x, y;
  size_t curves;
} orrery_chart;

/* A curve: points in the order in which they are joined. */
typedef struct orrery_curve {
  size_t size;
  const char* name; /* in the legend; "" if it is not in it */
  size_t count;     /* points; one that is not finite is a gap */
  const double* x;
  const double* y;
  const double* low; /* of a band, which is filled from low to y; else NULL */
} orrery_curve;

/* 0 for NULL. */
ORRERY_API size_t orrery_charts_count(const orrery_charts* charts);
/* Views are valid until the charts are freed. */
ORRERY_API orrery_status orrery_charts_chart(const orrery_charts* charts, size_t chart, orrery_chart* out);
/* Curve `curve` of chart `chart`. Misused: indices beyond the last. */
ORRERY_API orrery_status orrery_charts_curve(const orrery_charts* charts, size_t chart, size_t curve,
                                             orrery_curve* out);

/* --- One's own law, field and integrator --------------------------------------------------------------------------------------
 *
 * They belong to the context: after the registration its models name them as any other,
 * `orrery_model_set_force(model, "my-law", …)`. Files of their runs
 * name them and hold what they say of themselves, but not their functions: orrery_verify and orrery_resume need a context in which
 * they are registered, and the program refuses.
 *
 * Their functions return 0. Any other number, or a C++ exception, ends the work with ORRERY_FAILED and a message that names the
 * plug-in; a run's file then holds all up to the last step that was stored, and can be resumed. Those of laws and fields are called
 * by several threads at once, in a context with one thread by the caller's alone. The results of laws and fields must depend on their
 * arguments alone, each on those of its own pair or body: then a run has the same bits on every backend and with any number of
 * threads. A law or field that remembers something, or sums over its arguments, has other ones, and nothing tells.
 *
 * One that is registered again under its name replaces the first one for models that are made after that, or that name a
 * plug-in after that; others keep theirs. The first one is released with the context and the last of its models.
 */

/* A number that a plug-in takes. In a struct of zeros it is 0 unless it is given, and may be any number. */
typedef struct orrery_own_parameter {
  size_t size;
  const char* name;    /* lower-case letters, digits and _ */
  const char* meaning; /* NULL: "" */
  const char* unit;    /* "length", "mass", …; NULL: it is dimensionless */
  int required;        /* other than 0: there is no default */
  double fallback;     /* the default */
  double low, high;    /* the range, with its ends; both 0: any number */
} orrery_own_parameter;

/* By what bodies act on each other. The acceleration of body i is s_i Σ_j w_j c(r²) (x_j − x_i), with r² = |x_j − x_i|² +
 * ε². Each law has the keys `softening` (ε) and `strength` (1 by default) besides its parameters. */
typedef int orrery_acts_by;
enum {
  ORRERY_BY_MASS = 0,   /* w = m, s = strength: attraction, if c > 0 */
  ORRERY_BY_CHARGE = 1, /* w = q, s = −strength·q/m: equal charges repel each other, if c > 0 */
  ORRERY_BY_NUMBER = 2  /* w = 1, s = strength/m: the same force whatever the bodies are */
};

/* A force between pairs. It is computed by "direct", in float64, on the processor (backends reference and cpu). */
typedef struct orrery_law {
  size_t size;
  const char* name; /* lower-case letters, digits and -; not that of another force */
  const char* meaning;
  const orrery_own_parameter* parameters;
  size_t parameter_count; /* at most 8 */
  orrery_acts_by acts_by;
  int slope; /* other than 0: `pairs` gives the slope, which integrators with jerks need (hermite4) */
  /* For n pairs: c[k] is the force over the distance at r2[k], u[k] the potential, and slope[k] = c′(r)/r = 2 dc/d(r²). u
   * and slope are NULL unless they are needed. `parameters` has the values in their order. r2 may be any number ≥ 0, also of
   * pairs that do not count (of a body with itself, ε²). Up to some 1000 pairs a call on cpu, one on the reference. */
  int (*pairs)(void* user, size_t n, const double* r2, double* c, double* u, double* slope, const double* parameters);
  void* user;
  void (*release)(
      void*
          user); /* called once nothing needs `user` any more, but not if the registration fails; NULL: nothing is called */
} orrery_law;
ORRERY_API orrery_status orrery_register_law(orrery_context* context, const orrery_law* law);

/* An external field, for every backend; GPUs copy positions to the host and accelerations back at each evaluation. It does
 * not depend on time, and integrators with jerks refuse it. */
typedef struct orrery_field {
  size_t size;
  const char* name; /* as that of a law, and none of a law */
  const char* meaning;
  const orrery_own_parameter* parameters;
  size_t parameter_count; /* at most 8 */
  /* For n bodies: the acceleration g and, unless NULL, the potential per mass φ with g = −∇φ. position[0][i] is the x of
   * body i. */
  int (*bodies)(void* user, size_t n, const double* const position[3], double* const acceleration[3], double* potential,
                const double* parameters);
  void* user;
  void (*release)(void* user);
} orrery_field;
ORRERY_API orrery_status orrery_register_field(orrery_context* context, const orrery_field* field);

/* The bodies during a step of an integrator, and the step. Valid during the call of its function. */
typedef struct orrery_stepper orrery_stepper;
typedef struct orrery_step {
  size_t size;              /* of this struct in the library */
  int64_t number;           /* steps before it */
  double time;              /* at its beginning, number·dt */
  double dt;                /* negative if the run goes backward */
  const double* parameters; /* the values in their order */
} orrery_step;

/* A scratch column of an integrator. */
typedef struct orrery_own_column {
  size_t size;
  const char* name; /* lower-case letters, digits and _ */
  int persistent;   /* other than 0: kept between steps, and stored, so that a run can be resumed */
} orrery_own_column;

/* A method of time steps, for every backend. */
typedef struct orrery_integrator {
  size_t size;
  const char* name; /* lower-case letters, digits and -; not that of another integrator */
  const char* meaning;
  const char* reference; /* where it was published */
  const orrery_own_parameter* parameters;
  size_t parameter_count; /* at most 4 */
  const orrery_own_column* columns;
  size_t column_count;
  int order;        /* 0: 1 */
  int evaluations;  /* of the forces in a step; 0: 1 */
  int symplectic;   /* these are 0 or 1 */
  int symmetric;    /* a step of −dt undoes one of dt, up to rounding */
  int drifts_first; /* forces are never evaluated at the ends of a step */
  int jerk;         /* it calls orrery_step_accelerate_with_jerk */
  int same_each_step; /* its operations depend on dt and the parameters alone, and it neither downloads nor uploads: then GPUs record
                         and repeat them without calling it */
  /* One step: a sequence of the functions below. */
  int (*step)(void* user, orrery_stepper* stepper, const orrery_step* step);
  /* Before the first step of a run, to fill persistent columns. NULL: they begin with zeros. */
  int (*start)(void* user, orrery_stepper* stepper);
  void* user;
  void (*release)(void* user);
} orrery_integrator;
ORRERY_API orrery_status orrery_register_integrator(orrery_context* context, const orrery_integrator* integrator);

/* What a step consists of, as the functions of orrery_simulation with the same names. ORRERY_SCRATCH + k is column k of the
 * integrator. One that fails ends the work with its message, whatever the function of the integrator returns then. In a box,
 * positions are changed by drifts only. */
ORRERY_API orrery_status orrery_step_accelerate(orrery_stepper* stepper);
ORRERY_API orrery_status orrery_step_accelerate_with_jerk(orrery_stepper* stepper, orrery_column jerk);
ORRERY_API orrery_status orrery_step_kick(orrery_stepper* stepper, double dt);
ORRERY_API orrery_status orrery_step_drift(orrery_stepper* stepper, double dt);
ORRERY_API orrery_status orrery_step_combine(orrery_stepper* stepper, orrery_column target, const orrery_term* terms,
                                             size_t count);
ORRERY_API size_t orrery_step_count(const orrery_stepper* stepper); /* of bodies; 0 for NULL */
ORRERY_API orrery_status orrery_step_download(orrery_stepper* stepper, orrery_column column, orrery_vectors_out to);
ORRERY_API orrery_status orrery_step_upload(orrery_stepper* stepper, orrery_column column, orrery_vectors from);

/* x[k]^(−1/2) and x[k]^(−3/2) as the laws of the library have them, for 2^−680 ≤ x[k] < 2^680, with the same bits on every
 * processor; `to` may be `x`. With them gravity is c = inverse_cube(r²), u = 0 − inverse_root(r²), and its slope −3 (c (y
 * y)) with y = inverse_root(r²). */
ORRERY_API void orrery_inverse_root(size_t n, const double* x, double* to);
ORRERY_API void orrery_inverse_cube(size_t n, const double* x, double* to);

#ifdef __cplusplus
}
#endif

#endif
