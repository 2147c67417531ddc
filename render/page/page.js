'use strict';
// What the page does when it opens.

/** @type {Facts} */
const facts = JSON.parse(find(document, '#facts').textContent);
/** @type {Stage[]} */
const stages = [];
const redraw = () => stages.forEach((stage) => stage.invalidate());
/** @type {(selector: string, use: (node: any, data: DOMStringMap) => void) => void} */
const each = (selector, use) =>
  document
    .querySelectorAll(selector)
    .forEach((node) => use(node, /** @type {any} */ (node).dataset));

each('.stage', (root, data) => {
  const stage = new Stage(root, facts.runs[Number(data.run)], Number(data.run));
  stages[stage.index] = stage;
  facts.runs.forEach((run, k) => {
    const alike = run.bodies === stage.run.bodies && run.units.length === stage.run.units.length;
    if (k !== stage.index && alike) stage.offer(run.title, () => Track.load(run, k));
  });
  new IntersectionObserver((seen) => stage.show(seen[seen.length - 1].isIntersecting)).observe(
    root,
  );
});
each('.stepper', (mount, data) => new Stepper(mount, stages[Number(data.run)]));
each('button.copy', (button, { from }) => {
  button.onclick = () => navigator.clipboard.writeText(find(document, `#${from}`).textContent);
});
each('video[data-from]', (film, { from = '', type }) => {
  film.src = URL.createObjectURL(new Blob([bytesIn(from)], { type }));
});
each('button.theme', (button) => {
  button.onclick = () => {
    document.documentElement.classList.toggle('other');
    redraw();
  };
});
matchMedia('(prefers-color-scheme: dark)').onchange = redraw;
onhashchange = () => stages.forEach((stage) => stage.useLink());
