// SPDX-License-Identifier: MIT
// fma of any three doubles by integers: slow, and right by construction. What is faster falls back to it.
#pragma once

#include "lanes.hpp"

namespace orrery::page::ORRERY_ENGINE {

/// An integer of 128 bits. WebAssembly would call a library for __int128.
struct Wide {
  u64 high, low;
};

inline Wide operator+(Wide a, Wide b) {
  const u64 low = a.low + b.low;
  return {a.high + b.high + (low < b.low), low};
}
inline Wide operator-(Wide a, Wide b) {
  return {a.high - b.high - (a.low < b.low), a.low - b.low};
}
inline bool operator<(Wide a, Wide b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}
inline Wide product(u64 a, u64 b) {
  const u64 a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
  const u64 low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & 0xffffffff);
  return {a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (low & 0xffffffff)};
}
/// w / 2^by, by > 0, rounded to odd: the lowest bit is set if a one was lost, so that later roundings see it.
inline Wide halved(Wide w, int by) {
  if (by >= 128) return {0, (w.high | w.low) != 0};
  if (by >= 64) return {0, w.high >> (by - 64) | ((by > 64 && w.high << (128 - by) != 0) || w.low != 0)};
  return {w.high >> by, w.low >> by | w.high << (64 - by) | (w.low << (64 - by) != 0)};
}

/// integer · 2^exponent
struct Scaled {
  Wide integer;
  int exponent;
};

/// A finite number other than 0, its highest bit in bit 52 of the lower word.
inline Scaled parts_of(double x) {
  const u64 bits = bits_of(x), fraction = bits & 0xfffffffffffffULL;
  const int field = static_cast<int>(bits >> 52 & 2047);
  if (field != 0) return {{0, fraction | 1ULL << 52}, field - 1075};
  const int up = __builtin_clzll(fraction) - 11;
  return {{0, fraction << up}, -1074 - up};
}

/// The double next to it, of two that are equally near the even one.
inline double nearest(Scaled x, bool negative) {
  const u64 sign = u64{negative} << 63;
  const auto [high, low] = x.integer;
  const int top = high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);
  const int drop = top - 52 > -1074 - x.exponent ? top - 52 : -1074 - x.exponent;  // bits below the last place
  const u64 quarters = drop > 2 ? halved(x.integer, drop - 2).low : low << (2 - drop);
  const u64 mantissa = (quarters >> 2) + (0xc8 >> (quarters & 7) & 1);  // bits of even, half and more decide
  const u64 bits = (static_cast<u64>(x.exponent + drop + 1074) << 52) + mantissa;
  return double_of(sign | (bits < 0x7ff0000000000000 ? bits : 0x7ff0000000000000));
}

/// a·b + c rounded once.
[[gnu::noinline]] inline double exact_fma(double a, double b, double c) {
  const double p = a * b;
  const auto finite = [](double x) { return x - x == 0; };
  if (!finite(a) || !finite(b)) return p + c;
  if (!finite(c)) return c;  // although p may be infinite
  if (a == 0 || b == 0) return p + c;
  if (c == 0) return p;  // also −0, or ±0 by underflow
  const Scaled pa = parts_of(a), pb = parts_of(b), pc = parts_of(c);
  const Wide ab = product(pa.integer.low, pb.integer.low);
  // Both with their highest bits at 123 or 124: room for a carry, and zeros below for what is lost.
  Scaled x{{ab.high << 19 | ab.low >> 45, ab.low << 19}, pa.exponent + pb.exponent - 19};
  Scaled y{{pc.integer.low << 7, 0}, pc.exponent - 71};
  bool minus_x = (bits_of(a) ^ bits_of(b)) >> 63 != 0, minus_y = bits_of(c) >> 63 != 0;
  if (x.exponent > y.exponent) y = {halved(y.integer, x.exponent - y.exponent), x.exponent};
  if (x.exponent < y.exponent) x = {halved(x.integer, y.exponent - x.exponent), y.exponent};
  if (minus_x == minus_y) return nearest({x.integer + y.integer, x.exponent}, minus_x);
  if (!(x.integer < y.integer) && !(y.integer < x.integer)) return 0;
  return x.integer < y.integer ? nearest({y.integer - x.integer, x.exponent}, minus_y)
                               : nearest({x.integer - y.integer, x.exponent}, minus_x);
}

}  // namespace orrery::page::ORRERY_ENGINE
