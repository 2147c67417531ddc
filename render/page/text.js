'use strict';
// Numbers as text, and what is in the page.

/** @type {(x: number, low: number, high: number) => number} */
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
/** The text of an element. @param {string} id */
const textOf = (id) => document.getElementById(id)?.textContent?.trim() ?? '';
/** @type {(base64: string) => Uint8Array<ArrayBuffer>} */
const bytesOf = (base64) =>
  'fromBase64' in Uint8Array
    ? /** @type {any} */ (Uint8Array).fromBase64(base64)
    : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
/** The inflated bytes of an element. @param {string} id */
async function inflated(id) {
  const stream = new Blob([bytesOf(textOf(id))]).stream();
  const plain = stream.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Puts a copy of a template into an element. @param {Element} root @param {string} id */
function fill(root, id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  root.append(template.content.cloneNode(true));
}
/** An element of any kind. @type {(root: ParentNode, selector: string) => any} */
const find = (root, selector) => root.querySelector(selector);

/** A number with about four digits. @param {number} x */
function digits(x) {
  const size = Math.abs(x);
  const plain = x === 0 || (size >= 1e-3 && size < 1e5);
  const [mantissa, power = ''] = (plain ? String(+x.toPrecision(4)) : x.toExponential(2)).split(
    'e',
  );
  const raised = power
    .replace('+', '')
    .replace(/./g, (d) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(d)]);
  return mantissa.replace('-', '\u2212') + (power && `·10${raised}`);
}
/** @param {string} number @param {string} unit */
const measured = (number, unit) => (unit ? `${number}\u202f${unit}` : number);
/** The greatest of 1, 2 and 5 times powers of ten up to `most`. @param {number} most */
function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2].find((k) => k * power <= most) ?? 1);
}
