'use strict';
/* Common script of the site and the console. Every page works without it. */

/** Ignores a second submission while the next page loads; GET forms, such as downloads, may be repeated. */
function sendOnce() {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    const method = event.submitter?.formMethod || form.method;
    if (event.defaultPrevented || method === 'get') return;
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

/** Reveals or hides a password with the button next to it. */
function offerReveal() {
  for (const button of document.querySelectorAll('button.reveal')) {
    // The button follows the label that contains the field, so it is not part of the field's name.
    const before = button.previousElementSibling;
    const input = before.querySelector('input') ?? before;
    const show = (isShown) => {
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', isShown);
    };
    button.addEventListener('click', () => show(input.type === 'password'));
    // Browsers remember text fields, but not password fields.
    input.form?.addEventListener('submit', () => show(false));
  }
}

/** Clears the browser's other tabs when one signs out, even while the server cannot be reached. */
function clearAtSignOut() {
  const form = document.querySelector('form[action$="/sign-out"]');
  if (!form) return;
  const tabs = new BroadcastChannel(form.getAttribute('action'));
  form.addEventListener('submit', () => tabs.postMessage('signs out'));
  tabs.addEventListener('message', () => {
    document.body.replaceChildren();
    // By then the session has ended, and the page leads to the sign-in.
    setTimeout(() => location.reload(), 2000);
  });
}

sendOnce();
offerReveal();
clearAtSignOut();
