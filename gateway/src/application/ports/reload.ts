/** What came of reading ROUTES_FILE again. */
export interface RoutesReload {
  result: 'reloaded' | 'unchanged' | 'refused';
  /** Why it was refused: one sentence each, with the JSON path at fault. */
  problems: readonly string[];
}

/** What one process made of its routes file; `silent`: it has not answered in time. */
export interface ProcessReload extends Omit<RoutesReload, 'result'> {
  process: string;
  host: string;
  role: string;
  result: RoutesReload['result'] | 'silent';
}
