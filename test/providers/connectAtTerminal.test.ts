import { expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import { completeConnection } from '../../gateway/src/compose/connect/completeConnection.ts';

/* The questions of `routes connect`. */

const nothing = {
  like: null,
  file: null,
  name: null,
  baseURL: null,
  mediaHosts: [],
  models: [],
  route: {},
  cost: null,
  price: null,
};
const surroundings = { models: catalogue, taken: ['taken'], modelsFile: null };

/** A terminal that answers questions by the words that they contain. */
function answering(answers: Record<string, string>) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return Object.entries(answers).find(([part]) => question.includes(part))?.[1] ?? '';
  };
  return { asked, terminal: { ask, askSecret: ask } };
}

test('asks only for missing values', async () => {
  const { asked, terminal } = answering({
    'API (': 'wavespeed',
    'Hosts that serve': 'cdn.example, *.files.example',
    'Model for customers': 'alpha-2.5',
    "The provider's model ID": 'vendor/film',
    'Cost per': '0.05 USD',
    'Seconds,': '4-12',
    'Resolutions,': '720p, 1080p',
    'Aspect ratios,': '16:9',
  });
  const made = await completeConnection(terminal, nothing, surroundings);
  expect(made).toEqual({
    connection: {
      name: 'wavespeed',
      entry: {
        kind: 'http',
        like: 'wavespeed',
        apiKeyFile: 'wavespeed.key',
        mediaHosts: ['cdn.example', '*.files.example'],
      },
      routes: [
        {
          id: 'alpha-2.5',
          route: {
            provider: 'wavespeed',
            model: 'vendor/film',
            cost: { currency: 'USD', perSecond: 0.05 },
            does: {
              modes: ['text-to-video'],
              seconds: { min: 4, max: 12 },
              resolutions: ['720p', '1080p'],
              aspectRatios: ['16:9'],
            },
            send: { duration: 'duration', resolution: 'resolution', ratio: 'aspect_ratio' },
          },
        },
      ],
    },
    needsKey: true,
    newModels: [],
  });
  expect(asked).toHaveLength(11);

  const given = {
    ...nothing,
    like: 'runway',
    name: 'r',
    mediaHosts: ['files.example'],
    cost: '0.1 USD',
    models: [{ id: 'alpha-2.5', providerModel: 'gen4.5' }],
  };
  const known = answering({});
  await completeConnection(known.terminal, given, surroundings);
  expect(known.asked).toEqual([]);
});

test('asks for the price of a new model, and for no key if the API takes none', async () => {
  const like = { ...nothing, like: 'openai', name: 'own', cost: '0.1 USD' };
  const wanted = { ...like, models: [{ id: 'own-film', providerModel: 'wan' }] };
  const { terminal } = answering({ 'API base URL': 'https://gpu.example/v1', Credits: '4' });
  const made = await completeConnection(terminal, wanted, {
    ...surroundings,
    modelsFile: '/models.json',
  });
  expect(made).toMatchObject({
    connection: { entry: { baseURL: 'https://gpu.example/v1' } },
    newModels: [{ id: 'own-film', type: 'video', price: 4 }],
  });
});
