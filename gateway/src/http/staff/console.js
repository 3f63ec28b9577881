'use strict';
/* All that the console does in the browser; every page works without it. */

/** Fetches the live part of a page anew while somebody can see it. */
function keepLive() {
  const part = document.querySelector('[data-live]');
  if (!part) return;
  async function refresh() {
    if (document.hidden || part.contains(document.activeElement)) return;
    const answer = await fetch(part.dataset.live, { redirect: 'error' });
    if (answer.ok) part.innerHTML = await answer.text();
  }
  setInterval(() => void refresh().catch(() => undefined), 5000);
}

/** A second click on the way to the next page does nothing. */
function sendOnce() {
  document.addEventListener('submit', (event) => {
    const { target } = event;
    if (target.dataset.sent === 'yes') event.preventDefault();
    target.dataset.sent = 'yes';
  });
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
}

keepLive();
sendOnce();
