// SPDX-License-Identifier: MIT
// Seed pictures are drawn when needed, small, with a scenario in them.
#include "tests/fuzz/readers.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "pipeline/formats/foreign_frames.hpp"
#include "pipeline/messages.hpp"
#include "pipeline/scenario/foreign_text.hpp"
#include "pipeline/scenario/scenario.hpp"
#include "pipeline/scenario/scenario_text.hpp"
#include "render/canvas/image.hpp"
#include "render/chart/chart_data.hpp"
#include "render/film/film.hpp"

namespace orrery::fuzz {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The provenance in the seeds: short, but long enough to be compressed.
std::vector<render::Provenance> told() {
  const std::string scenario =
      "title = \"ΔE/E₀ & \\\"so\\\" <1> (x)\"\n[initial]\nkind = \"two-body\"\n"
      "[integrator]\nkind = \"leapfrog\"\ndt = 0.1\nsteps = 3\n";
  std::string longer = scenario;
  for (int k = 0; k < 60; ++k) longer += "# a line of many\n";
  return {{"orrery 0.1.0 (c, g)", "0123456789abcdef", scenario}, {"v", "", longer}, {}};
}

render::Drawing drawing() {
  render::Drawing made{{96, 64}, {255, 255, 255}, 1, {}};
  made.line({1, 2}, {90, 60}, {0, 0, 0}, 2);
  made.add(render::Text{"ΔE/E₀ (1)", {10, 30}, 12, {0, 0, 0}});
  made.add(render::Picture{{0, 0, 5, 5}, {1, 1}, {1, 2, 3, 4}});
  return made;
}

std::string png(const render::Provenance& said) {
  std::vector<std::uint8_t> pixels(3 * 16 * 16);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 37);
  return render::png_of({16, 16}, pixels, 3, 96, said);
}

std::vector<std::string> films(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> made;
  for (const render::Provenance& said : told()) {
    const fs::path file = folder / ("seed" + extension);
    render::Film film(file, {32, 32}, {.frames_per_second = 10, .provenance = said});
    for (std::uint8_t k = 0; k < 3; ++k)
      film.add({{32, 32}, std::vector<std::uint8_t>(3 * 32 * 32, static_cast<std::uint8_t>(80 * k))});
    film.finish();
    made.push_back(contents(file));
  }
  return made;
}

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8U | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

/// Corrects the checksums of a PNG's chunks, except for an occasional one.
void mend_png(std::string& bytes, Random& random) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t size = number(bytes, at);
    if (bytes.size() - at - 12 < size) return;
    const auto sum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + at + 4), static_cast<uInt>(size + 4)));
    if (random() % 8 != 0) {
      for (std::size_t k = 0; k < 4; ++k) bytes[at + 8 + size + k] = static_cast<char>(sum >> (24 - 8 * k));
    }
    at += 12 + size;
  }
}

pipeline::ScenarioText text_of(const fs::path& file) {
  pipeline::Context silent;
  return pipeline::scenario_text(file, silent);
}

void read_picture(const fs::path& file) {
  (void)pipeline::parse_scenario(text_of(file));
}

void read_frames_of_table(const fs::path& file) {
  try {
    (void)pipeline::format_named("csv").read_frames(file, {});
  } catch (const ArgumentError& error) {
    throw Error(error.what(), Fault::request);
  }
}

void read_table(const fs::path& file) {
  const std::string text = "[initial]\nkind = \"table\"\nfile = \"" + file.filename().string() +
                           "\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.1\nsteps = 1\n";
  read_scenario({.text = text, .name = "s.toml", .folder = file.parent_path()});
}

void read_xyz(const fs::path& file) {
  const std::string text = "[initial]\nkind = \"table\"\nmass = 1\nfile = \"" + file.filename().string() +
                           "\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.1\nsteps = 1\n";
  read_scenario({.text = text, .name = "s.toml", .folder = file.parent_path()});
}

void read_horizons(const fs::path& file) {
  const std::string text =
      "units = \"astronomical\"\nepoch = \"JD 2461372.5\"\n[initial]\nkind = \"table\"\nfile = \"" +
      file.filename().string() + "\"\n[integrator]\nkind = \"leapfrog\"\ndt = 0.1\nsteps = 1\n";
  read_scenario({.text = text, .name = "s.toml", .folder = file.parent_path()});
}

