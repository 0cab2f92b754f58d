/** Waits until each of the tasks has ended, well or not. @throws what the first of those that failed did */
export async function waitForAll(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
