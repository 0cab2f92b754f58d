import { isNotFound } from '../runtime/index.ts';

/** The answer; undefined when what was asked about does not exist. */
export async function orUndefined<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Waits for the end of a stop or a removal, which has done its work when there is nothing there. */
export async function ignoreNotFound(call: Promise<unknown>): Promise<void> {
  await orUndefined(call);
}
