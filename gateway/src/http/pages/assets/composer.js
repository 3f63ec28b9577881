/* The composer of the studio, whose parts depend on each other's choices. */

/** Updates the price on each change, from the model's published pricing. */
function followPrice(form) {
  const part = document.getElementById('price');
  const [strong, note] = part.querySelectorAll('[role="status"] > *');
  const field = (name) => form.elements.namedItem(name);
  const put = (element, text) => {
    if (element.textContent.trim() !== text) element.textContent = text;
  };
  const grouped = (number) => number.toLocaleString(lang);

  /** Credits for the current choice, by the server's own pricing function; null if there is no price. */
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
    const isList = field('times').value === 'lines';
    const prompts = isList
      ? field('prompt')
          .value.split('\n')
          .filter((line) => line.trim() !== '')
      : [field('prompt').value];
    const times = isList ? Math.max(1, prompts.length) : Number(field('times').value);
    const one = waiting === undefined ? cost(priced) : null;
    const price = one === null ? null : one * times;
    const isShort = price !== null && price > priced.available;
    const words = price === null ? '' : say('credits', { credits: grouped(price) });
    const results = Number(field('parameters.n')?.value) || 1;
    field('shown_credits').value = price ?? '';
    put(
      strong,
      words && times > 1
        ? say('timesCredits', { times, each: grouped(one), credits: grouped(price) })
        : words,
    );
    put(
      note,
      price === null
        ? (waiting ?? priced.noPrice)
        : say(isShort ? 'youHave' : 'ofYour', { credits: grouped(priced.available) }),
    );
    note.className = isShort ? 'problem' : 'quiet';
    const create = document.getElementById('create');
    document.getElementById('way').hidden = !isShort;
    create.hidden = isShort;
    const { labels } = priced;
    const single = results > 1 ? labels.several : labels.one;
    const label = times > 1 ? labels.many.replace('{count}', results * times) : single;
    put(create, price === null ? label : `${label} · ${words}`);
    const length = Math.max(0, ...prompts.map((each) => [...each.trim()].length));
    const isLong = length > priced.maxLength;
    const count = document.getElementById('field-prompt-hint');
    const max = grouped(priced.maxLength);
    if (isList && !isLong) {
      put(count, say('linesOf', { count: prompts.length, max: priced.maxLines }));
    } else {
      const words = length === 0 ? 'upTo' : 'charactersOf';
      put(count, say(words, { count: grouped(length), max }));
    }
    count.classList.toggle('problem', isLong || prompts.length > priced.maxLines);
  };
}

/** Parses the response to a request; null if it is not the studio, for example after the session has ended. */
async function studioIn(response) {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return page.getElementById('studio') ? page : null;
}

/** Replaces parts of the composer with those of a page, keeping open panels, focus and newer input. */
function replaceParts(form, page, ids, sent) {
  const controls = controlsOf(form);
  const typed = controls.filter((each) => sent && sent.get(each.id) !== stateOf(each));
  const focused = document.activeElement?.id;
  const open = [...form.querySelectorAll('details[open]')].map(({ id }) => id);
  const language = document.querySelector('#code input:checked')?.id;
  for (const id of ids) {
    const [fresh, old] = [page.getElementById(id), document.getElementById(id)];
    old.replaceWith(fresh);
  }
  for (const id of open) if (id) document.getElementById(id)?.setAttribute('open', '');
  if (language) document.getElementById(language).checked = true;
  for (const { id, value, checked, options } of typed) {
    const fresh = document.getElementById(id);
    const isOffered = !options || [...(fresh?.options ?? [])].some((each) => each.value === value);
    if (fresh && isOffered) Object.assign(fresh, options ? { value } : { value, checked });
  }
  const { dataset } = document.getElementById('price');
  dataset.price = page.getElementById('price').dataset.price;
  document.getElementById('usual').textContent = page.getElementById('usual').textContent;
  // An uploaded file replaces its field with a button; clearing it restores the field.
  const other = { file: 'clear', clear: 'file' }[focused?.split('-')[0]];
  const next = document.getElementById(focused ?? '');
  (next ?? document.getElementById(focused?.replace(/^[a-z]+/, other) ?? ''))?.focus();
}

