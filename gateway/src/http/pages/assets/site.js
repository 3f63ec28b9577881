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

/** Updates the price in the studio on each change, from the model's published pricing. */
function followPrice(form) {
  const part = document.getElementById('price');
  const [strong, note] = part.querySelectorAll('[role="status"] > *');
  const way = part.querySelector('.way');
  const field = (name) => form.elements.namedItem(name);
  const put = (element, text) => {
    if (element.textContent.trim() !== text) element.textContent = text;
  };
  const grouped = (number) => number.toLocaleString('en-US');

  /** Credits for the current choice, by the server's own pricing function; null while there is no price. */
  function cost({ units: { name, min, max, default: usual }, ...pricing }) {
    const typed = field(`parameters.${name}`).value.trim();
    const units = typed === '' ? usual : Number(typed);
    if (!(units >= min && units <= max)) return null;
    try {
      return priceCredits(pricing, {
        resolution: field('parameters.resolution').value,
        [name]: units,
        generate_audio: field('parameters.generate_audio')?.checked === true,
      });
    } catch {
      return null;
    }
  }

  return function show(waiting) {
    const priced = JSON.parse(part.dataset.price);
    const price = waiting === undefined ? cost(priced) : null;
    const isShort = price !== null && price > priced.available;
    const words = price === null ? '' : `${grouped(price)} credits`;
    const isSeveral = Number(field('parameters.n')?.value) > 1;
    const balance = isShort ? 'You have' : 'of your';
    field('shown_credits').value = price ?? '';
    put(strong, words);
    put(
      note,
      price === null
        ? (waiting ?? priced.noPrice)
        : `${balance} ${grouped(priced.available)}${isShort ? '.' : ''}`,
    );
    note.className = isShort ? 'problem' : 'quiet';
    way.hidden = !isShort;
    const label = `Create ${priced.nouns[isSeveral ? 1 : 0]}`;
    put(document.getElementById('create'), price === null ? label : `${label} · ${words}`);
  };
}

/** Replaces the studio's fields by those that the server renders for the chosen model and mode. */
function followChoices() {
  const form = document.getElementById('studio');
  if (!form) return;
  const showPrice = followPrice(form);
  let running = null;

  async function redraw(wish) {
    running?.abort();
    running = new AbortController();
    const fields = new FormData(form);
    const sent = new Map(controls().map((each) => [each.id, stateOf(each)]));
    fields.set('do', wish);
    const answer = await fetch(form.action, {
      method: 'POST',
      body: fields,
      signal: running.signal,
    });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const parts = ['what', 'how', 'price', 'usual', 'code'].map((id) => [
      page.getElementById(id),
      document.getElementById(id),
    ]);
    if (parts.some((pair) => pair.includes(null))) throw new Error('not the studio');
    const typed = controls().filter((each) => sent.get(each.id) !== stateOf(each));
    const focused = document.activeElement?.id;
    const [what, how, price, usual, code] = parts;
    const language = document.querySelector('#code input:checked')?.id;
    what[1].replaceWith(what[0]);
    how[1].replaceWith(how[0]);
    price[1].dataset.price = price[0].dataset.price;
    usual[1].textContent = usual[0].textContent;
    code[1].replaceWith(code[0]);
    if (language) document.getElementById(language).checked = true;
    // Keeps input made during the request.
    for (const { id, value, checked } of typed) {
      const fresh = document.getElementById(id);
      if (fresh && !fresh.options) Object.assign(fresh, { value, checked });
    }
    // An uploaded file replaces its field by a button, and the button is replaced by a field again.
    const other = { file: 'clear', clear: 'file' }[focused?.split('-')[0]];
    const next = document.getElementById(focused ?? '');
    (next ?? document.getElementById(focused?.replace(/^[a-z]+/, other) ?? ''))?.focus();
    showPrice();
  }
  const controls = () => [...form.querySelectorAll('input[id]:not([type=file]), textarea[id]')];
  const stateOf = ({ value, checked }) => `${checked} ${value}`;
  function follow(wish) {
    redraw(wish).catch((error) => {
      if (error.name === 'AbortError') return;
      showPrice('The price could not be loaded. Nothing is charged before it has been shown.');
    });
  }

  // Slider and number mirror each other; only the number is sent.
  form.addEventListener('input', ({ target }) => {
    const number = document.getElementById(target.dataset.for ?? '');
    const slider = form.querySelector('[data-for]');
    if (number) number.value = target.value;
    else if (slider?.dataset.for === target.id) slider.value = target.value;
  });
  form.addEventListener('input', (event) => {
    showPrice(event.target.name === 'model' ? 'The price is on its way.' : undefined);
  });
  // The server renders the form as a request while that part is open.
  const asCode = document.querySelector('.as-code');
  asCode?.addEventListener('toggle', () => {
    if (asCode.open) follow('update');
  });
  form.addEventListener('change', (event) => {
    if (event.target.files?.length && !mayUpload(event.target)) return;
    const { reload } = event.target.dataset;
    if (reload !== undefined || asCode?.open) follow(reload || 'update');
  });
  takeDrops(form);
  form.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-reload]');
    if (!button) return;
    event.preventDefault();
    follow(button.value);
  });
  // Choices made before the script ran, or restored by the browser.
  const isChanged = ({ type, checked, defaultChecked, value, defaultValue }) => {
    return type === 'checkbox' || type === 'radio'
      ? checked !== defaultChecked
      : value !== defaultValue;
  };
  window.addEventListener('pageshow', () => {
    const choices = form.querySelectorAll('input[data-reload]');
    if ([...choices].some(isChanged)) follow('update');
    else showPrice();
  });
}

