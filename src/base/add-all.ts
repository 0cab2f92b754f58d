/** Adds all items to the end of a list. There may be any number of them: a call takes no more than some ten thousand. */
export function addAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
