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
      toast('Copied');
    });
  }
}

document.documentElement.classList.add('scripted');
offerCopying();
