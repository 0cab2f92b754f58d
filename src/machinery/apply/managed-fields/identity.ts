import { isJsonObject } from '../../../base/index.ts';

/** Who an entry belongs to. Appliers are one manager whatever version they speak. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: string;
  /** Only for updates. */
  readonly apiVersion?: string;
}

/** The identity as the text by which owners are told apart; empty parts are left out, as structured-merge-diff has it. */
export function formatIdentity(entry: {
  readonly manager?: string | undefined;
  readonly operation?: string | undefined;
  readonly apiVersion?: string | undefined;
}): string {
  const { manager, operation, apiVersion } = entry;
  return JSON.stringify({
    ...(manager ? { manager } : {}),
    ...(operation ? { operation } : {}),
    ...(apiVersion && operation !== 'Apply' ? { apiVersion } : {}),
  });
}

/** Takes a text of `formatIdentity` apart. */
export function parseIdentity(id: string): ManagerIdentity {
  const parsed: unknown = JSON.parse(id);
  const text = (name: string): string => {
    const value = isJsonObject(parsed) ? parsed[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const apiVersion = text('apiVersion');
  return {
    manager: text('manager'),
    operation: text('operation'),
    ...(apiVersion === '' ? {} : { apiVersion }),
  };
}
