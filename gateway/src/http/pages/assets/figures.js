'use strict';
/* Script of the console's pages of figures and lists. Every page works without it. */

/** Refreshes a visible page every 15 seconds while no one is using it, and keeps its scroll position and focus. */
function keepRenewed() {
  const main = document.querySelector('main[data-renewed]');
  if (!main) return;
  let isFilledIn = false;
  main.addEventListener('input', () => (isFilledIn = true));
  const isUsed = () =>
    isFilledIn ||
    document.hidden ||
    document.activeElement.matches('input, select, textarea, svg') ||
    !getSelection().isCollapsed ||
    main.querySelector('details[open]');

  async function renew() {
    if (isUsed()) return;
    const response = await fetch(location, { headers: { 'X-Renewal': '1' }, redirect: 'error' });
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (!isUsed()) replaceBy(page.querySelector('main'));
  }

  function replaceBy(next) {
    const { activeElement: had } = document;
    const all = () => [...main.querySelectorAll('a, button, summary, [tabindex]')];
    const wide = () => [...main.querySelectorAll('.wide')];
    const at = all().indexOf(had);
    const scrolled = wide().map(({ scrollLeft }) => scrollLeft);
    main.replaceChildren(...next.childNodes);
    makeFocusable();
    for (const [index, part] of wide().entries()) part.scrollLeft = scrolled[index] ?? 0;
    const isSame = ({ href, textContent }) => href === had.href && textContent === had.textContent;
    if (at >= 0) (all().find(isSame) ?? all()[at])?.focus({ preventScroll: true });
  }

  function stop() {
    const line = main.querySelector('#read-at');
    line.prepend('This page no longer refreshes automatically. ');
    line.setAttribute('role', 'alert');
  }
  const wait = () => setTimeout(() => void renew().then(wait, stop), 15_000);
  wait();
}

/** Shows the values of a chart's column under the pointer, or of the one chosen with the arrow keys. */
function tellValues() {
  const columnsOf = (svg) => [...svg.querySelectorAll('.column')];
  function choose(svg, column) {
    for (const each of columnsOf(svg)) each.classList.toggle('chosen', each === column);
    svg.parentNode.querySelector('output').textContent = column.textContent;
  }
  const inChart = (tell) => (event) => {
    const svg = event.target.closest('.chart svg');
    if (svg) tell(svg, event);
  };
  const on = (name, tell) => document.addEventListener(name, inChart(tell));
  on('pointerover', (svg, { target }) => target.matches('.column') && choose(svg, target));
  on('focusin', (svg) => choose(svg, columnsOf(svg).at(-1)));
  on('keydown', (svg, event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const columns = columnsOf(svg);
    const next = columns[columns.findIndex((each) => each.matches('.chosen')) + step];
    if (!next) return;
    event.preventDefault();
    choose(svg, next);
  });
}

/** Charts can have the focus if a script shows their values. */
function makeFocusable() {
  for (const svg of document.querySelectorAll('.chart svg')) svg.tabIndex = 0;
}

makeFocusable();
tellValues();
keepRenewed();
