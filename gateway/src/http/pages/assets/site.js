'use strict';
/* Script of the account site. Without it, every page works except live progress. */

/** Shows the copy buttons, which copy an element's value or text. */
function offerCopying() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const source = document.getElementById(button.dataset.copy);
    if (!source || !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      toast(say('copied'));
    });
  }
}

/** Favourites change in their place. */
function followHearts() {
  async function change(event) {
    const { target: form, submitter: heart } = event;
    // Not `form.id`: its buttons have that name.
    if (!form.matches('#hearts') || form.dataset.plain) return;
    event.preventDefault();
    const path = heart.getAttribute('formaction') ?? form.action;
    const body = new URLSearchParams(new FormData(form, heart));
    const sent = fetch(path, { method: 'POST', body, redirect: 'manual' });
    if ((await sent.catch(() => null))?.type !== 'opaqueredirect') {
      form.dataset.plain = 'yes';
      return form.requestSubmit(heart);
    }
    const isOne = heart.ariaPressed === 'false';
    heart.ariaPressed = isOne;
    if (isOne) heart.setAttribute('formaction', path.replace('yes', 'no'));
    else heart.removeAttribute('formaction');
    toast(say(isOne ? 'added' : 'removed'));
  }
  // Before the common script, which would take the form for sent.
  document.addEventListener('submit', change, true);
}

document.documentElement.classList.add('scripted');
offerCopying();
followHearts();
