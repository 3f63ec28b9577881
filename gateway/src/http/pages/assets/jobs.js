'use strict';
/* Extends Agendash's page: links from jobs to generations, and a search from the address. */

const generationId = /gen_[0-9a-hjkmnp-tv-z]{26}/;

/** Turns generation ids in new content into links. */
function linkGenerations(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (generationId.test(text.data) && !text.parentElement?.closest('a, input, textarea')) {
      found.push(text);
    }
  }
  for (const text of found) {
    const match = generationId.exec(text.data);
    if (!match) continue;
    const rest = text.splitText(match.index);
    rest.splitText(match[0].length);
    const link = document.createElement('a');
    link.href = `/staff/generations/${match[0]}`;
    // A click on the row would open the job.
    link.addEventListener('click', (event) => event.stopPropagation());
    rest.replaceWith(link);
    link.append(rest);
  }
}

/** Adds the search from the address to the page's requests until the user enters another. */
const sought = new URLSearchParams(location.search).get('q');
if (sought) {
  const ask = window.fetch.bind(window);
  window.fetch = (input, options) => {
    const isList = typeof input === 'string' && /^api(\?|$)/.test(input);
    if (!isList || /[?&](q|job|state)=/.test(input)) return ask(input, options);
    return ask(
      `${input}${input.includes('?') ? '&' : '?'}q=${encodeURIComponent(sought)}`,
      options,
    );
  };
}

/** Labels of the page and their replacements. */
const words = new Map([
  ['job name', 'job name or generation id'],
  ['data.color', 'not used here'],
  ['green', 'generation or job id'],
]);

function rename() {
  for (const field of document.querySelectorAll('input[placeholder]')) {
    field.placeholder = words.get(field.placeholder) ?? field.placeholder;
  }
  for (const button of document.querySelectorAll('button, span')) {
    const [text] = button.childNodes;
    if (text instanceof Text && text.data.includes('Multiple Retry'))
      text.data = ' Look now at failed jobs ';
  }
}

const back = document.createElement('a');
back.href = '/staff';
back.textContent = '← Staff console';
back.className = 'staff-back';

new MutationObserver((changes) => {
  if (!back.isConnected && document.body) document.body.prepend(back);
  rename();
  for (const { addedNodes, target, type } of changes) {
    if (type === 'characterData' && target.parentElement) linkGenerations(target.parentElement);
    for (const node of addedNodes) linkGenerations(node.parentElement ?? node);
  }
}).observe(document.documentElement, { childList: true, subtree: true, characterData: true });