/// What files say of laws, fields and integrators of programs.
std::vector<std::string> described_plug_ins() {
  sim::ForeignLaw law;
  law.name = "a-law";
  law.meaning = "\"quoted\" ä";
  law.parameters = {{.name = "range", .meaning = "of it", .unit = "length", .fallback = 0.5, .low = 0, .high = 3},
                    {.name = "power"}};
  law.acts_by = sim::ActsBy::charge;
  sim::ForeignField field;
  field.name = "a-field";
  sim::ForeignIntegrator method;
  method.name = "a-method";
  method.order = 4;
  method.columns = {{"kept", true}, {"scratch", false}};
  const auto owned_law = sim::make_law(law);
  const auto owned_field = sim::make_field(field);
  const auto owned_method = sim::make_integrator(method);
  sim::Model model;
  model.force.plugin = owned_law.get();
  model.fields = {{owned_field.get(), {}}};
  model.integrator = owned_method.get();
  std::vector<std::string> seeds{pipeline::foreign_text(model)};
  model.fields.clear();
  model.force.plugin = sim::force_laws().front();
  seeds.push_back(pipeline::foreign_text(model));
  return seeds;
}

void read_plug_ins(const fs::path& file) {
  const std::string text = contents(file);
  (void)pipeline::foreign_names(text);
  (void)pipeline::with_described(nullptr, text, "a.h5");
}

Reader picture(const std::string& name, std::vector<std::string> seeds, std::vector<std::string> words) {
  return {name, "a." + name, std::move(seeds), std::move(words), {}, read_picture};
}

template <class Write>
std::vector<std::string> of_each(const Write& write) {
  std::vector<std::string> seeds;
  for (const render::Provenance& said : told()) seeds.push_back(write(said));
  return seeds;
}

using namespace std::string_literals;

}  // namespace

