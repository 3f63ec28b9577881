import type { ApiDocument } from '../apiDocument.ts';
import type { DocsFacts } from '../facts.ts';
import type { Samples } from '../samples.ts';

/** A section of the documentation for customers. */
export interface Guide {
  /** Of the section in the page. */
  id: string;
  title: string;
  /** Markdown, and calls that are shown in several languages. */
  parts: readonly (string | Samples)[];
}

/** What guides are written from. */
export interface GuideSource {
  api: ApiDocument;
  facts: DocsFacts;
}
