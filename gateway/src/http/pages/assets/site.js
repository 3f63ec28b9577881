'use strict';
/* All that the account site does in the browser. Every page works without it, but for live progress. */

/** Copies the value or the text of an element. */
function offerCopying() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const source = document.getElementById(button.dataset.copy);
    if (!source || !navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
  }
}

/** The studio's fields and price follow the choices: the server draws them, the rest of the page stays. */
function followChoices() {
  const form = document.getElementById('studio');
  if (!form) return;
  let running = null;
  async function redraw(wish) {
    running?.abort();
    running = new AbortController();
    const fields = new URLSearchParams(new FormData(form));
    fields.set('do', wish);
    const answer = await fetch(form.action, {
      method: 'POST',
      body: fields,
      signal: running.signal,
    });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const focused = document.activeElement?.id;
    for (const id of ['what', 'how']) {
      const fresh = page.getElementById(id);
      const old = document.getElementById(id);
      if (!fresh || !old) return;
      // What is typed while the answer is on its way stays.
      const prompt = document.getElementById('field-prompt')?.value;
      old.replaceWith(fresh);
      const newPrompt = document.getElementById('field-prompt');
      if (newPrompt && prompt !== undefined) newPrompt.value = prompt;
    }
    if (focused) document.getElementById(focused)?.focus();
  }
  const quietly = (wish) => redraw(wish).catch(() => undefined);
  form.addEventListener('change', (event) => {
    if (event.target.dataset.reload !== undefined) void quietly('update');
  });
  form.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-reload]');
    if (!button) return;
    event.preventDefault();
    void quietly(button.value);
  });
  // What was chosen before this script was there, or kept by the browser over a reload.
  const isChanged = ({ type, checked, defaultChecked, value, defaultValue, options }) => {
    if (options) return [...options].some((each) => each.selected !== each.defaultSelected);
    return type === 'checkbox' ? checked !== defaultChecked : value !== defaultValue;
  };
  const choices = form.querySelectorAll('select[data-reload], input[data-reload]');
  if ([...choices].some(isChanged)) void quietly('update');
}

/** Follows a generation until it has ended, then shows the result: looks when the server says, no sooner. */
function followProgress() {
  const card = document.querySelector('[data-progress]');
  if (!card) return;
  const bar = document.getElementById('progress');
  const words = document.getElementById('progress-words');
  const tag = document.getElementById('status');
  let state = JSON.parse(card.dataset.state);
  let since = performance.now();
  async function look() {
    const answer = await fetch(card.dataset.progress, { headers: { accept: 'application/json' } });
    if (answer.status === 429 || answer.status >= 500) {
      const told = Number(answer.headers.get('retry-after'));
      if (told > 0) state.retry_after_seconds = told;
      return;
    }
    const fresh = await answer.json();
    if (!['queued', 'processing'].includes(fresh.status)) return location.reload();
    state = fresh;
    since = performance.now();
    tag.textContent = state.status_words;
    if (words.textContent !== state.words) words.textContent = state.words;
  }
  const wait = () =>
    setTimeout(
      () =>
        look()
          .catch(() => undefined)
          .then(wait),
      state.retry_after_seconds * 1000,
    );
  wait();
  // From where it probably is to where it probably will be at the next look.
  setInterval(() => {
    const part = (performance.now() - since) / 1000 / state.retry_after_seconds;
    bar.value = state.percent + (state.next_percent - state.percent) * Math.min(1, part);
  }, 1000);
}

document.documentElement.classList.add('scripted');
offerCopying();
followChoices();
followProgress();
