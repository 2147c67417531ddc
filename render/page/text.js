'use strict';
// Numbers in words, and elements.

/** A number with about four digits. @param {number} x */
function digits(x) {
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) return String(+x.toPrecision(4)).replace('-', '\u2212');
  const [mantissa, exponent] = x.toExponential(2).split('e');
  const raised = [...String(+exponent)].map((d) => (d === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[+d]));
  return `${mantissa.replace('-', '\u2212')}·10${raised.join('')}`;
}

/** @param {string} number @param {string} unit */
function measured(number, unit) {
  return unit ? `${number}\u202f${unit}` : number;
}

/** A length of 1, 2 or 5 times a power of ten, at most `most`. @param {number} most */
function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

/**
 * A new element. @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Record<string, unknown>} properties,
 * or attributes if it has none of that name @param {(Node | string)[]} children
 */
function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in node) Object.assign(node, { [key]: value });
    else node.setAttribute(key, String(value));
  }
  node.append(...children);
  return node;
}
