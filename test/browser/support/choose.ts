import type { Page } from 'playwright-core';

/** Chips of the composer that open tiles. */
const chips = { Model: '#chip-model', Mode: '#chip-inputs' } as const;

/** Chooses in the composer of the studio. @param value As the form sends it. */
export async function choose(
  page: Page,
  group: keyof typeof chips | 'Resolution' | 'Aspect ratio',
  value: string,
): Promise<void> {
  if (group === 'Resolution' || group === 'Aspect ratio') {
    await page.getByLabel(group).selectOption(value);
    return;
  }
  await openChip(page, chips[group]);
  // Not `check`, which looks for the tile afterwards: the page may have put another in its place and closed the panel.
  await page.getByRole('group', { name: group }).locator(`input[value="${value}"]`).click();
}

/** Opens the panel of a chip, unless it is open. @param chip Selector. */
export async function openChip(page: Page, chip: string): Promise<void> {
  const isOpen = (await page.locator(chip).getAttribute('open')) !== null;
  if (!isOpen) await page.locator(`${chip} > summary`).click();
}
