import type { Showpiece } from '../domain/showpiece.ts';
import type { Command } from './command.ts';

const shown = ({ model, generationId, type }: Showpiece) => ({
  model,
  generation_id: generationId,
  type,
});

/** Commands for the results that the start page and the studio show for each model. */
export const showpieceCommands: Readonly<Record<string, Command>> = {
  'showpiece add': {
    usage: '--generation G',
    summary:
      "Publicly shows a completed generation of a staff account as its model's result, replacing an earlier one.",
    flags: { generation: 'text' },
    read(flags) {
      const generationId = flags.text('generation');
      return async (deps) => {
        const { addShowpiece } = await import('../application/showpieces/chooseShowpiece.ts');
        return shown(await deps.removing(({ work }) => addShowpiece(work, generationId)));
      };
    },
  },
  'showpiece list': {
    usage: '',
    summary: 'Lists the results shown, at most one per model.',
    flags: {},
    readsOnly: true,
    read: () => async (deps) => {
      const { readShowpieces } = await import('../application/showpieces/showpieceList.ts');
      const list = await deps.removing(({ work }) => readShowpieces(work.media));
      return { showpieces: list.map(shown) };
    },
  },
  'showpiece remove': {
    usage: '--model M',
    summary: 'Removes the result shown for a model, with its files.',
    flags: { model: 'text' },
    read(flags) {
      const model = flags.text('model');
      return async (deps) => {
        const { removeShowpieceOf } = await import('../application/showpieces/chooseShowpiece.ts');
        return shown(await deps.removing(({ work }) => removeShowpieceOf(work.media, model)));
      };
    },
  },
};
