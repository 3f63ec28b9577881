/** JSON with sorted object keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(
          Object.entries(each).toSorted(([one], [other]) =>
            one < other ? -1 : one > other ? 1 : 0,
          ),
        )
      : each,
  );
}
