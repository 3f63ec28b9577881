/* Script of the documentation. The page shows all content without it. */
'use strict';

(() => {
  const main = document.querySelector('main');

  // Applies a language choice to all samples.
  main.addEventListener('change', ({ target }) => {
    if (target.type !== 'radio') return;
    const { top } = target.getBoundingClientRect();
    for (const each of main.querySelectorAll(`input[value="${target.value}"]`)) each.checked = true;
    // Keeps the sample in place when those above it change their height.
    window.scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
  });

  const status = document.createElement('p');
  status.setAttribute('role', 'status');

  // Browsers offer the clipboard only with https.
  if (navigator.clipboard) {
    for (const pre of main.querySelectorAll('pre')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = 'Copy';
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(pre.querySelector('code').textContent);
        button.textContent = status.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2000);
      });
      pre.prepend(button);
    }
  }

  // The page of the packages has samples only.
  const box = document.getElementById('search');
  if (!box) return;

  // Marks the current section in the table of contents.
  const links = new Map(
    [...document.querySelectorAll('nav li a')].map((link) => [link.hash.slice(1), link]),
  );
  const places = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  let current;
  const mark = () => {
    const edge = window.innerHeight / 3;
    const passed = places.filter((place) => place.getBoundingClientRect().top < edge);
    const link = links.get((passed.at(-1) ?? places[0]).id);
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'true');
    current = link;
    const nav = link.closest('nav');
    if (nav.scrollHeight > nav.clientHeight) {
      nav.scrollTop = link.offsetTop - nav.clientHeight / 2;
    }
  };
  let waiting = false;
  window.addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  });
  mark();

  // Search in sections, fields and error codes.
  const entries = [];
  const textOf = (element) => element.textContent.replace(/\s+/g, ' ').trim();
  for (const heading of main.querySelectorAll('h2, h3')) {
    const place = heading.id ? heading : heading.closest('section[id]');
    if (place)
      entries.push({ place, label: textOf(heading), text: textOf(heading), kind: 'Section' });
  }
  for (const code of main.querySelectorAll('dt[id]')) {
    const about = textOf(code.nextElementSibling);
    const label = textOf(code.querySelector('code'));
    entries.push({ place: code, label, text: `${label} ${about}`, kind: about });
  }
  for (const name of main.querySelectorAll('.field .name')) {
    const item = name.closest('li');
    const path = [textOf(name)];
    for (
      let up = item.parentElement.closest('.fields > li');
      up;
      up = up.parentElement.closest('.fields > li')
    ) {
      path.unshift(textOf(up.querySelector('.name')));
    }
    const section = item.closest('section');
    const about = item.querySelector(':scope > .about');
    const label = path.join('.');
    const title = textOf(section.querySelector('h3'));
    entries.push({
      place: item,
      label,
      text: `${label} ${about ? textOf(about) : ''}`,
      kind: title,
    });
  }

  const label = document.createElement('label');
  label.htmlFor = 'search-words';
  label.textContent = 'Search';
  const input = document.createElement('input');
  input.type = 'search';
  input.id = 'search-words';
  input.placeholder = 'Operations, fields, errors';
  input.autocomplete = 'off';
  const results = document.createElement('ul');
  box.append(label, input, status, results);

  const maxShown = 12;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = entries
      .filter(({ text, kind }) =>
        words.every((word) => `${text} ${kind}`.toLowerCase().includes(word)),
      )
      // Matches in the label come first.
      .map((entry) => ({ entry, rank: entry.label.toLowerCase().indexOf(words[0]) }))
      .sort((a, b) => (a.rank < 0 ? 1e3 : a.rank) - (b.rank < 0 ? 1e3 : b.rank))
      .map(({ entry }) => entry);
    const shown = words.length > 0 ? found.slice(0, maxShown) : [];
    results.replaceChildren(...shown.map(resultOf));
    status.textContent =
      words.length === 0
        ? ''
        : `${found.length} found${found.length > maxShown ? `, ${maxShown} shown` : ''}`;
  });

  let made = 0;
  function resultOf({ place, label: words, kind }) {
    place.id ||= `found-${(made += 1)}`;
    const link = document.createElement('a');
    link.href = `#${place.id}`;
    link.textContent = words;
    const small = document.createElement('small');
    small.textContent = kind;
    link.append(small);
    const item = document.createElement('li');
    item.append(link);
    return item;
  }
})();
