import type { PodRefusal } from './contract.ts';

/** A refusal with its text as event and as status have it. */
export function refusal(reason: string, message: string): PodRefusal {
  return { reason, message, statusMessage: `Pod ${message}` };
}
