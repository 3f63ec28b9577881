import { catalogue } from '../../shared/src/catalogue.ts';
import { presentModel } from '../../shared/src/presentModel.ts';
import type { Target } from '../target.ts';

interface Field {
  key: string;
  label?: string;
  type?: string;
  required?: boolean;
  helpText?: string;
  choices?: { label: string }[];
  children?: Field[];
}

type FieldFunction = (z: object, bundle: object) => Promise<Field[]>;

interface Step {
  display: { label: string; description: string };
  operation: { inputFields: (Field | FieldFunction)[] };
}

interface App {
  authentication: { fields: Field[] };
  creates: Record<string, Step>;
  searches: Record<string, Step>;
}

/** Values of a step for the form with the most fields. */
const filledIn: Readonly<Record<string, object>> = {
  create_video: { model: 'alpha-2.0-pro', mode: 'multimodal-to-video', real_person_mode: 'true' },
  create_image: { model: 'image-b-2' },
  find_price: { model: 'alpha-2.0-pro' },
};

const z = {
  request: () =>
    Promise.resolve({
      status: 200,
      data: { data: catalogue.map(presentModel) },
      getHeader: () => undefined,
    }),
};

async function loadShownFields(key: string, { operation }: Step): Promise<Field[]> {
  const authData = { base_url: 'https://api.example.com/v1', api_key: `fg_live_${'x'.repeat(38)}` };
  const bundle = { authData, inputData: filledIn[key] ?? {} };
  const fields = await Promise.all(
    operation.inputFields.map(async (field) =>
      typeof field === 'function' ? field(z, bundle) : [field],
    ),
  );
  return fields.flat();
}

function table(fields: readonly Field[]): string {
  const flat = fields.flatMap((field) => (field.children ? field.children : [field]));
  const rows = flat.map(({ label, type, required, helpText = '', choices = [] }) => {
    const name = type === 'copy' ? '_note_' : `${label ?? ''}${required === true ? ' \\*' : ''}`;
    return `| ${name} | ${helpText} | ${choices.map((each) => each.label).join(', ')} |`;
  });
  return ['| field | help text | choices |', '| - | - | - |', ...rows].join('\n');
}

/** All texts of the Zapier app in the editor on one page, for reviewers. */
export const zapierEditor: Target = {
  file: 'integrations/zapier/EDITOR.md',
  async content() {
    // Loaded late because it imports generated files. Its types come from Zapier's core, which only the app installs.
    const { app } = (await import(
      new URL('../../integrations/zapier/src/app.ts', import.meta.url).href
    )) as { app: App };
    const steps = Object.entries({ ...app.creates, ...app.searches }).map(async ([key, step]) => {
      const { label, description } = step.display;
      return `## ${label}\n\n${description}\n\n${table(await loadShownFields(key, step))}`;
    });
    return [
      '# Texts of the editor',
      "Made from the app by `npm run generate` in the project's root: the forms with a model chosen and every optional field shown. \\* marks required fields.",
      `## Connection\n\n${table(app.authentication.fields)}`,
      ...(await Promise.all(steps)),
    ].join('\n\n');
  },
};