/** Checks the size of a chosen file and tells the user the result. */
function mayUpload(input) {
  const isSmall = input.files[0].size <= Number(input.dataset.max);
  if (!isSmall) input.value = '';
  toast(
    isSmall ? 'The file is on its way.' : `Use a file of at most ${input.dataset.max / 1e6} MB.`,
  );
  return isSmall;
}

/** Accepts a file dropped on an input or anywhere on the form. */
function takeDrops(form) {
  const place = (event) =>
    event.target.closest('.slot')?.querySelector('[type=file]') ??
    form.querySelector('.slot [type=file]');
  form.addEventListener('dragover', (event) => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  });
  form.addEventListener('drop', (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    const input = place(event);
    if (!input) return toast('Choose a mode that takes a picture first.');
    const one = new DataTransfer();
    one.items.add(file);
    input.files = one.files;
    input.focus();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** Formats a duration as the server does. */
function inWords(seconds) {
  if (seconds < 60) return `${seconds} s`;
  const [count, large, small] =
    seconds < 3600 ? [seconds, 'min', 's'] : [Math.round(seconds / 60), 'h', 'min'];
  const rest = count % 60;
  return `${Math.floor(count / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** Polls a generation at the server's intervals until it ends, then shows the result. */
function followProgress() {
  const card = document.querySelector('[data-progress]');
  if (!card) return;
  const bar = document.getElementById('progress');
  const words = document.getElementById('progress-words');
  const tag = document.getElementById('status');
  const elapsed = document.getElementById('elapsed');
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
    if (!['queued', 'processing'].includes(fresh.status)) return showResult(fresh.status_words);
    state = fresh;
    since = performance.now();
    document.title = document.title.replace(tag.textContent, state.status_words);
    tag.textContent = state.status_words;
    if (words.textContent !== state.words) words.textContent = state.words;
  }
  /** Replaces only the result in the studio, because the user may have changed the form. */
  async function showResult(words) {
    const stage = document.getElementById('stage');
    if (!stage) return location.reload();
    const { elements } = document.getElementById('studio');
    const answer = await fetch(`/studio?generation=${elements.namedItem('generation').value}`);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('stage');
    if (!fresh) return location.reload();
    isOver = true;
    stage.replaceWith(fresh);
    document.querySelector('.balance').replaceWith(page.querySelector('.balance'));
    document.title = page.title;
    toast(words);
  }
  let isOver = false;
  const wait = () =>
    setTimeout(async () => {
      await look().catch(() => undefined);
      if (!isOver) wait();
    }, state.retry_after_seconds * 1000);
  wait();
  // Moves from the estimated progress now to the estimate at the next poll.
  setInterval(() => {
    const seconds = (performance.now() - since) / 1000;
    const part = seconds / state.retry_after_seconds;
    if (elapsed) elapsed.textContent = inWords(Math.round(state.elapsed_seconds + seconds));
    bar.value = state.percent + (state.next_percent - state.percent) * Math.min(1, part);
  }, 1000);
}

document.documentElement.classList.add('scripted');
offerCopying();
followChoices();
followProgress();
