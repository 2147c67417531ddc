// SPDX-License-Identifier: MIT
#pragma once

/// What the shared library lets others see; everything else in it is hidden. Besides the C interface these are the few functions
/// and classes that the module of pictures and the program need, which are of the same build.
#define ORRERY_EXPORT __attribute__((visibility("default")))
