// SPDX-License-Identifier: MIT
// Publications as text and as entries of BibTeX.
#pragma once

#include <string>

#include "sim/publication.hpp"

namespace orrery::pipeline {

/// "Yoshida 1990, Phys. Lett. A 150, 262; Hairer, Lubich & Wanner 2006, Geometric Numerical Integration (V.3.2)"
std::string brief_text(const sim::Citations& citations);

/// "H. Yoshida, “Construction of higher order symplectic integrators”, Physics Letters A 150, 262–268 (1990)"
std::string full_text(const sim::Publication& publication);

/// Its entry, "@article{yoshida1990, …}" with a field on each line and a line end. Letters that BibTeX cannot sort are written as
/// LaTeX has them.
std::string bibtex_of(const sim::Publication& publication);
/// The entry of something of which a text is all that is known.
std::string bibtex_of(const std::string& key, const std::string& text);

/// https://doi.org/…; "" without a DOI.
std::string link_to(const sim::Publication& publication);

/// The program itself, as CITATION.cff has it. The version is kept by the caller.
sim::Publication program_publication(const std::string& version);

}  // namespace orrery::pipeline
