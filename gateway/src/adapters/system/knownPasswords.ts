let loaded: Promise<ReadonlySet<string>> | null = null;

/**
 * Whether a password stands on the list of known ones, in any case of letters. The list, some 18,000 of
 * eight characters or more, is loaded when first asked for (about 0.1 s) and stays in memory.
 */
export async function isKnownPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).has(password.normalize('NFC').trim().toLowerCase());
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  // Shorter ones are refused by their length.
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8));
}
