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

/** Sends what an enrolment link has behind its #, which browsers keep to themselves. */
function takeFragment() {
  const form = document.querySelector('form[data-takes-fragment]');
  if (!form) return;
  function send() {
    const code = location.hash.slice(1);
    if (code === '') return;
    // The browser's history does not keep it.
    history.replaceState(null, '', location.pathname);
    form.elements.token.value = code;
    form.requestSubmit();
  }
  // A second link in the same tab does not load the page anew.
  window.addEventListener('hashchange', send);
  send();
}

keepLive();
takeFragment();
