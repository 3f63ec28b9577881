import type { Page } from 'playwright-core';

/** Clicks a tile of the studio. @param value As the form sends it. */
export async function choose(
  page: Page,
  group: 'Model' | 'Mode' | 'Resolution' | 'Aspect ratio',
  value: string,
): Promise<void> {
  await page.getByRole('group', { name: group }).locator(`input[value="${value}"]`).check();
}
