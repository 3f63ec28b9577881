'use strict';
/* Passkeys: the browser asks for one when a form is sent without a code. */

/** The meaning of the browser's refusal. */
function wordsOf({ name }, { url }) {
  const words = {
    NotAllowedError:
      'No passkey was used: you cancelled, it took too long, or you have none for this console.',
    InvalidStateError: 'This passkey is already registered.',
    SecurityError: `Passkeys do not work at this address. Open the console at ${url}, which needs https and a name.`,
    NotSupportedError: 'This browser does not support passkeys here.',
  };
  return `${words[name] ?? 'The passkey could not be used.'} Nothing was done.`;
}

/** The passkey's response, as JSON. */
async function askFor({ ask, options }) {
  if (!isSecureContext) throw new DOMException('', 'SecurityError');
  const kind = window.PublicKeyCredential;
  if (!kind?.parseRequestOptionsFromJSON) throw new DOMException('', 'NotSupportedError');
  const asked = JSON.parse(options);
  const response =
    ask === 'create'
      ? await navigator.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(asked) })
      : await navigator.credentials.get({ publicKey: kind.parseRequestOptionsFromJSON(asked) });
  return JSON.stringify(response);
}

function offerPasskeys() {
  for (const field of document.querySelectorAll('input[data-ask]')) {
    const { form, dataset, nextElementSibling: problem } = field;
    field.value = '';
    form.addEventListener('submit', (event) => {
      const { submitter } = event;
      const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action');
      const isGiven = field.value !== '' || Boolean(form.elements.code?.value);
      if (isGiven || action !== dataset.form) return;
      event.preventDefault();
      problem.hidden = true;
      askFor(dataset).then(
        (response) => {
          field.value = response;
          form.requestSubmit(submitter);
        },
        (error) => {
          problem.textContent = wordsOf(error, dataset);
          problem.hidden = false;
          problem.focus();
        },
      );
    });
    window.addEventListener('pageshow', () => {
      field.value = '';
    });
  }
}

offerPasskeys();
