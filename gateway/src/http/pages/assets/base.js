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

/** The button beside each password shows what is typed, until the form is sent. */
function offerReveal() {
  for (const button of document.querySelectorAll('button.reveal')) {
    // Behind a label that the field stands in: the button is no part of the field's name.
    const before = button.previousElementSibling;
    const input = before.querySelector('input') ?? before;
    const show = (isShown) => {
      input.type = isShown ? 'text' : 'password';
      button.setAttribute('aria-pressed', isShown);
    };
    button.addEventListener('click', () => show(input.type === 'password'));
    // A browser keeps what was typed as text, but not what was a password.
    input.form?.addEventListener('submit', () => show(false));
  }
}

/** Says for a few seconds what came of a click, aloud, too. */
function toast(words) {
  const box = document.createElement('output');
  box.className = 'toast';
  document.body.append(box);
  box.textContent = words;
  setTimeout(() => box.remove(), 4000);
}

/** Times of the server's day and minute, as the clock on the reader's wall shows them. */
function showLocalTimes() {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  for (const element of document.querySelectorAll('time[data-local]')) {
    element.title = element.textContent;
    element.textContent = format.format(new Date(element.dateTime));
  }
}

sendOnce();
offerReveal();
showLocalTimes();
