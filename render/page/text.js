'use strict';
// Numbers as text, and what is in the page.

/** @type {(x: number, low: number, high: number) => number} */
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
/** An element of any kind. @type {(root: ParentNode, selector: string) => any} */
const find = (root, selector) => root.querySelector(selector);
/** Changes a text, if it is another. @type {(node: Node, text: string) => void} */
const put = (node, text) => void (node.textContent === text || (node.textContent = text));
/** The bytes in an element, from base64. @type {(id: string) => Uint8Array<ArrayBuffer>} */
const bytesIn = (id) => bytesOf(find(document, `#${id}`).textContent.trim());
/** @type {(base64: string) => Uint8Array<ArrayBuffer>} */
const bytesOf = (base64) =>
  'fromBase64' in Uint8Array
    ? /** @type {any} */ (Uint8Array).fromBase64(base64)
    : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
/** The inflated bytes in an element. @param {string} id */
async function inflated(id) {
  const stream = new Blob([bytesIn(id)]).stream();
  const plain = stream.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** A number with about four digits. @param {number} x */
const digits = (x) => String(+x.toPrecision(4)).replace(/^-/, '\u2212');
/** @param {string} number @param {string} unit */
const measured = (number, unit) => (unit ? `${number}\u202f${unit}` : number);
/** The greatest of 1, 2 and 5 times powers of ten up to `most`. @param {number} most */
function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2].find((k) => k * power <= most) ?? 1);
}
