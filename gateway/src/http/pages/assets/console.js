'use strict';
/* Script of the staff console. Every page works without it. */

/** Submits the fragment of an enrolment link, which browsers do not send to servers. */
function takeFragment() {
  const form = document.querySelector('form[data-takes-fragment]');
  if (!form) return;
  function send() {
    const code = location.hash.slice(1);
    if (code === '') return;
    // Keeps the code out of the browser's history.
    history.replaceState(null, '', location.pathname);
    form.elements.token.value = code;
    form.requestSubmit();
  }
  // A second link in the same tab does not reload the page.
  window.addEventListener('hashchange', send);
  send();
}

takeFragment();
