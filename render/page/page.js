'use strict';
// What the page does when it opens.

/** @type {Facts} */
const facts = JSON.parse(textOf('facts'));
const calm = matchMedia('(prefers-reduced-motion: reduce)');
/** @type {Stage[]} */
const stages = [];
const redraw = () => stages.forEach((stage) => stage.invalidate());
/** @type {(selector: string, use: (node: any, data: DOMStringMap) => void) => void} */
const each = (selector, use) =>
  document
    .querySelectorAll(selector)
    .forEach((node) => use(node, /** @type {HTMLElement} */ (node).dataset));

/** Draws a stage only while it is seen, and unpacks it then. @param {Stage} stage @param {boolean} visible */
async function show(stage, visible) {
  stage.visible = visible;
  if (visible && !stage.asked && !stage.track) {
    stage.asked = 1;
    stage.track = await Track.unpack(stage.run, stage.index);
    stage.asked = 0;
    stage.resize();
    if (!stage.useLink()) stage.play(!calm.matches);
    facts.runs.forEach((run, k) => {
      const alike = run.bodies === stage.run.bodies && run.units.length === stage.run.units.length;
      if (k !== stage.index && alike) stage.offer(run.title, () => Track.unpack(run, k));
    });
    stage.root.dataset.ready = String(Math.round(performance.now()));
  }
  stage.invalidate();
}

each('.stage', (root, data) => {
  const index = Number(data.run);
  const stage = new Stage(root, facts.runs[index], index);
  stages[index] = stage;
  new IntersectionObserver((seen) => show(stage, seen[seen.length - 1].isIntersecting)).observe(
    root,
  );
});
each('.stepper', (mount, data) => new Stepper(mount, stages[Number(data.run)]));
each('button.copy', (button, { from = '' }) => {
  button.onclick = () => navigator.clipboard.writeText(textOf(from));
});
each('video[data-from]', (film, { from = '', type }) => {
  film.src = URL.createObjectURL(new Blob([bytesOf(textOf(from))], { type }));
});
each('button.theme', (button) => {
  button.hidden = false;
  button.onclick = () => {
    const { colorScheme } = getComputedStyle(document.documentElement);
    document.documentElement.dataset.theme = colorScheme === 'dark' ? 'light' : 'dark';
    redraw();
  };
});
matchMedia('(prefers-color-scheme: dark)').onchange = redraw;
onhashchange = () => stages.forEach((stage) => stage.useLink());
