import { errorCodes, failureCodes, type ErrorCode } from '@framegate/contract';
import { html, type Html } from './html.ts';

/** Every code of a refused request, by status. */
export function errorSection(): Html {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const byStatus = [...Map.groupBy(codes, (code) => errorCodes[code].status)];
  return html`<h2 id="errors">Errors</h2>
    <p>
      Each refusal has an <a href="#object-Error">Error</a> as its body. Branch on
      <code>error.code</code>, show <code>error.message</code> to people, and give
      <code>error.request_id</code> to support.
    </p>
    ${byStatus.map(
      ([status, group]) =>
        html`<h3>${status}</h3>
          <dl class="errors">
            ${group.map((code) => entry(`error-${code}`, code, errorCodes[code]))}
          </dl>`,
    )}`;
}

/** Every code with which a generation may fail. */
export function failureSection(): Html {
  return html`<h2 id="failures">Failures</h2>
    <p>
      A generation that fails says why in its <code>error</code>, and is refunded in full. It is
      final: to try again, create a new one.
    </p>
    <dl class="errors">
      ${Object.entries(failureCodes).map(([code, failure]) =>
        entry(`failure-${code}`, code, failure),
      )}
    </dl>`;
}

function entry(id: string, code: string, about: { retryable: boolean; message: string }): Html {
  return html`<dt id="${id}">
      <code>${code}</code>
      ${about.retryable ? html`<span class="retryable">retryable</span>` : null}
    </dt>
    <dd>${about.message}</dd>`;
}
