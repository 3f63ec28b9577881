'use strict';
/* What the scripts of the site and of the console share. Every page works without it. */

/** A second click on the way to the next page does nothing. */
function sendOnce() {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (form.dataset.sent === 'yes') event.preventDefault();
    form.dataset.sent = 'yes';
    form.setAttribute('aria-busy', 'true');
  });
  window.addEventListener('pageshow', () => {
    for (const form of document.forms) {
      delete form.dataset.sent;
      form.removeAttribute('aria-busy');
    }
  });
}

sendOnce();