Reader reader_named(const std::string& name, const fs::path& folder) {
  if (name == "scenario") {
    return {
        name, "s.toml", scenarios(), scenario_words(), {}, [](const fs::path& file) {
              read_scenario(text_of(file)); }};
  }
  if (name == "plug_ins") {
    return {name,
            "plug_ins.toml",
            described_plug_ins(),
            {"[[law]]\n", "[[field]]\n", "[[integrator]]\n",
             "name",      "meaning",     "parameters",
             "unit",      "fallback",    "low",
             "high",      "acts_by",     "\"charge\"",
             "slope",     "order",       "evaluations",
             "columns",   "persistent",  "true",
             "inf",       "nan",         "\"gravity\"",
             "\"\"",      "[]",          "{}",
             "-1",        "1e400",       "9223372036854775807"},
            {},
            read_plug_ins};
  }
  if (name == "csv") {
    return {
        name,
        "b.csv",
        {"name,mass,x,y,z,vx,vy,vz\nsun,1,0,0,0,0,0,0\nearth,3e-6,1,0,0,0,1,0\n",
         "# a comment\r\nx, y, z, vx, vy, vz, m\r\n0,0,0,0,0,0,1\r\n\r\n1,0,0,0,1,0,1\r\n",
         "mass,x,y,z,vx,vy,vz,charge\n1,0,0,0,0,0,0,-1\n1,+1.5e-3,0,0,0,1,0,1\n",
         "name,mass,x,y,z,vx,vy,vz,around,plane,a,e,i,T\ns,1,0,0,0,0,0,0,,,,,,\np,0.1,,,,,,,s,equatorial,1,0.1,3,0\n",
         "name,mass,x,y,z,vx,vy,vz\n\"a, \"\"b\"\"\",1,0,0,0,0,0,0\n\"太\",1,1,0,0,0,0,0\n",
         "sep=;\nm;px;py;v_x;v_y\n1,5;2D-3;3;4;5\n1;2;3;4;5\n",
         "# m x y z vx vy vz\n1 2.5 3 4 5 6 7\n 8 9 10 11 12 13 14\n",
         "\xFF\xFEm\0,\0x\0,\0y\0\n\0001\0,\0002\0,\0003\0\n\0"s,
         "\xFE\xFF\0m\0;\0x\0;\0y\0\n\0001\0;\0002\0;\0003\0\n"s, "mass [Msun]\tX (kpc)\ty\tphi\n1\t2\t3\t4\n"},
        {"sep=",         "\xD8\0"s, "\0\xDC"s, "1,5",    "2D3",     "[kpc]", "M",    "m",  " ",    "name",
         "mass",         "x",       "vx",      "charge", ",",       "\"",    "\"\"", "\n", "\r\n", "#",
         "\xEF\xBB\xBF", "\0"s,     "\t",      ";",      ",,,,,,,,"},
        {},
        read_table};
  }
  if (name == "frames") {
    return {name,
            "f.csv",
            {"t,id,x,y,z,vx,vy,vz,m\n0,1,0,0,0,1,2,3,1\n0,2,1,1,1,0,0,0,2\n.5,2,1,1,1,0,0,0,2\n.5,1,0,0,0,1,2,3,1\n",
             "t;sun_x;sun_y;earth_x;earth_y\n0;1,5;2;3;4\n1;1;2;3;4\n", "# x y m\n1 2 3\n4 5 6\n\n7 8 9\n1 2 3\n",
             "2 1.5\n0.1 0.2\n0.3 0.4\n\n0.5 0.6\n0.7 0.8\n",
             "frame,step,time,id,name,x,y,z,mass,component\n0,0,0,0,a,1,2,3,4,c\n",
             "time [yr],x1 [au],y1,x2,y2,E\n0,1,2,3,4,5\n"},
            {"t", "id", "x1", "x_", "1e999", "nan", "\n\n", ",", ";", "\n", "0", "-0", "1e300", "\"", "x[3]", "sun.vx",
             "frame", "4294967296"},
            {},
            read_frames_of_table};
  }
  if (name == "extxyz") {
    return {name,
            "b.xyz",
            {"2\nLattice=\"5 0 0 0 6 0 0 0 7\" pbc=\"T F T\" Properties=species:S:1:pos:R:3:mass:R:1:velo:R:3 Time=2\n"
             "Na 0.1 0.2 0.3 22.99 1 2 3\nCl -1 1D-2 5 35.45 -1 0 0\n",
             "1\nProperties=pos:R:3:momenta:R:3:m:R:1:charge:R:1:name:S:1:id:I:1\n1 2 3 4 5 6 7 8 n 1\n"
             "1\nProperties=pos:R:3:momenta:R:3:m:R:1:charge:R:1:name:S:1:id:I:1\n1 2 3 4 5 6 7 8 n 1\n",
             "2\n\nH 1 2 3\nO 4 5 6\n"},
            {"Properties=", "Lattice=",    "pbc=", "Time=", "species:S:1", ":pos:R:3", ":mass:R:1", ":velo:R:3", ":R:",
             ":S:",         "\"",          "{",    "}",     "=",           " ",        "\n",        "\r\n",      "1\n",
             "2\n",         "99999999999", "-1",   "nan",   "1e400",       "\0"s,      "\t"},
            {},
            read_xyz};
  }
  if (name == "horizons") {
    const std::string begin =
        "*****\n GM (km^3/s^2) = 62.6284\nTarget body name: 1 Ceres (A801 AA) {source: JPL#48}\nCenter body name: "
        "Solar "
        "System Barycenter (0)\nCenter-site name: BODY CENTER\nKeplerian GM    : 2.959E-04 au^3/d^2\nOutput units    : "
        "AU-D\nReference frame : ICRF\n";
    return {
        name,
        "b.txt",
        {begin + "Output type     : GEOMETRIC cartesian states\n$$SOE\n2461372.5 = A.D.\n X = 1.7E+00 Y =-2.2E+00 Z = "
                 "1.2E-01\n VX= 5.0E-03 VY= 2.5E-03 VZ=-1.2E-03\n$$EOE\n",
         begin + "Output type     : GEOMETRIC osculating elements\n$$SOE\n2461372.5 = A.D.\n EC= 7.9E-02 QR= 2.5 IN= "
                 "1.0E+01\n OM= 8.0E+01 W = 7.3E+01 Tp=  2461598.77\n$$EOE\n",
         begin + "JDTDB, Calendar Date (TDB), X, Y, Z, VX, VY, VZ,\n$$SOE\n2461372.5, A.D., 1.7, -2.2, 1.2, 5.0E-03, "
                 "2.5E-03, -1.2E-03,\n$$EOE\n"},
        {"$$SOE\n",  "$$EOE\n", "JDTDB,", "GM",    "=",  ":",   ",",  "EC= ",       "QR= ",
         "Tp= ",     "KM-S",    "KM-D",   "1e400", "-1", "nan", "\n", "GEOCENTRIC", "Ecliptic of J2000.0",
         "Sun (10)", "(",       "{"},
        {},
        read_horizons};
  }
  if (const auto reader = reader_of_bodies(name, folder)) return *reader;
  if (name == "png") {
    Reader reader = picture(name, of_each(png),
                            {"iTXt", "tEXt", "zTXt", "IDAT", "IEND", "IHDR", "Software\0"s, "orrery:scenario\0"s,
                             "orrery:state\0"s, "\0\0\0\0"s, "\0\1\0\0\0"s, "\0\0\0\x0c", "\x78\x9c"});
    reader.mend = mend_png;
    return reader;
  }
  if (name == "svg") {
    return picture(name, of_each([](const auto& said) { return render::svg_of(drawing(), 96, said); }),
                   {"<metadata>",
                    "</metadata>",
                    "<orrery:run>",
                    "<run>",
                    "</run>",
                    "<scenario>",
                    "</scenario>",
                    "<svg>",
                    "</svg>",
                    "<![CDATA[",
                    "]]>",
                    "<!--",
                    "-->",
                    "<?",
                    "?>",
                    "<!DOCTYPE svg [",
                    "<!ENTITY a \"b\">",
                    "]>",
                    "&#0;",
                    "&#x110000;",
                    "&#xD800;",
                    "&lt;",
                    "&a;",
                    "'",
                    "\"",
                    "/>",
                    ">",
                    "<"});
  }
  if (name == "json") {
    const render::Chart chart{.x = {.name = "t"}, .curves = {{.name = "a", .x = {0, 1.5}, .y = {1e-9, NAN}}}};
    const std::vector<const render::Chart*> charts{&chart};
    return picture(name, of_each([&](const auto& said) { return render::json_of(charts, "title", said); }),
                   {"{",
                    "}",
                    "[",
                    "]",
                    "\"",
                    "\\",
                    "\\u0000",
                    "\\ud800",
                    "null",
                    "true",
                    "-1e999",
                    ":",
                    ",",
                    "\"program\"",
                    "\"state\"",
                    "\"scenario\"",
                    "\"charts\"",
                    "[[[[[[[[",
                    "{\"a\":{\"a\":",
                    "\xEF\xBB\xBF"});
  }
  if (name == "pdf") {
    return picture(name, of_each([](const auto& said) { return render::pdf_of(drawing(), 96, said); }),
                   {"/Subject", "/Keywords", "/Creator", "(orrery state ", "/ObjStm", "stream\n", "endstream", "%%EOF",
                    "%PDF-1.7\n", "<FEFF", ">", "(", ")", "\\", "\\777", "\\(", "\xFE\xFF\xD8\x00", "obj", "\x78\x9c"});
  }
  if (name == "gif") {
    return picture(name, films(folder, ".gif"),
                   {"GIF89a", "\x21\xfe", "\x21\xff", "\x2c", "\x3b", "\0"s,
                    "orrery_version: ", "\norrery_state: ", "\norrery_scenario: "});
  }
  if (name == "mp4") {
    return picture(
        name, films(folder, ".mp4"),
        {"ftyp",      "moov",      "mvhd",     "trak", "udta", "meta", "ilst", "keys", "data", "mdta",
         "moof",      "free",      "uuid",     "mdat", "dref", "url ", "stsd", "stts", "stsz", "orrery_scenario",
         "\0\0\0\1"s, "\0\0\0\0"s, "#EXTM3U\n"});
  }
  if (name == "webm") {
    return picture(name, films(folder, ".webm"),
                   {"\x1a\x45\xdf\xa3", "\x18\x53\x80\x67", "\x12\x54\xc3\x67", "\x73\x73", "\x67\xc8", "\x45\xa3",
                    "\x44\x87", "\x16\x54\xae\x6b", "\xec", "\x01\xff\xff\xff\xff\xff\xff\xff", "ORRERY_SCENARIO"});
  }
  throw std::out_of_range("there is no reader " + name);
}

}  // namespace orrery::fuzz
