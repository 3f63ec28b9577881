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

/** A button beside each password that shows what is typed, until the form is sent. */
function offerReveal() {
  for (const input of document.querySelectorAll('input[type="password"]')) {
    const button = document.createElement('button');
    const show = (isShown) => {
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', isShown);
    };
    button.type = 'button';
    button.className = 'reveal';
    button.textContent = 'Show';
    show(false);
    button.addEventListener('click', () => show(input.type === 'password'));
    // A browser keeps what was typed as text, but not what was a password.
    input.form?.addEventListener('submit', () => show(false));
    // Behind a label that the field stands in: the button is no part of the field's name.
    (input.closest('label') ?? input).after(button);
  }
}

sendOnce();
offerReveal();
