'use strict';
/* All that the console does in the browser; every page works without it. */

/** Fetches the live part of a page anew while it can be seen. */
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

keepLive();
