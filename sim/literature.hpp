// SPDX-License-Identifier: MIT
// The publications that plug-ins cite.
#pragma once

#include "sim/publication.hpp"

namespace orrery::sim::literature {

using enum Publication::Kind;

// Integrators.

inline constexpr Publication kutta1901{
    .kind = article,
    .key = "kutta1901",
    .authors = "Kutta, W.",
    .title = "Beitrag zur näherungsweisen Integration totaler Differentialgleichungen",
    .year = 1901,
    .in = "Zeitschrift für Mathematik und Physik",
    .brief = "Z. Math. Phys.",
    .volume = "46",
    .pages = "435--453"};
inline constexpr Publication verlet1967{
    .kind = article,
    .key = "verlet1967",
    .authors = "Verlet, L.",
    .title = "Computer “experiments” on classical fluids. I. Thermodynamical properties of Lennard-Jones molecules",
    .year = 1967,
    .in = "Physical Review",
    .brief = "Phys. Rev.",
    .volume = "159",
    .pages = "98--103",
    .doi = "10.1103/PhysRev.159.98"};
inline constexpr Publication dormand1980{.kind = article,
                                         .key = "dormand1980",
                                         .authors = "Dormand, J. R. and Prince, P. J.",
                                         .title = "A family of embedded Runge-Kutta formulae",
                                         .year = 1980,
                                         .in = "Journal of Computational and Applied Mathematics",
                                         .brief = "J. Comput. Appl. Math.",
                                         .volume = "6",
                                         .pages = "19--26",
                                         .doi = "10.1016/0771-050X(80)90013-3"};
inline constexpr Publication ruth1983{.kind = article,
                                      .key = "ruth1983",
                                      .authors = "Ruth, R. D.",
                                      .title = "A canonical integration technique",
                                      .year = 1983,
                                      .in = "IEEE Transactions on Nuclear Science",
                                      .brief = "IEEE Trans. Nucl. Sci.",
                                      .volume = "30",
                                      .pages = "2669--2671",
                                      .doi = "10.1109/TNS.1983.4332919"};
inline constexpr Publication shampine1986{.kind = article,
                                          .key = "shampine1986",
                                          .authors = "Shampine, L. F.",
                                          .title = "Some practical Runge-Kutta formulas",
                                          .year = 1986,
                                          .in = "Mathematics of Computation",
                                          .brief = "Math. Comput.",
                                          .volume = "46",
                                          .pages = "135--150",
                                          .doi = "10.1090/S0025-5718-1986-0815836-3"};
inline constexpr Publication forest1990{.kind = article,
                                        .key = "forest1990",
                                        .authors = "Forest, E. and Ruth, R. D.",
                                        .title = "Fourth-order symplectic integration",
                                        .year = 1990,
                                        .in = "Physica D",
                                        .volume = "43",
                                        .pages = "105--117",
                                        .doi = "10.1016/0167-2789(90)90019-L"};
inline constexpr Publication yoshida1990{.kind = article,
                                         .key = "yoshida1990",
                                         .authors = "Yoshida, H.",
                                         .title = "Construction of higher order symplectic integrators",
                                         .year = 1990,
                                         .in = "Physics Letters A",
                                         .brief = "Phys. Lett. A",
                                         .volume = "150",
                                         .pages = "262--268",
                                         .doi = "10.1016/0375-9601(90)90092-3"};
inline constexpr Publication makino1992{
    .kind = article,
    .key = "makino1992",
    .authors = "Makino, J. and Aarseth, S. J.",
    .title = "On a Hermite integrator with Ahmad-Cohen scheme for gravitational many-body problems",
    .year = 1992,
    .in = "Publications of the Astronomical Society of Japan",
    .brief = "PASJ",
    .volume = "44",
    .pages = "141--151"};
inline constexpr Publication tuckerman1992{.kind = article,
                                           .key = "tuckerman1992",
                                           .authors = "Tuckerman, M. and Berne, B. J. and Martyna, G. J.",
                                           .title = "Reversible multiple time scale molecular dynamics",
                                           .year = 1992,
                                           .in = "The Journal of Chemical Physics",
                                           .brief = "J. Chem. Phys.",
                                           .volume = "97",
                                           .pages = "1990--2001",
                                           .doi = "10.1063/1.463137"};
inline constexpr Publication hut1995{.kind = article,
                                     .key = "hut1995",
                                     .authors = "Hut, P. and Makino, J. and McMillan, S.",
                                     .title = "Building a better leapfrog",
                                     .year = 1995,
                                     .in = "The Astrophysical Journal",
                                     .brief = "ApJ",
                                     .volume = "443",
                                     .pages = "L93--L96",
                                     .doi = "10.1086/187844"};
inline constexpr Publication omelyan2002{
    .kind = article,
    .key = "omelyan2002",
    .authors = "Omelyan, I. P. and Mryglod, I. M. and Folk, R.",
    .title = "Optimized Forest–Ruth- and Suzuki-like algorithms for integration of motion in many-body systems",
    .year = 2002,
    .in = "Computer Physics Communications",
    .brief = "Comput. Phys. Commun.",
    .volume = "146",
    .pages = "188--202",
    .doi = "10.1016/S0010-4655(02)00451-4"};
inline constexpr Publication hairer2006{
    .kind = book,
    .key = "hairer2006",
    .authors = "Hairer, E. and Lubich, C. and Wanner, G.",
    .title = "Geometric Numerical Integration: Structure-Preserving Algorithms for Ordinary Differential Equations",
    .year = 2006,
    .in = "Springer",
    .edition = "2nd",
    .doi = "10.1007/3-540-30666-8"};
inline constexpr Publication bussi2007{.kind = article,
                                       .key = "bussi2007",
                                       .authors = "Bussi, G. and Parrinello, M.",
                                       .title = "Accurate sampling using Langevin dynamics",
                                       .year = 2007,
                                       .in = "Physical Review E",
                                       .brief = "Phys. Rev. E",
                                       .volume = "75",
                                       .pages = "056707",
                                       .doi = "10.1103/PhysRevE.75.056707"};
inline constexpr Publication rein2015{.kind = article,
                                      .key = "rein2015",
                                      .authors = "Rein, H. and Spiegel, D. S.",
                                      .title =
                                          "IAS15: a fast, adaptive, high-order integrator for gravitational dynamics, "
                                          "accurate to machine precision over a "
                                          "billion orbits",
                                      .year = 2015,
                                      .in = "Monthly Notices of the Royal Astronomical Society",
                                      .brief = "MNRAS",
                                      .volume = "446",
                                      .pages = "1424--1437",
                                      .doi = "10.1093/mnras/stu2164"};

// Forces and fields.

inline constexpr Publication plummer1911{.kind = article,
                                         .key = "plummer1911",
                                         .authors = "Plummer, H. C.",
                                         .title = "On the problem of distribution in globular star clusters",
                                         .year = 1911,
                                         .in = "Monthly Notices of the Royal Astronomical Society",
                                         .brief = "MNRAS",
                                         .volume = "71",
                                         .pages = "460--470",
                                         .doi = "10.1093/mnras/71.5.460"};
inline constexpr Publication lennardjones1931{.kind = article,
                                              .key = "lennardjones1931",
                                              .authors = "Lennard-Jones, J. E.",
                                              .title = "Cohesion",
                                              .year = 1931,
                                              .in = "Proceedings of the Physical Society",
                                              .brief = "Proc. Phys. Soc.",
                                              .volume = "43",
                                              .pages = "461--482",
                                              .doi = "10.1088/0959-5309/43/5/301"};
/// Softened as gravity is here, by ε² in the square of the distance.
inline constexpr Publication aarseth1963{.kind = article,
                                         .key = "aarseth1963",
                                         .authors = "Aarseth, S. J.",
                                         .title = "Dynamical evolution of clusters of galaxies, I",
                                         .year = 1963,
                                         .in = "Monthly Notices of the Royal Astronomical Society",
                                         .brief = "MNRAS",
                                         .volume = "126",
                                         .pages = "223--255"};
inline constexpr Publication weeks1971{
    .kind = article,
    .key = "weeks1971",
    .authors = "Weeks, J. D. and Chandler, D. and Andersen, H. C.",
    .title = "Role of repulsive forces in determining the equilibrium structure of simple liquids",
    .year = 1971,
    .in = "The Journal of Chemical Physics",
    .brief = "J. Chem. Phys.",
    .volume = "54",
    .pages = "5237--5247",
    .doi = "10.1063/1.1674820"};
inline constexpr Publication groot1997{
    .kind = article,
    .key = "groot1997",
    .authors = "Groot, R. D. and Warren, P. B.",
    .title = "Dissipative particle dynamics: bridging the gap between atomistic and mesoscopic simulation",
    .year = 1997,
    .in = "The Journal of Chemical Physics",
    .brief = "J. Chem. Phys.",
    .volume = "107",
    .pages = "4423--4435",
    .doi = "10.1063/1.474784"};
inline constexpr Publication binney2008{.kind = book,
                                        .key = "binney2008",
                                        .authors = "Binney, J. and Tremaine, S.",
                                        .title = "Galactic Dynamics",
                                        .year = 2008,
                                        .in = "Princeton University Press",
                                        .edition = "2nd"};
inline constexpr Publication allen2017{.kind = book,
                                       .key = "allen2017",
                                       .authors = "Allen, M. P. and Tildesley, D. J.",
                                       .title = "Computer Simulation of Liquids",
                                       .year = 2017,
                                       .in = "Oxford University Press",
                                       .edition = "2nd",
                                       .doi = "10.1093/oso/9780198803195.001.0001"};

// Methods that compute forces, and random numbers.

inline constexpr Publication quentrec1973{
    .kind = article,
    .key = "quentrec1973",
    .authors = "Quentrec, B. and Brot, C.",
    .title = "New method for searching for neighbors in molecular dynamics computations",
    .year = 1973,
    .in = "Journal of Computational Physics",
    .brief = "J. Comput. Phys.",
    .volume = "13",
    .pages = "430--432",
    .doi = "10.1016/0021-9991(73)90046-6"};
inline constexpr Publication greengard1987{.kind = article,
                                           .key = "greengard1987",
                                           .authors = "Greengard, L. and Rokhlin, V.",
                                           .title = "A fast algorithm for particle simulations",
                                           .year = 1987,
                                           .in = "Journal of Computational Physics",
                                           .brief = "J. Comput. Phys.",
                                           .volume = "73",
                                           .pages = "325--348",
                                           .doi = "10.1016/0021-9991(87)90140-9"};
inline constexpr Publication dehnen2002{.kind = article,
                                        .key = "dehnen2002",
                                        .authors = "Dehnen, W.",
                                        .title = "A hierarchical O(N) force calculation algorithm",
                                        .year = 2002,
                                        .in = "Journal of Computational Physics",
                                        .brief = "J. Comput. Phys.",
                                        .volume = "179",
                                        .pages = "27--42",
                                        .doi = "10.1006/jcph.2002.7026"};
inline constexpr Publication salmon2011{
    .kind = proceedings,
    .key = "salmon2011",
    .authors = "Salmon, J. K. and Moraes, M. A. and Dror, R. O. and Shaw, D. E.",
    .title = "Parallel random numbers: as easy as 1, 2, 3",
    .year = 2011,
    .in =
        "Proceedings of 2011 International Conference for High Performance Computing, Networking, Storage and Analysis",
    .brief = "SC '11",
    .doi = "10.1145/2063384.2063405"};

// Initial states.

inline constexpr Publication lagrange1772{.kind = proceedings,
                                          .key = "lagrange1772",
                                          .authors = "Lagrange, J.-L.",
                                          .title = "Essai sur le problème des trois corps",
                                          .year = 1772,
                                          .in = "Œuvres de Lagrange",
                                          .volume = "6"};
inline constexpr Publication burrau1913{.kind = article,
                                        .key = "burrau1913",
                                        .authors = "Burrau, C.",
                                        .title = "Numerische Berechnung eines Spezialfalles des Dreikörperproblems",
                                        .year = 1913,
                                        .in = "Astronomische Nachrichten",
                                        .brief = "Astron. Nachr.",
                                        .volume = "195",
                                        .pages = "113--118",
                                        .doi = "10.1002/asna.19131950602"};
inline constexpr Publication arenstorf1963{
    .kind = article,
    .key = "arenstorf1963",
    .authors = "Arenstorf, R. F.",
    .title =
        "Periodic solutions of the restricted three body problem representing analytic continuations of Keplerian "
        "elliptic motions",
    .year = 1963,
    .in = "American Journal of Mathematics",
    .brief = "Am. J. Math.",
    .volume = "85",
    .pages = "27--35",
    .doi = "10.2307/2373181"};
inline constexpr Publication szebehely1967{.kind = article,
                                           .key = "szebehely1967",
                                           .authors = "Szebehely, V. and Peters, C. F.",
                                           .title = "Complete solution of a general problem of three bodies",
                                           .year = 1967,
                                           .in = "The Astronomical Journal",
                                           .brief = "Astron. J.",
                                           .volume = "72",
                                           .pages = "876--883",
                                           .doi = "10.1086/110355"};
inline constexpr Publication aarseth1974{
    .kind = article,
    .key = "aarseth1974",
    .authors = "Aarseth, S. J. and Hénon, M. and Wielen, R.",
    .title = "A comparison of numerical methods for the study of star cluster dynamics",
    .year = 1974,
    .in = "Astronomy and Astrophysics",
    .brief = "Astron. Astrophys.",
    .volume = "37",
    .pages = "183--187"};
inline constexpr Publication hernquist1990{.kind = article,
                                           .key = "hernquist1990",
                                           .authors = "Hernquist, L.",
                                           .title = "An analytical model for spherical galaxies and bulges",
                                           .year = 1990,
                                           .in = "The Astrophysical Journal",
                                           .brief = "ApJ",
                                           .volume = "356",
                                           .pages = "359--364",
                                           .doi = "10.1086/168845"};
inline constexpr Publication dehnen1993{
    .kind = article,
    .key = "dehnen1993",
    .authors = "Dehnen, W.",
    .title = "A family of potential-density pairs for spherical galaxies and bulges",
    .year = 1993,
    .in = "Monthly Notices of the Royal Astronomical Society",
    .brief = "MNRAS",
    .volume = "265",
    .pages = "250--256",
    .doi = "10.1093/mnras/265.1.250"};
inline constexpr Publication tremaine1994{.kind = article,
                                          .key = "tremaine1994",
                                          .authors =
                                              "Tremaine, S. and Richstone, D. O. and Byun, Y.-I. and Dressler, A. and "
                                              "Faber, S. M. and Grillmair, C. and Kormendy, J. and Lauer, T. R.",
                                          .title = "A family of models for spherical stellar systems",
                                          .year = 1994,
                                          .in = "The Astronomical Journal",
                                          .brief = "AJ",
                                          .volume = "107",
                                          .pages = "634--644",
                                          .doi = "10.1086/116883"};
inline constexpr Publication navarro1997{.kind = article,
                                         .key = "navarro1997",
                                         .authors = "Navarro, J. F. and Frenk, C. S. and White, S. D. M.",
                                         .title = "A universal density profile from hierarchical clustering",
                                         .year = 1997,
                                         .in = "The Astrophysical Journal",
                                         .brief = "ApJ",
                                         .volume = "490",
                                         .pages = "493--508",
                                         .doi = "10.1086/304888"};
inline constexpr Publication henon1959{.kind = article,
                                       .key = "henon1959",
                                       .authors = "Hénon, M.",
                                       .title = "L'amas isochrone: I",
                                       .year = 1959,
                                       .in = "Annales d'Astrophysique",
                                       .brief = "Ann. Astrophys.",
                                       .volume = "22",
                                       .pages = "126--139"};
inline constexpr Publication king1966{.kind = article,
                                      .key = "king1966",
                                      .authors = "King, I. R.",
                                      .title = "The structure of star clusters. III. Some simple dynamical models",
                                      .year = 1966,
                                      .in = "The Astronomical Journal",
                                      .brief = "AJ",
                                      .volume = "71",
                                      .pages = "64--75",
                                      .doi = "10.1086/109857"};
inline constexpr Publication mcmillan2007{.kind = article,
                                          .key = "mcmillan2007",
                                          .authors = "McMillan, P. J. and Dehnen, W.",
                                          .title = "Initial conditions for disc galaxies",
                                          .year = 2007,
                                          .in = "Monthly Notices of the Royal Astronomical Society",
                                          .brief = "MNRAS",
                                          .volume = "378",
                                          .pages = "541--550",
                                          .doi = "10.1111/j.1365-2966.2007.11753.x"};
inline constexpr Publication hernquist1993{.kind = article,
                                           .key = "hernquist1993",
                                           .authors = "Hernquist, L.",
                                           .title = "N-body realizations of compound galaxies",
                                           .year = 1993,
                                           .in = "The Astrophysical Journal Supplement Series",
                                           .brief = "ApJS",
                                           .volume = "86",
                                           .pages = "389--400"};
inline constexpr Publication moore1993{.kind = article,
                                       .key = "moore1993",
                                       .authors = "Moore, C.",
                                       .title = "Braids in classical dynamics",
                                       .year = 1993,
                                       .in = "Physical Review Letters",
                                       .brief = "Phys. Rev. Lett.",
                                       .volume = "70",
                                       .pages = "3675--3679",
                                       .doi = "10.1103/PhysRevLett.70.3675"};
inline constexpr Publication standish1998{
    .kind = book,
    .key = "standish1998",
    .authors = "Standish, E. M.",
    .title = "JPL planetary and lunar ephemerides, DE405/LE405: Interoffice Memorandum 312.F-98-048",
    .year = 1998,
    .in = "Jet Propulsion Laboratory"};
inline constexpr Publication archinal2018{
    .kind = article,
    .key = "archinal2018",
    .authors =
        "Archinal, B. A. and Acton, C. H. and A'Hearn, M. F. and Conrad, A. and Consolmagno, G. J. and Duxbury, T. "
        "and Hestroffer, D. and Hilton, J. L. and Kirk, R. L. and Klioner, S. A. and McCarthy, D. and Meech, K. and "
        "Oberst, J. and Ping, J. and Seidelmann, P. K. and Tholen, D. J. and Thomas, P. C. and Williams, I. P.",
    .title = "Report of the IAU Working Group on Cartographic Coordinates and Rotational Elements: 2015",
    .year = 2018,
    .in = "Celestial Mechanics and Dynamical Astronomy",
    .brief = "Celest. Mech. Dyn. Astron.",
    .volume = "130",
    .pages = "22",
    .doi = "10.1007/s10569-017-9805-5"};
inline constexpr Publication brozovic2024{.kind = article,
                                          .key = "brozovic2024",
                                          .authors = "Brozović, M. and Jacobson, R. A.",
                                          .title = "Post-New-Horizons orbits and masses for the satellites of Pluto",
                                          .year = 2024,
                                          .in = "The Astronomical Journal",
                                          .brief = "Astron. J.",
                                          .volume = "167",
                                          .pages = "256",
                                          .doi = "10.3847/1538-3881/ad39f0"};
inline constexpr Publication murray1999{.kind = book,
                                        .key = "murray1999",
                                        .authors = "Murray, C. D. and Dermott, S. F.",
                                        .title = "Solar System Dynamics",
                                        .year = 1999,
                                        .in = "Cambridge University Press",
                                        .doi = "10.1017/CBO9781139174817"};
inline constexpr Publication chenciner2000{
    .kind = article,
    .key = "chenciner2000",
    .authors = "Chenciner, A. and Montgomery, R.",
    .title = "A remarkable periodic solution of the three-body problem in the case of equal masses",
    .year = 2000,
    .in = "Annals of Mathematics",
    .brief = "Ann. Math.",
    .volume = "152",
    .pages = "881--901",
    .doi = "10.2307/2661357"};
inline constexpr Publication suvakov2013{.kind = article,
                                         .key = "suvakov2013",
                                         .authors = "Šuvakov, M. and Dmitrašinović, V.",
                                         .title = "Three classes of Newtonian three-body planar periodic orbits",
                                         .year = 2013,
                                         .in = "Physical Review Letters",
                                         .brief = "Phys. Rev. Lett.",
                                         .volume = "110",
                                         .pages = "114301",
                                         .doi = "10.1103/PhysRevLett.110.114301"};

}  // namespace orrery::sim::literature
