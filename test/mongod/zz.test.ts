import { test } from '@jest/globals';
test('hang', async () => { await new Promise((r) => setTimeout(r, 20000)); });