const controlsOf = (form) => [
  ...form.querySelectorAll('input[id]:not([type=file]), textarea[id], select[id]'),
];
const stateOf = ({ value, checked }) => `${checked} ${value}`;

/** Makes the composer follow its choices and the buttons of the feed. @returns Functions for other scripts. */
function followChoices(form) {
  const showPrice = followPrice(form);
  const prompt = () => document.getElementById('field-prompt');
  let running = null;

  /** Requests the form from the server after a button was pressed. */
  async function redraw(wish, isFromFeed) {
    running?.abort();
    running = new AbortController();
    const fields = new FormData(form);
    const sent = new Map(controlsOf(form).map((each) => [each.id, stateOf(each)]));
    fields.set('do', wish);
    const { signal } = running;
    const hasFiles = [...fields.values()].some(({ size }) => size);
    const send = hasFiles ? (await import('./later.js')).upload : fetch;
    const page = await studioIn(await send(form.action, { method: 'POST', body: fields, signal }));
    if (!page) throw new Error('not the studio');
    replaceParts(form, page, ['notes', 'chips', 'trouble', 'code', 'way'], sent);
    showLocalTimes();
    const words = page.getElementById('field-prompt').value;
    if (prompt().value === fields.get('prompt').replaceAll('\r\n', '\n')) prompt().value = words;
    showPrice();
    if (isFromFeed) prompt().focus();
  }
  function follow(wish, isFromFeed = false) {
    redraw(wish, isFromFeed).catch((error) => {
      if (error.name === 'AbortError') return;
      showPrice(say('priceFailed'));
    });
  }

  form.addEventListener('input', ({ target }) => {
    showPrice(target.name === 'model' ? say('priceComing') : undefined);
  });
  // The server renders the form as a sample call while that part is open.
  const asCode = form.querySelector('.as-code');
  asCode.addEventListener('toggle', () => {
    if (asCode.open) follow('update');
  });
  form.addEventListener('change', ({ target }) => {
    const { reload, max } = target.dataset;
    if (target.files?.[0]?.size > max) {
      target.value = '';
      return toast(say('fileTooLarge', { megabytes: max / 1e6 }));
    }
    if (reload !== undefined || asCode.open) follow(reload || 'update');
  });
  takeDrops(form);
  document.addEventListener('click', (event) => {
    const button = event.target.closest('button[data-reload]');
    if (!button) return;
    event.preventDefault();
    follow(button.value, !form.contains(button));
  });
  // Choices made before the script ran, or restored by the browser.
  const isChanged = ({ type, checked, defaultChecked, value, defaultValue }) => {
    return type === 'checkbox' || type === 'radio'
      ? checked !== defaultChecked
      : value !== defaultValue;
  };
  window.addEventListener('pageshow', () => {
    const choices = form.querySelectorAll('input[data-reload]:not([type=file])');
    if ([...choices].some(isChanged)) follow('update');
    else showPrice();
  });
  return { follow, showPrice };
}

/** Accepts a file dropped on an input or anywhere on the page. */
function takeDrops(form) {
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  });
  document.addEventListener('drop', async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    (await import('./later.js')).drop(form, event.target, file);
  });
}

/** Chip panels: a click elsewhere, Escape or the choice of a model closes them. */
function closePanels(form) {
  const close = (except) => {
    for (const chip of form.querySelectorAll('details[open]')) {
      if (chip !== except) chip.open = false;
    }
  };
  document.addEventListener('click', (event) => {
    const isModel = event.target.name === 'model' && event.detail > 0;
    if (event.target.isConnected) close(isModel ? null : event.target.closest('details.chip'));
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    const open = form.querySelector('details[open]');
    if (open?.contains(document.activeElement)) open.querySelector('summary').focus();
    close(null);
  });
}
