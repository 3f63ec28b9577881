/** Sets an entry of a map as the newest one, and deletes the oldest entries beyond a maximum. */
export function setWithin<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  max: number,
): void {
  map.delete(key);
  map.set(key, value);
  deleteOldest(map, max);
}

/** Adds a member to a set as its newest one, and deletes the oldest members beyond a maximum. */
export function addWithin<Member>(set: Set<Member>, member: Member, max: number): void {
  set.delete(member);
  set.add(member);
  deleteOldest(set, max);
}

function deleteOldest<Key>(entries: Pick<Set<Key>, 'size' | 'keys' | 'delete'>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(oldest);
  }
}
