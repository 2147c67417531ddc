'use strict';
// What the page does when it opens.

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = make('textarea', { value: text, className: 'hear' });
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** @type {Facts} */
const facts = JSON.parse(textOf('facts'));
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const darkness = matchMedia('(prefers-color-scheme: dark)');
/** @type {Controls[]} */
const stages = [];

for (const root of document.querySelectorAll('.stage')) {
  if (!(root instanceof HTMLElement)) continue;
  const index = Number(root.dataset.run);
  const stage = new Stage(root, facts.runs[index], index);
  root.classList.add('live');
  stages[index] = new Controls(stage);
  new IntersectionObserver((entries) =>
    show(stages[index], entries[entries.length - 1].isIntersecting),
  ).observe(stage.canvas);
}

/** Draws only stages that are seen, and unpacks them then. @param {Controls} controls @param {boolean} visible */
async function show(controls, visible) {
  const { stage } = controls;
  stage.visible = visible;
  if (visible && !stage.track && !stage.loading) {
    stage.loading = true;
    try {
      await stage.load();
    } catch (error) {
      stage.root.prepend(
        make('p', { className: 'bad' }, `The frames cannot be unpacked: ${error}`),
      );
      return;
    }
    if (!controls.useLink() && !calm) controls.play(true);
    stage.root.dataset.ready = String(Math.round(performance.now()));
  }
  stage.invalidate();
}

for (const [k, run] of facts.runs.entries()) {
  for (const controls of stages) {
    const { stage } = controls;
    const alike = run.units.length === stage.run.units.length && run.light === stage.run.light;
    if (stage.index !== k && alike && run.bodies === stage.run.bodies)
      controls.offer(run.title, () => Track.unpack(run, k));
  }
}
for (const mount of document.querySelectorAll('.stepper')) {
  if (mount instanceof HTMLElement) new Stepper(mount, stages[Number(mount.dataset.run)]);
}

for (const button of document.querySelectorAll('button.copy')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.onclick = async () => {
    const { textContent } = button;
    await copy(textOf(button.dataset.from ?? ''));
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = textContent), 1500);
  };
}
for (const film of document.querySelectorAll('video[data-from]')) {
  if (!(film instanceof HTMLVideoElement)) continue;
  film.src = URL.createObjectURL(
    new Blob([bytesOf(textOf(film.dataset.from ?? ''))], { type: film.dataset.type }),
  );
}

function redraw() {
  for (const { stage } of stages) stage.invalidate();
}
const theme = make('button', { type: 'button', className: 'theme' }, 'Dark or light');
theme.onclick = () => {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === 'dark' : darkness.matches;
  dataset.theme = dark ? 'light' : 'dark';
  redraw();
};
document.querySelector('header')?.append(theme);
darkness.onchange = redraw;
onhashchange = () => stages.forEach((controls) => controls.useLink());
