/** Maps with at most `limit` calls in flight, results in the order of the items. Rejects with the first failure. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pending = items.entries();
  const workers = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const [index, item] of pending) results[index] = await map(item, index);
  });
  await Promise.all(workers);
  return results;
}
